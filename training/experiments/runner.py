"""The commands of the cells of an experiment: each training and test that is not finished, as a process of its own.

The folder of an experiment:

    stages/STAGE-KEY/     a training: fit.yaml, fit.log, its output, finished.json; cells that begin alike share it
    data/NAME-KEY/        a subset of a dataset
    cells/CELL/           cell.yaml: what the cell is made of; TEST/model.jsonl and TEST/scorecard.json

A key is a digest of settings and of the manifests of the datasets, so that a folder serves the same work only. As many
commands as there are places run side by side.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from gistmill.published.files import DatasetError, take
from gistmill.training.cards import manifest_sha256, write_text
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.experiments import commands
from gistmill.training.experiments.plan import (
    Cell,
    CellTest,
    Experiment,
    divided,
    fingerprint,
    resolved,
    shares,
)
from gistmill.training.experiments.subsets import write_subset
from gistmill.training.experiments.tables import MODEL

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
_PAUSE = 0.05  # seconds between two looks at the processes

#: What a process is told beside the environment of this one, such as which GPU is its own.
Place = Mapping[str, str]


class CellFailed(TrainingError):
    """A training or a test of a cell failed; the text is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A command of a cell; ``what`` is its name for people, ``log`` takes what it says."""

    command: Sequence[str]
    log: Path
    what: str


#: The commands of a cell, each asked for when the one before has ended well; None where it waits for another cell.
#: CellFailed is thrown into it where a command failed.
Steps = Generator[Step | None, None, None]


@dataclass(slots=True, kw_only=True)
class Pool:
    """Runs the commands of many cells.

    Attributes:
        places: of the commands that run at the same time, one for each.
        lock: a file descriptor that the processes inherit.
        say: takes a line about what happens.
        ended: called at the end of a cell with its name, and with why it failed or None.
    """

    places: Sequence[Place]
    lock: int
    say: Callable[[str], None]
    ended: Callable[[str, CellFailed | None], None]
    _free: list[Place] = field(init=False)
    _cells: list[tuple[str, Steps]] = field(init=False)
    _waiting: set[int] = field(init=False)
    _running: dict[int, tuple[subprocess.Popen[bytes], Step, Place]] = field(default_factory=dict, init=False)

    def run(self, cells: Iterable[tuple[str, Steps]]) -> None:
        """Runs the cells, given by name. If it is interrupted, it ends their processes and waits for them."""
        self._free, self._cells = list(self.places), list(cells)
        self._waiting = set(range(len(self._cells)))
        try:
            while True:
                while self._free and (found := self._next()):
                    self._start(*found)
                if not self._running:
                    return
                self._reap()
        except BaseException:
            for process, *_ in self._running.values():
                process.terminate()
            for process, *_ in self._running.values():
                process.wait()
            raise

    def _next(self) -> tuple[int, Step] | None:
        """Returns the first cell that has something to do now, and what it is."""
        for number in sorted(self._waiting):
            try:
                step = next(self._cells[number][1])
            except StopIteration:
                self._end(number, None)
            except CellFailed as error:
                self._end(number, error)
            else:
                if step is not None:
                    return number, step
        return None

    def _end(self, number: int, error: CellFailed | None) -> None:
        self._waiting.remove(number)
        self.ended(self._cells[number][0], error)

    def _start(self, number: int, step: Step) -> None:
        place = self._free.pop(0)
        self._waiting.remove(number)
        self.say(" on ".join([step.what, *(f"GPU {gpu}" for gpu in place.values())]))
        with step.log.open("ab") as file:
            # what this process can import, its commands can, and nothing else that lies in the working
            # directory
            path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
            process = subprocess.Popen(
                step.command,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1", **place},
                pass_fds=[self.lock],
                preexec_fn=_end_with_parent,
            )
        self._running[number] = process, step, place

    def _reap(self) -> None:
        """Waits until a process ends; its cell waits for its next command then, in its old turn."""
        while not (ended := [n for n, (process, *_) in self._running.items() if process.poll() is not None]):
            time.sleep(_PAUSE)
        for number in ended:
            process, step, place = self._running.pop(number)
            self._free.append(place)
            self._waiting.add(number)
            if process.returncode:
                lines = step.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
                said = lines[-1].strip() if lines else "it said nothing"
                text = f"{step.what}: exit code {process.returncode}: {said} ({step.log})"
                try:
                    self._cells[number][1].throw(CellFailed(text))
                except CellFailed as error:
                    self._end(number, error)


def _end_with_parent() -> None:
    """Called in the new process: the kernel kills it when this one is gone, so that no training is left behind."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


