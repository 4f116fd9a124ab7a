"""The driver's folder of temporary files: one for each run, locked while the run lives, cleaned by the next one.

A run has a folder ``.<name of the output>.gistmill-<run id>`` beside the output, and with ``--temp-dir`` a second one
there, which then holds everything but the dataset that is being put together. Names inside: transforms/io.py.

Both places may be shared with other users. What they have put there is left alone (own.py): it is neither read nor
moved nor removed, and its locks hold nobody up.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gistmill.pipelines.errors import WorkspaceError
from gistmill.pipelines.workspaces.lease import DeadRun, choose, find_dead, kept_line
from gistmill.pipelines.workspaces.own import is_own, is_planted, new_run_id, one_at_a_time, prefix_of
from gistmill.pipelines.workspaces.swap import bring_back
from gistmill.published.files import take
from gistmill.transforms.io import is_url, list_files, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.spills import finished_ranges

_STAGING = "dataset"
_ASIDE = "replaced"


@dataclass(slots=True, kw_only=True)
class Workspace:
    """A run's folders.

    Attributes:
        output: where the dataset will be, absolute, links resolved.
        root: the workspace that the transforms get.
        home: the folder beside the output in which the dataset is put together; equal to root without ``--temp-dir``.
        run_id: in the names of both.
        resumed: whether the work of an earlier run is continued.
        note: one line for the user on what ``--resume`` found, or "".
    """

    output: Path
    root: Path
    home: Path
    run_id: str
    resumed: bool
    note: str
    handles: list[int]
    _closing: threading.RLock = field(default_factory=threading.RLock, init=False)

    @classmethod
    def create(
        cls,
        output: str | os.PathLike[str],
        *,
        fingerprint: Mapping[str, Any],
        temp_dir: str | os.PathLike[str] | None = None,
        resume: bool = False,
    ) -> Workspace:
        """Makes a run's folders and takes their locks; removes what dead runs of the same output left.

        Args:
            output: the dataset's folder; its parent is made if need be.
            fingerprint: what has to be equal for a later ``--resume``: configuration, inputs, versions.
            temp_dir: where the temporary files go; None is beside the output.
            resume: continue the newest dead run of the same output whose fingerprint is equal.

        Raises:
            BusyError: a live run has the same output.
            ResumeError: an unfinished run is there, but of another fingerprint; the text says what differs.
            WorkspaceError: a folder cannot be written.
        """
        place = local_path(output, "--output")
        if not place.name:
            raise WorkspaceError(f"--output {output}: has to be a folder inside another")
        beside = _ready(place.parent)
        work = _ready(local_path(temp_dir, "--temp-dir")) if temp_dir is not None else beside
        plain = json.loads(json.dumps(fingerprint, default=str))
        with one_at_a_time(beside, prefix_of(place.name)):
            dead, strange = find_dead(place, beside, work)
            adopted, note = _settle(dead, plain, place, resume)
            return cls._make(place, beside, work, plain, adopted, note + strange if resume else note)

    @classmethod
    def _make(
        cls, place: Path, beside: Path, work: Path, fingerprint: Any, adopted: DeadRun | None, note: str
    ) -> Workspace:
        run_id = new_run_id()
        root = adopted.folder if adopted else work / f"{prefix_of(place.name)}{run_id}"
        home = root if root.parent == beside else beside / f"{prefix_of(place.name)}{run_id}"
        made = cls(
            output=place,
            root=root,
            home=home,
            run_id=run_id,
            resumed=adopted is not None,
            note=note,
            handles=[adopted.handle] if adopted else [],
        )
        for folder in dict.fromkeys((root, home)):
            try:
                if adopted and folder == root:
                    handle = adopted.handle
                else:
                    os.mkdir(folder, 0o700)
                    taken = take(lock_of(folder))
                    assert taken is not None, "nobody else knows the folder"
                    made.handles.append(handle := taken)
                owner = {
                    "output": str(place),
                    "pid": os.getpid(),
                    "run_id": run_id,
                    "started": time.strftime("%Y-%m-%d %H:%M:%S"),
                }
                os.ftruncate(handle, 0)
                os.pwrite(handle, json.dumps(owner).encode("utf-8"), 0)
            except OSError as error:
                raise WorkspaceError(f"cannot write to {folder.parent}: {error.strerror or error}") from error
        if adopted:
            _keep_finished(made.root)
        else:
            write_json(WorkspaceLayout(str(made.root)).fingerprint, fingerprint, indent=1)
        return made

    @property
    def staging(self) -> Path:
        """Where the dataset is put together, on the file system of the output."""
        return self.home / _STAGING

    @property
    def aside(self) -> Path:
        """Where the replaced dataset goes."""
        return self.home / _ASIDE

    def close(self, *, keep: bool = False) -> str:
        """Ends the run's hold on its folders and removes them. A second call does nothing: the folders may be another
        run's by then. One from another thread, or after an interrupt of the first, waits for it or ends it.

        Args:
            keep: leave what ``--resume`` can use, if there is any.

        Returns:
            One line for the user when something was kept, else "".
        """
        with self._closing:
            return self._close(keep) if self.handles else ""

    def _close(self, keep: bool) -> str:
        line = ""
        kept = keep and is_resumable(self.root) and is_own(self.root)
        if kept:
            _keep_finished(self.root)
            line = kept_line(str(self.root))
        for folder in {self.home, self.root} - ({self.root} if kept else set()):
            _remove(folder)
        while self.handles:
            os.close(self.handles.pop())
        return line


def local_path(path: str | os.PathLike[str], option: str) -> Path:
    """Returns an absolute path with links resolved.

    Raises:
        WorkspaceError: it is a URL: folders are locked and exchanged, which object stores cannot do. Or it goes through
            a link that another user has put into a folder which all may write. Or its name is not UTF-8.
    """
    if is_url(path):
        raise WorkspaceError(f"{option} {path}: has to be a folder of this machine")
    plain = Path(os.path.abspath(path))
    for part in (plain, *plain.parents):
        if os.path.islink(part) and is_planted(part):
            raise WorkspaceError(f"{option} {path}: {part} is another user's link in a folder that all may write")
    real = os.path.realpath(path)
    check_is_utf8(real, option)
    return Path(real)


def check_is_utf8(path: str, option: str) -> None:
    """Raises WorkspaceError for a path with bytes that are not UTF-8, which manifests and keys of Beam cannot have."""
    if any("\ud800" <= character <= "\udfff" for character in path):
        raise WorkspaceError(f"{option}: the path {path!r} is not UTF-8; choose another")


def is_resumable(root: Path) -> bool:
    """Whether a workspace holds finished ranges, ranges looked through for duplicates or a completely spooled input."""
    layout = WorkspaceLayout(str(root))
    return bool(finished_ranges(str(root))) or any(list_files(f, ".json") for f in (layout.spool, layout.sketches))


def lock_of(folder: Path) -> Path:
    """Returns the file that a live run holds locked."""
    return Path(WorkspaceLayout(str(folder)).lock)


def _ready(folder: Path) -> Path:
    try:
        os.makedirs(folder, exist_ok=True)
        with os.scandir(folder):
            pass
    except OSError as error:
        raise WorkspaceError(f"cannot write to {folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WorkspaceError(f"cannot write to {folder}: no permission")
    return folder


def _settle(dead: list[DeadRun], fingerprint: Any, place: Path, resume: bool) -> tuple[DeadRun | None, str]:
    """Repairs what dead runs left half done, picks the one to resume and removes the others. All stay as they are
    when this fails."""
    adopted, note = None, ""
    try:
        for left in dead:
            bring_back(place, aside=left.folder / _ASIDE)
        if resume:
            adopted, note = _choose(dead, fingerprint, place)
        for left in dead:
            if left is not adopted:
                _remove(left.folder)
    finally:
        for left in dead:
            if left is not adopted:
                os.close(left.handle)
    return adopted, note


def _choose(dead: list[DeadRun], fingerprint: Any, place: Path) -> tuple[DeadRun | None, str]:
    """Returns the newest dead run of the same fingerprint, if there is any, and a line for the user."""
    usable = [d for d in dead if not _is_worthless(d.folder)]
    usable.sort(key=lambda d: lock_of(d.folder).stat().st_mtime, reverse=True)
    by_root = {str(d.folder): d for d in usable}
    root, note = choose(by_root, fingerprint, read_fingerprint=_fingerprint, where=f"for {place}")
    return None if root is None else by_root[root], note


def _fingerprint(root: str) -> Any:
    return read_json(WorkspaceLayout(root).fingerprint)


def _is_worthless(folder: Path) -> bool:
    try:
        _fingerprint(str(folder))
    except (OSError, ValueError):
        return True
    return not is_resumable(folder)


def _keep_finished(root: Path) -> None:
    """Removes everything that ``--resume`` does not use."""
    layout = WorkspaceLayout(str(root))
    for folder in (layout.shards, layout.progress, layout.comparison, root / _STAGING):
        shutil.rmtree(folder, ignore_errors=True)
    Path(layout.results).unlink(missing_ok=True)
    used = {spill.path for result in finished_ranges(str(root)).values() for spill in result.spills}
    for path in list_files(layout.spills).keys() - used:
        Path(path).unlink(missing_ok=True)


def _remove(folder: Path) -> None:
    """Removes a folder, its lock last: while that is held, nobody takes what is left for a dead run's."""
    for _ in range(3):  # a worker that is about to end may still write
        with suppress(FileNotFoundError):
            for path in folder.iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
