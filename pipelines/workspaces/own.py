"""What is a user's alone, in folders that others may write too.

There a name proves nothing: anybody can make a folder, a file or a link of any name, and lock what he can open. Two
things are nobody else's: a folder of mode 0700 and a file of mode 0600 whose owner is this user. A folder is looked at
when it is open, and opened without following a link.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from gistmill.pipelines.errors import WorkspaceError

_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_own(folder: Path) -> int | None:
    """Returns a descriptor of a folder that is this user's alone, None for anything else.

    Raises:
        FileNotFoundError: there is nothing of this name.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise
    except OSError:  # a link, a file, or closed to this user
        return None
    found = os.fstat(handle)
    if found.st_uid == os.geteuid() and not found.st_mode & _FOR_OTHERS:
        return handle
    os.close(handle)
    return None


def is_own(folder: Path) -> bool:
    """Whether a folder is this user's alone."""
    handle = open_own(folder)
    if handle is not None:
        os.close(handle)
    return handle is not None


def is_planted(link: Path) -> bool:
    """Whether another user has put a link into a folder like /tmp. Linux follows no such link where
    fs.protected_symlinks is on, but tells where it leads."""
    above, found = os.stat(link.parent), os.lstat(link)
    shared = above.st_mode & stat.S_ISVTX and above.st_mode & stat.S_IWOTH
    return bool(shared) and found.st_uid not in (os.geteuid(), above.st_uid)


@contextmanager
def one_at_a_time(folder: Path, prefix: str) -> Iterator[None]:
    """Keeps processes of this user apart: of those that call it with the same arguments, one is in the block.

    To lock the folder would not do, because everybody who can read it can. So each process makes a file of its own, its
    door, and enters when it holds the locks of all doors that are there. Who comes later finds that door locked.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    prefix += "door-"
    mine = _new_door(folder, prefix)
    try:
        while True:
            with ExitStack() as stack:
                doors = _doors(folder, prefix, mine)
                for door in doors:
                    # locks a door until the stack is left; one that is gone is passed over
                    with suppress(FileNotFoundError):
                        handle = os.open(door, os.O_RDWR | os.O_NOFOLLOW)
                        stack.callback(os.close, handle)
                        fcntl.flock(handle, fcntl.LOCK_EX)
                if doors == _doors(folder, prefix, mine) and mine.exists():
                    for door in doors:  # those of processes that were killed; who waits makes a new one
                        if door != mine:
                            door.unlink(missing_ok=True)
                    yield
                    return
            if not mine.exists():
                mine = _new_door(folder, prefix)
    finally:
        mine.unlink(missing_ok=True)


def _new_door(folder: Path, prefix: str) -> Path:
    door = folder / f"{prefix}{uuid.uuid4().hex}"
    try:
        os.close(os.open(door, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise WorkspaceError(f"cannot write to {folder}: {error.strerror}") from error
    return door


def _doors(folder: Path, prefix: str, mine: Path) -> list[Path]:
    """The doors of this user, in order; also ``mine`` where the file system says that another user owns it."""
    doors = {mine}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.is_file(follow_symlinks=False):
                with suppress(FileNotFoundError):
                    if entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                        doors.add(Path(entry.path))
    return sorted(doors)


def new_run_id() -> str:
    """Returns a name that no other run has; names sort by the second in which they were made."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:8]}"


def prefix_of(output: str) -> str:
    """Returns what the names of all temporary files and folders begin with that belong to an output of this name."""
    return f".{output}.gistmill-"