SCORECARD = "scorecard.json"
_FINISHED = "finished.json"


@contextmanager
def locked(output: Path) -> Iterator[int]:
    """Holds the lock of an experiment's folder; yields its file descriptor: who inherits it holds the lock too.

    Raises:
        SettingsError: another process runs the experiment there.
    """
    output.mkdir(parents=True, exist_ok=True)
    lock = take(output / ".lock")
    if lock is None:
        raise SettingsError(f"{output}: another process runs an experiment there")
    try:
        yield lock
    finally:
        os.close(lock)


def digest_of(place: str) -> str:
    """Returns what stands for the content of a place in keys.

    Of a dataset, the SHA-256 of its manifest; of a file, or another folder of this machine, such as weights, that of
    all bytes; of a name on the hub, the name.

    Raises:
        SettingsError: the place is a URL and no dataset, or cannot be read.
    """
    try:
        return manifest_sha256(place)
    except (FileNotFoundError, NotADirectoryError):
        if not Path(place).exists():
            return place
    except (OSError, DatasetError) as error:
        raise SettingsError(f"{place} cannot be read: {' '.join(str(error).split())}") from None
    root, digest = Path(place), hashlib.sha256()
    for path in [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def scorecard_of(output: Path, cell: str, test: str) -> Path:
    """Returns where the scorecard of a cell is."""
    return output / "cells" / cell / test / SCORECARD


class Scores:
    """The scores of an experiment's folder: ``scores(cell, test, system, metric)``, None where there is none (yet).

    Attributes:
        missing: what scorecards that are there do not have, a line each.
    """

    def __init__(self, output: Path) -> None:
        self._output = output
        self._read: dict[Path, Mapping[str, Mapping[str, float]]] = {}
        self.missing: dict[str, None] = {}

    def __call__(self, cell: Cell, test: str, system: str, metric: str) -> float | None:
        """Returns a score."""
        path = scorecard_of(self._output, cell.name, test)
        if path not in self._read:
            if not path.exists():
                return None
            self._read[path] = json.loads(path.read_text(encoding="utf-8"))["systems"]
        systems = self._read[path]
        if metric in systems.get(system, {}):
            return float(systems[system][metric])
        known = ", ".join(sorted(systems.get(system, systems)))
        self.missing[f"{path} has no {metric if system in systems else system!r}; it has {known}"] = None
        return None


@dataclass(slots=True, kw_only=True)
class Runner:
    """What is to be done for cells.

    Attributes:
        experiment: what they are of.
        output: its folder; the caller holds the lock.
        places: where datasets and weights lie, by name.
        processes: of each training; above 1 torchrun starts them.
        say: takes a line about what happens.
    """

    experiment: Experiment
    output: Path
    places: Mapping[str, str]
    processes: int
    say: Callable[[str], None]
    _training: set[Path] = field(default_factory=set, init=False)
    _failed: dict[Path, str] = field(default_factory=dict, init=False)
    _digests: dict[str, str] = field(default_factory=dict, init=False)

    def look(self, cells: Iterable[Cell]) -> None:
        """Looks at the datasets and weights that cells need, before anything is begun.

        Raises:
            SettingsError: one of them is not there, or cannot be read.
        """
        for name in dict.fromkeys(self.experiment.needs[n].of or n for cell in cells for n in cell.needs()):
            place = self.places[name]
            is_hub_name = bool(self.experiment.needs[name].hub)
            if self._digest(place) == place and not (is_hub_name or Path(place.partition("#")[0]).exists()):
                raise SettingsError(f"places: {name}: there is nothing at {place}")

    def steps(self, cell: Cell) -> Steps:
        """Yields the commands that train and test what is not finished, and None while another cell trains it.

        Raises:
            CellFailed: a training or a test failed; what is finished is kept.
        """
        try:
            places, digests = self._places(cell)
        except TrainingError as error:
            raise CellFailed(f"{cell.name}: {error}") from None
        model, key, described = "", "", []
        for stage in cell.stages:
            shared = divided(stage.settings, self.processes)
            key = fingerprint(resolved(shared, digests), key, self.processes)
            folder = self.output / "stages" / f"{stage.name}-{key}"
            settings = resolved(shared, places) | ({"model": model} if model else {})
            yield from self._train(folder, settings, f"{cell.name}: {stage.name}")
            model = str(commands.model_folder(folder))
            described.append({"name": stage.name, "folder": folder.name, "settings": dict(stage.settings)})
        tests = {t.name: {"predict": dict(t.predict), "evaluate": dict(t.evaluate)} for t in cell.tests}
        head = {"values": dict(cell.values), "seed": cell.seed, "model": cell.model, "data": digests}
        self._begin(cell, {**head, "stages": described, "tests": tests})
        for test in cell.tests:
            yield from self._test(cell, test, model or resolved(cell.model, places), places)

    def _begin(self, cell: Cell, content: Mapping[str, Any]) -> None:
        """Writes cell.yaml; scores that were made of anything else are removed before."""
        folder = self.output / "cells" / cell.name
        text = yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True, width=1000)
        path = folder / "cell.yaml"
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write_text(path, text)

    def _train(self, folder: Path, settings: Mapping[str, Any], what: str) -> Steps:
        while folder in self._training:
            yield None
        if (folder / _FINISHED).exists():
            return
        if folder in self._failed:
            raise CellFailed(f"{what}: {self._failed[folder]}")
        folder.mkdir(parents=True, exist_ok=True)
        if self.processes > 1:
            self.say(f"{what}: {shares(settings, self.processes)}")
        start = time.monotonic()
        self._training.add(folder)
        try:
            yield Step(command=commands.fit(folder, settings, self.processes), log=folder / "fit.log", what=what)
        except CellFailed as error:
            self._failed[folder] = str(error)
            raise
        finally:
            self._training.remove(folder)
        write_text(folder / _FINISHED, json.dumps({"seconds_of_last_start": round(time.monotonic() - start, 1)}) + "\n")

    def _test(self, cell: Cell, test: CellTest, model: str, places: Mapping[str, str]) -> Steps:
        scorecard = scorecard_of(self.output, cell.name, test.name)
        if scorecard.exists():
            return
        folder, what = scorecard.parent, f"{cell.name}: test {test.name}"
        folder.mkdir(parents=True, exist_ok=True)
        predict, evaluate = resolved(test.predict, places), resolved(test.evaluate, places)
        predictions = folder / f"{MODEL}.jsonl"
        if not predictions.exists():
            part = folder / f"{MODEL}.part.jsonl"
            command = commands.predict(folder, predict, dataset=evaluate["dataset"], model=model, output=part)
            yield Step(command=command, log=folder / "predict.log", what=what)
            part.replace(predictions)
        part = folder / "scorecard.part.json"
        command = commands.evaluate(folder, evaluate, predictions=predictions, output=part)
        yield Step(command=command, log=folder / "evaluate.log", what=f"{what}: scores")
        part.replace(scorecard)

    def _places(self, cell: Cell) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the place and the digest of everything that the cell needs; subsets are made."""
        places = {}
        for name in cell.needs():
            needed = self.experiment.needs[name]
            places[name] = self._subset(name, cell.seed) if needed.rows else self.places[needed.of or name]
        return places, {name: self._digest(place) for name, place in places.items()}

    def _digest(self, place: str) -> str:
        if place not in self._digests:
            self._digests[place] = digest_of(place)
        return self._digests[place]

    def _subset(self, name: str, seed: int) -> str:
        needed = self.experiment.needs[name]
        seed = seed if needed.seed is None else needed.seed
        place = self.places[needed.of]
        key = fingerprint(self._digest(place), needed.config, needed.split, needed.rows, seed)
        folder = self.output / "data" / f"{name}-{key}"
        if not folder.exists():
            self.say(f"subset {name} of seed {seed}: {needed.rows:,} rows of {needed.of}")
            folder.parent.mkdir(parents=True, exist_ok=True)
            write_subset(place, folder, config=needed.config or None, split=needed.split, rows=needed.rows, seed=seed)
        return str(folder)


_VISIBLE = "CUDA_VISIBLE_DEVICES"


def visible_gpus() -> list[str]:
    """Returns the names of the GPUs that may be used, as CUDA_VISIBLE_DEVICES has them; none on a processor."""
    import torch

    named = [name for name in os.environ.get(_VISIBLE, "").split(",") if name]
    count = torch.cuda.device_count()
    return named[:count] or list(map(str, range(count)))


def places_of_cells(gpus: Sequence[str], *, parallel: int | None, processes: int) -> list[Place]:
    """Returns the places of the cells that run at the same time.

    Args:
        gpus: see visible_gpus.
        parallel: how many cells; None: as many as the GPUs are enough for. If they are more, some share GPUs.
        processes: of each training, which has as many GPUs.
    """
    if not gpus:
        return [{}] * (parallel or 1)
    starts = range(0, len(gpus) - processes + 1, processes)
    shares = [gpus[start : start + processes] for start in starts] or [gpus]  # too few: the training says so itself
    return [{_VISIBLE: ",".join(shares[n % len(shares)])} for n in range(parallel or len(shares))]
