"""Work that goes ahead of its consumer, in threads."""

from __future__ import annotations

import atexit
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

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
