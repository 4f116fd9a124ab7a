"""Columns of a table by which the page filters: a few values that come again and again, or numbers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.explorer.index.files import write

_MOST_VALUES = 1000  # of a list to choose from
_FEW_VALUES = 20  # of a table that is so small that every value might be another
_FEW_NUMBERS = 10  # numbers of so few values, such as 0 and 1, are chosen from a list
_LONGEST = 80  # characters of a value that can be chosen


class Values:
    """A column of values to choose from, as long as they are few and short.

    Attributes:
        name: of the column.
        fits: whether there were few values as yet.
    """

    def __init__(self, name: str, *, most: int = _MOST_VALUES) -> None:
        self.name, self.fits = name, True
        self._most = most
        self._codes: dict[Any, int] = {}
        self._parts: list[Any] = []

    def add(self, column: pa.Array) -> None:
        """Takes the values of the next rows."""
        if not self.fits:
            return
        found = column.dictionary_encode(null_encoding="encode")
        values = found.dictionary.to_pylist()
        codes = np.array([self._codes.setdefault(value, len(self._codes)) for value in values], np.uint16)
        self.fits = len(self._codes) <= self._most and all(len(str(value)) <= _LONGEST for value in values)
        if self.fits:
            self._parts.append(codes[found.indices.to_numpy(zero_copy_only=False)])
        else:
            self._parts.clear()

    def write(self, path: Path, *, in_order: bool = False) -> dict[str, Any]:
        """Writes the numbers of the values, and returns what the page has to know.

        Args:
            path: of the file.
            in_order: whether values stay in the order in which they came; else the most frequent are first.
        """
        codes = np.concatenate([np.zeros(0, np.uint16), *self._parts])
        values = list(self._codes)
        counts = np.bincount(codes, minlength=len(values))
        order = (
            range(len(values)) if in_order else sorted(range(len(values)), key=lambda i: (-counts[i], str(values[i])))
        )
        ranks = np.zeros(len(values), np.uint16)
        ranks[list(order)] = np.arange(len(values))
        wide = len(values) > 256
        write(path, ranks[codes].astype("<u2" if wide else "u1").tobytes())
        shown = [(shown_value(values[i]), int(counts[i])) for i in order]
        return {"name": self.name, "file": path.name, "wide": wide, "values": shown}

    def are_useful(self, rows: int) -> bool:
        """Whether there is something to choose in a table of so many rows."""
        return self.fits and 1 < len(self._codes) <= max(_FEW_VALUES, rows // 2)


class Numbers:
    """A column of numbers; what is missing is NaN."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._few = Values(name, most=_FEW_NUMBERS)
        self._parts: list[Any] = []

    def add(self, column: pa.Array) -> None:
        """Takes the numbers of the next rows."""
        self._few.add(column)
        self._parts.append(pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype("<f8"))

    def write(self, path: Path) -> dict[str, Any] | None:
        """Writes the numbers, and returns what the page has to know; None where all are the same."""
        numbers = np.concatenate([np.zeros(0, "<f8"), *self._parts])
        known = numbers[np.isfinite(numbers)]
        if not len(known) or known.min() == known.max():
            return None
        write(path, numbers.tobytes())
        return {"name": self.name, "file": path.name, "least": float(known.min()), "most": float(known.max())}

    @property
    def few(self) -> Values:
        """The same column as values to choose from."""
        return self._few


def counts_of_words(texts: Iterable[str]) -> pa.Array:
    """Returns how many words each text has, counted by its spaces."""
    return pa.array([len(text.split()) for text in texts], pa.int32())


def shown_value(value: Any) -> str:
    """Returns a value as the page shows it: whole numbers without a fraction, nothing as an empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
