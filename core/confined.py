"""What keeps a published dataset in its folder: the names and paths that it may have, and where its links may lead.

A dataset may come from strangers. Readers make paths of its names, for files that they read and for those that they
write, so a name is made of few characters, and none of them leads elsewhere on any disk or in any store.
"""

from __future__ import annotations

import os
import re
import stat

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def is_name(text: str) -> bool:
    """Whether a text can be the name of a configuration, split, format or file."""
    return _NAME.fullmatch(text) is not None


def is_path(text: str) -> bool:
    """Whether a text can be the path of a file below the folder of a dataset: names with slashes between them."""
    return all(map(is_name, text.split("/")))


def inside(folder: str | os.PathLike[str], path: str) -> str:
    """Returns where a file of a local folder lies, its links followed; the folder itself may be a link.

    Args:
        folder: the folder.
        path: below it; nothing need be there.

    Raises:
        OSError: a link leads out of the folder, or a device or pipe is there, which could be read without end.
    """
    root = os.path.realpath(folder)
    found = os.path.realpath(os.path.join(root, path))
    if os.path.commonpath([root, found]) != root:
        raise OSError(f"{path} is a link that leads out of the dataset's folder; cp -rL makes a copy without links")
    try:
        mode = os.stat(found).st_mode
    except OSError:
        return found  # who opens it learns more
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(f"{path} is neither a file nor a folder")
    return found
