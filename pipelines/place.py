"""The destination of a dataset, in a local folder or an object store, and the temporary files of its run.

Both kinds offer the same operations: ``check`` that a dataset may be written there, ``lock`` it, ``put`` its files,
``promote`` them, so that readers see them all at once, and ``drop`` the lock and the workspace. In between, the
transforms work in the workspace ``root``; ``transforms/layout.py`` defines the file names in it.

On disk, the dataset is assembled in a folder ``.<name of the output>.gistmill-<run id>`` next to the output and then
renamed. That folder also contains the workspace, unless ``--temp-dir`` specifies another folder, and the lock, which is
released when the process ends. The next run with the same output removes a dead run's files or continues it.

Folders may be shared with other users: files that are not owned by this user alone (``pipelines/disk.py``) are not
read, moved or removed, and their locks are ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST
from gistmill.pipelines import disk
from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import BusyError, JobFailed, OutputExists, ResumeError, WorkspaceError
from gistmill.pipelines.reporting.croissant import CROISSANT
from gistmill.pipelines.stores import Lease
from gistmill.transforms.io import escaped, is_url, matching, sha256_of, write_json
from gistmill.transforms.layout import LOCK, WorkspaceLayout
from gistmill.transforms.sinks.spills import finished_ranges

CARD = "README.md"
AT_TOP = (CARD, CROISSANT)  # expected at the top level by hubs and programs that load the dataset
DATA = "data-"  # beginning of each run's prefix, inside an output in a store
_STAGING, _REPLACED = "dataset", "replaced"
_SHOWN = 3  # differences in a message
# States of a run's folder: its run has ended; its run has not yet written a record; not owned by this user alone; gone,
# or of another output.
_DEAD, _BEGINNING, _STRANGE, _ANOTHER = "dead", "beginning", "strange", "another"
_BEGINNING_SECONDS = 60.0  # a starting run writes its record well before this


class PublishError(JobFailed):
    """A shard is missing or does not contain the bytes written."""


class LocalPlace:
    """A destination in a local folder.

    Args:
        output: the dataset's folder.

    Attributes:
        output: absolute path of that folder, with links resolved.
        root: the workspace, once the place is locked.
        home: the folder in which the dataset is assembled; equal to ``root`` for a new run without ``--temp-dir``.

    Raises:
        WorkspaceError: see disk.local_path.
    """

    def __init__(self, output: str | os.PathLike[str]) -> None:
        self.output = disk.local_path(output, "--output")
        if not self.output.name:
            raise WorkspaceError(f"--output {output}: must be inside another folder")
        self.root = self.home = self.output
        self._prefix = prefix_of(self.output.name)
        self._lock: int | None = None
        self._dropping = threading.RLock()

    def check(self, *, overwrite: bool) -> None:
        """Checks that a dataset may be written here, so that a run can fail before hours of work.

        Raises:
            OutputExists: the output contains a dataset and ``overwrite`` is false, or contains something else.
            WorkspaceError: the user may not write to the existing dataset.
        """
        if (self.output / MANIFEST).is_file():
            if not overwrite:
                raise OutputExists(f"{self.output} already contains a dataset; use --overwrite to replace it")
            if not os.access(self.output, os.W_OK):
                raise WorkspaceError(f"{self.output} cannot be replaced: you do not have permission to write to it")
        elif self.output.is_dir():
            if any(self.output.iterdir()):
                raise OutputExists(
                    f"{self.output} is not empty and does not contain a dataset ({MANIFEST} is missing); "
                    "choose another folder or remove it"
                )
        elif self.output.exists():
            raise OutputExists(f"{self.output} is not a folder")

    def lock(
        self, *, fingerprint: Mapping[str, Any], temp_dir: str | os.PathLike[str] | None = None, resume: bool = False
    ) -> str:
        """Locks out other runs and creates a workspace; removes files left by dead runs with the same output.

        Args:
            fingerprint: configuration, inputs and versions, which must be equal for a later ``--resume``.
            temp_dir: folder for the temporary files; None for the output's parent folder.
            resume: whether to adopt the workspace of the newest dead run with an equal fingerprint.

        Returns:
            A line for the user on what ``--resume`` found, or "".

        Raises:
            BusyError: a live run has the same output.
            ResumeError: the unfinished runs have different fingerprints; the message lists the differences.
            WorkspaceError: a folder cannot be written.
        """
        temp = self.output.parent if temp_dir is None else disk.local_path(temp_dir, "--temp-dir")
        plain = json.loads(json.dumps(fingerprint, default=str))
        owner = {"output": str(self.output), "pid": os.getpid(), "started": time.strftime("%Y-%m-%d %H:%M:%S")}
        record = json.dumps(owner)
        self.home = self.root = self.output.parent / f"{self._prefix}{new_run_id()}"
        self._lock = disk.make_locked(self.home)
        try:
            if temp != self.output.parent:
                os.close(disk.make_locked(root := temp / self.home.name))
                self.root = root
                (root / LOCK).write_text(record, encoding="utf-8")
            dead, strange = self._dead_runs(temp)
            for folder in dead:
                disk.bring_back(self.output, aside=folder / _REPLACED)
            newest_first = sorted(map(str, dead), key=os.path.basename, reverse=True)
            adopted, note = choose(newest_first, plain, where=f"for {self.output}") if resume else ("", "")
            for folder in dead:
                if str(folder) != adopted:
                    disk.remove_folder(folder)
            if adopted:
                if self.root != self.home:
                    disk.remove_folder(self.root)
                self.root = Path(adopted)
                disk.keep_only(self.root, kept_files(adopted))
            else:
                write_json(WorkspaceLayout(str(self.root)).fingerprint, plain, indent=1)
            (self.home / LOCK).write_text(record, encoding="utf-8")
        except BaseException:
            self.drop(keep=True)
            raise
        return note + strange if resume else note

    def _dead_runs(self, temp: Path) -> tuple[list[Path], str]:
        """Returns the folders of dead runs of this output, and a note on run folders not owned by this user alone.
        Raises BusyError if one of the runs is alive.

        Every run locks its own folder before looking for others, and writes its record if it finds none. If two runs
        look at the same time, the one whose folder name sorts first continues.
        """
        parents = dict.fromkeys((self.output.parent, temp))
        while True:
            folders = [
                folder
                for parent in parents
                for folder in sorted(parent.iterdir())
                if folder.name.startswith(self._prefix) and folder not in (self.home, self.root) and folder.is_dir()
            ]
            found = {folder: self._state_of(folder) for folder in folders}
            if _BEGINNING not in found.values():
                break
            time.sleep(0.01)
        strange = Counter(folder.parent for folder, state in found.items() if state == _STRANGE)
        note = "".join(
            f"; folders left unchanged in {parent}, as this user does not own them alone (mode 0700): {number:,}"
            for parent, number in strange.items()
        )
        return [folder for folder, state in found.items() if state == _DEAD], note

    def _state_of(self, folder: Path) -> str:
        """Returns the state of a run's folder, such as _DEAD. Raises BusyError if its run is alive."""
        with suppress(FileNotFoundError):  # the folder may have been removed meanwhile
            seen = disk.record_of(folder)
            if seen is None:
                return _STRANGE
            owner, live = seen
            # next to the output, the folder's name identifies the output; in a shared folder, only its record does
            unsaid = str(self.output) if folder.parent == self.output.parent else ""
            if owner.get("output", unsaid) != str(self.output):
                return _ANOTHER
            if live and (owner or folder.name < self.home.name):
                raise BusyError(
                    f"another run is writing to {self.output} (process {owner.get('pid', 'unknown')}, since "
                    f"{owner.get('started', 'unknown')}); wait for it or stop it"
                )
            if live:
                return _BEGINNING
            if owner or time.time() - folder.stat().st_mtime > _BEGINNING_SECONDS:
                return _DEAD
        return _ANOTHER

    def put(self, name: str, path: str, sha256: str) -> str:
        """Moves a finished shard into the dataset; returns its path there. Raises PublishError if the shard is missing
        or does not contain the bytes written."""
        place = self.home / _STAGING / name
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.move(path, place)  # copies if the workspace is on another file system
        except FileNotFoundError as error:
            raise PublishError(f"the shard {path} ({name}) has vanished") from error
        disk.sync(place)
        if sha256_of(str(place)) != sha256:
            raise PublishError(f"{name} does not contain the bytes written; nothing was published")
        return name

    def write(self, name: str, text: str) -> str:
        """Writes a text into the dataset; returns its path there."""
        (self.home / _STAGING).mkdir(exist_ok=True)
        disk.write_synced(self.home / _STAGING / name, text)
        return name

    def promote(self, manifest: str, paths: Iterable[str]) -> None:
        """Replaces the old dataset with the new one in one step; the old one is removed with the workspace."""
        staging = self.home / _STAGING
        for folder, _, _ in os.walk(staging):
            disk.sync(Path(folder))
        disk.write_synced(staging / MANIFEST, manifest)
        disk.put_in_place(staging, self.output, aside=self.home / _REPLACED)

    def drop(self, *, keep: bool = False) -> str:
        """Removes the workspace and releases the lock. With ``keep``, keeps files that ``--resume`` can use and, if
        there are any, returns a line for the user. Otherwise returns "".

        A second call does nothing, since the folders may belong to another run by then. A call from another thread
        waits for the first one; a call after the first was interrupted completes it.
        """
        with self._dropping:
            if self._lock is None:
                return ""
            disk.bring_back(self.output, aside=self.home / _REPLACED)
            kept = kept_files(str(self.root)) if keep else set()
            if kept and disk.is_own(os.lstat(self.root)):
                disk.keep_only(self.root, kept)
            else:
                kept = set()
                disk.remove_folder(self.root)
            if not kept or self.home != self.root:
                disk.remove_folder(self.home)  # the lock goes last: without it, files look like a dead run's
            handle, self._lock = self._lock, None
            os.close(handle)
            return _kept_line(str(self.root)) if kept else ""


