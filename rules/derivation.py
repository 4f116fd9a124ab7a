"""What was done to a text, operation by operation: the form in which a recipe explains one of its rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Attributes:
        name: what it does, such as ``DELETE``.
        detail: on what, in words of the text.
        before, after: the sentences before and after it, tokens joined by spaces.
    """

    name: str
    detail: str
    before: tuple[str, ...]
    after: tuple[str, ...]
