"""Versions of a corpus: which are finished, what of them is used again, which are removed, and the way back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apache_beam.io.filesystems import FileSystems

from gistmill.core.manifest import MANIFEST
from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.rebuild.layout import CorpusPlace, is_dataset, order, remove
from gistmill.transforms.io import create, is_url


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
    if is_url(source) and is_url(target):
        store.retrying(f"copy {source}", lambda: FileSystems.copy([source], [target]))
    elif is_url(target):
        store.retrying(f"write {target}", lambda: _upload(source, target))
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except OSError:  # a file system without links
            shutil.copyfile(source, target)


def _upload(source: str, target: str) -> None:
    with open(source, "rb") as file, create(target) as other:
        shutil.copyfileobj(file, other)


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