class StorePlace:
    """A destination in an object store. Files are stored under the output's prefix ``data-<run id>/`` and listed in the
    manifest, which is replaced last.

    Args:
        output: URL of the dataset.
        workers_elsewhere: whether workers run on other machines, so that the workspace must be in the store too.
        run_id: id of the run; "" for a new one.
        root: workspace of that run.

    Attributes:
        lease_path: the object that locks out other runs.
        lease: the lease, once the place is locked.

    Raises:
        WorkspaceError: the URL is not a folder in a bucket, or is not UTF-8.
    """

    def __init__(self, output: str, *, workers_elsewhere: bool = False, run_id: str = "", root: str = "") -> None:
        disk.check_is_utf8(output, "--output")
        self.output = output.rstrip("/")
        self.root, self.run_id = root, run_id or new_run_id()
        self.lease: Lease | None = None
        self._elsewhere = workers_elsewhere
        self._local: LocalPlace | None = None  # provides the workspace if that is on this machine
        self._at_top: dict[str, str] = {}  # name -> text; written last, as readers of the old dataset see these files
        self._parent, _, self._name = self.output.rpartition("/")
        if not self._parent.partition("://")[2]:
            scheme = output.partition("://")[0]
            raise WorkspaceError(
                f"--output {output}: specify a folder inside the bucket, such as {scheme}://bucket/corpus"
            )
        self.lease_path = f"{self._parent}/{prefix_of(self._name)}lease.json"

    def check(self, *, overwrite: bool) -> None:
        """Checks that a dataset may be written here and, once the place is locked, that it still is.

        Raises:
            OutputExists: the output contains a dataset and ``overwrite`` is false, or contains something else.
            BusyError: another run considers this one dead and has taken over.
            StoreError: the store or bucket does not respond, or denies access.
        """
        found = store.retrying(f"read {self.output}", lambda: store.names_below(self.output))
        names = {n.removeprefix(f"{self.output}/") for n in found}
        if MANIFEST in names:
            if not overwrite:
                raise OutputExists(f"{self.output} already contains a dataset; use --overwrite to replace it")
        elif strange := sorted(n for n in names if not n.startswith(DATA) and n not in AT_TOP):
            raise OutputExists(
                f"{self.output} contains {strange[0]} but no dataset ({MANIFEST} is missing); choose another location"
            )
        if self.lease is not None:
            self.lease.check()

    def lock(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None = None, resume: bool = False) -> str:
        """Like LocalPlace.lock, but may also raise StoreError. ``resume`` also takes the output over from a job that no
        driver waits for: by resuming, the user declares that job dead."""
        on_disk = not is_url(temp_dir) if temp_dir is not None else not self._elsewhere
        if on_disk and self._elsewhere:
            raise WorkspaceError(
                f"--temp-dir {temp_dir}: the workers run on other machines; specify a folder in the store"
            )
        self.lease = Lease.take(self.lease_path, run_id=self.run_id, from_left=resume)
        try:
            # in a shared folder, a hash of the output's full URL identifies the run's folder
            key = f"{self._name}-{hashlib.blake2b(self.output.encode(), digest_size=6).hexdigest()}"
            if on_disk:
                self._local = LocalPlace(os.path.join(temp_dir or tempfile.gettempdir(), key))
                note = self._local.lock(fingerprint=fingerprint, resume=resume)
                self.root = str(self._local.root)
                return note
            plain, parent = json.loads(json.dumps(fingerprint, default=str)), (temp_dir or self._parent).rstrip("/")
            prefix = f"{parent}/{prefix_of(key)}"
            found = store.retrying(f"list {parent}", lambda: matching(f"{escaped(prefix)}*/**"))
            dead = {f"{prefix}{name.removeprefix(prefix).partition('/')[0]}" for name in found}
            adopted, note = choose(sorted(dead, reverse=True), plain, where=f"in {parent}") if resume else ("", "")
            store.remove(found.keys() - (kept_files(adopted) if adopted else set()))
            self.root = adopted or f"{prefix}{self.run_id}"
            if not adopted:
                store.write_text(WorkspaceLayout(self.root).fingerprint, json.dumps(plain, indent=1, sort_keys=True))
            return note
        except BaseException:
            self.lease.release()
            raise

    def put(self, name: str, path: str, sha256: str) -> str:
        """Like LocalPlace.put, but copies the shard to the run's prefix. May also raise StoreError."""
        url = f"{self.output}/{DATA}{self.run_id}/{name}"

        def copy() -> None:
            store.copy(path, url)
            if sha256_of(url) != sha256:
                raise PublishError(f"{url} does not contain the bytes written")

        store.retrying(f"publish {url}", copy)
        return url.removeprefix(f"{self.output}/")

    def write(self, name: str, text: str) -> str:
        """Writes a text to the run's prefix, or defers it until ``promote`` if readers see it; returns its path."""
        if name in AT_TOP:
            self._at_top[name] = text
            return name
        path = f"{DATA}{self.run_id}/{name}"
        store.write_text(f"{self.output}/{path}", text)
        return path

    def promote(self, manifest: str, paths: Iterable[str]) -> None:
        """Makes the dataset described by this manifest and these paths visible to readers; removes files left by an old
        dataset or an interrupted publication. Raises BusyError if another run has taken over."""
        if self.lease is not None:
            self.lease.check()
        for name, text in {**self._at_top, MANIFEST: manifest}.items():
            store.write_text(f"{self.output}/{name}", text)
        known = {f"{self.output}/{path}" for path in (*paths, MANIFEST)}
        store.remove(name for name in store.names_below(self.output) if name not in known)

    def drop(self, *, keep: bool = False) -> str:
        """Like LocalPlace.drop, but may also raise StoreError."""
        try:
            if self._local is not None:
                return self._local.drop(keep=keep)
            root, self.root = self.root, ""
            kept = kept_files(root) if keep and root else set()
            store.remove(store.names_below(root).keys() - kept if root else ())
            return _kept_line(root) if kept else ""
        finally:
            if self.lease is not None:
                self.lease.release()


