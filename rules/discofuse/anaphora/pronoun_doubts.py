"""Doubts about the antecedent of a pronoun: one that disagrees, a likelier one, or none at all."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.noun_kinds import Kind, kinds_of_noun, main_kind
from gistmill.rules.discofuse.anaphora.forward_pronouns import means_own_subject
from gistmill.rules.discofuse.anaphora.nearer_referents import has_nearer
from gistmill.rules.discofuse.anaphora.other_antecedents import is_another
from gistmill.rules.discofuse.anaphora.places_of_links import is_main_subject, opens
from gistmill.rules.discofuse.anaphora.preferred_roles import is_unlikely
from gistmill.rules.discofuse.anaphora.pronoun_clashes import clashes
from gistmill.rules.discofuse.anaphora.rival_pronouns import meets_another
from gistmill.rules.discofuse.anaphora.rival_topics import has_rival_topic
from gistmill.rules.discofuse.nouns.agreement import PERSONAL_WORDS, PLURAL_WORDS, agrees, heads
from gistmill.rules.discofuse.nouns.binding import barred_subject, commands
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_domain, is_personal
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.documents import Mention

# Links so sure hold against a likelier place.
_BEYOND_DOUBT = 0.95
_MISTAKEN = frozenset(("ORG", "GPE"))


def is_doubtful(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun disagrees with its antecedent, has a likelier one, or has none at all."""
    word = second.lower[mention.head]
    named = antecedent.kind == "name"
    if word in PERSONAL_WORDS and (
        is_domain(first, antecedent.head) or not agrees(first, antecedent.head, lexicon.PRONOUNS[word], named=named)
    ):
        return True
    if word in ("it", "its") and is_personal(first, antecedent.head):
        return True
    if _names_itself(first, antecedent, second, mention, cluster) or _is_object_of(first, antecedent, cluster):
        return True
    if word in PERSONAL_WORDS and (
        _has_nearer_person(first, second, mention, cluster)
        or _has_own_person(first, antecedent, second, mention, cluster)
    ):
        return True
    if is_another(first, antecedent, second, mention, cluster) or has_nearer(
        first, antecedent, second, mention, cluster
    ):
        return True
    if clashes(first, antecedent, second, mention, cluster) or has_rival_topic(
        first, antecedent, second, mention, cluster
    ):
        return True
    if means_own_subject(second, mention, cluster) or meets_another(first, antecedent, second, mention):
        return True
    if _is_another_than_subject(first, antecedent.head, lexicon.PRONOUNS.get(word, "")):
        return True
    if mention.confidence < _BEYOND_DOUBT and (
        _is_property(first, antecedent.head, lexicon.PRONOUNS.get(word, ""))
        or word in PLURAL_WORDS
        and _has_nearer_many(second, mention, cluster, after=antecedent.head if first is second else -1)
        or _is_outranked(first, antecedent, second, mention, cluster)
        or is_unlikely(first, antecedent, second, mention, cluster)
    ):
        return True
    return _bound_nearby(second, mention, cluster) or is_empty(second, mention.head)


def _is_property(first: Parse, head: int, gender: str) -> bool:
    """Whether the antecedent is a property of a thing that may be meant as well: "the size of the mill . It", "the
    values of all alkanes ... they"."""
    lemma = first.tokens[head].lemma.lower()
    many = gender == lexicon.PLURAL and Kind.STATE in kinds_of_noun(lemma) and Kind.PERSON not in kinds_of_noun(lemma)
    if not many and (gender != lexicon.NEUTER or main_kind(lemma) is not Kind.STATE):
        return False
    of = [k for k in first.children(head) if first.lower[k] == "of"]
    owners = [k for at in (head, *of) for k in first.children(at) if first.tokens[k].dep in ("poss", "pobj")]
    return any(first.tokens[k].tag != "PRP$" and agrees(first, k, gender) for k in owners)


