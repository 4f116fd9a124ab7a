"""Where the parts of a corpus lie: its versions, the pointer to the latest, and the state of a rebuild.

latest.json  latest                      the pointer; the second is a link, on disks of this machine only
versions/20260101-1/version.json         what the version is; written last, so that one without it is unfinished
versions/20260101-1/NAME/                the datasets
signatures/                              what later months of a crawl are compared with (carried.py)
state/                                   the rebuild's own: its lock, its plan, dumps, crawls and annotations
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST
from gistmill.pipelines import stores as store
from gistmill.pipelines.workspaces.swap import sync_folder, write_synced
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
        sync_folder(link.parent)


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
