"""``Stream``: an endless, seeded, exactly resumable stream of batches of rows.

Each batch depends only on the seed, the epoch and the position, so a few numbers record the state. A split's blocks
are shuffled and grouped into windows, and the rows of each window are shuffled (``Order``). Several splits are
interleaved (``Mixture``). Rows are read in pools, which are sorted by length and cut into batches (``Batching``).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gistmill.rules.mixture import counts_of
from gistmill.training.data.encoded import rows_of
from gistmill.training.data.source import Block, Readable, Row, Source
from gistmill.training.errors import SettingsError, TrainingError

Indices = npt.NDArray[np.int64]
T = TypeVar("T")
READ_ROWS, READ_TOKENS = 128, 8192  # maximum for batches without gradients, which need less memory
SHUFFLE_ROWS = 100_000
WINDOW_BYTES = 256 * 1024 * 1024  # maximum uncompressed size of the blocks in memory together
_UNSORTED_POOL = 4096  # rows converted to Python objects together if they are not sorted
_STRETCH = 1024  # number of rows over which the proportions of a mixture hold
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def permutation(size: int, key: str) -> Indices:
    """Returns the numbers below ``size`` in an order that depends only on ``key`` and ``size``.

    The numbers are sorted by the output of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
    pseudorandom number generators", OOPSLA 2014), seeded with a hash of the key.
    """
    seed = np.frombuffer(hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest(), dtype="<u8")
    with np.errstate(over="ignore"):  # the arithmetic is modulo 2**64
        x = seed + _STEP * np.arange(1, size + 1, dtype=np.uint64)
        x = (x ^ (x >> np.uint64(30))) * _FIRST
        x = (x ^ (x >> np.uint64(27))) * _SECOND
        x ^= x >> np.uint64(31)
    return np.argsort(x, kind="stable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """The rules for forming batches.

    The rows of a pool are sorted by length and cut into batches, which are shuffled. So the rows of a batch are of
    similar length, but lengths do not rise over the epoch.

    Attributes:
        rows: maximum number of rows per batch and process.
        tokens: maximum number of tokens per batch and process: the number of rows times the length of the longest.
            A longer row forms its own batch. None: no limit.
        pool: number of rows per process that are sorted by length together; 0: rows are not sorted.

    Raises:
        SettingsError: a number is too small, or ``tokens`` is given without ``pool``.
    """

    rows: int | None = None
    tokens: int | None = None
    pool: int = 0

    def __post_init__(self) -> None:
        if self.rows is None and self.tokens is None:
            raise SettingsError("a batch needs a maximum number of rows or tokens")
        for name, value, least in (("rows", self.rows, 1), ("tokens", self.tokens, 1), ("pool", self.pool, 0)):
            if value is not None and value < least:
                raise SettingsError(f"batch {name}: expected at least {least}, not {value}")
        if self.tokens is not None and not self.pool:
            raise SettingsError("a maximum number of tokens requires rows sorted by length: set a pool above 0")

    @property
    def pool_rows(self) -> int:
        """The number of rows per process that are batched together; without ``tokens``, a multiple of ``rows``."""
        if self.tokens is not None or self.rows is None:
            return self.pool
        return -(-(self.pool or _UNSORTED_POOL) // self.rows) * self.rows

    def cut(self, rows: int, lengths: Sequence[int] | None, *, world: int, key: str) -> list[Indices]:
        """Returns the batches of a pool in training order. Each row is in exactly one batch.

        Args:
            rows: number of rows in the pool; a multiple of ``world`` if ``tokens`` is set.
            lengths: length of each row; None if rows are not sorted.
            world: if ``tokens`` is set, the number of batches is a multiple of it, and ``world`` consecutive batches,
                which make up one step, have similar lengths; otherwise 1.
            key: salt for the order.

        Returns:
            For each batch, the indices of its rows in the pool.
        """
        known = None if lengths is None else np.asarray(lengths, dtype=np.int64)
        order = np.arange(rows) if known is None else np.argsort(known, kind="stable")
        if self.tokens is None or known is None:
            assert self.rows is not None
            batches = [order[start : start + self.rows] for start in range(0, rows, self.rows)]
        else:
            batches = _multiple_of(world, _by_tokens(order, known, self.rows, self.tokens))
        if known is None:
            return batches
        steps = [batches[start : start + world] for start in range(0, len(batches), world)]
        return [batch for number in permutation(len(steps), key) for batch in steps[number]]


def by_length(lengths: Sequence[int], *, rows: int = READ_ROWS, tokens: int = READ_TOKENS) -> list[Indices]:
    """Returns batches of rows of similar length, longest first, so that a batch too large for memory fails at once.

    Args:
        lengths: length of each row, in tokens.
        rows: maximum number of rows per batch.
        tokens: maximum number of tokens per batch, with padding, unless it contains only one row.

    Returns:
        For each batch, the indices of its rows.
    """
    known = np.asarray(lengths, dtype=np.int64)
    return _by_tokens(np.argsort(known, kind="stable"), known, rows, tokens)[::-1]


def _by_tokens(order: Indices, lengths: Indices, rows: int | None, tokens: int) -> list[Indices]:
    """Cuts rows sorted by length into batches that stay within the limits unless they contain only one row."""
    batches, start = [], 0
    for stop, index in enumerate(order):
        count = stop - start + 1
        if count > 1 and (count * lengths[index] > tokens or (rows is not None and count > rows)):
            batches.append(order[start:stop])
            start = stop
    if start < len(order):
        batches.append(order[start:])
    return batches


def _multiple_of(world: int, batches: list[Indices]) -> list[Indices]:
    """Halves the batches with the most rows until the number of batches is a multiple of ``world``."""
    while len(batches) % world:
        largest = max(range(len(batches)), key=lambda i: len(batches[i]))
        whole = batches[largest]
        batches[largest : largest + 1] = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
    return batches


def prefetch(items: Iterable[T], depth: int) -> Iterator[T]:
    """Yields the items, preparing up to ``depth`` of them in advance in a thread.

    An error in preparing an item is raised when that item is due.
    """
    iterator, end = iter(items), object()
    pool = ThreadPoolExecutor(1, "prefetch")
    try:
        waiting = deque(pool.submit(next, iterator, end) for _ in range(depth))
        while (item := waiting.popleft().result()) is not end:
            waiting.append(pool.submit(next, iterator, end))
            yield item  # type: ignore[misc]  # an item, not the end marker
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Order:
    """The shuffled rows of a split.

    Blocks are shuffled and grouped into windows whose rows are shuffled, so one window gives the row at any position.

    Args:
        split: the split.
        window: minimum number of rows in a window, unless it reaches WINDOW_BYTES; 0: keep the dataset's order.
        salt: salt for the order.
    """

    def __init__(self, split: Readable, *, window: int, salt: str) -> None:
        self._split, self._window, self._salt = split, window, salt
        self._turn = -1
        self._held: tuple[tuple[int, int], pa.Table, Indices] | None = None  # (turn, number), rows, and their order

    def rows(self, turn: int, positions: Indices) -> list[Row]:
        """Returns the rows at ascending positions in a pass over the split.

        Args:
            turn: number of the pass, from 0.
            positions: positions from 0, less than the number of rows in the split.

        Raises:
            TrainingError: a shard cannot be read.
        """
        if self._turn != turn:
            blocks = self._split.blocks
            if self._window:
                blocks = tuple(blocks[i] for i in permutation(len(blocks), f"{self._salt}/blocks/{turn}"))
            self._turn, self._windows = turn, _windows(blocks, self._window)
            self._starts = np.cumsum([0, *(sum(block.rows for block in window) for window in self._windows[:-1])])
        numbers = np.searchsorted(self._starts, positions, side="right") - 1
        rows: list[Row] = []
        for number in np.unique(numbers).tolist():
            if self._held is None or self._held[0] != (turn, number):
                # taking rows is faster from contiguous columns
                table = self._split.read(self._windows[number]).combine_chunks()
                order = permutation(table.num_rows, f"{self._salt}/rows/{turn}/{number}")
                self._held = (turn, number), table, order if self._window else np.arange(table.num_rows)
            _, table, order = self._held
            rows += rows_of(table.take(pa.array(order[positions[numbers == number] - self._starts[number]])))
        return rows


def _windows(blocks: Sequence[Block], rows: int) -> list[list[Block]]:
    """Groups the blocks into windows of at least ``rows`` rows; within a window, they are in the dataset's order."""
    windows: list[list[Block]] = [[]]
    count = size = 0
    for block in blocks:
        if windows[-1] and (count >= rows or size + block.bytes > WINDOW_BYTES):
            windows.append([])
            count = size = 0
        windows[-1].append(block)
        count, size = count + block.rows, size + block.bytes
    return [sorted(window, key=lambda b: (b.shard, b.group)) for window in windows]


