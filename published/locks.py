"""Locks between processes of one machine, in files that no other user can open.

Who can open a file or a folder, if only to read it, can lock it, and hold the lock for ever. So what is locked is a
file of mode 0600.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path


def take(path: str | Path, *, within: int | None = None) -> int | None:
    """Locks a file, which is made if need be. The lock ends with the process, however it ends.

    Args:
        path: the file. A link is not followed.
        within: descriptor of the folder where a relative path begins; None for the working directory.

    Returns:
        The descriptor that holds the lock, None when another process has it.

    Raises:
        OSError: it cannot be opened, or it is neither this user's, nor root's, nor that of the folder's owner.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=within)
    try:
        found, above = os.fstat(handle), os.stat(os.path.dirname(path) or os.curdir, dir_fd=within)
        if not stat.S_ISREG(found.st_mode) or found.st_uid not in (os.geteuid(), 0, above.st_uid):
            raise PermissionError(errno.EPERM, f"{path} is not a file of this user")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except BaseException:
        os.close(handle)
        raise
    return handle
