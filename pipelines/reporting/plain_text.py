"""Tables, numbers and differences of texts for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns the lines of a table. The first column is aligned left, the others right; a last column without
    a heading is aligned left too.
    """
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
    """Returns a number with commas; a dot for 0, so that other numbers stand out."""
    return f"{number:,}" if number else "."


def signed(number: int) -> str:
    """Returns a difference with its sign, and a dot for none."""
    return f"{number:+,}" if number else "."


def per_cent(share: float) -> str:
    """Returns a share from 0 to 1 in per cent, with two decimals."""
    return f"{100 * share:.2f}%"


def points(difference: float) -> str:
    """Returns a difference of shares in percentage points."""
    return f"{100 * difference:+.2f}" if abs(difference) >= 0.00005 else "."


def duration(seconds: float) -> str:
    """Returns a time in the unit that fits, with three digits at most below 100 hours."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    if seconds < 3600:
        return f"{seconds / 60:.3g} min"
    hours = seconds / 3600
    return f"{hours:.3g} h" if hours < 100 else f"{hours:,.0f} h"


def size(number: int) -> str:
    """Returns a number of bytes in the unit that fits."""
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:,.0f} {unit}" if unit == "bytes" else f"{value:,.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"


_LEAST_SHARED = 0.5  # of the words of the longer side; where fewer are shared, marks say nothing


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and whether the other text lacks it."""

    text: str
    changed: bool


def marked(inputs: str, targets: str) -> tuple[list[Piece], list[Piece]]:
    """Returns both texts in pieces, with the words marked that only one of them has in its place.

    Texts that share too few words are returned unchanged, without marks.
    """
    pairs = _compared(inputs, targets)
    shared = sum(len(old.split()) for old, _, changed in pairs if not changed)
    if shared < _LEAST_SHARED * max(len(inputs.split()), len(targets.split())):
        return [Piece(inputs, False)], [Piece(targets, False)]
    return (
        [Piece(old, changed) for old, _, changed in pairs if old],
        [Piece(new, changed) for _, new, changed in pairs if new],
    )


def merged(old: str, new: str) -> str:
    """Returns one line with the words of both texts, as wdiff has it: ``We [-ran.-] {+walked.+}``."""
    parts = []
    for before, after, changed in _compared(old, new):
        parts += [f"[-{before}-]" * bool(before), f"{{+{after}+}}" * bool(after)] if changed else [before]
    return " ".join(filter(None, parts))


def _compared(old: str, new: str) -> list[tuple[str, str, bool]]:
    """The stretches of words of both texts that belong together, and whether they differ."""
    before, after = old.split(), new.split()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(" ".join(before[a:b]), " ".join(after[c:d]), kind != "equal") for kind, a, b, c, d in blocks]