Place = LocalPlace | StorePlace


def place_of(output: str, *, workers_elsewhere: bool) -> Place:
    """Returns the place specified by ``--output``. Raises WorkspaceError, as the classes do."""
    return StorePlace(output, workers_elsewhere=workers_elsewhere) if is_url(output) else LocalPlace(output)


def new_run_id() -> str:
    """Returns a unique run id; ids sort by the second in which they were created."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:8]}"


def prefix_of(output: str) -> str:
    """Returns the name prefix of all temporary files and folders of an output with this name."""
    return f".{output}.gistmill-"


def choose(roots: Iterable[str], fingerprint: Any, *, where: str) -> tuple[str, str]:
    """Returns the first resumable workspace with an equal fingerprint, "" if none is resumable, and a line for users.

    Args:
        roots: workspaces of dead runs, newest first.
        fingerprint: configuration, inputs and versions of this run, as JSON values.
        where: phrase for the line on where runs were searched for, such as "for /data/corpus".

    Raises:
        ResumeError: all resumable workspaces have other fingerprints; the message lists the newest one's differences.
    """
    refusal = ""
    for root in filter(kept_files, roots):
        try:
            before = store.read_json(WorkspaceLayout(root).fingerprint)
        except ValueError:
            before = None
        if not (found := differences(before, fingerprint)):
            return root, f"resuming {root}: {len(finished_ranges(root))} ranges are finished"
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        refusal = refusal or f"cannot resume {root}: {'; '.join(found[:_SHOWN])}{more}"
    if refusal:
        raise ResumeError(f"{refusal}; without --resume, the job removes it and starts again")
    return "", f"nothing to resume {where}; starting from the beginning"


def differences(before: Any, now: Any, name: str = "") -> list[str]:
    """Returns the differences between two JSON values, one line each."""
    if isinstance(before, dict) and isinstance(now, dict):
        keys = sorted(before.keys() | now.keys())
        return [line for k in keys for line in differences(before.get(k), now.get(k), f"{name}.{k}" if name else k)]
    return [] if before == now else [f"{name} was {json.dumps(before)} and is now {json.dumps(now)}"]


def kept_files(root: str) -> set[str]:
    """Returns the files that ``--resume`` needs; none if no range is finished or has been searched for duplicates."""
    layout, names, ranges = WorkspaceLayout(root), store.names_below(root), finished_ranges(root)
    sketches = {n for n in names if n.startswith(f"{layout.sketches}/")}
    if not ranges and not any(n.endswith(".json") for n in sketches):
        return set()
    markers = {n for n in names if n.startswith(f"{layout.ranges}/")}
    spills = {spill.path for result in ranges.values() for spill in result.spills}
    return {layout.lock, layout.fingerprint} | sketches | markers | spills


def _kept_line(root: str) -> str:
    """Returns a line on the files kept from a failed run."""
    return f"{len(finished_ranges(root))} finished ranges are kept in {root}; --resume continues from there"
