"""The reasons against the replacement of an anaphor by the phrase of its antecedent."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.kinds import COUNTRIES
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.anaphora.antecedents import end_of
from gistmill.rules.discofuse.anaphora.nominal_topics import means_topic
from gistmill.rules.discofuse.anaphora.pronoun_doubts import is_doubtful
from gistmill.rules.discofuse.nouns.agreement import PERSONAL_WORDS, PLURAL_WORDS, is_group, kinds, share_kind
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.repeated_nouns import may_be_another
from gistmill.rules.discofuse.parse import NAME_TAGS, NOMINAL_SUBJECTS, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

_RANKS = frozenset("first second third fourth last next former latter only same main other".split())
_SINGULAR = frozenset(("he", "him", "his", "she", "her", "it", "its"))


def problem(
    first: Parse,
    antecedent: Mention,
    words: Words,
    second: Parse,
    mention: Mention,
    *,
    cluster: Sequence[Mention],
) -> Reason | None:
    """Returns the reason against the replacement, or None.

    Args:
        first, antecedent, words: the first text, the antecedent in it, and its phrase.
        second, mention: the second text, and the mention in it that the phrase would replace.
        cluster: all mentions of the same in both texts.
    """
    if not _stands_alone(second, mention) or _said_before(first, second, mention, cluster):
        return DiscoFuseReason.WRONG_SCOPE
    if mention.kind == "pronoun" and _is_named_later(words, second, mention, cluster):
        return DiscoFuseReason.REPEATED_ANTECEDENT
    if not _kinds_agree(first, antecedent, second, mention):
        return DiscoFuseReason.KIND
    repeated = mention.kind == antecedent.kind == "nominal"
    if repeated and (may_be_another(antecedent, words) or _is_passing_description(first, antecedent, second, mention)):
        return DiscoFuseReason.UNCERTAIN_COREFERENCE
    if means_topic(first, antecedent, second, mention, cluster):
        return DiscoFuseReason.UNCERTAIN_COREFERENCE
    if mention.kind == "pronoun" and is_doubtful(first, antecedent, second, mention, cluster):
        return DiscoFuseReason.UNCERTAIN_COREFERENCE
    return None if _numbers_agree(first, antecedent, second, mention) else DiscoFuseReason.NUMBER


def _numbers_agree(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether the antecedent has the number of the anaphor, and of the verb of which it becomes the subject."""
    own = first.tokens[antecedent.head]
    shown = first.number(own.head) if own.dep in NOMINAL_SUBJECTS and own.tag == "NNP" else None
    plural = is_plural(first, antecedent.head) or shown == "plural"  # "Caecilians resemble"
    word = second.lower[mention.head]
    if mention.kind == "pronoun" and word in PLURAL_WORDS and not plural and not is_group(first, antecedent.head):
        return False
    token = second.tokens[mention.head]
    if token.dep in NOMINAL_SUBJECTS:
        predicate = second.child(token.head, "attr")
        many = predicate is not None and second.tokens[predicate].tag == "NNS" and word in PLURAL_WORDS
        number = second.number(token.head) or ("plural" if many else None)  # "they had become lovers"
        if number is not None and plural != (number == "plural"):
            return False
    # a team's name is plural and still "it"; "the team are" is not "it", and neither is "the team , like others , are"
    broken = own.tag == "NN" and own.dep in NOMINAL_SUBJECTS and first.on_main_line(own.head)
    many = plural and own.tag == "NNS" or broken and first.number(own.head) == "plural"
    return not (mention.kind == "pronoun" and many and word in _SINGULAR)


