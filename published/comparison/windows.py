"""Rows of two datasets side by side: both are read once, in order of their ids, and little of them is held."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.dataset import Column
from gistmill.core.manifest_entries import PublishedFile
from gistmill.published.files import DatasetError, Folder
from gistmill.published.shards import opened

ID = "id"
SPLIT = " split"  # a column of its own; a column of a dataset cannot have this name
_BATCH_ROWS = 4096


@dataclass(frozen=True, slots=True)
class Shards:
    """The Parquet files of a split, in the order of their rows.

    Attributes:
        folder: where they lie.
        split: its name.
        files: at least one.
        columns: of the configuration.
    """

    folder: Folder
    split: str
    files: Sequence[PublishedFile]
    columns: Sequence[Column]


class _Stream:
    """The rows of a split, of which a batch is held; ``batch`` is None at the end."""

    def __init__(self, shards: Shards, columns: Sequence[str]) -> None:
        self._batches = _batches(shards, columns)
        self.batch: Any = next(self._batches, None)

    @property
    def last(self) -> bytes:
        """The last id of the batch that is held."""
        return self._id(self.batch.num_rows - 1)

    def take(self, bound: bytes) -> Any:
        """Returns the rows of the batch whose ids are not above the bound, and goes on behind them."""
        rows = bisect_right(range(self.batch.num_rows), bound, key=self._id)
        taken = self.batch.slice(0, rows)
        self.batch = self.batch.slice(rows) if rows < self.batch.num_rows else next(self._batches, None)
        return taken

    def _id(self, row: int) -> bytes:
        return bytes(self.batch.column(ID)[row].as_py().encode("utf-8"))


def batches(shards: Shards, columns: Sequence[str]) -> Iterator[Any]:
    """Yields the rows of a split as record batches with these columns.

    Raises:
        DatasetError: a file cannot be read, or lacks a column.
    """
    for file in shards.files:
        with opened(shards.folder, file, shards.columns) as parquet:
            for batch in parquet.iter_batches(_BATCH_ROWS, columns=list(columns)):
                yield batch.select(list(columns))


def _batches(shards: Shards, columns: Sequence[str]) -> Iterator[Any]:
    """The same, not empty, with the split in a column, and in order of ids."""
    last: Any = None
    for batch in batches(shards, columns):
        if not batch.num_rows:
            continue
        ids = batch.column(ID)
        edges = pa.concat_arrays([pa.array([last], ids.type), ids]) if last is not None else ids
        if ids.null_count or not np.all(pc.less(edges[:-1], edges[1:])):
            raise DatasetError(
                f"{shards.folder.place}: ids of {shards.split} are not unique or not in order: see gistmill validate"
            )
        last = ids[-1].as_py()
        yield batch.append_column(SPLIT, pa.array([shards.split] * batch.num_rows))


def windows(old: Sequence[Shards], new: Sequence[Shards], columns: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Yields the rows of a configuration in both datasets as pairs of tables, in order of ids.

    A row of one dataset and that of the same id in the other one are in the same pair of tables, whatever their splits.
    A table has at most one batch of each split.

    Args:
        old, new: the splits of each dataset.
        columns: those to read, ``id`` among them; the tables have the column SPLIT too.

    Raises:
        DatasetError: a file cannot be read, lacks a column, or is not in order of its ids.
    """
    sides = [[_Stream(shards, columns) for shards in side] for side in (old, new)]
    while open_streams := [stream for side in sides for stream in side if stream.batch is not None]:
        bound = min(stream.last for stream in open_streams)
        tables = []
        for side in sides:
            taken = [stream.take(bound) for stream in side if stream.batch is not None]
            tables.append(pa.Table.from_batches([b for b in taken if b.num_rows]) if any(map(len, taken)) else None)
        yield tables[0], tables[1]
