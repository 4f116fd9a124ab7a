"""How long the texts of a column are, as counts by length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.dataset import Column, item_type

_TEXTS = ("inputs", "targets", "text")
_MOST = 100_000  # longer texts are counted as so long


class LengthCounts:
    """Counts the words of texts, as ASCII white space divides them; of lists, their items."""

    def __init__(self) -> None:
        self._counts: npt.NDArray[np.int64] = np.zeros(1, np.int64)

    def add(self, lengths: npt.NDArray[np.int64]) -> None:
        """Adds lengths, as ``lengths_of`` returns them."""
        found = np.bincount(lengths, minlength=len(self._counts))
        found[: len(self._counts)] += self._counts
        self._counts = found

    def counts(self) -> list[int]:
        """Returns how many texts have each length, from 0."""
        return [int(n) for n in self._counts]


def lengths_of(column: Any) -> npt.NDArray[np.int64]:
    """Returns the length of each text of a pyarrow column; missing ones have none."""
    column = column.drop_null()
    if pa.types.is_list(column.type):
        lengths = pc.list_value_length(column)
    else:
        trimmed = pc.ascii_trim_whitespace(column)
        words = pc.list_value_length(pc.ascii_split_whitespace(trimmed))
        lengths = pc.if_else(pc.equal(trimmed, ""), 0, words)  # an empty text is split into one empty word
    return np.asarray(np.minimum(lengths.to_numpy(), _MOST), np.int64)


def text_columns(columns: list[Column]) -> list[str]:
    """Returns the columns whose lengths are counted."""
    return [c.name for c in columns if c.name in _TEXTS and item_type(c.type)[0] == "string"]