def _kinds_agree(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether the antecedent is of the kind that the anaphor's own noun names, or the noun that is said of it."""
    head = mention.head
    if mention.kind == "nominal":
        # "the state" is mostly its government
        country = tuple(first.lower[antecedent.start : antecedent.end]) in COUNTRIES
        if country and second.tokens[head].lemma == "state" or not share_kind(first, antecedent.head, second, head):
            return False
    token = second.tokens[head]
    if token.dep != "nsubj" or second.tokens[token.head].lemma != "be":
        return True
    predicate = second.child(token.head, "attr")
    if predicate is None:
        return True
    # "was president of": an office is a person's
    office = second.left_edge(predicate) == predicate and second.tokens[predicate].tag == "NN"
    if office and kinds(second, predicate) == {Kind.PERSON} and first.tokens[antecedent.head].entity.endswith("ORG"):
        return False
    if second.lower[head] in PERSONAL_WORDS:
        return True
    # "it was his third victory": what somebody did is not what the half before was about
    deed = second.child(predicate, "poss") is not None and Kind.EVENT in kinds(second, predicate)
    if deed and second.lower[head] == "it" and first.tokens[antecedent.head].dep in SUBJECTS:
        return False
    return share_kind(first, antecedent.head, second, predicate, said=True)


def _stands_alone(second: Parse, mention: Mention) -> bool:
    """Whether a name or nominal is a phrase of its own: not "the cartoonist" before a name, nor a name behind "the
    younger", nor a nominal with a complement or a conjunct."""
    if mention.kind == "pronoun":
        return True
    end = end_of(second, mention)
    if end == mention.end and end < len(second) and second.tokens[end].pos in ("PROPN", "NOUN", "NUM"):
        return False
    if mention.kind == "nominal":
        for k in second.children(mention.head):
            if k > mention.head and (
                second.tokens[k].dep in ("relcl", "acl", "conj", "appos")
                or second.tokens[k].dep == "prep"
                and k == mention.end
                and second.lower[k] in ("of", "for", "between", "with")
            ):
                return False
    before = second.tokens[mention.start - 1] if mention.start else None
    if before is not None and before.text == "(":
        return False
    return before is None or before.pos not in ("ADJ", "NOUN", "PROPN", "NUM") and before.text != "-"


def _said_before(first: Parse, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether the first text has the nominal in the same words for something else: it means the same there, and what
    the link names is another."""
    if mention.kind != "nominal":
        return False
    own = second.lower[mention.start : mention.end]
    size = len(own)
    end = mention.start if first is second else len(first)
    known = {m.head for m in cluster if m.sentence != mention.sentence or first is second}
    return any(
        first.lower[i : i + size] == own and known.isdisjoint(_heads_at(first, i + size - 1))
        for i in range(end - size + 1)
    )


def _heads_at(parse: Parse, position: int) -> tuple[int, ...]:
    """The position, and the heads of the names that it may be a part of: "University" of "The University of Oxford"."""
    at, found = position, [position]
    while parse.tokens[at].dep in ("compound", "nmod", "pobj", "prep") and parse.tokens[at].head != at:
        at = parse.tokens[at].head
        found.append(at)
    return tuple(found)


def _is_named_later(words: Words, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a subject of the same clause says the name that would stand for the pronoun: "in their tongue , the
    Huns"."""
    own = {w.text.lower() for w in words if w.tag in NAME_TAGS}
    return any(
        m.kind == "name"
        and m.sentence == mention.sentence
        and m.start > mention.end
        and second.lower[m.head] in own
        and commands(second, m.head, mention.head)
        for m in cluster
    )


def _is_passing_description(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether a noun that the text knew before is described only where it stands, behind a preposition: "money for the
    poor town . It is said to have robbed the town".

    A rank or a people tells which one it is ("the first town", "the Swiss towns"), and a subject is the one just named.
    """
    head = antecedent.head
    if second.tokens[mention.head].dep in SUBJECTS:
        return False
    determiner = first.child(head, "det")
    if first.tokens[head].dep != "pobj" or determiner is None or first.lower[determiner] != "the":
        return False
    described = [k for k in first.children(head) if first.tokens[k].dep == "amod"]
    return bool(described) and all(
        first.tokens[k].text.islower()
        and not first.tokens[k].entity
        and first.tokens[k].tag == "JJ"
        and first.lower[k] not in _RANKS
        for k in described
    )
