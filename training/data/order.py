"""The order of the rows of one split: a function of salt and pass alone, read a window at a time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gistmill.training.data.batching import permutation, start
from gistmill.training.data.encoded import rows_of
from gistmill.training.data.shards import Block
from gistmill.training.data.source import Readable, Row, Source, Split
from gistmill.training.errors import SettingsError

WINDOW_BYTES = 256 * 1024 * 1024  # of the blocks of a window, before compression
_Window = tuple[Block, ...]


class Order:
    """The shuffled rows of a split.

    The blocks are shuffled and dealt to windows. The rows of a window are shuffled among each other. So the row at any
    position is found by reading one window. A window of the next positions is read ahead.

    Args:
        split: the split.
        window: least rows of a window, unless WINDOW_BYTES end it before; 0: the rows come in the dataset's order.
        salt: of the order.
    """

    def __init__(self, split: Readable, *, window: int, salt: str) -> None:
        self._split, self._window, self._salt = split, window, salt
        self._layout: tuple[int, list[_Window], npt.NDArray[np.int64]] | None = None
        self._tables: dict[_Window, Future[pa.Table]] = {}
        self._drawn: tuple[str, npt.NDArray[np.int64]] | None = None

    def rows(self, turn: int, positions: npt.NDArray[np.int64]) -> list[Row]:
        """Returns the rows at rising positions of a pass over the split.

        Args:
            turn: number of the pass, from 0.
            positions: from 0 to below the rows of the split.

        Raises:
            TrainingError: a shard cannot be read.
        """
        windows, starts = self._windows(turn)
        numbers = np.searchsorted(starts, positions, side="right") - 1
        rows: list[Row] = []
        for number in np.unique(numbers):
            table = self._table(windows, int(number))
            wanted = positions[numbers == number] - starts[number]
            if self._window:
                key = f"{self._salt}/rows/{turn}/{number}"
                if self._drawn is None or self._drawn[0] != key:  # one window serves many calls
                    self._drawn = key, permutation(table.num_rows, key)
                wanted = self._drawn[1][wanted]
            rows += rows_of(table.take(pa.array(wanted)))
        return rows

    def _windows(self, turn: int) -> tuple[list[_Window], npt.NDArray[np.int64]]:
        """Returns the windows of a pass, and the position of the first row of each."""
        if self._layout is None or self._layout[0] != turn:
            blocks = self._split.blocks
            if self._window:
                blocks = tuple(blocks[i] for i in permutation(len(blocks), f"{self._salt}/blocks/{turn}"))
            windows = _dealt(blocks, self._window)
            sizes = [sum(block.rows for block in window) for window in windows]
            self._layout = turn, windows, np.cumsum([0, *sizes[:-1]])
        return self._layout[1:]

    def _table(self, windows: Sequence[_Window], number: int) -> pa.Table:
        near = windows[number : number + 2]
        self._tables = {window: kept for window, kept in self._tables.items() if window in near}
        for window in near:
            if window not in self._tables:
                self._tables[window] = self._begin(window)
        return self._tables[windows[number]].result()

    def _begin(self, window: _Window) -> Future[pa.Table]:
        """Reads a window in a thread; that of an executor would hold back a process whose store does not answer."""
        table: Future[pa.Table] = Future()

        def read() -> None:
            try:
                table.set_result(self._split.read(window).combine_chunks())  # rows are taken faster from whole columns
            except BaseException as error:  # it belongs to the thread that waits
                table.set_exception(error)

        start(read, "window")
        return table


def _dealt(blocks: Sequence[Block], rows: int) -> list[_Window]:
    """Returns the blocks in windows of at least ``rows`` rows; within a window they are in the dataset's order."""
    windows: list[list[Block]] = [[]]
    count = size = 0
    for block in blocks:
        if windows[-1] and (count >= rows or size + block.bytes > WINDOW_BYTES):
            windows.append([])
            count = size = 0
        windows[-1].append(block)
        count, size = count + block.rows, size + block.bytes
    return [tuple(sorted(window, key=lambda b: (b.shard, b.group))) for window in windows]


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
        """Returns blocks, in the new order, as one table."""
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
