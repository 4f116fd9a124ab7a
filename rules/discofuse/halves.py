"""What a rule makes of a text: its two halves, before anaphora and before they are finished as sentences."""

from __future__ import annotations

from dataclasses import dataclass

from rules.discofuse.words import Words
from rules.verdict import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Two halves.

    Attributes:
        first, second: their words.
        connective: what was removed between them, lower case with its comma; "" if nothing.
        boundary: position in the original sentence from which on words belong to the second half (for anaphora).
        problem: why the rule itself thinks that the halves are no good; None if it does not.
    """

    first: Words
    second: Words
    connective: str = ""
    boundary: int = 0
    problem: Reason | None = None
