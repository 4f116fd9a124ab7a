"""Doubts about the antecedent of a pronoun: one that disagrees, a likelier one, or none at all."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.anaphora.forward_pronouns import means_own_subject
from gistmill.rules.discofuse.anaphora.other_antecedents import is_another
from gistmill.rules.discofuse.anaphora.places_of_links import is_main_subject, opens
from gistmill.rules.discofuse.nouns.agreement import PERSONAL_WORDS, PLURAL_WORDS, agrees, heads
from gistmill.rules.discofuse.nouns.binding import barred_subject, commands
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.documents import Mention

# Links so sure hold against a likelier place.
_BEYOND_DOUBT = 0.95
_OBJECTS = frozenset(("dobj", "pobj"))


def is_doubtful(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun disagrees with its antecedent, has a likelier one, or has none at all."""
    word = second.lower[mention.head]
    named = antecedent.kind == "name"
    if word in PERSONAL_WORDS and not agrees(first, antecedent.head, lexicon.PRONOUNS[word], named=named):
        return True
    if word in ("it", "its") and is_personal(first, antecedent.head):
        return True
    if _names_itself(first, antecedent, second, mention, cluster):
        return True
    if word in PERSONAL_WORDS and _has_nearer_person(first, second, mention, cluster):
        return True
    if is_another(first, antecedent, second, mention, cluster) or means_own_subject(second, mention, cluster):
        return True
    if _is_another_than_subject(first, antecedent.head, lexicon.PRONOUNS.get(word, "")):
        return True
    after = antecedent.head if first is second else -1
    if mention.confidence < _BEYOND_DOUBT and (
        word in PLURAL_WORDS
        and (
            _has_nearer_many(second, mention, cluster, after=after) or _has_nearer_object(second, mention, after=after)
        )
        or _is_outranked(first, antecedent, second, mention, cluster)
    ):
        return True
    return _bound_nearby(second, mention, cluster) or is_empty(second, mention.head)


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


def _has_nearer_object(second: Parse, mention: Mention, *, after: int) -> bool:
    """Whether a clause above the pronoun's has another subject, behind position ``after``, and a plural behind it."""
    at = second.tokens[mention.head].head
    start = second.left_edge(at)
    while second.tokens[at].head != at:
        above = second.tokens[at].head
        joined = second.tokens[at].dep == "conj" and second.is_verb(above) and second.finite(above)
        if joined and second.subject(at) is not None:
            return False  # a clause of its own; none is joined to a participle
        at = above
        subject = second.subject(at) if second.is_verb(at) else None
        if subject is None or not after < subject < mention.start:
            continue
        return any(
            second.tokens[k].dep in _OBJECTS and is_plural(second, k)
            for k in heads(second, subject + 1, min(start, mention.start))
        )
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


def _has_nearer_person(first: Parse, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether another person is the subject of a clause behind the antecedent: "Lee said that a man came . He"."""
    there = [m for m in cluster if m.sentence != mention.sentence or first is second and m.end <= mention.start]
    last = max((m.head for m in there), default=-1)
    end = mention.start if first is second else len(first)
    barred = barred_subject(second, mention.head) if first is second else None
    word = second.lower[mention.head]
    return any(k != barred and _is_another_person(first, k, word) for k in heads(first, last + 1, end))


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
    return personal == (word in PERSONAL_WORDS) and (
        personal or second.lower[subject] not in ("he", "she", "it", "i", "we")
    )


def _may_be_anyone(parse: Parse, head: int) -> bool:
    """Whether a singular noun names a person of either sex, who may be "they": "it lets the user cut their hand"."""
    noun = parse.tokens[head].lemma
    return parse.tokens[head].tag == "NN" and noun in lexicon.PERSON_NOUNS and lexicon.gender_of_noun(noun) == ""
