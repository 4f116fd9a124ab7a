"""Locks between processes of one machine."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def exclusive(folders: Iterable[Path]) -> Iterator[None]:
    """Holds the folders themselves locked, waiting for them if need be: for short work on what they contain.

    They are taken in order of their names, so that two processes cannot wait for each other.
    """
    with ExitStack() as stack:
        for folder in sorted({os.path.realpath(f) for f in folders}):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def take(path: Path) -> int | None:
    """Locks a file, which is made if need be; returns the handle that holds the lock, None when another has it. The
    lock ends with the process, however it ends."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle
