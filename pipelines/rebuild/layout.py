"""The layout of a corpus: its versions, the pointer to the latest one, and the state of a rebuild.

latest.json  latest                      the pointer; the second is a link, only on local disks
versions/20260101-1/version.json         the version's description, written last: a version without it is unfinished
versions/20260101-1/NAME/                the datasets
signatures/                              signatures with which a crawl's later months are compared (crawls.py)
state/                                   files of the rebuild: its lock, plan, dumps, crawls and annotations
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST
from gistmill.pipelines import stores as store
from gistmill.pipelines.disk import sync, write_synced
from gistmill.pipelines.errors import BusyError, WorkspaceError
from gistmill.pipelines.place import new_run_id
from gistmill.pipelines.stores import Lease
from gistmill.published.files import check_owner, take
from gistmill.transforms.io import is_url, join

VERSION, LATEST = "version.json", "latest.json"


@dataclass(frozen=True, slots=True)
class CorpusPlace:
    """The location of a corpus. Its methods raise StoreError if a store does not respond."""

    root: str

    @property
    def state(self) -> str:
        """Folder or URL of the rebuild's state."""
        return join(self.root, "state")

    def version(self, name: str) -> str:
        """Returns the folder or URL of a version."""
        return join(self.root, "versions", name)

    def dataset(self, version: str, name: str) -> str:
        """Returns the folder or URL of a dataset."""
        return join(self.version(version), name)

    def names(self) -> list[str]:
        """Returns the names of all versions, finished or not, oldest first."""
        found = [n for n in children(join(self.root, "versions")) if re.fullmatch(r"(\d{6}|\d{8})-(\d+)", n)]
        return sorted(found, key=lambda name: (name.partition("-")[0], int(name.partition("-")[2])))

    def versions(self) -> dict[str, Any]:
        """Returns the content of every finished version's ``version.json``, by name, oldest first."""
        found = {name: read(join(self.version(name), VERSION)) for name in self.names()}
        return {name: value for name, value in found.items() if value is not None}

    def next_name(self, date: str) -> str:
        """Returns the name for a new version: its date and the next unused number for that date."""
        numbers = [int(name.partition("-")[2]) for name in self.names() if name.startswith(f"{date}-")]
        return f"{date}-{max(numbers, default=0) + 1}"

    def latest(self) -> str:
        """Returns the name of the served version; "" if there is none."""
        value = read(join(self.root, LATEST))
        return str(value["version"]) if isinstance(value, dict) and "version" in value else ""

    def serve(self, name: str, *, since: str) -> None:
        """Moves the pointer to a version, which readers see from then on. ``since`` is an ISO 8601 time."""
        write(join(self.root, LATEST), {"version": name, "path": f"versions/{name}", "since": since})
        self.link(name)

    def link(self, name: str) -> None:
        """Points the link ``latest`` to a version, on local disks only."""
        link, target = Path(self.root, "latest"), os.path.join("versions", name)
        if is_url(self.root) or (link.is_symlink() and os.readlink(link) == target):
            return
        temporary = Path(self.state, "latest")
        temporary.unlink(missing_ok=True)
        os.symlink(target, temporary)
        os.replace(temporary, link)
        sync(link.parent)

    def prune(self, *, keep: int) -> list[str]:
        """Removes versions except the served and newest ``keep`` finished ones; returns the finished ones removed."""
        finished = [*self.versions()]
        gone = [name for name in self.names() if name not in (*finished[-keep:], self.latest())]
        for name in gone:
            remove(self.version(name))
        return [name for name in gone if name in finished]

    @contextmanager
    def held(self) -> Iterator[Callable[[], None]]:
        """Locks the corpus within the block. Yields a function that raises BusyError if the lock has since been lost.

        On disk, the lock is released whenever its process ends. In a store it is a lease, which expires if it is not
        renewed for some minutes. Raises BusyError if another process is rebuilding the corpus, and WorkspaceError if
        its location is not writable.
        """
        if is_url(self.root):
            lease = Lease.take(join(self.state, "lease.json"), run_id=new_run_id())
            try:
                yield lease.check
            finally:
                lease.release()
            return
        path = Path(self.state, "lock")
        try:
            check_owner(path.parent)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = take(path)
        except OSError as error:
            raise WorkspaceError(f"cannot write to {path.parent}: {error.strerror or error}") from error
        if handle is None:
            try:
                owner = "process {pid}, since {started}".format(**json.loads(path.read_bytes()))
            except (OSError, ValueError, KeyError, TypeError):
                owner = "process unknown"
            raise BusyError(f"another rebuild of {self.root} is running ({owner}); wait for it or stop it")
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps({"pid": os.getpid(), "started": time.strftime("%F %T")}).encode(), 0)
            yield lambda: None
        finally:
            os.close(handle)


def key_of(decides: Any) -> str:
    """Returns a hash (16 hexadecimal digits) of the values that determine some content."""
    text = json.dumps(decides, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def read(path: str) -> Any:
    """Reads a small JSON file; returns None if it does not exist or is not JSON. Raises StoreError."""
    try:
        return store.read_json(path)
    except ValueError:
        return None


def write(path: str, value: Any) -> None:
    """Writes a small JSON file atomically. Raises StoreError, OSError."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    if is_url(path):
        store.write_text(path, text)
    else:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_synced(Path(path), text)


def is_dataset(place: str) -> bool:
    """Whether a dataset was published at a place, judging by its manifest."""
    return read(join(place, MANIFEST)) is not None


def remove(place: str) -> None:
    """Removes a file or folder, starting with files that mark it as complete. Raises StoreError, OSError."""
    marks = [join(place, name) for name in (VERSION, MANIFEST)]
    if is_url(place):
        store.remove(marks)
        store.remove([place, *store.names_below(place)])
    elif os.path.isdir(place) and not os.path.islink(place):
        for mark in marks:
            Path(mark).unlink(missing_ok=True)
        shutil.rmtree(place)
    else:
        Path(place).unlink(missing_ok=True)


def children(place: str) -> list[str]:
    """Returns the names in a folder or below a URL, including hidden ones; none if it does not exist."""
    if is_url(place):
        return sorted({path.removeprefix(f"{place}/").partition("/")[0] for path in store.names_below(place)})
    try:
        return sorted(os.listdir(place))
    except (FileNotFoundError, NotADirectoryError):
        return []


def take_over(found: str, output: str) -> None:
    """Links or copies the files of a dataset to another place, manifest last. Raises StoreError, OSError."""
    names = [n.removeprefix(f"{found}/") for n in store.names_below(found)]
    for name in sorted(names, key=lambda n: (n == MANIFEST, n)):
        copy_file(f"{found}/{name}", f"{output}/{name}")


def copy_file(source: str, target: str) -> None:
    """Links a file to another place on disk, or copies it to a store. Raises StoreError, OSError."""
    if is_url(target):
        store.retrying(f"write {target}", lambda: store.copy(source, target))
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except OSError:  # the file system does not support links
            shutil.copyfile(source, target)
