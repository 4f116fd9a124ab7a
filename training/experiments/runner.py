"""Runs the cells of an experiment, each training and test as a process of its own, and leaves out what is finished.

The folder of an experiment:

    stages/STAGE-KEY/     a training: fit.yaml, fit.log, its output, finished.json; cells that begin alike share it
    data/NAME-KEY/        a subset of a dataset
    cells/CELL/           cell.yaml: what the cell is made of; TEST/model.jsonl and TEST/scorecard.json

A key is a digest of settings and of the manifests of the datasets, so that a folder serves the same work only.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from gistmill.published.files import DatasetError
from gistmill.published.locks import take
from gistmill.training.cards import manifest_sha256, write_text
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.experiments import commands
from gistmill.training.experiments.grid import Cell, CellTest, fingerprint, resolved
from gistmill.training.experiments.plan import Experiment
from gistmill.training.experiments.subsets import write_subset
from gistmill.training.experiments.tables import MODEL

SCORECARD = "scorecard.json"
_FINISHED = "finished.json"
_CELL = "cell.yaml"
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


class CellFailed(TrainingError):
    """A training or a test of a cell failed; the text is one line."""


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
    """Runs cells.

    Attributes:
        experiment: what they are of.
        output: its folder; the caller holds the lock, ``lock`` is its file descriptor.
        places: where datasets and weights lie, by name.
        processes: of each training; above 1 torchrun starts them.
        say: takes a line about what happens.
    """

    experiment: Experiment
    output: Path
    lock: int
    places: Mapping[str, str]
    processes: int
    say: Callable[[str], None]
    _failed: dict[Path, str] = field(default_factory=dict, init=False)
    _digests: dict[str, str] = field(default_factory=dict, init=False)

    def run(self, cell: Cell) -> None:
        """Trains and tests what is not finished.

        Raises:
            CellFailed: a training or a test failed; what is finished is kept.
        """
        places, digests = self._places(cell)
        model, key, described = "", "", []
        for stage in cell.stages:
            key = fingerprint(resolved(stage.settings, digests), key, self.processes)
            folder = self.output / "stages" / f"{stage.name}-{key}"
            settings = resolved(stage.settings, places) | ({"model": model} if model else {})
            self._train(folder, settings, f"{cell.name}: {stage.name}")
            model = str(commands.model_folder(folder))
            described.append({"name": stage.name, "folder": folder.name, "settings": dict(stage.settings)})
        tests = {t.name: {"predict": dict(t.predict), "evaluate": dict(t.evaluate)} for t in cell.tests}
        head = {"values": dict(cell.values), "seed": cell.seed, "model": cell.model, "data": digests}
        self._begin(cell, {**head, "stages": described, "tests": tests})
        for test in cell.tests:
            self._test(cell, test, model or resolved(cell.model, places), places)

    def _begin(self, cell: Cell, content: Mapping[str, Any]) -> None:
        """Writes cell.yaml; scores that were made of anything else are removed before."""
        folder = self.output / "cells" / cell.name
        text = yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True, width=1000)
        path = folder / _CELL
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write_text(path, text)

    def _train(self, folder: Path, settings: Mapping[str, Any], what: str) -> None:
        if (folder / _FINISHED).exists():
            return
        if folder in self._failed:
            raise CellFailed(f"{what}: {self._failed[folder]}")
        folder.mkdir(parents=True, exist_ok=True)
        self.say(what)
        start = time.monotonic()
        try:
            self._process(commands.fit(folder, settings, self.processes), folder / "fit.log", what)
        except CellFailed as error:
            self._failed[folder] = str(error)
            raise
        write_text(folder / _FINISHED, json.dumps({"seconds_of_last_start": round(time.monotonic() - start, 1)}) + "\n")

    def _test(self, cell: Cell, test: CellTest, model: str, places: Mapping[str, str]) -> None:
        scorecard = scorecard_of(self.output, cell.name, test.name)
        if scorecard.exists():
            return
        folder, what = scorecard.parent, f"{cell.name}: test {test.name}"
        folder.mkdir(parents=True, exist_ok=True)
        self.say(what)
        predict, evaluate = resolved(test.predict, places), resolved(test.evaluate, places)
        predictions = folder / f"{MODEL}.jsonl"
        if not predictions.exists():
            part = folder / f"{MODEL}.part.jsonl"
            command = commands.predict(folder, predict, dataset=evaluate["dataset"], model=model, output=part)
            self._process(command, folder / "predict.log", what)
            part.replace(predictions)
        part = folder / "scorecard.part.json"
        command = commands.evaluate(folder, evaluate, predictions=predictions, output=part)
        self._process(command, folder / "evaluate.log", what)
        part.replace(scorecard)

    def _places(self, cell: Cell) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the place and the digest of everything that the cell needs; subsets are made."""
        places = {}
        for name in cell.needs():
            places[name] = self._subset(name, cell.seed) if self.experiment.needs[name].of else self.places[name]
            if places[name] not in self._digests:
                self._digests[places[name]] = digest_of(places[name])
        return places, {name: self._digests[place] for name, place in places.items()}

    def _subset(self, name: str, seed: int) -> str:
        needed = self.experiment.needs[name]
        seed = seed if needed.seed is None else needed.seed
        place = self.places[needed.of]
        key = fingerprint(digest_of(place), needed.config, needed.split, needed.rows, seed)
        folder = self.output / "data" / f"{name}-{key}"
        if not folder.exists():
            self.say(f"subset {name} of seed {seed}: {needed.rows:,} rows of {needed.of}")
            folder.parent.mkdir(parents=True, exist_ok=True)
            write_subset(place, folder, config=needed.config or None, split=needed.split, rows=needed.rows, seed=seed)
        return str(folder)

    def _process(self, command: Sequence[str], log: Path, what: str) -> None:
        """Runs a command to its end; it ends with this process, however that ends."""
        with log.open("ab") as file:
            process = subprocess.Popen(
                command,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=_environment(),
                pass_fds=[self.lock],
                preexec_fn=_end_with_parent,
            )
            try:
                code = process.wait()
            except BaseException:
                process.terminate()
                process.wait()
                raise
        if code:
            raise CellFailed(f"{what}: exit code {code}: {_last_line(log)} ({log})")


def _environment() -> dict[str, str]:
    """What this process can import, its commands can, and nothing else that lies in the working directory."""
    path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def _end_with_parent() -> None:
    """Called in the new process: the kernel kills it when this one is gone, so that no training is left behind."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it said nothing"
