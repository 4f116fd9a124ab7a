"""Where the parts of a corpus are: its versions, the pointer to the latest, and the state of a rebuild.

latest.json  latest                      the pointer; the second is a link, on disks of this machine only
versions/20260101-1/version.json         the version's description; written last, so that one without it is unfinished
versions/20260101-1/NAME/                the datasets
signatures/                              what later months of a crawl are compared with (crawls.py)
state/                                   the rebuild's own: its lock, its plan, dumps, crawls and annotations
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
    """The folder or URL of a corpus. Its methods raise StoreError where a store does not answer."""

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
        """Returns the names of all versions, finished or not, the oldest first."""
        found = [n for n in children(join(self.root, "versions")) if re.fullmatch(r"(\d{6}|\d{8})-(\d+)", n)]
        return sorted(found, key=lambda name: (name.partition("-")[0], int(name.partition("-")[2])))

    def versions(self) -> dict[str, Any]:
        """Returns the content of ``version.json`` of every finished version, by name, the oldest first."""
        found = {name: read(join(self.version(name), VERSION)) for name in self.names()}
        return {name: value for name, value in found.items() if value is not None}

    def next_name(self, date: str) -> str:
        """Returns the name that a new version of a date gets: the date, and a number that none of that date has."""
        numbers = [int(name.partition("-")[2]) for name in self.names() if name.startswith(f"{date}-")]
        return f"{date}-{max(numbers, default=0) + 1}"

    def latest(self) -> str:
        """Returns the name of the version that is served; "" before the first."""
        value = read(join(self.root, LATEST))
        return str(value["version"]) if isinstance(value, dict) and "version" in value else ""

    def serve(self, name: str, *, since: str) -> None:
        """Moves the pointer: readers see the version of this name from now on. ``since``: a time of ISO 8601."""
        write(join(self.root, LATEST), {"version": name, "path": f"versions/{name}", "since": since})
        self.link(name)

    def link(self, name: str) -> None:
        """Points the link ``latest`` to the pointer's version, on local disks."""
        link, target = Path(self.root, "latest"), os.path.join("versions", name)
        if is_url(self.root) or (link.is_symlink() and os.readlink(link) == target):
            return
        temporary = Path(self.state, "latest")
        temporary.unlink(missing_ok=True)
        os.symlink(target, temporary)
        os.replace(temporary, link)
        sync(link.parent)

    def prune(self, *, keep: int) -> list[str]:
        """Removes all versions except for the newest ``keep`` finished ones and the one that is served. Returns the
        names of finished versions that were removed."""
        finished = [*self.versions()]
        gone = [name for name in self.names() if name not in (*finished[-keep:], self.latest())]
        for name in gone:
            remove(self.version(name))
        return [name for name in gone if name in finished]

    @contextmanager
    def held(self) -> Iterator[Callable[[], None]]:
        """Holds the corpus within the block. Yields a function that raises BusyError if another has taken it since.

        On a disk it is a lock that ends with its process, however that ends. In a store it is a lease: one that was not
        renewed for some minutes counts as dead. Raises BusyError if another process is rebuilding the corpus, and
        WorkspaceError if its place cannot be written.
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
    """Returns a short name for what decides about a content: 16 hexadecimal digits."""
    text = json.dumps(decides, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def read(path: str) -> Any:
    """Returns the JSON of a small file; None where there is none, or no JSON. Raises StoreError."""
    try:
        return store.read_json(path)
    except ValueError:
        return None


def write(path: str, value: Any) -> None:
    """Writes a small JSON file, which a reader sees whole or not at all. Raises StoreError, OSError."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    if is_url(path):
        store.write_text(path, text)
    else:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_synced(Path(path), text)


def is_dataset(place: str) -> bool:
    """Whether a dataset was published at a place, as far as its manifest tells."""
    return read(join(place, MANIFEST)) is not None


def remove(place: str) -> None:
    """Removes a file, or a folder with its content; the file that marks it as complete is removed first. Raises
    StoreError, OSError.
    """
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
    """Returns the names in a folder or below a URL, hidden ones too; none where there is no such place."""
    if is_url(place):
        return sorted({path.removeprefix(f"{place}/").partition("/")[0] for path in store.names_below(place)})
    try:
        return sorted(os.listdir(place))
    except (FileNotFoundError, NotADirectoryError):
        return []


def take_over(found: str, output: str) -> None:
    """Puts the files of a dataset in another place too, the manifest last. Raises StoreError, OSError."""
    names = [n.removeprefix(f"{found}/") for n in store.names_below(found)]
    for name in sorted(names, key=lambda n: (n == MANIFEST, n)):
        copy_file(f"{found}/{name}", f"{output}/{name}")


def copy_file(source: str, target: str) -> None:
    """Puts a file in another place too: by a link on disks, by a copy in stores, and by one from a disk to a store.
    Raises StoreError, OSError."""
    if is_url(target):
        store.retrying(f"write {target}", lambda: store.copy(source, target))
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except OSError:  # a file system without links
            shutil.copyfile(source, target)
