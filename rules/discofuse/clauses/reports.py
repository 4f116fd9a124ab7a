"""Whose words a half is: one that loses the tag of a report says as a fact what somebody said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.parse import FINITE, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R

_COMPLEMENTS = frozenset(("ccomp", "dobj", "xcomp"))


@dataclass(frozen=True, slots=True)
class Parted:
    """The ``halves`` of a sentence, and whether the second one was ``inserted`` into the first."""

    halves: Halves
    inserted: bool


def problem_of(parse: Parse, halves: Halves, *, inserted: bool) -> Reason | None:
    """Returns the reason for which a half has lost the one whose words it is, or None.

    Args:
        parse: the sentence.
        halves: what a rule cut it into.
        inserted: whether the second half was an insertion, a relative clause or an apposition. Those are mostly added
            by the author, but not inside a quotation.
    """
    return first_reason(CHECKS, parse, Parted(halves, inserted))


def _is_in_quotation(parse: Parse, parted: Parted) -> bool:
    """Whether an insertion was a part of a quotation, whose marks stay with the first half."""
    return parted.inserted and parse.in_quotation(parted.halves.boundary)


def _loses_tag(parse: Parse, parted: Parted) -> bool:
    """Whether only one half keeps the verb that says whose words all are."""
    first, second = ({w.position for w in half} for half in (parted.halves.first, parted.halves.second))
    return not parted.inserted and any((k in first) != (k in second) for k in _tags(parse))


def _tags(parse: Parse) -> Iterator[int]:
    """The verbs of saying that tell whose words stand before them or around them: "It is old , he said"."""
    for k, token in enumerate(parse.tokens):
        if token.tag in FINITE and token.lemma in REPORTING and parse.subject(k) is not None:
            said = [c for c in parse.children(k) if parse.tokens[c].dep in _COMPLEMENTS]
            before = any(parse.tokens[c].dep == "ccomp" for c in said) or token.dep == "parataxis" and token.head < k
            if before and all(c < k for c in said):
                yield k


def is_remark(parse: Parse, head: int, verb: int) -> bool:
    """Whether ", although" adds a remark by the author to what somebody says: "She claims that it is new , although it
    has rust". Where no "that" tells the two apart, a clause of the same tense may be hers as a whole."""
    at = head
    while parse.tokens[at].head != at and parse.tokens[at].dep != "ccomp":
        at = parse.tokens[at].head
    if parse.tokens[at].dep != "ccomp" or any(parse.lower[k] == "that" for k in parse.children(at) if k < at):
        return True
    return parse.past(head) != parse.past(verb)


CHECKS: tuple[Check[Parted], ...] = (
    Check("report.quotation", R.NOT_ASSERTED, _is_in_quotation,
          '" We like the old mill, which has wheels, " Ann said.', "We like the old mill, which has wheels."),
    Check("report.tag", R.NOT_ASSERTED, _loses_tag,
          "It helps, she said, and rain is cheap.", "She said that it helps, but rain is cheap."),
)  # fmt: skip
