"""A range: a piece of an input that one worker reads alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A range, as planning, resuming and dealing out see it; each kind of source adds what reading needs.

    Attributes:
        key: unique, stable for the same input and configuration; keys sort in the order of the documents.
        size: amount of work, such as expected bytes of text, for scheduling.
    """

    key: str
    size: int
