"""A word to whoever waits for an object store: its library may try for minutes before it gives up."""

from __future__ import annotations

import contextlib
import re
import sys
import threading
from collections.abc import Iterator

from gistmill.core.terminal import printable

SECONDS = 10.0
_BUCKET = re.compile(r"\w+://[^/\s]+")
_told: set[str] = set()  # each bucket once: many workers and many files wait for the same


@contextlib.contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Prints a line on standard error if its block takes longer than SECONDS.

    Args:
        what: a place, or what is done there; nothing is printed where it names no store.
    """
    bucket = _BUCKET.search(what)
    if bucket is None:
        yield
        return
    timer = threading.Timer(SECONDS, _tell, [bucket[0]])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(bucket: str) -> None:
    if bucket in _told:
        return
    _told.add(bucket)
    with contextlib.suppress(OSError, ValueError):  # standard error is closed
        line = f"gistmill: {bucket} has not answered for {SECONDS:g} s; it may be tried for minutes more"
        print(printable(line), file=sys.stderr, flush=True)