def _has_nearer_many(second: Parse, mention: Mention, cluster: Sequence[Mention], *, after: int) -> bool:
    """Whether the clause above the pronoun's has a subject in the plural, behind position ``after``, that is not linked
    to it: "most have a garden if they are rich"."""
    known = {m.head for m in cluster if m.sentence == mention.sentence}
    at = second.tokens[mention.head].head
    while second.tokens[at].head != at and second.tokens[at].dep != "conj":
        at = second.tokens[at].head
        subject = second.subject(at) if second.is_verb(at) else None
        if subject is not None and after < subject < mention.start and subject not in known:
            return second.number(at) == "plural" and second.lower[subject] not in ("we", "you", "i")
    return False


def _names_itself(
    first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]
) -> bool:
    """Whether a pronoun rules over its antecedent's own noun, which then is another's: "it names the list"."""
    own = first.lower[antecedent.head]
    return any(
        m.kind != "pronoun"
        and m.sentence == mention.sentence
        and m.start > mention.start
        and second.lower[m.head] == own
        and commands(second, mention.head, m.head)
        for m in cluster
    )


def _is_object_of(first: Parse, antecedent: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the antecedent is the object of a pronoun that is said to be the same: "he left Leeds"."""
    subject = first.subject(first.tokens[antecedent.head].head)
    return (
        first.tokens[antecedent.head].dep == "dobj"
        and subject is not None
        and any(m.kind == "pronoun" and m.sentence == antecedent.sentence and m.head == subject for m in cluster)
    )


def _has_nearer_person(first: Parse, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether another person is the subject of a clause behind the antecedent: "Lee said that a man came . He"."""
    there = [m for m in cluster if m.sentence != mention.sentence or first is second and m.end <= mention.start]
    last = max((m.head for m in there), default=-1)
    end = mention.start if first is second else len(first)
    barred = barred_subject(second, mention.head) if first is second else None
    word = second.lower[mention.head]
    return any(k != barred and _is_another_person(first, k, word) for k in heads(first, last + 1, end))


def _has_own_person(
    first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]
) -> bool:
    """Whether another person in the pronoun's half is the subject of a clause above the pronoun's, and may be meant:
    "the president said that Ann had told him"."""
    known = {m.head for m in cluster if m.sentence == mention.sentence}
    start = antecedent.head + 1 if first is second else 0
    barred = barred_subject(second, mention.head)
    return any(
        k not in known
        and k != barred
        and _is_another_person(second, k, second.lower[mention.head])
        and commands(second, k, mention.head)
        for k in heads(second, start, mention.start)
    )


def _is_another_person(parse: Parse, head: int, word: str) -> bool:
    """Whether a subject is a person whom the pronoun can mean."""
    return (
        parse.tokens[head].dep in NOMINAL_SUBJECTS
        and is_personal(parse, head)
        and agrees(parse, head, lexicon.PRONOUNS[word], named=parse.tokens[head].pos == "PROPN")
    )


def _is_another_than_subject(first: Parse, antecedent: int, gender: str) -> bool:
    """Whether the antecedent stands in a phrase whose subject is a like pronoun, so that it cannot be the same: "Sent
    to meet Lee , he left"."""
    at = antecedent
    inside = False
    while True:
        above = first.tokens[at].head
        subject = first.subject(at) if first.is_verb(at) else None
        if subject is not None:
            like = first.tokens[subject].tag == "PRP" and lexicon.PRONOUNS.get(first.lower[subject]) == gender
            return inside and like
        if above == at:
            return False
        inside = inside or first.tokens[at].dep == "advcl"
        at = above


