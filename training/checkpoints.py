"""Checkpoints of a run: written aside and renamed, so that each is whole or not there.

A checkpoint is a folder ``step-000000100`` with

    model/         the model, as ``gistmill.training.kinds.save_task`` writes it, so that it can be used at once;
    optimiser.pt   the state of the optimiser;
    state.json     everything else, and the sizes of the other files.

The best model is often between two checkpoints that a run goes on from. It is then kept alone, as a folder with no
optimiser and the state null. A best one that is no longer among the newest becomes such a folder.

config.yaml      the options
metrics.jsonl    loss, scores, learning rate; timings.jsonl: speed and memory
tensorboard/     the same for TensorBoard
checkpoints/     see gistmill.training.checkpoints
model/           the best model, when the run is finished
finished.json    what the run came to
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
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
_PART = ".part-"
_BROKEN = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    RecursionError,
)  # what reading a checkpoint that is not whole can raise


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A whole checkpoint that a run goes on from.

    Attributes:
        folder: where it is.
        state: what the caller put into it.
    """

    folder: Path
    state: dict[str, Any]

    @property
    def step(self) -> int:
        """The step after which it was written."""
        return _step(self.folder)


class Checkpoints:
    """The checkpoints of a run.

    Args:
        folder: where they are.
        keep: how many of the newest are kept, beside the best.
        say: takes a line about a checkpoint that is broken.
    """

    def __init__(self, folder: Path, keep: int, say: Callable[[str], None]) -> None:
        self._folder, self._keep, self._say = folder, keep, say

    def newest(self) -> Checkpoint | None:
        """Returns the newest checkpoint that is whole and no best model alone, None where there is none."""
        for folder in reversed(self._all()):
            try:
                state = _whole(folder)["state"]
            except _BROKEN as error:
                self._say(f"{folder} is broken ({error}); the one before is used")
                continue
            if state is not None:
                return Checkpoint(folder, state)
        return None

    def at(self, step: int) -> Path:
        """Returns the folder of a step's checkpoint."""
        return self._folder / f"step-{step:09d}"

    def write(self, step: int, write: Callable[[Path], None], state: dict[str, Any], best: int | None) -> None:
        """Writes the checkpoint of a step, and removes those that are no longer kept.

        Args:
            step: the step; a checkpoint of it that is there already is left.
            write: writes the model and the optimiser into an empty folder.
            state: what JSON can hold.
            best: step of the best model, which is kept as long as this checkpoint.

        Raises:
            TrainingError: it cannot be written; those before it are still there.
        """
        there = _content(self.at(step))
        if there is None or there["state"] is None:
            self._write(step, write, {"state": state, "best": best})
        self._prune(best)

    def write_best(self, step: int, write: Callable[[Path], None]) -> None:
        """Writes the model of a step, which is the best so far, and removes what is no longer kept.

        Args:
            step: the step; the model of an earlier attempt at it is replaced.
            write: writes the model into an empty folder.

        Raises:
            TrainingError: it cannot be written; the checkpoints before it are still there.
        """
        self._write(step, write, {"state": None, "best": step})
        self._prune(step)

    def _write(self, step: int, write: Callable[[Path], None], content: dict[str, Any]) -> None:
        final = self.at(step)
        part = self._folder / f"{_PART}{final.name}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            write(part)
            _write_content(part, {**content, "files": _sizes(part)})
            flush_folder(part)
            shutil.rmtree(final, ignore_errors=True)
            part.rename(final)
            flush(self._folder)
        except Exception as error:  # each library that writes has its own errors for a full disk
            shutil.rmtree(part, ignore_errors=True)
            kept = self.newest()
            still = f"; the one of step {kept.step} is still there" if kept else ""
            reason = (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split())
            raise TrainingError(f"the checkpoint of step {step} cannot be written: {reason[:200]}{still}") from error

    def _prune(self, best: int | None) -> None:
        """Removes what no run goes on from, but for the best model, and the one that was the best at each checkpoint:
        a run that goes on from there may not find a better one again."""
        contents = {folder: _content(folder) for folder in self._all()}
        newest = [folder for folder, found in contents.items() if found is None or found["state"] is not None]
        newest = newest[-self._keep :]
        kept = {best, *(found["best"] for folder in newest if (found := contents[folder]))}
        for folder, found in contents.items():
            if folder in newest:
                continue
            if found is None or _step(folder) not in kept:
                shutil.rmtree(folder, ignore_errors=True)
            else:
                with suppress(OSError):  # what cannot be removed takes room, and does no harm
                    _leave_model(folder, found)
        for part in self._folder.glob(f"{_PART}*"):
            shutil.rmtree(part, ignore_errors=True)

    def _all(self) -> list[Path]:
        return sorted(self._folder.glob("step-*"), key=_step)


def _step(folder: Path) -> int:
    return int(folder.name.rpartition("-")[2])


