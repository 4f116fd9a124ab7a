"""``Stream``: an endless, seeded, exactly resumable stream of batches of rows.

Each step of an epoch is a function of seed, epoch and position alone, so that a place in it is a few numbers. The
blocks of a split are shuffled and dealt to windows, and the rows of a window are shuffled (``Order``). Splits take
turns (``Mixture``). Rows are read in pools, which are sorted by length and cut into batches (``Batching``).
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
READ_ROWS, READ_TOKENS = 128, 8192  # most of a batch that is only read: without gradients more rows fit
SHUFFLE_ROWS = 100_000
WINDOW_BYTES = 256 * 1024 * 1024  # of the blocks that are in memory together, before compression
_UNSORTED_POOL = 4096  # rows that are turned into Python objects at once where nothing is sorted
_STRETCH = 1024  # rows in which the proportions of a mixture hold
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def permutation(size: int, key: str) -> Indices:
    """Returns the numbers below ``size`` in an order that depends on ``key`` and ``size`` alone.

    The numbers are sorted by the output of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
    pseudorandom number generators", OOPSLA 2014), which starts from a hash of the key.
    """
    seed = np.frombuffer(hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest(), dtype="<u8")
    with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is meant
        x = seed + _STEP * np.arange(1, size + 1, dtype=np.uint64)
        x = (x ^ (x >> np.uint64(30))) * _FIRST
        x = (x ^ (x >> np.uint64(27))) * _SECOND
        x ^= x >> np.uint64(31)
    return np.argsort(x, kind="stable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """The composition of a batch.

    Rows are read in pools. The rows of a pool are sorted by length, cut into batches, and the batches are shuffled. So
    the rows of a batch have lengths close to each other, and lengths do not rise over the epoch.

    Attributes:
        rows: most rows of a batch of one process.
        tokens: most tokens of a batch of one process: number of its rows times the length of the longest. A row that
            is longer is a batch of its own. None: only ``rows`` counts.
        pool: rows of one process that are sorted by length together; 0: rows are not sorted before batching.

    Raises:
        SettingsError: a number is too small, or ``tokens`` is given without ``pool``.
    """

    rows: int | None = None
    tokens: int | None = None
    pool: int = 0

    def __post_init__(self) -> None:
        if self.rows is None and self.tokens is None:
            raise SettingsError("a batch needs a number of rows or tokens")
        for name, value, least in (("rows", self.rows, 1), ("tokens", self.tokens, 1), ("pool", self.pool, 0)):
            if value is not None and value < least:
                raise SettingsError(f"batch {name}: expected at least {least}, not {value}")
        if self.tokens is not None and not self.pool:
            raise SettingsError("batches by tokens need rows sorted by length: set a pool above 0")

    @property
    def pool_rows(self) -> int:
        """Rows of one process that are planned together: of batches by rows, a whole number of batches."""
        if self.tokens is not None or self.rows is None:
            return self.pool
        return -(-(self.pool or _UNSORTED_POOL) // self.rows) * self.rows

    def cut(self, rows: int, lengths: Sequence[int] | None, *, world: int, key: str) -> list[Indices]:
        """Returns the batches of a pool, in the order in which they are trained on. Every row is in one of them.

        Args:
            rows: number of rows of the pool; of batches by tokens a multiple of ``world``.
            lengths: length of each row; None where nothing is sorted.
            world: of batches by tokens, the number of batches is a multiple of it, and each ``world`` batches in
                succession have lengths close to each other: they are the batches of one step. Of batches by rows 1.
            key: salt of the order.

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
    """Returns batches of rows of like lengths, the longest rows first, so that what does not fit fails at once.

    Args:
        lengths: length of each row, in tokens.
        rows: the most rows of a batch.
        tokens: the most tokens of a batch, with padding, unless it has one row.

    Returns:
        For each batch, the indices of its rows.
    """
    known = np.asarray(lengths, dtype=np.int64)
    return _by_tokens(np.argsort(known, kind="stable"), known, rows, tokens)[::-1]


def _by_tokens(order: Indices, lengths: Indices, rows: int | None, tokens: int) -> list[Indices]:
    """Returns the rows in order of length, cut so that no batch is above a limit unless it has one row."""
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
    """Returns as many batches as a multiple of ``world``: those with the most rows are halved."""
    while len(batches) % world:
        largest = max(range(len(batches)), key=lambda i: len(batches[i]))
        whole = batches[largest]
        batches[largest : largest + 1] = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
    return batches


