"""The words that differ between the two sides of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_LEAST_SHARED = 0.5  # of the words of the longer side; where fewer are shared, marks say nothing


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and whether the other text lacks it."""

    text: str
    changed: bool


def marked(inputs: str, targets: str) -> tuple[list[Piece], list[Piece]]:
    """Returns both texts in pieces, with the words marked that only one of them has in its place.

    Texts that share too few words come back whole, without marks.
    """
    old, new = inputs.split(), targets.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    blocks = matcher.get_opcodes()
    shared = sum(end - start for kind, start, end, _, _ in blocks if kind == "equal")
    if shared < _LEAST_SHARED * max(len(old), len(new)):
        return [Piece(inputs, False)], [Piece(targets, False)]
    return (
        _pieces([(old[start:end], kind != "equal") for kind, start, end, _, _ in blocks]),
        _pieces([(new[start:end], kind != "equal") for kind, _, _, start, end in blocks]),
    )


def merged(old: str, new: str) -> str:
    """Returns one line with the words of both texts, as wdiff has it: ``We [-ran.-] {+walked.+}``."""
    before, after = old.split(), new.split()
    parts = []
    for kind, start, end, since, until in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts += before[start:end]
            continue
        if end > start:
            parts.append(f"[-{' '.join(before[start:end])}-]")
        if until > since:
            parts.append(f"{{+{' '.join(after[since:until])}+}}")
    return " ".join(parts)


def _pieces(parts: Sequence[tuple[Sequence[str], bool]]) -> list[Piece]:
    return [Piece(" ".join(words), changed) for words, changed in parts if words]
