"""How rows become batches: by number of rows or tokens, rows of like length together, made ahead by threads."""

from __future__ import annotations

import atexit
import hashlib
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from gistmill.training.errors import SettingsError

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def permutation(size: int, key: str) -> npt.NDArray[np.int64]:
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


Indices = npt.NDArray[np.int64]
READ_ROWS, READ_TOKENS = 128, 8192  # most of a batch that is only read: without gradients more rows have room
_UNSORTED_POOL = 4096  # rows that are turned into Python objects at once where nothing is sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """What a batch is.

    Rows come in pools. The rows of a pool are sorted by length, cut into batches, and the batches are shuffled. So
    the rows of a batch have lengths close to each other, and lengths do not rise over the epoch.

    Attributes:
        rows: most rows of a batch of one process.
        tokens: most tokens of a batch of one process: number of its rows times the length of the longest. A row that
            is longer is a batch of its own. None: only ``rows`` counts.
        pool: rows of one process that are sorted by length together; 0: none are, and batches are as the rows come.

    Raises:
        SettingsError: a number is too small, or ``tokens`` comes without ``pool``.
    """

    rows: int | None = None
    tokens: int | None = None
    pool: int = 0

    def __post_init__(self) -> None:
        if self.rows is None and self.tokens is None:
            raise SettingsError("a batch needs a number of rows or of tokens")
        for name in ("rows", "tokens"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingsError(f"{name} of a batch: at least 1, not {value}")
        if self.pool < 0:
            raise SettingsError(f"the pool that is sorted by length: at least 0 rows, not {self.pool}")
        if self.tokens is not None and not self.pool:
            raise SettingsError("batches by tokens need rows that are sorted by length: a pool above 0")

    @property
    def pool_rows(self) -> int:
        """Rows of one process that are planned together: of batches by rows, a whole number of batches."""
        if self.by_tokens or self.rows is None:
            return self.pool
        return -(-(self.pool or _UNSORTED_POOL) // self.rows) * self.rows

    @property
    def by_tokens(self) -> bool:
        """Whether the lengths of the rows decide about the number of batches."""
        return self.tokens is not None

    def cut(self, lengths: Sequence[int] | None, rows: int, *, world: int, key: str) -> list[Indices]:
        """Returns the batches of a pool, in the order in which they are trained on. Every row is in one of them.

        Args:
            lengths: length of each row; None where nothing is sorted.
            rows: number of rows of the pool; of batches by tokens a multiple of ``world``.
            world: of batches by tokens, the number of batches is a multiple of it, and each ``world`` batches in
                succession have lengths close to each other: they are the batches of one step.
            key: salt of the order.

        Returns:
            For each batch, the indices of its rows in the pool.
        """
        if lengths is None:
            return self._by_rows(np.arange(rows))
        known = np.asarray(lengths, dtype=np.int64)
        order = np.argsort(known, kind="stable")
        if not self.by_tokens:
            batches = self._by_rows(order)
            return [batches[i] for i in permutation(len(batches), key)]
        assert self.tokens is not None
        batches = _multiple_of(world, _by_tokens(order, known, self.rows, self.tokens))
        steps = [batches[a : a + world] for a in range(0, len(batches), world)]
        return [batch for i in permutation(len(steps), key) for batch in steps[i]]

    def _by_rows(self, order: Indices) -> list[Indices]:
        assert self.rows is not None
        return [order[a : a + self.rows] for a in range(0, len(order), self.rows)]


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
    batches = list(batches)
    while len(batches) % world:
        largest = max(range(len(batches)), key=lambda i: len(batches[i]))
        whole = batches[largest]
        batches[largest : largest + 1] = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
    return batches


T = TypeVar("T")
_LOOK = 0.1  # seconds after which a thread that waits looks whether it is still wanted
_SETTLE = 5.0  # seconds that a process which ends waits for its threads
_threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
_lock = threading.Lock()  # of _threads
_ending = threading.Event()


def start(work: Callable[[], None], name: str) -> None:
    """Runs ``work`` in a thread that does not keep the process alive for long."""
    thread = threading.Thread(target=work, name=name, daemon=True)
    with _lock:
        _threads.add(thread)
        thread.start()


@atexit.register
def _settle() -> None:
    """Waits for the threads, and those that they still start: Arrow can hang or break a process that ends while it
    reads.
    """
    _ending.set()
    until = time.monotonic() + _SETTLE
    while alive := _alive():
        alive[0].join(max(0.0, until - time.monotonic()))
        if time.monotonic() >= until:
            return


def _alive() -> list[threading.Thread]:
    with _lock:
        return [thread for thread in _threads if thread.is_alive()]


def ahead(items: Iterable[T], depth: int) -> Iterator[T]:
    """Yields the items, of which up to ``depth`` are made in a thread before they are asked for.

    An error of the items is raised where the item that failed would have come. The thread ends with the iterator.
    """
    done: queue.Queue[tuple[T | None, BaseException | None, bool]] = queue.Queue(maxsize=depth)
    left = threading.Event()

    def put(item: T | None, error: BaseException | None, last: bool) -> bool:
        """Returns whether the consumer is still there."""
        while not (left.is_set() or _ending.is_set()):
            try:
                done.put((item, error, last), timeout=_LOOK)
            except queue.Full:
                continue
            return True
        return False

    def work() -> None:
        try:
            for item in items:
                if not put(item, None, False):
                    return
            put(None, None, True)
        except BaseException as error:  # it belongs to the consumer
            put(None, error, True)

    start(work, "ahead")
    try:
        while True:
            item, error, last = done.get()
            if error is not None:
                raise error
            if last:
                return
            yield item  # type: ignore[misc]  # an item that is not the last
    finally:
        left.set()
