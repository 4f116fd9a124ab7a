"""Inner connectives: "A because B" (paper, Table 14, row 4), with only B before the sentence's end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses import frames
from gistmill.rules.discofuse.clauses.assertion import under_condition
from gistmill.rules.discofuse.clauses.frames import shared_frame, within
from gistmill.rules.discofuse.connectives import INNER, MORE_INNER, Connective, by_first_word, match_at
from gistmill.rules.discofuse.operations import trim
from gistmill.rules.discofuse.parse import MODALS, WORDS, Parse, Words

_TABLE = by_first_word(*INNER)
_EXTENDED = by_first_word(*INNER, *MORE_INNER)
# The last words of all connectives.
_KEYWORDS = frozenset(c.words[-1] for c in (*INNER, *MORE_INNER))
# Adverbs modifying a connective, which would be left behind: "partly because", "so much so that".
_DEGREES = WORDS["modifiers"] | {"much"}
_TOLD_BY = WORDS["reporting"] | WORDS["attitudes"]
_MINIMUM_FIRST, _MINIMUM_SECOND = 4, 3


class InnerMatch(NamedTuple):
    """A connective, words [start, end). ``comma`` says whether a comma precedes it, ``whole`` whether its clause is all
    the following text, whatever its punctuation."""

    start: int
    end: int
    comma: bool
    text: str
    whole: bool = False


class InnerClause(NamedTuple):
    """A match whose connective opens the clause of the finite verb ``verb``, which depends on ``head``."""

    match: InnerMatch
    verb: int
    head: int


def find(parse: Parse) -> InnerMatch | None:
    """Finds the first connective not followed by a comma, semicolon, colon or bracket."""
    stops = (i for i, word in enumerate(parse.lower[:-1]) if word in (",", ";", ":", "(", ")", "--"))
    return next(_matches(parse, max(stops, default=0) + 1, _TABLE), None)


def find_all(parse: Parse) -> Iterator[InnerMatch]:
    """Finds every connective, including ones not in C_s, whose clause, according to the parse, is all that follows."""
    for match in _matches(parse, 1, _EXTENDED, any_comma=True):
        verb = _clause(parse, match)
        if verb is not None and parse.right_edge(verb) >= len(parse) - 2:
            if match.text == "meaning" and parse.lower[match.end] == "that":
                match = match._replace(end=match.end + 1, text="meaning that")
            yield match._replace(whole=True)


def _clause(parse: Parse, match: InnerMatch) -> int | None:
    """Returns the verb of the clause opened by the connective; None if there is none, or a clause of another kind."""
    last = match.end - 1
    token = parse.tokens[last]
    if token.dep == "mark":
        return token.head if parse.tokens[token.head].head < last else None
    verb = token.head if match.text == "hence" and token.dep == "advmod" else None
    if match.text == "meaning" and match.comma and token.dep == "advcl" and token.head < match.start:
        verb = parse.child(last, "ccomp")  # ", meaning (that) nobody came", not "a word meaning house"
    return verb if verb is not None and parse.subject(verb, after=last) is not None else None


def _matches(
    parse: Parse, start: int, table: dict[str, tuple[Connective, ...]], *, any_comma: bool = False
) -> Iterator[InnerMatch]:
    """Yields the table's connectives from ``start`` on; ``any_comma`` also allows "now that" after a comma."""
    lower = parse.lower
    if _KEYWORDS.isdisjoint(lower):
        return
    end = start
    for i in range(start, len(lower) - _MINIMUM_SECOND):
        connective = match_at(table, lower, i) if i >= end else None
        if connective is None:
            continue
        end, comma = i + len(connective.words), lower[i - 1] == ","
        allowed = (connective.text != "now that" or any_comma) if comma else connective.bare
        if lower[end] == "of" or not allowed:
            continue
        if i - comma >= _MINIMUM_FIRST and len(lower) - 1 - end >= _MINIMUM_SECOND:
            yield InnerMatch(i, end, comma, connective.text)


def apply(parse: Parse, match: InnerMatch) -> Halves:
    """Splits before the connective, deletes it, and trims the second half at its first punctuation mark.

    A contrasting clause also gets the first one's frame ("In odd years , A while B"), and any clause a shared source.
    """
    first, second = parse.words[: match.start], parse.words[match.end :]
    second = second if match.whole else trim(second)
    problem = first_reason(CHECKS, parse, match)
    verb = _clause(parse, match)
    if verb is not None and parse.finite(verb):
        head, last, contrast = parse.tokens[verb].head, match.end - 1, match.text in ("while", "whereas")
        problem = problem or first_reason(CHECKS_OF_CLAUSE, parse, InnerClause(match, verb, head))
        frame: Words = ()
        if contrast or parse.lower[0] in WORDS["sources"]:
            frame = shared_frame(parse, head, verb, last, own_subject=True, contrast=contrast)
            second = within(frame, second)
        if head < match.start:
            problem = problem or first_reason(frames.CHECKS, parse, frames.Pair(head, verb, last, bool(frame)))
    connective = f", {match.text}" if match.comma else match.text
    return Halves(first=first, second=second, connective=connective, boundary=match.end, problem=problem)


