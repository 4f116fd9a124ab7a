"""Putting a finished folder in the place of another, so that a reader sees one of them and a crash leaves one."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)


def put_in_place(made: Path, place: Path, *, aside: Path) -> None:
    """Moves the folder ``made`` to ``place``.

    A folder already there ends up at ``made``, in one step, where the file system can exchange two names; else at
    ``aside``, in two steps, and ``bring_back`` repairs a crash between them.
    """
    if not place.exists():
        os.rename(made, place)
    elif not exchange(made, place):
        os.rename(place, aside)
        os.rename(made, place)
    sync_folder(place.parent)


def bring_back(place: Path, *, aside: Path) -> bool:
    """Undoes the first half of an exchange in two steps that was cut short; returns whether it had to."""
    if os.path.lexists(place) or not aside.is_dir() or aside.is_symlink():
        return False
    os.rename(aside, place)
    return True


def exchange(first: Path, second: Path) -> bool:
    """Exchanges two names at once; returns False where the system or the file system cannot."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return False
    if call(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(second))


def sync_file(path: Path) -> None:
    """Waits until the file's content is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(path: Path) -> None:
    """Waits until the folder's names are on the disk."""
    sync_file(path)


def write_synced(path: Path, content: str) -> None:
    """Writes a file so that it is there whole or not at all, also after a power cut."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.unlink(missing_ok=True)  # what a crash has left; a link that somebody put there is not written through
    with open(temporary, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync_folder(path.parent)
