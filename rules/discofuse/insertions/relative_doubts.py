"""Signs around a relative clause that it is about another noun, or longer or shorter, than the parse has it."""

from __future__ import annotations

from collections.abc import Collection

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.connectives import RELATIVE_PRONOUNS
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, may_be_person
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at
from gistmill.rules.discofuse.parse import NOMINAL, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

_CONJUNCTIONS = frozenset(("and", "or", "but"))
_SUBORDINATORS = frozenset("when where if because that while whether after before until unless though by".split())
# Nouns for kin and the like.
RELATIVES = frozenset(
    """
    brother sister son daughter father mother husband wife widow widower child grandson granddaughter grandfather
    grandmother nephew niece cousin uncle aunt friend lover mistress fiancee brother-in-law half-brother stepson
    """.split()
)
_BECOMING = frozenset(("be", "become", "remain"))


def is_kin_of_named(parse: Parse, noun: int, end: int, kin: Collection[str] = RELATIVES) -> bool:
    """Whether the noun is a word for kin, whose phrase ends before position ``end`` in the name of whose kin it is:
    "a brother of Lee"."""
    if parse.tokens[noun].lemma not in kin or parse.tokens[end - 1].pos != "PROPN":
        return False
    return any(parse.lower[k] == "of" and parse.right_edge(k) == end - 1 for k in parse.children(noun))


def doubt_of(parse: Parse, noun: int, verb: int, opening: int, closing: int) -> Reason | None:
    """Returns the reason against a clause of which something beside it shows that it was read wrongly, or None.

    Args:
        parse: the sentence.
        noun: the head of the antecedent.
        verb: the clause's verb.
        opening, closing: the commas around the clause.
    """
    if (
        _is_in_apposition(parse, noun, opening)
        or _is_of_relative(parse, noun, opening)
        or _is_of_several(parse, noun, verb, closing)
    ):
        return DiscoFuseReason.AMBIGUOUS
    if _takes_in_clause(parse, opening, closing) or _is_before_description(parse, closing):
        return DiscoFuseReason.CLAUSE_CUT
    return DiscoFuseReason.LIST if _is_before_another(parse, closing) else None


def _is_in_apposition(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the noun is only in a description between commas, of which another is the head: "Ann , a heathen before
    turning to Christ , who", but not "Upton , the farm of Ann , who"."""
    pronoun = parse.lower[opening + 1]
    start = max((c for c in parse.commas if c < opening), default=None)
    if start is None:
        return False
    return any(
        parse.tokens[k].dep == "appos"
        and parse.tokens[k].head < start
        and parse.left_edge(k) == start + 1
        and _may_mean(parse, pronoun, parse.tokens[k].head)
        for k in range(start + 1, noun)
    )


def _is_of_relative(parse: Parse, noun: int, opening: int) -> bool:
    """Whether a relative of the person may be meant as well: "the brother of Ann , who"."""
    preposition = parse.tokens[noun].head
    if parse.lower[opening + 1] == "which" or parse.tokens[noun].dep != "pobj" or parse.lower[preposition] != "of":
        return False
    relative = parse.tokens[preposition].head
    return parse.tokens[relative].lemma.lower() in RELATIVES and is_plural(parse, relative) == is_plural(parse, noun)


def _may_mean(parse: Parse, pronoun: str, noun: int) -> bool:
    """Whether the relative pronoun may stand for the noun."""
    if pronoun == "which":
        return not is_personal(parse, noun)
    return pronoun == "whose" or may_be_person(parse, noun)


def _is_of_several(parse: Parse, noun: int, verb: int, closing: int) -> bool:
    """Whether one is said to be what only several are: "by Ann Lane and Bo , who became friends", "who love each
    other", but not "Bo , who became friends with Ann"."""
    if is_plural(parse, noun) or Kind.GROUP in kinds_at(parse, noun):
        return False
    pairs = zip(parse.lower[verb:closing], parse.lower[verb + 1 : closing])
    if any(pair in (("each", "other"), ("one", "another")) for pair in pairs):
        return True
    predicate = parse.child(verb, "attr")
    if predicate is None or parse.tokens[predicate].tag != "NNS" or parse.tokens[verb].lemma not in _BECOMING:
        return False
    person = Kind.PERSON in kinds_at(parse, predicate)
    beside = [*parse.children(predicate), *parse.children(verb)]
    return person and not any(k > verb and parse.lower[k] == "with" for k in beside)


def _takes_in_clause(parse: Parse, opening: int, closing: int) -> bool:
    """Whether the clause has swallowed the next of two like clauses around it: "it rings when it is hit by hammers ,
    which are big , or when it falls"."""
    before = _SUBORDINATORS.intersection(parse.lower[:opening])
    return any(
        parse.lower[c + 1] in _CONJUNCTIONS and parse.lower[c + 2] in before
        for c in parse.commas
        if opening < c < closing - 2
    )


def _is_before_description(parse: Parse, closing: int) -> bool:
    """Whether an adjective behind the clause may describe its last noun: "the mill , which belongs to Ann , also known
    for songs"."""
    at = closing + 1
    while at < len(parse) - 1 and parse.tokens[at].tag == "RB":
        at += 1
    if at >= len(parse) - 1 or parse.tokens[at].tag != "JJ" or parse.tokens[at + 1].pos in NOMINAL:
        return False
    above = parse.tokens[at].head
    opens_phrase = above > at and parse.tokens[above].pos in NOMINAL
    return not opens_phrase and parse.tokens[closing - 1].pos in NOMINAL


def _is_before_another(parse: Parse, closing: int) -> bool:
    """Whether a second clause of the same noun is joined behind it, and would stay: "Ann , who sings , and who"."""
    return (
        closing + 2 < len(parse)
        and parse.lower[closing + 1] in _CONJUNCTIONS
        and parse.lower[closing + 2] in RELATIVE_PRONOUNS
    )
