"""A run's workspace in an object store, for runners whose workers share no disk with the driver. The lease on the
output (``lease.py``) keeps others away from it.

Putting a finished folder in the place of another, so that a reader sees one of them and a crash leaves one.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gistmill.pipelines import stores as store
from gistmill.pipelines.workspaces.lease import choose, kept_line
from gistmill.pipelines.workspaces.own import prefix_of
from gistmill.transforms.io import escaped, matching
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.spills import finished_ranges


class RemoteRoot:
    """The folder ``.<key>.gistmill-<run id>`` in ``parent``. Make it with ``RemoteRoot.create``."""

    def __init__(self, root: str, note: str) -> None:
        self.root = root
        self.note = note
        self._closed = False

    @classmethod
    def create(cls, parent: str, key: str, *, run_id: str, fingerprint: Mapping[str, Any], resume: bool) -> RemoteRoot:
        """Makes a workspace, or continues the newest one of the same fingerprint; the others, whose runs are dead, are
        removed.

        Raises:
            ResumeError: there is an unfinished run, but of another fingerprint.
            StoreError: the store does not answer.
        """
        plain = json.loads(json.dumps(fingerprint, default=str))
        prefix = f"{parent}/{prefix_of(key)}"
        found = store.retrying(f"list {parent}", lambda: matching(f"{escaped(prefix)}*/**"))
        names = sorted(found)
        dead = sorted({f"{prefix}{n[len(prefix) :].partition('/')[0]}" for n in names}, reverse=True)
        adopted, note = None, ""
        if resume:
            usable = (root for root in dead if _used(root))
            adopted, note = choose(usable, plain, read_fingerprint=_fingerprint, where=f"in {parent}")
        used = _used(adopted) if adopted else set()
        store.remove(n for n in names if n not in used)
        root = cls(adopted or f"{prefix}{run_id}", note)
        if not adopted:
            store.write_text(WorkspaceLayout(root.root).fingerprint, json.dumps(plain, indent=1, sort_keys=True))
        return root

    def close(self, *, keep: bool = False) -> str:
        """Removes the workspace, or with ``keep`` all but what ``--resume`` can use; then a line says so."""
        if self._closed:
            return ""
        self._closed = True
        used = _used(self.root) if keep else set()
        store.remove(n for n in store.names_below(self.root) if n not in used)
        return kept_line(self.root) if used else ""


def _fingerprint(root: str) -> Any:
    return store.read_json(WorkspaceLayout(root).fingerprint)


def _used(root: str) -> set[str]:
    """The files that a resumed run needs; none when nothing was finished."""
    layout = WorkspaceLayout(root)
    results = finished_ranges(root)
    spooled = {n for n in store.names_below(root) if n.startswith((f"{layout.spool}/", f"{layout.sketches}/"))}
    if not results and not any(n.endswith(".json") for n in spooled):
        return set()
    markers = {n for n in store.names_below(root) if n.startswith(f"{layout.ranges}/")}
    return {layout.fingerprint, *spooled, *markers, *(spill.path for r in results.values() for spill in r.spills)}


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
