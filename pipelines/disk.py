"""Folders and files of this machine: which are this user's alone, which last, and how one takes the place of another.

In a folder that others may write too, a name proves nothing: anybody can make a folder, a file or a link of any name,
and lock what he can open. So a folder counts only if this user owns it and nobody else may enter it (mode 0700). It is
looked at when it is open, and opened without following a link.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from gistmill.pipelines.errors import WorkspaceError
from gistmill.transforms.io import is_url
from gistmill.transforms.layout import LOCK


def local_path(path: str | os.PathLike[str], option: str) -> Path:
    """Returns an absolute path with links resolved.

    Raises:
        WorkspaceError: it is a URL: folders are locked and exchanged, which object stores cannot do. Or it goes through
            a link that another user has put into a folder which all may write: Linux follows no such link where
            fs.protected_symlinks is on, but tells where it leads. Or its name is not UTF-8.
    """
    if is_url(path):
        raise WorkspaceError(f"{option} {path}: must be a folder on this machine")
    plain = Path(os.path.abspath(path))
    for part in filter(os.path.islink, (plain, *plain.parents)):
        above = part.parent.stat()
        shared = above.st_mode & stat.S_ISVTX and above.st_mode & stat.S_IWOTH
        if shared and part.lstat().st_uid not in (os.geteuid(), above.st_uid):
            raise WorkspaceError(f"{option} {path}: {part} is another user's link in a world-writable folder")
    real = os.path.realpath(path)
    check_is_utf8(real, option)
    return Path(real)


def check_is_utf8(path: str, option: str) -> None:
    """Raises WorkspaceError for a path with bytes that are not UTF-8, which manifests and keys of Beam cannot have."""
    if any("\ud800" <= character <= "\udfff" for character in path):
        raise WorkspaceError(f"{option}: the path {path!r} is not UTF-8; choose another")


def is_own(found: os.stat_result) -> bool:
    """Whether a folder is this user's alone."""
    alone = not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and alone


def record_of(folder: Path) -> tuple[dict[str, Any], bool] | None:
    """Returns the record of a run in its folder, and whether it is alive; None for a folder that is not this
    user's alone. Raises FileNotFoundError: there is nothing of this name."""
    try:
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise
    except OSError:  # a link, or closed to this user
        return None
    record, live = None, False
    try:
        if not is_own(os.fstat(inside)):
            return None
        with suppress(OSError, ValueError):
            with open(os.open(LOCK, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=inside), "rb") as file:
                content = file.read()
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    live = True
            record = json.loads(content)
    finally:
        os.close(inside)
    return record if isinstance(record, dict) else {}, live


def make_locked(folder: Path) -> int:
    """Makes a folder that is this user's alone, and the one above it if need be; returns the descriptor that holds its
    lock. Raises WorkspaceError."""
    try:
        os.makedirs(folder.parent, exist_ok=True)
        os.listdir(folder.parent)
        os.mkdir(folder, 0o700)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)  # who looks whether it is locked holds it for a moment
    except OSError as error:
        raise WorkspaceError(f"cannot write to {folder.parent}: {error.strerror or error}") from error
    return handle


def keep_only(root: Path, kept: set[str]) -> None:
    """Removes all files of a workspace but some, and the folders that are empty then."""
    for above, _, names in os.walk(root, topdown=False):
        for path in {os.path.join(above, name) for name in names} - kept:
            Path(path).unlink(missing_ok=True)
        with suppress(OSError):
            os.rmdir(above)


def remove_folder(folder: Path) -> None:
    """Removes a folder with all that is in it."""
    for _ in range(3):  # a worker that is about to end may still write
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)


def put_in_place(made: Path, place: Path, *, aside: Path) -> None:
    """Moves the folder ``made`` to ``place``, so that a reader sees the new or the old content, and a crash leaves one
    of them.

    A folder already there ends up at ``made``, in one step, where the file system can exchange two names; else at
    ``aside``, in two steps, and ``bring_back`` repairs a crash between them.
    """
    if not place.exists():
        os.rename(made, place)
    elif not exchange(made, place):
        os.rename(place, aside)
        os.rename(made, place)
    sync(place.parent)


def bring_back(place: Path, *, aside: Path) -> bool:
    """Undoes the first half of an exchange in two steps that was cut short; returns whether it had to."""
    if os.path.lexists(place) or not aside.is_dir() or aside.is_symlink():
        return False
    os.rename(aside, place)
    return True


def exchange(first: Path, second: Path) -> bool:
    """Exchanges two names at once; returns False where the system or the file system cannot."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return False
    here, exchanged = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    if renameat2(here, os.fsencode(first), here, os.fsencode(second), exchanged) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP):
        return False
    raise OSError(code, os.strerror(code), str(second))


def sync(path: Path) -> None:
    """Waits until the content of a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_synced(path: Path, content: str) -> None:
    """Writes a file so that it is there whole or not at all, also after a power cut."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.unlink(missing_ok=True)  # left by a crash; a link that somebody put there is not written through
    with open(temporary, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync(path.parent)
