"""The folder of a run and its checkpoints, which are renamed when complete, so that each is either complete or absent.

config.yaml      the options
metrics.jsonl    loss, scores, learning rate; timings.jsonl: speed and memory
tensorboard/     the same for TensorBoard
checkpoints/     step-000000100/: model/, written by ``gistmill.training.kinds.save_task``; optimiser.pt, the optimiser
                 state; state.json, the remaining state and the sizes of the other files
                 best-000000080/: the best model, if its step has no checkpoint
model/           the best model, once the run is finished
finished.json    the result of the run
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gistmill.core.options import options_of
from gistmill.published.files import take
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.metrics import METRICS, TENSORBOARD, TIMINGS
from gistmill.training.settings import Settings, dump

MODEL, OPTIMISER, STATE = "model", "optimiser.pt", "state.json"
CONFIG, FINISHED, CHECKPOINTS = "config.yaml", "finished.json", "checkpoints"
_LOCK, _PART = ".lock", ".part-"
_OWN = (CONFIG, FINISHED, CHECKPOINTS, MODEL, METRICS, TIMINGS, TENSORBOARD)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A complete checkpoint, from which a run can resume.

    Attributes:
        folder: the checkpoint's folder.
        state: the caller's state.
        best: step of the best model at that time, or None.
    """

    folder: Path
    state: dict[str, Any]
    best: int | None

    @property
    def step(self) -> int:
        """The step after which the checkpoint was written."""
        return _step(self.folder)


