"""Batching of waiting items: items of similar length are processed together, and none waits for long."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from gistmill.serving.config import ServingConfig

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the environment variable, set before the client's package is loaded
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

REQUESTS = Counter("gistmill_requests", "Answered requests", ["route", "method", "status"])
SECONDS = Histogram("gistmill_request_seconds", "Time from headers to response", ["route"], buckets=_SECONDS)
BATCH_ITEMS = Histogram("gistmill_batch_items", "Items per batch", ["engine"], buckets=(1, 2, 4, 8, 16, 32, 64))
WAITING = Gauge("gistmill_waiting_items", "Items waiting for an engine", ["engine"], multiprocess_mode="livesum")
CONNECTIONS = Gauge("gistmill_connections", "Open connections", multiprocess_mode="livesum")


def exposition() -> bytes:
    """Returns the metrics of all workers in the Prometheus text format."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)


_LOGGER = logging.getLogger(__name__)
_SMOOTHING = 0.2  # weight of the latest batch in the mean time per item


T = TypeVar("T")
R = TypeVar("R")


class OverloadedError(Exception):
    """Too many items are waiting to finish in time; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"too many requests are waiting; try again in {retry_after} s")
        self.retry_after = retry_after


@dataclass(eq=False, slots=True)
class _Waiting(Generic[T, R]):
    item: T
    answer: asyncio.Future[R]
    since: float = field(default_factory=time.monotonic)
    begun: bool = False


class Batcher(Generic[T, R]):
    """A queue that passes items to an engine in batches, from one thread.

    A batch starts when the engine is free and either the first item has waited ``batch_wait`` or enough items have
    arrived. It contains the item that has waited longest and those closest to it in length, within the limits.

    Args:
        name: the engine's name, for metrics.
        work: the engine; it returns one answer per item, in order. If an answer is an exception, it is raised in
            the waiting call.
        config: the options.
        length: returns the length of an item in characters.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Sequence[T]], Sequence[R | Exception]],
        config: ServingConfig,
        length: Callable[[T], int],
    ) -> None:
        self._name, self._work, self._config, self._length = name, work, config, length
        self._waiting: list[_Waiting[T, R]] = []
        self._something = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._loop: asyncio.Task[None] | None = None
        self.free = asyncio.Lock()  # while it is held, no new batch starts
        self._seconds = 0.0  # mean time per item
        self._working = 0  # items
        self.busy_since: float | None = None

    def start(self) -> None:
        """Starts processing; must be called in the event loop."""
        self._loop = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stops processing; waiting items are left unanswered."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def answers(self, items: Sequence[T], deadline: float) -> list[R]:
        """Returns the engine's answer to each item.

        Args:
            items: the items of a request.
            deadline: the request's deadline, on the event loop's clock.

        Raises:
            OverloadedError: too many items are waiting, or the deadline passed before processing started.
            TimeoutError: the deadline passed during processing.
            Exception: the exception that the engine raised or returned for an item.
        """
        waiting = len(self._waiting)
        if waiting and waiting + len(items) > self._config.max_queue:
            raise OverloadedError(self._until_free(waiting))
        loop = asyncio.get_running_loop()
        mine = [_Waiting[T, R](item, loop.create_future()) for item in items]
        self._waiting += mine
        self._count()
        self._something.set()
        try:
            async with asyncio.timeout_at(deadline):
                return list(await asyncio.gather(*(each.answer for each in mine)))
        except TimeoutError:
            if all(each.begun for each in mine):
                raise
            raise OverloadedError(self._until_free(len(self._waiting))) from None
        finally:
            for each in mine:  # if one failed or the client left, the others are no longer needed
                each.answer.cancel()

    def _until_free(self, waiting: int) -> int:
        return max(1, math.ceil((waiting + self._working) * self._seconds))

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            await self._gather()
            async with self.free:
                batch = self._next_batch()
                if batch:
                    await self._do(batch)

    async def _gather(self) -> None:
        """Waits until a batch is full or the oldest item has waited long enough."""
        config = self._config
        while self._waiting and len(self._waiting) < config.batch_items:
            left = self._waiting[0].since + config.batch_wait / 1000 - time.monotonic()
            if left <= 0:
                return
            self._something.clear()
            try:
                async with asyncio.timeout(left):
                    await self._something.wait()
            except TimeoutError:
                return

    def _next_batch(self) -> list[_Waiting[T, R]]:
        """Takes the next batch from the queue and drops abandoned items."""
        alive = [each for each in self._waiting if not each.answer.done()]
        batch = batch_around_first(
            [self._length(each.item) for each in alive],
            most=self._config.batch_items,
            budget=self._config.batch_characters,
        )
        chosen = [alive[number] for number in batch]
        for each in chosen:
            each.begun = True
        self._waiting = [each for each in alive if not each.begun]
        if self._waiting:
            self._something.set()
        else:
            self._something.clear()
        self._count()
        return chosen

    async def _do(self, batch: Sequence[_Waiting[T, R]]) -> None:
        self._working, start = len(batch), time.monotonic()
        self.busy_since = start
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(self._thread, self._work, [each.item for each in batch])
            for each, answer in zip(batch, answers, strict=True):
                if each.answer.done():  # abandoned
                    continue
                if isinstance(answer, Exception):
                    each.answer.set_exception(answer)
                else:
                    each.answer.set_result(answer)
        except Exception as error:
            _LOGGER.exception("a batch failed", extra={"engine": self._name, "items": len(batch)})
            for each in batch:
                if not each.answer.done():
                    each.answer.set_exception(error)
        finally:
            seconds = (time.monotonic() - start) / len(batch)
            self._seconds = seconds if not self._seconds else (1 - _SMOOTHING) * self._seconds + _SMOOTHING * seconds
            self._working, self.busy_since = 0, None
            BATCH_ITEMS.labels(self._name).observe(len(batch))

    def _count(self) -> None:
        WAITING.labels(self._name).set(len(self._waiting))


def batch_around_first(lengths: Sequence[int], *, most: int, budget: int) -> list[int]:
    """Returns the sorted indices of a batch: the first item and those closest to it in length.

    Args:
        lengths: the items' lengths, in order of arrival.
        most: maximum number of items per batch.
        budget: maximum product of the longest item's length and the number of items; a single item may exceed it.
    """
    chosen: list[int] = []
    longest = 0
    for number in sorted(range(len(lengths)), key=lambda n: (abs(lengths[n] - lengths[0]), n)):
        longer = max(longest, lengths[number])
        if not chosen or (len(chosen) < most and longer * (len(chosen) + 1) <= budget):
            chosen.append(number)
            longest = longer
    return sorted(chosen)
