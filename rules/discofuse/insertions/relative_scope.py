"""Relative clauses that are in somebody's words, or about less, more or another than the noun before their comma."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# A clause behind one of these nouns is what somebody says or thinks.
_REPORTS = frozenset(
    """
    report claim belief idea rumor rumour allegation suggestion theory fear hope view statement assertion argument hint
    story warning hypothesis speculation suspicion opinion notion
    """.split()
)
_HINTING = frozenset("suggest indicate imply hint".split()) | REPORTING
_CONJUNCTIONS = frozenset(("and", "or", "but"))
_SUBORDINATORS = frozenset("when where if because that while whether after before until unless though by".split())
# Nouns for kin and the like.
_RELATIVES = frozenset(
    """
    brother sister son daughter father mother husband wife widow widower child grandson granddaughter grandfather
    grandmother nephew niece cousin uncle aunt friend lover mistress fiancee brother-in-law half-brother stepson
    """.split()
)


def problem_of_scope(parse: Parse, noun: int, opening: int, closing: int) -> Reason | None:
    """Returns the reason against a clause that its place in the sentence makes doubtful, or None.

    Args:
        parse: the sentence.
        noun: the head of the antecedent.
        opening, closing: the commas around the clause.
    """
    if _is_of_relative(parse, noun, opening):
        return DiscoFuseReason.AMBIGUOUS
    if _takes_in_clause(parse, opening, closing):
        return DiscoFuseReason.CLAUSE_CUT
    if _ends_report(parse, noun, opening):
        return DiscoFuseReason.NOT_ASSERTED
    if _is_description(parse, noun):
        return DiscoFuseReason.AMBIGUOUS
    return None


def _is_of_relative(parse: Parse, noun: int, opening: int) -> bool:
    """Whether a relative of the person may be meant as well: "the brother of Ann , who"."""
    preposition = parse.tokens[noun].head
    if parse.lower[opening + 1] == "which" or parse.tokens[noun].dep != "pobj" or parse.lower[preposition] != "of":
        return False
    relative = parse.tokens[preposition].head
    return parse.tokens[relative].lemma.lower() in _RELATIVES and is_plural(parse, relative) == is_plural(parse, noun)


def _takes_in_clause(parse: Parse, opening: int, closing: int) -> bool:
    """Whether the clause has swallowed the next of two like clauses around it: "it rings when it is hit by hammers ,
    which are big , or when it falls"."""
    before = _SUBORDINATORS.intersection(parse.lower[:opening])
    return any(
        parse.lower[c + 1] in _CONJUNCTIONS and parse.lower[c + 2] in before
        for c in parse.commas
        if opening < c < closing - 2
    )


def _ends_report(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the clause ends what somebody says or thinks, and may be told by them: "He said that he met Lee , who was
    ill", "reports that a ship had left Ulm , which". In the subject of what is said the author adds it: "He said that
    Lee , who was ill , had left"."""
    at = noun
    while parse.tokens[at].head != at:
        token = parse.tokens[at]
        above = token.head
        if token.dep in SUBJECTS and at < above:
            return False
        if token.dep == "ccomp" and parse.tokens[above].lemma in _HINTING and above < at:
            return parse.right_edge(at) >= opening
        if token.dep in ("acl", "ccomp", "relcl") and parse.tokens[above].lemma.lower() in _REPORTS:
            mark = parse.child(at, "mark")
            if mark is not None and parse.lower[mark] == "that":
                return True
        at = above
    return False


def _is_description(parse: Parse, noun: int) -> bool:
    """Whether the noun only says who the one named before it is, of whom the clause tells: "Lee , his son , who"."""
    token = parse.tokens[noun]
    return (
        token.dep == "appos"
        and token.pos == "NOUN"
        and token.head < noun
        and parse.tokens[token.head].pos == "PROPN"
        and is_personal(parse, token.head)
    )