def prefetch(items: Iterable[T], depth: int) -> Iterator[T]:
    """Yields the items, of which ``depth`` are made in a thread before they are asked for.

    An error of the items is raised in place of the failed item.
    """
    iterator, end = iter(items), object()
    pool = ThreadPoolExecutor(1, "prefetch")
    try:
        waiting = deque(pool.submit(next, iterator, end) for _ in range(depth))
        while (item := waiting.popleft().result()) is not end:
            waiting.append(pool.submit(next, iterator, end))
            yield item  # type: ignore[misc]  # an item that is not the end
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Order:
    """The shuffled rows of a split.

    The blocks are shuffled and dealt to windows. The rows of a window are shuffled among each other. So the row at any
    position is found by reading one window.

    Args:
        split: the split.
        window: least rows of a window, unless WINDOW_BYTES end it before; 0: the rows are in the dataset's order.
        salt: of the order.
    """

    def __init__(self, split: Readable, *, window: int, salt: str) -> None:
        self._split, self._window, self._salt = split, window, salt
        self._turn = -1
        self._held: tuple[tuple[int, int], pa.Table, Indices] | None = None  # turn and number, rows, and their order

    def rows(self, turn: int, positions: Indices) -> list[Row]:
        """Returns the rows at rising positions of a pass over the split.

        Args:
            turn: number of the pass, from 0.
            positions: from 0 to below the rows of the split.

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
                # rows are taken faster from whole columns
                table = self._split.read(self._windows[number]).combine_chunks()
                order = permutation(table.num_rows, f"{self._salt}/rows/{turn}/{number}")
                self._held = (turn, number), table, order if self._window else np.arange(table.num_rows)
            _, table, order = self._held
            rows += rows_of(table.take(pa.array(order[positions[numbers == number] - self._starts[number]])))
        return rows


def _windows(blocks: Sequence[Block], rows: int) -> list[list[Block]]:
    """Returns the blocks in windows of at least ``rows`` rows; within a window they are in the dataset's order."""
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

    Without weights an epoch has every row of every split. With weights it has as many rows as the split allows that is
    the smallest for its weight: that one is whole in every epoch, and the others in part.

    Args:
        sizes: rows of each split, all above 0.
        weights: of each split; all of them None, or none.
        salt: of the order in which the splits take turns.

    Attributes:
        counts: rows of each split in an epoch.
        rows: their sum.
    """

    def __init__(self, sizes: Sequence[int], weights: Sequence[float | None], *, salt: str) -> None:
        self._sizes, self._salt = sizes, salt
        self.counts = counts_of(sizes, [weight for weight in weights if weight is not None] or None)
        self.rows = sum(self.counts)
        parts = max(1, self.rows // _STRETCH)
        self._bounds = np.arange(parts + 1)[:, None] * np.array(self.counts) // parts  # of each part, in each split

    def turn(self, split: int, epoch: int) -> tuple[int, int]:
        """Returns the pass over a split that an epoch belongs to, and the position in it of the epoch's first row.

        An epoch continues a pass at the end of the epoch before, so that a large split is read through before any of
        its rows is repeated. An epoch for which a pass has too few rows left begins a new one, so that no row is in it
        twice.
        """
        count = self.counts[split]
        epochs = self._sizes[split] // count
        return epoch // epochs, epoch % epochs * count

    def stretch(self, epoch: int, start: int, stop: int) -> tuple[Indices, Indices]:
        """Returns the origin of the rows at positions ``start`` to below ``stop`` of an epoch; there is at least one.

        Returns:
            For each row the number of its split, and its place among the rows that the split has in the epoch.
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
        # a split's own rows keep their order, which is shuffled already
        return labels, places[np.argsort(np.argsort(labels, kind="stable"), kind="stable")]


class Stream:
    """The batches of one process: epochs follow each other without end.

    The order of the rows of an epoch depends on sources, seed and epoch alone. Each process has its own part of it: no
    row is in two of them, or twice in an epoch, and all processes have the same number of batches. Of an epoch's rows,
    fewer than ``world`` are left out, others in each epoch. Mixture defines an epoch of several sources.

    Args:
        sources: the sources, opened or not; several are mixed by their weights.
        seed: of all randomness.
        batching: the composition of a batch.
        length: length of a row in tokens. With batches by tokens each process measures the rows of all processes.
        rank, world: number of this process, and how many there are.
        shuffle: rows that are shuffled together in memory (Order's window); 0: the rows are in the dataset's order.

    Raises:
        SettingsError: a source lacks a requested part, or has fewer rows than there are processes.
        TrainingError: a shard is missing, cut off, changed or broken, or a place cannot be read.
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
            raise SettingsError("give a weight to all datasets or to none")
        self._splits = [source.open() if isinstance(source, Source) else source for source in sources]
        self._seed, self._batching, self._length, self._shuffle = seed, batching, length, shuffle
        self._rank, self._world = rank, world
        self._mixture = Mixture([split.rows for split in self._splits], weights, salt=str(seed))
        self._each = self._mixture.rows // world  # rows of a process in an epoch
        if not self._each:
            raise SettingsError(f"{self._mixture.rows} rows are too few for {world} processes")
        self._place = (0, 0, 0)  # epoch, pool in it, batch in that: of the next batch

    @property
    def epoch(self) -> int:
        """The epoch, from 0, of the next batch."""
        return self._place[0]

    def batches_in_epoch(self) -> int | None:
        """Returns the batches of one process in an epoch; None for batches by tokens, which depend on the lengths."""
        if self._batching.tokens is not None or self._batching.rows is None:
            return None
        return -(-self._each // self._batching.rows)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yields the batches that follow; ``state`` is that of the last one which was yielded.

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
        """Returns where the stream is, as JSON has it. It is the same in every process."""
        epoch, pool, batch = self._place
        return {"epoch": epoch, "pool": pool, "batch": batch, "of": self._identity()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes to where a stream was: the very same batches follow.

        Raises:
            SettingsError: the stream is of other datasets, another seed, batching, length or number of processes.
            TrainingError: the state cannot be read, or a shard cannot.
        """
        try:
            place = (int(state["epoch"]), int(state["pool"]), int(state["batch"]))
            then = dict(state["of"])
        except (KeyError, TypeError, ValueError):
            raise TrainingError("the state of the data in the checkpoint cannot be read") from None
        now = self._identity()
        names = [name for name in {**now, **then} if then.get(name) != now.get(name)]
        if changed := [f"{name} was {then.get(name)}, is {now.get(name)}" for name in names]:
            raise SettingsError(f"the data differs from the checkpoint: {'; '.join(changed)}")
        self._place = place

    def _identity(self) -> dict[str, Any]:
        """Returns what decides about the batches, as JSON has it."""
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
        """Returns the batches that this process has of a pool."""
        rank, world = self._rank, self._world
        start = pool * self._batching.pool_rows
        stop = min(start + self._batching.pool_rows, self._each)
        # the number of batches by tokens depends on the lengths, so all processes plan those of all
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