def _is_outranked(
    first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]
) -> bool:
    """Whether another one before the pronoun is likelier: for a subject, the main subject of the sentence before; for a
    person, the subject of a clause that the antecedent stands in ("Rodriguez stated that Jones ... he"), or a pronoun
    beside a mere nominal ("him asking the clerk ... he")."""
    word = second.lower[mention.head]
    gender = lexicon.PRONOUNS.get(word, "")
    if first is not second and not is_main_subject(first, antecedent.head) and opens(second, mention):
        known = {m.head for m in cluster if m.sentence == antecedent.sentence}
        if any(
            k not in known and is_main_subject(first, k) and agrees(first, k, gender)
            for k in heads(first, 0, len(first))
        ):
            return True
    if word not in PERSONAL_WORDS:
        return False
    end = mention.start if first is second else len(first)
    said_of = first.tokens[antecedent.head].head if first.tokens[antecedent.head].dep == "attr" else -1
    if antecedent.kind != "name" and any(
        lexicon.PRONOUNS.get(first.lower[i]) == gender
        and first.tokens[i].tag == "PRP"
        and first.tokens[i].head != said_of
        for i in range(end)
    ):
        return True
    own = first.lower[antecedent.head]
    for i in heads(first, 0, end):
        verb = first.tokens[i].head
        if first.tokens[i].dep not in NOMINAL_SUBJECTS or first.lower[i] == own or i == antecedent.head:
            continue
        inside = first.left_edge(verb) <= antecedent.head <= first.right_edge(verb)
        if (
            inside
            and not first.left_edge(i) <= antecedent.head <= first.right_edge(i)
            and is_personal(first, i)
            and agrees(first, i, gender, named=first.tokens[i].pos == "PROPN")
        ):
            return True
    return False


def _bound_nearby(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a possessive pronoun has a subject of its own clause before it that it may well refer to: "some lay their
    eggs" is about the eggs of some."""
    if second.tokens[mention.head].dep != "poss":
        return False
    if _follows_owner(second, mention):
        return True
    at = mention.head
    while second.tokens[at].head != at:
        at = second.tokens[at].head
        if second.is_verb(at) and second.shared_subject(at) is not None:
            break
    subject = second.shared_subject(at)
    if subject is None or second.right_edge(subject) >= mention.start:
        return False
    if any(m.head == subject and m.sentence == mention.sentence for m in cluster):
        return False
    word, plural = second.lower[mention.head], is_plural(second, subject)
    if word == "their":
        return plural or _may_be_anyone(second, subject)
    if plural:
        return False
    personal = is_personal(second, subject) or second.lower[subject] in ("he", "she", "who")
    personal = personal or word in PERSONAL_WORDS and _may_be_full_name(second, subject)
    return personal == (word in PERSONAL_WORDS) and (
        personal or second.lower[subject] not in ("he", "she", "it", "i", "we")
    )


def _may_be_anyone(parse: Parse, head: int) -> bool:
    """Whether a singular noun names a person of either sex, who may be "they": "it lets the user cut their hand"."""
    noun = parse.tokens[head].lemma
    return parse.tokens[head].tag == "NN" and noun in lexicon.PERSON_NOUNS and lexicon.gender_of_noun(noun) == ""


def _may_be_full_name(parse: Parse, head: int) -> bool:
    """Whether a name of several words without an article was taken for an organisation's or a place's, and may well be
    a person's."""
    return (
        parse.tokens[head].entity[2:] in _MISTAKEN
        and parse.tokens[head].tag == "NNP"
        and parse.child(head, "compound") is not None
        and parse.child(head, "det") is None
    )


def _follows_owner(second: Parse, mention: Mention) -> bool:
    """Whether the noun that its own is joined to has a possessor that it may refer to: "their child 's illness , and
    her lack of sleep"."""
    noun = second.tokens[mention.head].head
    if second.tokens[noun].dep != "conj":
        return False
    joined: int | None = second.tokens[noun].head
    if joined is not None and second.tokens[joined].dep == "prep":
        joined = second.child(joined, "pobj")
    owner = None if joined is None else second.child(joined, "poss")
    return (
        owner is not None
        and second.tokens[owner].pos in NOUNS
        and agrees(second, owner, lexicon.PRONOUNS.get(second.lower[mention.head], ""))
    )
