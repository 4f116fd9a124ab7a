"""Folders that Gistmill reads again later: those in the user's cache, and what a user names in their place."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def cache(name: str) -> Path:
    """Returns the folder ``name`` of Gistmill in the user's cache, as the XDG Base Directory Specification says."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gistmill" / name


def check_owner(folder: Path) -> None:
    """Makes sure that nobody has planted a folder, where it is there: it has to be this user's, root's, or that of the
    owner of the folder above, and not open for all to write.

    Raises:
        PermissionError: it is not.
        OSError: it cannot be looked at.
    """
    try:
        found, above = os.lstat(folder), os.stat(folder.parent)
    except (FileNotFoundError, NotADirectoryError):  # whoever makes it will say so
        return
    trusted = found.st_uid in (os.geteuid(), 0, above.st_uid)
    if not stat.S_ISDIR(found.st_mode) or not trusted or found.st_mode & stat.S_IWOTH:
        raise PermissionError(f"{folder} is another user's, or open for all to write; name another one")
