"""Local folders and files: ownership checks, durable writes and atomic replacement.

In a folder that others can write to, a name proves nothing: anyone can create a folder, file or link with any name, and
lock whatever they can open. Therefore a folder is trusted only if this user owns it and nobody else can enter it (mode
0700). It is opened without following links, and checked once it is open.
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
        WorkspaceError: the path is a URL (object stores support neither locking nor exchanging folders), is not UTF-8,
            or leads through another user's link in a world-writable folder (whose target can be read even if
            fs.protected_symlinks keeps Linux from following it).
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
    """Raises WorkspaceError if a path is not UTF-8, as manifests and Beam keys cannot contain such paths."""
    if any("\ud800" <= character <= "\udfff" for character in path):
        raise WorkspaceError(f"{option}: the path {path!r} is not valid UTF-8; choose another")


def is_own(found: os.stat_result) -> bool:
    """Whether a folder is owned by this user and accessible to nobody else."""
    alone = not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and alone


def record_of(folder: Path) -> tuple[dict[str, Any], bool] | None:
    """Returns a run's record from its folder, and whether the run is alive; None if the folder is not owned by this
    user alone. Raises FileNotFoundError if it does not exist."""
    try:
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise
    except OSError:  # a link, or not accessible to this user
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
    """Creates a folder accessible only to this user, and its parent if necessary; returns the file descriptor that
    holds its lock. Raises WorkspaceError."""
    try:
        os.makedirs(folder.parent, exist_ok=True)
        os.listdir(folder.parent)
        os.mkdir(folder, 0o700)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)  # waits, because processes that test the lock hold it briefly
    except OSError as error:
        raise WorkspaceError(f"cannot write to {folder.parent}: {error.strerror or error}") from error
    return handle


def keep_only(root: Path, kept: set[str]) -> None:
    """Removes all files from a workspace except ``kept``, then empty folders."""
    for above, _, names in os.walk(root, topdown=False):
        for path in {os.path.join(above, name) for name in names} - kept:
            Path(path).unlink(missing_ok=True)
        with suppress(OSError):
            os.rmdir(above)


def remove_folder(folder: Path) -> None:
    """Removes a folder and its contents."""
    for _ in range(3):  # a worker that is exiting may still write files
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)


def put_in_place(made: Path, place: Path, *, aside: Path) -> None:
    """Moves the folder ``made`` to ``place`` so that readers always see the old or the new content, even after a crash.

    If the file system can exchange names, an existing folder is moved to ``made`` in one step. Otherwise, it is moved
    to ``aside`` in two steps; ``bring_back`` recovers from a crash between them.
    """
    if not place.exists():
        os.rename(made, place)
    elif not exchange(made, place):
        os.rename(place, aside)
        os.rename(made, place)
    sync(place.parent)


def bring_back(place: Path, *, aside: Path) -> bool:
    """Undoes the first step of an interrupted two-step exchange; returns whether that was necessary."""
    if os.path.lexists(place) or not aside.is_dir() or aside.is_symlink():
        return False
    os.rename(aside, place)
    return True


def exchange(first: Path, second: Path) -> bool:
    """Exchanges two names atomically; returns False if the system or file system does not support it."""
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
    """Waits until a file's content or a folder's entries are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_synced(path: Path, content: str) -> None:
    """Writes a file atomically: even after a power failure it is either complete or absent."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.unlink(missing_ok=True)  # left by a crash; also avoids writing through somebody else's link
    with open(temporary, "x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync(path.parent)
