"""Checkpoints of a run: written aside and renamed, so that each is whole or not there.

A checkpoint is a folder ``step-000000100`` with

    model/         the model, as ``gistmill.training.kinds.save_task`` writes it, so that it can be used at once;
    optimiser.pt   the state of the optimiser;
    state.json     everything else, and the sizes of the other files.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.training.errors import TrainingError

MODEL, OPTIMISER, STATE = "model", "optimiser.pt", "state.json"
_PART = ".part-"
_BROKEN = (OSError, ValueError, KeyError, TypeError)  # what reading a checkpoint that is not whole can raise


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A whole checkpoint.

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
        """Returns the newest checkpoint that is whole, None where there is none."""
        for folder in reversed(self._all()):
            try:
                return Checkpoint(folder, _whole_state(folder))
            except _BROKEN as error:
                self._say(f"{folder} is broken ({error}); the one before is used")
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
            best: step of the best checkpoint, which is kept.

        Raises:
            TrainingError: it cannot be written; those before it are still there.
        """
        final = self.at(step)
        part = self._folder / f"{_PART}{final.name}"
        try:
            if not _is_whole(final):
                shutil.rmtree(final, ignore_errors=True)
                self._folder.mkdir(parents=True, exist_ok=True)
                shutil.rmtree(part, ignore_errors=True)
                part.mkdir()
                write(part)
                content = json.dumps({"state": state, "files": _sizes(part)}, indent=1)
                (part / STATE).write_text(content + "\n", encoding="utf-8")
                flush_folder(part)
                part.rename(final)
                flush(self._folder)
        except Exception as error:  # each library that writes has its own errors for a full disk
            shutil.rmtree(part, ignore_errors=True)
            kept = self.newest()
            still = f"; the one of step {kept.step} is still there" if kept else ""
            reason = (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split())
            raise TrainingError(f"the checkpoint of step {step} cannot be written: {reason[:200]}{still}") from error
        self._prune(best)

    def _prune(self, best: int | None) -> None:
        for folder in self._all()[: -self._keep]:
            if _step(folder) != best:
                shutil.rmtree(folder, ignore_errors=True)
        for part in self._folder.glob(f"{_PART}*"):
            shutil.rmtree(part, ignore_errors=True)

    def _all(self) -> list[Path]:
        return sorted(self._folder.glob("step-*"), key=_step)


def _step(folder: Path) -> int:
    return int(folder.name.rpartition("-")[2])


def _sizes(folder: Path) -> dict[str, int]:
    return {p.relative_to(folder).as_posix(): p.stat().st_size for p in sorted(folder.rglob("*")) if p.is_file()}


def _whole_state(folder: Path) -> dict[str, Any]:
    content = json.loads((folder / STATE).read_text(encoding="utf-8"))
    there = _sizes(folder)
    for name, size in content["files"].items():
        if there.get(name) != size:
            raise ValueError(f"{name} has {there.get(name, 0)} of {size} bytes")
    state: dict[str, Any] = content["state"]
    return state


def _is_whole(folder: Path) -> bool:
    try:
        _whole_state(folder)
    except _BROKEN:
        return False
    return True


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