def _sizes(folder: Path) -> dict[str, int]:
    return {p.relative_to(folder).as_posix(): p.stat().st_size for p in sorted(folder.rglob("*")) if p.is_file()}


def _whole(folder: Path) -> dict[str, Any]:
    """Returns what a checkpoint's file says of it; raises one of _BROKEN where it is not so."""
    content: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
    there = _sizes(folder)
    for name, size in content["files"].items():
        if there.get(name) != size:
            raise ValueError(f"{name} has {there.get(name, 0)} of {size} bytes")
    return {"state": content["state"], "best": content.get("best"), "files": content["files"]}


def _content(folder: Path) -> dict[str, Any] | None:
    try:
        return _whole(folder)
    except _BROKEN:
        return None


def _write_content(folder: Path, content: dict[str, Any]) -> None:
    part = folder / f"{_PART}{STATE}"
    part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    flush(part)
    part.rename(folder / STATE)


def _leave_model(folder: Path, content: dict[str, Any]) -> None:
    """Removes all but the model from a checkpoint, which after a crash is whole with or without the rest."""
    others = [path for path in folder.iterdir() if path.name not in (MODEL, STATE)]
    if not others:
        return
    files = {name: size for name, size in content["files"].items() if name.startswith(f"{MODEL}/")}
    _write_content(folder, {"state": None, "best": _step(folder), "files": files})
    for path in others:
        path.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Returns when a file or the entries of a folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_folder(folder: Path) -> None:
    """Returns when a folder is on the disk with everything in it."""
    for path in sorted(folder.rglob("*")):
        flush(path)
    flush(folder)


def replace_folder(folder: Path, write: Callable[[Path], object]) -> None:
    """Lets ``write`` fill an empty folder, which then takes the place of ``folder``; a crash leaves one of both."""
    part = folder.with_name(f"{_PART}{folder.name}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    write(part)
    flush_folder(part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)
    flush(folder.parent)


CONFIG, FINISHED, CHECKPOINTS = "config.yaml", "finished.json", "checkpoints"
_LOCK, _run_folder_PART = ".lock", f".{CONFIG}"
_OWN = (CONFIG, FINISHED, CHECKPOINTS, MODEL, METRICS, TIMINGS, TENSORBOARD)


class RunFolder:
    """The folder of a run."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.checkpoints = place / CHECKPOINTS
        self.model = place / MODEL

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the run, so that no other process writes into it.

        Raises:
            SettingsError: another process does, or the folder cannot be made.
        """
        try:
            self.place.mkdir(parents=True, exist_ok=True)
            lock = take(self.place / _LOCK)
        except OSError as error:
            raise SettingsError(f"--output {self.place}: {error.strerror or error}") from None
        if lock is None:
            raise SettingsError(f"--output {self.place}: another process trains there")
        try:
            yield
        finally:
            os.close(lock)

    def begin(self, settings: Settings, *, overwrite: bool) -> None:
        """Begins a run, or makes sure that the one which is there has the same options.

        Raises:
            SettingsError: it has others, or the folder has something else.
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
                raise TrainingError(f"{file} does not hold the options of a run")
            _compare(found, settings, self.place)
            return
        if others := [path.name for path in self.place.iterdir() if path.name not in (_LOCK, CONFIG, _run_folder_PART)]:
            raise SettingsError(f"--output {self.place} has no run, but {sorted(others)[0]}; choose another folder")
        part = file.with_name(_run_folder_PART)
        part.write_text(dump(settings), encoding="utf-8")
        flush(part)
        part.rename(file)

    def _clear(self) -> None:
        if not (self.place / CONFIG).exists():
            return
        (self.place / CONFIG).unlink()  # first, so that what a crash leaves is not a run
        for name in _OWN:
            path = self.place / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def finished(self) -> dict[str, Any] | None:
        """Returns what the run came to, None if it is not at its end."""
        try:
            found: dict[str, Any] = json.loads((self.place / FINISHED).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise TrainingError(f"{self.place / FINISHED} cannot be read: {error}") from None
        return found

    def finish(self, model: Path, result: Mapping[str, Any], describe: Callable[[Path], None]) -> None:
        """Puts a checkpoint's model into its place, with the card that ``describe`` writes beside it, and then writes
        what the run came to."""

        def write(part: Path) -> None:
            shutil.copytree(model, part, dirs_exist_ok=True)
            describe(part)

        replace_folder(self.model, write)
        part = self.place / f".{FINISHED}"
        part.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        flush(part)
        part.rename(self.place / FINISHED)


def _compare(then: Mapping[str, Any], settings: Settings, place: Path) -> None:
    now = settings.to_values()
    for section in settings.sections:
        for option in options_of(section):
            if not (option.fingerprinted and option.published):
                continue
            before, after = then.get(option.name), now.get(option.name)
            if before != after:
                raise SettingsError(
                    f"--output {place} has a run with {option.name} {before!r}, not {after!r}; give it the same "
                    "options to resume it, --overwrite to begin anew, or another folder"
                )
