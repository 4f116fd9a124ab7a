"""Tables, numbers and text differences, formatted for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns the lines of a table; the first column and columns without a heading are aligned left, others right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]

    def aligned(line: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if column == 0 or not head[column] else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        return ("  " + "  ".join(cells)).rstrip()

    return [aligned(line) for line in lines]


def count(number: int) -> str:
    """Formats a number with commas; 0 becomes a dot, so that other numbers stand out."""
    return f"{number:,}" if number else "."


def signed(number: int) -> str:
    """Formats a difference with its sign; 0 becomes a dot."""
    return f"{number:+,}" if number else "."


def per_cent(share: float) -> str:
    """Formats a share from 0 to 1 as a percentage with two decimals."""
    return f"{100 * share:.2f}%"


def points(difference: float) -> str:
    """Formats a difference between shares in percentage points."""
    return f"{100 * difference:+.2f}" if abs(difference) >= 0.00005 else "."


def duration(seconds: float) -> str:
    """Formats a duration in a suitable unit, with at most three significant digits below 100 hours."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    if seconds < 3600:
        return f"{seconds / 60:.3g} min"
    hours = seconds / 3600
    return f"{hours:.3g} h" if hours < 100 else f"{hours:,.0f} h"


def size(number: int) -> str:
    """Formats a number of bytes in a suitable unit."""
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:,.0f} {unit}" if unit == "bytes" else f"{value:,.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"


_LEAST_SHARED = 0.5  # share of the longer side's words; below it, marking differences is not useful


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and whether the other text lacks it."""

    text: str
    changed: bool


def marked(inputs: str, targets: str) -> tuple[list[Piece], list[Piece]]:
    """Splits both texts into pieces and marks the differences, unless the texts share too few words."""
    pairs = _compared(inputs, targets)
    shared = sum(len(old.split()) for old, _, changed in pairs if not changed)
    if shared < _LEAST_SHARED * max(len(inputs.split()), len(targets.split())):
        return [Piece(inputs, False)], [Piece(targets, False)]
    return (
        [Piece(old, changed) for old, _, changed in pairs if old],
        [Piece(new, changed) for _, new, changed in pairs if new],
    )


def merged(old: str, new: str) -> str:
    """Merges both texts into one line in the format of wdiff: ``We [-ran.-] {+walked.+}``."""
    parts = []
    for before, after, changed in _compared(old, new):
        parts += [f"[-{before}-]" * bool(before), f"{{+{after}+}}" * bool(after)] if changed else [before]
    return " ".join(filter(None, parts))


def _compared(old: str, new: str) -> list[tuple[str, str, bool]]:
    """Returns the corresponding stretches of words in both texts, and whether they differ."""
    before, after = old.split(), new.split()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(" ".join(before[a:b]), " ".join(after[c:d]), kind != "equal") for kind, a, b, c, d in blocks]