class Checkpoints:
    """The checkpoints of a run.

    Args:
        folder: the folder of the checkpoints.
        keep: the number of most recent checkpoints to keep, in addition to the best models.
        say: prints a line about a broken checkpoint.
    """

    def __init__(self, folder: Path, keep: int, say: Callable[[str], None]) -> None:
        self._folder, self._keep, self._say = folder, keep, say

    def newest(self) -> Checkpoint | None:
        """Returns the newest complete checkpoint, or None."""
        for folder in reversed(self._all("step")):
            found = _read(folder)
            if isinstance(found, Checkpoint):
                return found
            self._say(f"{folder} is broken ({found}); using the previous checkpoint instead")
        return None

    def model(self, step: int) -> Path:
        """Returns the model folder for a step, which must be that of the best model or have a checkpoint."""
        best = self._at("best", step)
        return best if best.exists() else self._at("step", step) / MODEL

    def write(self, step: int, write: Callable[[Path], None], state: dict[str, Any], best: int | None) -> None:
        """Writes the checkpoint for a step, and removes checkpoints that are no longer needed.

        Args:
            step: the step; an existing checkpoint for this step is kept.
            write: writes the model and the optimiser state to an empty folder.
            state: the state, as JSON values.
            best: step of the best model, which is kept as long as this checkpoint.

        Raises:
            TrainingError: the checkpoint cannot be written; earlier ones still exist.
        """

        def write_all(part: Path) -> None:
            write(part)
            content = {"state": state, "best": best, "files": _sizes(part)}
            (part / STATE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

        if not isinstance(_read(self._at("step", step)), Checkpoint):
            self._replace("step", step, write_all)
        self._prune(best)

    def write_best(self, step: int, write: Callable[[Path], None]) -> None:
        """Writes the best model so far, and removes checkpoints that are no longer needed.

        Args:
            step: the model's step; a model from an earlier attempt at this step is replaced.
            write: writes the model to an empty folder.

        Raises:
            TrainingError: the model cannot be written; earlier checkpoints still exist.
        """
        self._replace("best", step, write)
        self._prune(step)

    def _replace(self, kind: str, step: int, write: Callable[[Path], None]) -> None:
        try:
            replace_folder(self._at(kind, step), write)
        except Exception as error:  # each library raises its own errors when the disk is full
            kept = self.newest()
            still = f"; the checkpoint for step {kept.step} still exists" if kept else ""
            reason = (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split())
            raise TrainingError(f"the checkpoint for step {step} cannot be written: {reason[:200]}{still}") from error

    def _prune(self, best: int | None) -> None:
        """Removes old checkpoints, but keeps the best model, now and at the time of each remaining checkpoint."""
        folders = self._all("step")
        newest = folders[-self._keep :]
        whole = [found for folder in newest if isinstance(found := _read(folder), Checkpoint)]
        kept = {best, *(found.best for found in whole)}
        for folder in folders:
            if folder not in newest:
                step = _step(folder)
                if step in kept and not self._at("best", step).exists() and (folder / MODEL).exists():
                    (folder / MODEL).rename(self._at("best", step))
                shutil.rmtree(folder, ignore_errors=True)
        kept -= {found.step for found in whole}
        unused = [folder for folder in self._all("best") if _step(folder) not in kept]
        for folder in (*unused, *self._folder.glob(f"{_PART}*")):
            shutil.rmtree(folder, ignore_errors=True)

    def _at(self, kind: str, step: int) -> Path:
        return self._folder / f"{kind}-{step:09d}"

    def _all(self, kind: str) -> list[Path]:
        return sorted(self._folder.glob(f"{kind}-*"), key=_step)


def _step(folder: Path) -> int:
    return int(folder.name.rpartition("-")[2])


def _sizes(folder: Path) -> dict[str, int]:
    return {p.relative_to(folder).as_posix(): p.stat().st_size for p in sorted(folder.rglob("*")) if p.is_file()}


def _read(folder: Path) -> Checkpoint | Exception:
    """Returns a checkpoint, or an error if it is incomplete."""
    try:
        content: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
        there = _sizes(folder)
        for name, size in content["files"].items():
            if there.get(name) != size:
                raise ValueError(f"{name} contains {there.get(name, 0)} of {size} bytes")
        return Checkpoint(folder, dict(content["state"]), content.get("best"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return error


def flush(path: Path) -> None:
    """Flushes a file or a folder's entries to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Replaces ``folder`` with a new folder filled by ``write``, after it is complete and on disk."""
    part = folder.with_name(f"{_PART}{folder.name}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        write(part)
        for path in (*sorted(part.rglob("*")), part):
            flush(path)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    flush(folder.parent)


def _replace_file(file: Path, text: str) -> None:
    """Writes a file under another name and renames it, so that it is never incomplete."""
    part = file.with_name(f".{file.name}")
    part.write_text(text, encoding="utf-8")
    flush(part)
    part.rename(file)


class RunFolder:
    """The folder of a run."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.checkpoints = place / CHECKPOINTS
        self.model = place / MODEL

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Locks the run, so that no other process writes to it.

        Raises:
            SettingsError: another process holds the lock, or the folder cannot be created.
        """
        try:
            self.place.mkdir(parents=True, exist_ok=True)
            lock = take(self.place / _LOCK)
        except OSError as error:
            raise SettingsError(f"--output {self.place}: {error.strerror or error}") from None
        if lock is None:
            raise SettingsError(f"--output {self.place}: another process is training there")
        try:
            yield
        finally:
            os.close(lock)

    def begin(self, settings: Settings, *, overwrite: bool) -> None:
        """Begins a run, or checks that an existing run has the same options.

        Raises:
            SettingsError: the options differ, or the folder contains something else.
            TrainingError: the existing run's options cannot be read.
        """
        file = self.place / CONFIG
        if overwrite:
            self._clear()
        if file.exists() and self.checkpoints.exists():
            try:
                found = yaml.safe_load(file.read_text(encoding="utf-8"))
            except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
                raise TrainingError(f"{file} cannot be read: {' '.join(str(error).split())}") from None
            if not isinstance(found, dict):
                raise TrainingError(f"{file} does not contain a run's options")
            _compare(found, settings, self.place)
            return
        if others := {path.name for path in self.place.iterdir()} - {_LOCK, CONFIG, f".{CONFIG}"}:
            raise SettingsError(f"--output {self.place} contains {min(others)}, but no run; choose another folder")
        _replace_file(file, dump(settings))

    def _clear(self) -> None:
        if not (self.place / CONFIG).exists():
            return
        (self.place / CONFIG).unlink()  # first, so that a crash leaves no valid run
        for name in _OWN:
            path = self.place / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def finished(self) -> dict[str, Any] | None:
        """Returns the result of the run, or None if it is not finished."""
        try:
            found: dict[str, Any] = json.loads((self.place / FINISHED).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise TrainingError(f"{self.place / FINISHED} cannot be read: {error}") from None
        return found

    def finish(self, model: Path, result: Mapping[str, Any], describe: Callable[[Path], None]) -> None:
        """Copies a checkpoint's model to the run's folder, adds a card with ``describe``, and writes the result."""

        def write(part: Path) -> None:
            shutil.copytree(model, part, dirs_exist_ok=True)
            describe(part)

        replace_folder(self.model, write)
        _replace_file(self.place / FINISHED, json.dumps(result, indent=1) + "\n")


def _compare(then: Mapping[str, Any], settings: Settings, place: Path) -> None:
    now = settings.to_values()
    for section in settings.sections:
        for option in options_of(section):
            if not (option.fingerprinted and option.published):
                continue
            before, after = then.get(option.name), now.get(option.name)
            if before != after:
                raise SettingsError(
                    f"--output {place} contains a run with {option.name} {before!r}, not {after!r}; use the same "
                    "options to resume it, --overwrite to start again, or another folder"
                )