class Mixture:
    """Epochs over several splits.

    Without weights, an epoch contains every row of every split. With weights, the split that is smallest relative to
    its weight appears in full in every epoch, and the other splits in part.

    Args:
        sizes: number of rows in each split, all greater than 0.
        weights: weight of each split; either all or none are None.
        salt: salt for the order in which the splits are interleaved.

    Attributes:
        counts: number of rows from each split per epoch.
        rows: total number of rows per epoch.
    """

    def __init__(self, sizes: Sequence[int], weights: Sequence[float | None], *, salt: str) -> None:
        self._sizes, self._salt = sizes, salt
        self.counts = counts_of(sizes, [weight for weight in weights if weight is not None] or None)
        self.rows = sum(self.counts)
        parts = max(1, self.rows // _STRETCH)
        self._bounds = np.arange(parts + 1)[:, None] * np.array(self.counts) // parts  # by part and split

    def turn(self, split: int, epoch: int) -> tuple[int, int]:
        """Returns the pass over a split that an epoch belongs to, and the position of the epoch's first row in it.

        An epoch continues where the previous one ended, so that all rows of a large split are read before any is
        repeated. If too few rows are left in a pass, the epoch begins a new one, so that no row occurs in it twice.
        """
        count = self.counts[split]
        epochs = self._sizes[split] // count
        return epoch // epochs, epoch % epochs * count

    def stretch(self, epoch: int, start: int, stop: int) -> tuple[Indices, Indices]:
        """Returns the origin of the rows at positions ``start`` to ``stop`` (exclusive, at least one) of an epoch.

        Returns:
            For each row, the number of its split and its position among that split's rows in the epoch.
        """
        if len(self.counts) == 1:
            return np.zeros(stop - start, dtype=np.int64), np.arange(start, stop)
        bounds = self._bounds.sum(axis=1)
        first = int(np.searchsorted(bounds, start, side="right")) - 1
        last = int(np.searchsorted(bounds, stop, side="left"))
        splits, places = zip(*(self._part(epoch, part) for part in range(first, last)), strict=True)
        wanted = slice(start - bounds[first], stop - bounds[first])
        return np.concatenate(splits)[wanted], np.concatenate(places)[wanted]

    def _part(self, epoch: int, part: int) -> tuple[Indices, Indices]:
        starts, stops = self._bounds[part], self._bounds[part + 1]
        labels = np.repeat(np.arange(len(starts)), stops - starts)
        places = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
        labels = labels[permutation(len(labels), f"{self._salt}/mixture/{epoch}/{part}")]
        # the rows within a split keep their order, which is already shuffled
        return labels, places[np.argsort(np.argsort(labels, kind="stable"), kind="stable")]


class Stream:
    """An endless stream of batches for one process, epoch after epoch.

    The row order in an epoch depends only on the sources, the seed and the epoch. No row occurs twice in an epoch or in
    two processes, and all processes have the same number of batches. Up to ``world - 1`` rows are left out of an
    epoch, different ones each time. Mixture defines an epoch over several sources.

    Args:
        sources: the sources, opened or not; several are mixed by their weights.
        seed: seed for all randomness.
        batching: the rules for forming batches.
        length: returns a row's length in tokens; if batches are limited by tokens, each process measures all rows.
        rank, world: the number of this process, and the number of processes.
        shuffle: number of rows to shuffle together in memory (the window of Order); 0: keep the dataset's order.

    Raises:
        SettingsError: a source lacks a requested part, or contains fewer rows than there are processes.
        TrainingError: a shard is missing, truncated, changed or broken, or a place cannot be read.
    """

    def __init__(
        self,
        sources: Sequence[Source | Readable],
        *,
        seed: int,
        batching: Batching,
        length: Callable[[Row], int],
        rank: int = 0,
        world: int = 1,
        shuffle: int = SHUFFLE_ROWS,
    ) -> None:
        if not sources:
            raise SettingsError("there is no dataset to train on")
        if not 0 <= rank < world:
            raise SettingsError(f"a process number must be from 0 to {world - 1}, not {rank}")
        weights = [source.weight for source in sources]
        if None in weights and any(weights):
            raise SettingsError("give all datasets a weight, or none")
        self._splits = [source.open() if isinstance(source, Source) else source for source in sources]
        self._seed, self._batching, self._length, self._shuffle = seed, batching, length, shuffle
        self._rank, self._world = rank, world
        self._mixture = Mixture([split.rows for split in self._splits], weights, salt=str(seed))
        self._each = self._mixture.rows // world  # rows per process and epoch
        if not self._each:
            raise SettingsError(f"{self._mixture.rows} rows are too few for {world} processes")
        self._place = (0, 0, 0)  # the next batch's epoch, pool within it and number within that

    @property
    def epoch(self) -> int:
        """The epoch, from 0, of the next batch."""
        return self._place[0]

    def batches_in_epoch(self) -> int | None:
        """Returns the number of batches per process and epoch; None if it depends on the rows' lengths."""
        if self._batching.tokens is not None or self._batching.rows is None:
            return None
        return -(-self._each // self._batching.rows)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yields the next batches; ``state`` returns the position after the last batch yielded.

        Raises:
            TrainingError: a shard cannot be read.
        """
        epoch, pool, begin = self._place
        orders = [Order(s, window=self._shuffle, salt=f"{self._seed}/{n}") for n, s in enumerate(self._splits)]
        while True:
            batches = self._batches(orders, epoch, pool)
            is_last = (pool + 1) * self._batching.pool_rows >= self._each
            following = (epoch + 1, 0, 0) if is_last else (epoch, pool + 1, 0)
            for number in range(begin, len(batches)):
                self._place = (epoch, pool, number + 1) if number + 1 < len(batches) else following
                yield batches[number]
            epoch, pool, begin = following

    def state(self) -> dict[str, Any]:
        """Returns the stream's position, as JSON values. It is the same in every process."""
        epoch, pool, batch = self._place
        return {"epoch": epoch, "pool": pool, "batch": batch, "of": self._identity()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores a position, so that exactly the same batches follow.

        Raises:
            SettingsError: the position was saved with other datasets, batching, seed, shuffling or number of processes.
            TrainingError: the position cannot be read.
        """
        try:
            place = (int(state["epoch"]), int(state["pool"]), int(state["batch"]))
            then = dict(state["of"])
        except (KeyError, TypeError, ValueError):
            raise TrainingError("the position in the data cannot be read from the checkpoint") from None
        now = self._identity()
        names = [name for name in {**now, **then} if then.get(name) != now.get(name)]
        if changed := [f"{name} was {then.get(name)} but is now {now.get(name)}" for name in names]:
            raise SettingsError(f"the data differs from that in the checkpoint: {'; '.join(changed)}")
        self._place = place

    def _identity(self) -> dict[str, Any]:
        """Returns everything that determines the batches, as JSON values."""
        identity = {
            "seed": self._seed,
            "shuffle": self._shuffle,
            "processes": self._world,
            **{f"batch {name}": value for name, value in dataclasses.asdict(self._batching).items()},
        }
        for number, (split, count) in enumerate(zip(self._splits, self._mixture.counts, strict=True), 1):
            identity[f"dataset {number}"] = split.fingerprint
            identity[f"rows of dataset {number} in an epoch"] = count
        return identity

    def _batches(self, orders: Sequence[Order], epoch: int, pool: int) -> list[list[Row]]:
        """Returns this process's batches from a pool."""
        rank, world = self._rank, self._world
        start = pool * self._batching.pool_rows
        stop = min(start + self._batching.pool_rows, self._each)
        # if tokens are limited, the number of batches depends on the lengths, so each process plans for all of them
        is_shared = self._batching.tokens is not None
        if is_shared:
            rows = self._rows(orders, epoch, world * start, world * stop)
        else:
            rows = self._rows(orders, epoch, rank * self._each + start, rank * self._each + stop)
        lengths = [self._length(row) for row in rows] if self._batching.pool else None
        key = f"{self._seed}/batches/{epoch}/{pool}"
        cut = self._batching.cut(len(rows), lengths, world=world if is_shared else 1, key=key)
        return [[rows[i] for i in batch] for batch in (cut[rank::world] if is_shared else cut)]

    def _rows(self, orders: Sequence[Order], epoch: int, start: int, stop: int) -> list[Row]:
        splits, places = self._mixture.stretch(epoch, start, stop)
        rows: list[Row] = [{}] * (stop - start)
        for number, order in enumerate(orders):
            (own,) = np.nonzero(splits == number)
            turn, offset = self._mixture.turn(number, epoch)
            for position, row in zip(own, order.rows(turn, offset + places[own]) if len(own) else (), strict=True):
                rows[position] = row
        return rows
