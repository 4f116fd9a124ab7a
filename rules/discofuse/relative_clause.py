"""Relative clause between two commas (paper, Table 14, row 8): "Kubler , who retired in 1957 , remained ..."."""
from __future__ import annotations

from dataclasses import dataclass

from rules.discofuse.connectives import RELATIVE_PRONOUNS
from rules.discofuse.halves import Halves
from rules.discofuse.noun_phrases import core, is_plural
from rules.discofuse.operations import Word, Words, delete, join, lowered
from rules.discofuse.parse import AUXILIARIES, NOMINAL, Parse
from rules.verdict import Reason


@dataclass(frozen=True, slots=True)
class RelativeMatch:
    """The commas at ``open`` and ``close`` set off the clause of ``verb``; ``antecedent`` heads what it is about."""

    open: int
    close: int
    verb: int | None
    antecedent: int | None


def find(parse: Parse) -> RelativeMatch | None:
    """Finds the clause in a sentence of exactly two commas, as the released data does."""
    if len(parse.commas) != 2:
        return None
    opening, closing = parse.commas
    if opening == 0 or closing - opening < 3 or closing >= len(parse) - 2 or parse.lower[opening + 1] not in RELATIVE_PRONOUNS:
        return None
    verb = _verb(parse, opening, closing)
    return RelativeMatch(opening, closing, verb, _antecedent(parse, opening, verb))


def _verb(parse: Parse, opening: int, closing: int) -> int | None:
    for i in range(opening + 1, closing):
        if parse.tokens[i].dep == "relcl" and parse.tokens[i].head < opening:
            return i
    at = opening + 1  # not labelled: climb from the pronoun to the highest word inside
    while opening < parse.tokens[at].head < closing and parse.tokens[at].head != at:
        at = parse.tokens[at].head
    return at if parse.is_verb(at) else None


def _antecedent(parse: Parse, opening: int, verb: int | None) -> int | None:
    if verb is not None and parse.tokens[verb].dep == "relcl" and parse.tokens[verb].head < opening:
        return parse.tokens[verb].head
    at = opening - 1  # else the noun phrase that ends at the comma
    while parse.tokens[at].pos not in NOMINAL or (
        parse.tokens[at].dep in ("compound", "nummod", "pobj", "appos", "conj") and 0 < parse.tokens[at].head < at
        and parse.tokens[parse.tokens[at].head].dep in ("prep", "nsubj") and parse.tokens[at].dep == "compound"
    ):
        if parse.tokens[at].head == at or parse.tokens[at].head > opening:
            return None
        at = parse.tokens[at].head
    return at


def apply(parse: Parse, match: RelativeMatch) -> Halves:
    """Cuts the clause out, and puts its antecedent in the place that the relative pronoun had."""
    words = parse.words
    first = delete(words, match.open, match.close - match.open + 1)
    problem = _problem(parse, match)
    clause = words[match.open + 2:match.close]
    boundary = match.open + 2
    if match.verb is None or match.antecedent is None:
        return Halves(first=first, second=clause, boundary=boundary, problem=problem)
    antecedent = core(parse, match.antecedent, end=match.open)
    second = _rebuilt(parse, match, clause, antecedent)
    if second is None:
        return Halves(first=first, second=clause, boundary=boundary, problem=problem or Reason.WRONG_SCOPE)
    return Halves(first=first, second=second, boundary=boundary, problem=problem)


def _rebuilt(parse: Parse, match: RelativeMatch, clause: Words, antecedent: Words) -> Words | None:
    pronoun = match.open + 1
    if parse.lower[pronoun] == "whose":
        possessor = (*antecedent[:-1], antecedent[-1]._replace(space=False), _possessive(parse, match, antecedent))
        noun = parse.tokens[pronoun].head
        owned = parse.words[pronoun + 1:parse.right_edge(noun) + 1] if noun < match.close else ()
        if not owned or parse.tokens[noun].dep in ("nsubj", "nsubjpass"):
            return join(possessor, clause)
        if parse.tokens[noun].dep != "dobj":
            return None
        return _object(parse, match, join(possessor, owned), start=parse.right_edge(noun) + 1)
    if parse.tokens[pronoun].dep in ("dobj", "dative") or parse.lower[pronoun] == "whom":
        return _object(parse, match, antecedent, start=pronoun + 1)
    if parse.tokens[pronoun].dep in ("pobj",):
        return None
    return join(antecedent, clause)


def _object(parse: Parse, match: RelativeMatch, phrase: Words, *, start: int) -> Words | None:
    """"whom she married in 1990" -> "she married PHRASE in 1990"."""
    verb = match.verb
    if verb is None or verb < start or parse.subject(verb) is None:
        return None
    after = verb + 1
    while after < match.close and parse.tokens[after].dep == "prt":
        after += 1
    words = parse.words
    return join(words[start:after], lowered(phrase), words[after:match.close])


def _possessive(parse: Parse, match: RelativeMatch, antecedent: Words) -> Word:
    plural = match.antecedent is not None and is_plural(parse, match.antecedent)
    text = "'" if plural and antecedent[-1].text.endswith("s") else "'s"
    return Word(text, True, "POS", "PART", "case", text)


def _problem(parse: Parse, match: RelativeMatch) -> Reason | None:
    if match.verb is None:
        return Reason.WRONG_SCOPE
    if match.antecedent is None or parse.is_verb(match.antecedent):
        return Reason.CLAUSAL_ANTECEDENT
    if parse.tokens[match.antecedent].pos == "ADJ":
        return Reason.CLAUSAL_ANTECEDENT
    inside = [i for i in range(match.open + 1, match.close) if i != match.verb and parse.tokens[i].dep not in AUXILIARIES]
    if any(not match.open <= parse.tokens[i].head <= match.close for i in inside if parse.lower[i] != ","):
        return Reason.CLAUSE_CUT
    if parse.right_edge(match.verb) > match.close:
        return Reason.CLAUSE_CUT
    return None
