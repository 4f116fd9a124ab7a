"""Checks of a split in tables, asked in their order: the first that holds gives the reason for which it is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Check(Generic[M]):
    """One reason to refuse what a rule found.

    Attributes:
        id: its name, such as ``relative.list``; no other check has it.
        reason: what the split is refused for.
        holds: whether it speaks against a match of the rule, by the parse.
        refuses: a text that it alone refuses. The tests run both texts.
        passes: a like text that it lets pass.
    """

    id: str
    reason: DiscoFuseReason
    holds: Callable[[Parse, M], bool]
    refuses: str
    passes: str


def first_reason(checks: Iterable[Check[M]], parse: Parse, match: M) -> DiscoFuseReason | None:
    """Returns the reason of the first check that holds, or None."""
    for check in checks:
        if check.holds(parse, match):
            return check.reason
    return None
