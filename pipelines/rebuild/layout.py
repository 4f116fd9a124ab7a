"""Where the parts of a corpus lie: its versions, the pointer to the latest, and the state of a rebuild.

latest.json  latest                      the pointer; the second is a link, on disks of this machine only
versions/20260101-1/version.json         what the version is; written last, so that one without it is unfinished
versions/20260101-1/NAME/                the datasets
signatures/                              what later months of a crawl are compared with (carried.py)
state/                                   the rebuild's own: its lock, its plan, dumps, crawls and annotations

On a disk it is a lock that ends with its process, however that ends. In a store it is a lease: one that was not renewed
for some minutes counts as dead.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST
from gistmill.pipelines import stores as store
from gistmill.pipelines.disk import sync, write_synced
from gistmill.pipelines.errors import BusyError, JobFailed, WorkspaceError
from gistmill.pipelines.place import new_run_id
from gistmill.pipelines.stores import Lease
from gistmill.published.files import check_owner, take
from gistmill.transforms.io import is_url, join

VERSION, LATEST = "version.json", "latest.json"
_VERSION = re.compile(r"(\d{6}|\d{8})-(\d+)")


@dataclass(frozen=True, slots=True)
class CorpusPlace:
    """The folder or URL of a corpus."""

    root: str

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine."""
        return not is_url(self.root)

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

    def versions(self) -> dict[str, Any]:
        """Returns the content of ``version.json`` of every finished version, by name, the oldest first.

        Raises:
            StoreError: the store does not answer.
        """
        found = {name: read(join(self.version(name), VERSION)) for name in self.names()}
        return {name: found[name] for name in sorted(found, key=order) if found[name] is not None}

    def names(self) -> set[str]:
        """Returns the names of all versions, finished or not."""
        return set(filter(_VERSION.fullmatch, children(join(self.root, "versions"))))

    def latest(self) -> str | None:
        """Returns the name of the version that is served; None before the first."""
        value = read(join(self.root, LATEST))
        return str(value["version"]) if isinstance(value, dict) and "version" in value else None

    def serve(self, name: str, *, since: str) -> None:
        """Moves the pointer: readers see the version of this name from now on. ``since``: a time of ISO 8601."""
        write(join(self.root, LATEST), {"version": name, "path": f"versions/{name}", "since": since})
        self.link(name)

    def link(self, name: str) -> None:
        """Makes the link ``latest`` say what the pointer says, on disks of this machine."""
        if not self.is_local:
            return
        link, target = Path(self.root, "latest"), os.path.join("versions", name)
        if link.is_symlink() and os.readlink(link) == target:
            return
        temporary = Path(self.state, "latest")
        temporary.unlink(missing_ok=True)
        os.symlink(target, temporary)
        os.replace(temporary, link)
        sync(link.parent)


def order(version: str) -> tuple[str, int]:
    """Returns what versions are sorted by: their date, then their number."""
    date, _, number = version.partition("-")
    return date, int(number)


def read(path: str) -> Any:
    """Returns the JSON of a small file; None where there is none, or no JSON.

    Raises:
        StoreError: the store does not answer.
    """
    try:
        return store.read_json(path)
    except ValueError:
        return None


def write(path: str, value: Any) -> None:
    """Writes a small JSON file, which a reader sees whole or not at all.

    Raises:
        StoreError, OSError: it cannot be written.
    """
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
    """Removes a file, or a folder with all that is in it; what tells that it is whole goes first.

    Raises:
        StoreError: the store does not answer.
        OSError: a file cannot be removed.
    """
    marks = [join(place, name) for name in (VERSION, MANIFEST)]
    if is_url(place):
        names = store.names_below(place)
        store.remove(name for name in names if name in marks)
        store.remove(names)
        return
    if os.path.isdir(place) and not os.path.islink(place):
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


