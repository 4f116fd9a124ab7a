"""The two halves that a rule cuts a text into, before anaphora and before they are finished as sentences."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """The result of a rule.

    Attributes:
        first, second: their words.
        connective: the words that were removed between them, lower case with their comma; "" if none were.
        boundary: position in the original sentence from which on words belong to the second half (for anaphora).
        problem: the reason for which the rule itself rejects the halves; None if it accepts them.
    """

    first: Words
    second: Words
    connective: str = ""
    boundary: int = 0
    problem: Reason | None = None


NO_HALVES = Halves(first=(), second=())
