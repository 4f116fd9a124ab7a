"""Work that goes ahead of its consumer, in a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
_LOOK = 0.1  # seconds after which a thread that waits looks whether it is still wanted


def ahead(items: Iterable[T], depth: int) -> Iterator[T]:
    """Yields the items, of which up to ``depth`` are made in a thread before they are asked for.

    An error of the items is raised where the item that failed would have come. The thread ends with the iterator.
    """
    done: queue.Queue[tuple[T | None, BaseException | None, bool]] = queue.Queue(maxsize=depth)
    left = threading.Event()

    def put(item: T | None, error: BaseException | None, last: bool) -> None:
        while not left.is_set():
            try:
                done.put((item, error, last), timeout=_LOOK)
            except queue.Full:
                continue
            return

    def work() -> None:
        try:
            for item in items:
                put(item, None, False)
                if left.is_set():
                    return
            put(None, None, True)
        except BaseException as error:  # it belongs to the consumer
            put(None, error, True)

    threading.Thread(target=work, name="ahead", daemon=True).start()
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