@contextmanager
def held(place: CorpusPlace) -> Iterator[Callable[[], None]]:
    """Holds a corpus within the block. Yields a function that raises BusyError if another has taken it since.

    Raises:
        BusyError: another process is rebuilding it.
        WorkspaceError, StoreError: the place cannot be written.
    """
    if not place.is_local:
        lease = Lease.take(join(place.state, "lease.json"), run_id=new_run_id())
        try:
            yield lease.check
        finally:
            lease.release()
        return
    path = Path(place.state, "lock")
    try:
        check_owner(path.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = take(path)
    except OSError as error:
        raise WorkspaceError(f"cannot write to {path.parent}: {error.strerror or error}") from error
    if handle is None:
        raise BusyError(f"another rebuild of {place.root} is running ({_owner(path)}); wait for it or stop it")
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "started": time.strftime("%F %T")}).encode(), 0)
        yield lambda: None
    finally:
        os.close(handle)


def _owner(path: Path) -> str:
    try:
        owner = json.loads(path.read_bytes())
        return f"process {owner['pid']}, since {owner['started']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "process unknown"


class VersionError(JobFailed):
    """There is no such version; the text is one line for the user."""


def next_name(place: CorpusPlace, date: str) -> str:
    """Returns the name that a new version of a date gets: the date, and a number that none of that date has."""
    numbers = [order(name)[1] for name in place.names() if order(name)[0] == date]
    return f"{date}-{max(numbers, default=0) + 1}"


def same_dataset(versions: Mapping[str, Any], place: CorpusPlace, name: str, key: str) -> str | None:
    """Returns where a version has a dataset of this name and key, the newest first; None where none has.

    Args:
        versions: the plans or contents of versions, by name, the oldest first.
        place: of the corpus.
        name: of the dataset.
        key: of its content.
    """
    for version, value in reversed([*versions.items()]):
        if value.get("datasets", {}).get(name, {}).get("key") == key:
            found = place.dataset(version, name)
            if is_dataset(found):
                return found
    return None


def take_over(found: str, output: str) -> None:
    """Puts the files of a dataset in another place too, the manifest last: by links on disks, by copies in stores.

    Raises:
        StoreError, OSError: a file cannot be written.
    """
    names = [n.removeprefix(f"{found}/") for n in store.names_below(found)]
    for name in sorted(names, key=lambda n: (n == MANIFEST, n)):
        copy_file(f"{found}/{name}", f"{output}/{name}")


def copy_file(source: str, target: str) -> None:
    """Puts a file in another place too: by a link on disks, by a copy in stores, and by one from a disk to a store.

    Raises:
        StoreError, OSError: it cannot be written.
    """
    if is_url(target):
        store.retrying(f"write {target}", lambda: store.copy(source, target))
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except OSError:  # a file system without links
            shutil.copyfile(source, target)


def prune(place: CorpusPlace, *, keep: int) -> list[str]:
    """Removes all versions but the newest ``keep`` finished ones and the one that is served.

    Returns:
        The names of finished versions that were removed.
    """
    finished, latest = place.versions(), place.latest()
    kept = {*list(finished)[-keep:], *([latest] if latest else [])}
    gone = [name for name in sorted(place.names(), key=order) if name not in kept]
    for name in gone:
        remove(place.version(name))
    return [name for name in gone if name in finished]


def roll_back(place: CorpusPlace, to: str | None, *, now: str) -> tuple[str, str]:
    """Moves the pointer to another version.

    Args:
        place: of the corpus, held.
        to: the version; None for the one before that which is served.
        now: the time, of ISO 8601.

    Returns:
        The version that was served, and the one that is.

    Raises:
        VersionError: there is no such version.
    """
    versions, latest = list(place.versions()), place.latest()
    there = f"there are {', '.join(versions)}" if versions else "there are no versions"
    if latest is None:
        raise VersionError(f"{place.root}: no version is served; {there}")
    if to is None:
        before = [name for name in versions if order(name) < order(latest)]
        if not before:
            raise VersionError(f"{place.root}: there is no version before {latest}; {there}")
        to = before[-1]
    if to not in versions:
        raise VersionError(f"{place.root}: there is no version {to}; {there}")
    place.serve(to, since=now)
    return latest, to
