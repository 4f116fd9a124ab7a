"""The rows of a split in ascending order of one of its columns, such as the rank of a curriculum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gistmill.training.data.order import WINDOW_BYTES
from gistmill.training.data.shards import Block
from gistmill.training.data.source import Readable, Source, Split
from gistmill.training.errors import SettingsError

BLOCK_ROWS = 100_000


class Ordered:
    """A Readable whose blocks follow each other in the order of a column. Rows of one value keep the dataset's order.

    The order is in memory, 8 bytes for each row. A block has at most BLOCK_ROWS rows, and about WINDOW_BYTES. It is put
    together from the row groups that have its rows, which may be all, and are read one after the other.

    Args:
        split: the rows, or their numbers.
        source: the split.
        column: of whole or other numbers; the rows have it only if ``source`` asks for it.

    Raises:
        SettingsError: there is no such split or column, or a row has no number in it.
        TrainingError: the split cannot be read.
    """

    def __init__(self, split: Readable, source: Source, column: str) -> None:
        self._split = split
        values = replace(source, columns=(column,), verify=False).open()
        self._order = np.argsort(_values(values, column), kind="stable")
        self._starts = np.cumsum([0, *(block.rows for block in self._split.blocks[:-1])])
        self.weight, self.rows = self._split.weight, self._split.rows
        self.fingerprint = f"{self._split.fingerprint} by {column}"
        size = sum(block.bytes for block in self._split.blocks)
        self._block_rows = max(1, min(BLOCK_ROWS, WINDOW_BYTES * self.rows // max(1, size)))
        self.blocks = tuple(
            Block(0, number, min(self._block_rows, self.rows - start), 0)
            for number, start in enumerate(range(0, self.rows, self._block_rows))
        )

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """See Readable."""
        starts = [block.group * self._block_rows for block in blocks]
        wanted = np.concatenate([self._order[a : a + b.rows] for a, b in zip(starts, blocks, strict=True)])
        groups = np.searchsorted(self._starts, wanted, side="right") - 1
        parts = [
            self._split.read([self._split.blocks[group]]).take(pa.array(wanted[groups == group] - self._starts[group]))
            for group in np.unique(groups)
        ]
        there = np.argsort(groups, kind="stable")  # the rows of the parts, one part after the other
        return pa.concat_tables(parts).take(pa.array(np.argsort(there)))


def _values(split: Split, column: str) -> npt.NDArray[np.float64 | np.int64]:
    parts = []
    for block in split.blocks:
        values = split.read([block])[column]
        kind = values.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise SettingsError(f"--order-column {column}: has values of {kind}, not numbers")
        found = values.to_numpy()
        if values.null_count or np.isnan(found).any():
            raise SettingsError(f"--order-column {column}: a row has no number in it")
        parts.append(found)
    return np.concatenate(parts)
