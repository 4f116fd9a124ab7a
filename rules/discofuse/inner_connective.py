"""Inner connective: "A because B" (paper, Table 14, row 4). Only B may stand between it and the sentence's end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.discofuse.connectives import INNER, MODIFIERS, by_first_word, match_at
from rules.discofuse.halves import Halves
from rules.discofuse.operations import delete, split, trim
from rules.discofuse.parse import Parse
from rules.discofuse.reasons import DiscoFuseReason
from rules.verdict import Reason

_TABLE = by_first_word(INNER)
# Every connective has one of these.
_KEYWORDS = frozenset(next(w for w in c.words if w not in ("and", "now", "so") or len(c.words) == 1) for c in INNER)
_STOPS = frozenset((",", ";", ":", "(", ")", "--", "–", "—"))
_MINIMUM_FIRST, _MINIMUM_SECOND = 4, 3


@dataclass(frozen=True, slots=True)
class InnerMatch:
    """The connective is words [start, end); ``comma`` says whether one stands before it, ``whole`` that its clause is
    all that follows, whatever punctuation it has."""

    start: int
    end: int
    comma: bool
    text: str
    whole: bool = False


def find(parse: Parse) -> InnerMatch | None:
    """Finds the first connective without a comma, semicolon, colon or bracket between it and the end."""
    lower = parse.lower
    last_stop = max((i for i in range(len(lower) - 1) if lower[i] in _STOPS), default=-1)
    return next(_matches(parse, max(1, last_stop + 1)), None)


def find_all(parse: Parse) -> Iterator[InnerMatch]:
    """Finds every connective whose clause, by the parse, is all that follows."""
    for match in _matches(parse, 1):
        mark = match.end - 1
        clause = parse.tokens[mark].head
        if (
            parse.tokens[mark].dep == "mark"
            and parse.tokens[clause].head < match.start
            and parse.right_edge(clause) == len(parse) - 2
        ):
            yield replace(match, whole=True)


def _matches(parse: Parse, start: int) -> Iterator[InnerMatch]:
    lower = parse.lower
    if _KEYWORDS.isdisjoint(lower):
        return
    for i in range(start, len(lower) - _MINIMUM_SECOND):
        if lower[i] not in _TABLE:
            continue
        connective = match_at(_TABLE, lower, i)
        if connective is None:
            continue
        end, comma = i + len(connective.words), lower[i - 1] == ","
        if lower[end] == "of" or (not comma and not connective.bare) or (comma and not connective.comma):
            continue
        if i - comma >= _MINIMUM_FIRST and len(lower) - 1 - end >= _MINIMUM_SECOND:
            yield InnerMatch(i, end, comma, connective.text)


def apply(parse: Parse, match: InnerMatch) -> Halves:
    """Splits before the connective, deletes it, trims the second half at its first punctuation mark."""
    first, second = split(parse.words, match.start)
    second = delete(second, 0, match.end - match.start)
    if not match.whole:
        second = trim(second)
    connective = f", {match.text}" if match.comma else match.text
    return Halves(first=first, second=second, connective=connective, boundary=match.end, problem=_problem(parse, match))


def _problem(parse: Parse, match: InnerMatch) -> Reason | None:
    before = match.start - 1 - match.comma
    if parse.lower[before] in MODIFIERS:
        return DiscoFuseReason.DANGLING
    if match.text == "so that" and parse.tokens[before].tag == "VBN" and not match.comma:
        return DiscoFuseReason.DANGLING  # "was designed so that it could turn"
    # the clause must hang on the main line, or the first half loses what it was about
    mark = match.end - 1
    verb = parse.tokens[mark].head
    if parse.tokens[mark].dep != "mark" or not parse.finite(verb):
        return None
    head = parse.tokens[verb].head
    if (
        head < match.start
        and parse.is_verb(head)
        and not parse.on_main_line(head)
        and parse.tokens[head].dep != "ccomp"
    ):
        return DiscoFuseReason.WRONG_SCOPE
    return None
