"""The folder of a run: its options, which a resumed run must have too, its lock, and its end.

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
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from gistmill.core.options import options_of
from gistmill.published.locks import take
from gistmill.training.checkpoints import MODEL, flush, replace_folder
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.metrics import METRICS, TENSORBOARD, TIMINGS
from gistmill.training.settings import Settings, dump

CONFIG, FINISHED, CHECKPOINTS = "config.yaml", "finished.json", "checkpoints"
_LOCK, _PART = ".lock", f".{CONFIG}"
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
            _compare(_read(file), settings, self.place)
            return
        if others := [path.name for path in self.place.iterdir() if path.name not in (_LOCK, CONFIG, _PART)]:
            raise SettingsError(f"--output {self.place} has no run, but {sorted(others)[0]}; choose another folder")
        part = file.with_name(_PART)
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


def _read(file: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise TrainingError(f"{file} cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(found, dict):
        raise TrainingError(f"{file} does not hold the options of a run")
    return found


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