def _goes_on(parse: Parse, clause: InnerClause) -> bool:
    """Whether a part without a subject is joined after a comma that may not belong to the clause."""
    joints = [k for k in parse.children(clause.verb) if parse.tokens[k].dep == "cc" and parse.lower[k - 1] == ","]
    parts = [k for k in parse.children(clause.verb) if parse.tokens[k].dep == "conj" and parse.subject(k) is None]
    return not clause.match.comma and any(clause.verb < joint < part for joint in joints for part in parts)


def _is_purpose(parse: Parse, clause: InnerClause) -> bool:
    """Whether "so that" may introduce a purpose rather than a result.

    A modal indicates a purpose: "so that she can leave". So may a present tense without a comma, or after an action not
    yet performed: "Lock it , so that nobody comes in".
    """
    modal = not MODALS.isdisjoint(parse.lower[k] for k in parse.auxiliaries(clause.verb))
    above = parse.tokens[clause.verb].head
    done = parse.tokens[above].tag != "VB" or any(parse.tokens[k].lemma == "do" for k in parse.auxiliaries(above))
    purpose = modal or (not (clause.match.comma and done) and not parse.past(clause.verb))
    return purpose and clause.match.text == "so that"


def _is_reported(parse: Parse, clause: InnerClause) -> bool:
    """Whether both clauses are reported, unless ", although" adds the author's own remark ("She claims that it is new ,
    although it has rust"). If no "that" separates the two, a clause in the same tense may be part of the report."""
    match, head = clause.match, clause.head
    said = [k for k in (head, *parse.ancestors(head)) if parse.tokens[k].dep == "ccomp"]
    reported = any(parse.tokens[parse.tokens[k].head].lemma in _TOLD_BY for k in said)
    if head >= match.start or not reported:
        return False
    apart = any(parse.lower[k] == "that" for k in parse.children(said[0]) if k < said[0])
    apart = apart or parse.past(head) != parse.past(clause.verb)
    return not (match.comma and match.text.endswith("though") and apart)


def _is_denied(parse: Parse, clause: InnerClause) -> bool:
    """Whether the negation applies to the reason: "It is not dry because it is old"."""
    reason = clause.match.text == "because" and not clause.match.comma and clause.head < clause.match.start
    return reason and parse.child(clause.head, "neg") is not None


def _is_below(parse: Parse, clause: InnerClause) -> bool:
    """Whether the clause depends on a subordinate clause: the first half would lose its context."""
    if clause.head >= clause.match.start or not parse.is_verb(clause.head):
        return False
    return not parse.on_main_line(clause.head) and parse.tokens[clause.head].dep != "ccomp"


CHECKS: tuple[Check[InnerMatch], ...] = (
    Check("inner.adverb", R.DANGLING, lambda parse, match: parse.lower[match.start - 1 - match.comma] in _DEGREES,
          "They sold it to him only because he was rich.", "They sold it to him today because he was rich."),
    Check("inner.only-condition", R.NOT_ASSERTED,
          lambda parse, match: match.text == "unless" and not WORDS["denials"].isdisjoint(parse.lower[: match.start]),
          "The town will never sell the mill unless the owners pay for it.",
          "The town will soon sell the mill unless the owners pay for it."),
)  # fmt: skip
CHECKS_OF_CLAUSE: tuple[Check[InnerClause], ...] = (
    Check("inner.conditional", R.NOT_ASSERTED,
          lambda parse, clause: under_condition(parse, clause.match.start, clause.verb),
          "If it rains, they stay here because we sell two books.",
          "As it rains, they stay here because we sell two books."),
    Check("inner.joined", R.SHARED_PART, _goes_on,
          "Ann moved to Leeds because Ben was still recovering from his fall, and went on to run the mill.",
          "Ann moved to Leeds because Ben was ill and needed help."),
    Check("inner.purpose", R.NOT_ASSERTED, _is_purpose,
          "He hid the keys, so that she could leave.", "He hid the keys, so that she had stayed."),
    Check("inner.reported", R.NOT_ASSERTED, _is_reported,
          "He argued that the town lost the case because the judge knew the mayor well.",
          "He showed that the town lost the case because the judge knew the mayor well."),
    Check("inner.denied", R.NOT_ASSERTED, _is_denied,
          "The mill did not close because it was old.", "They sold it to him today because he was rich."),
    Check("inner.below", R.WRONG_SCOPE, _is_below,
          "Ann sold the mill that had closed because it was old.", "Ann tried to sell the mill because it was old."),
)  # fmt: skip
