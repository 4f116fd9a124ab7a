"""Runs the trainings and tests of an experiment's cells, each as a process of ``gistmill-train``.

The folder of an experiment:

    stages/STAGE-KEY/     a training: fit.yaml, fit.log, and its run; cells that begin alike share it
    data/NAME-KEY/        a subset of a dataset
    cells/CELL/           cell.yaml: what the cell is made of; TEST/model.jsonl and TEST/scorecard.json

A key is a digest of settings and of the manifests of the datasets, so that a folder serves the same work only. A
command writes its result when it ends well, so one whose result exists is not run again.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from gistmill.published.files import DatasetError, take
from gistmill.training.cards import manifest_sha256, write_text
from gistmill.training.errors import SettingsError
from gistmill.training.experiments.plan import Cell, Experiment, Settings, divided, fingerprint, resolved
from gistmill.training.experiments.subsets import write_subset

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
_PAUSE = 0.05  # seconds between two looks at the processes
_VISIBLE = "CUDA_VISIBLE_DEVICES"
SCORECARD = "scorecard.json"


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """A command of ``gistmill-train``.

    Attributes:
        what: its name for people.
        command: the command; ``COMMAND.yaml`` and ``COMMAND.log`` in ``folder`` have its settings and what it says.
        flags: options besides the settings: what it reads and writes.
        result: the file or folder that it leaves when it ends well.
        after: the job whose result it needs.
        processes: how many torchrun starts.
        error: why it failed, in one line.
    """

    what: str
    command: str
    folder: Path
    settings: Settings
    flags: Mapping[str, str]
    result: Path
    after: Job | None = None
    processes: int = 1
    error: str = ""

    @property
    def log(self) -> Path:
        """What the command says."""
        return self.folder / f"{self.command}.log"

    def start(self, gpus: str | None, lock: int) -> subprocess.Popen[bytes]:
        """Starts the process; it inherits the file descriptor ``lock`` and sees only ``gpus`` (None: all)."""
        config = self.folder / f"{self.command}.yaml"
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(config, yaml.safe_dump(dict(self.settings), sort_keys=False, allow_unicode=True))
        several = ["torch.distributed.run", "--standalone", f"--nproc-per-node={self.processes}", "-m"]
        module = [*(several if self.processes > 1 else ()), "gistmill.training.cli"]
        flags = [part for name, value in self.flags.items() for part in (f"--{name}", value)]
        # what this process can import, its commands can, and nothing else that is in the working directory
        path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
        given = {"PYTHONPATH": path, "PYTHONSAFEPATH": "1", **({} if gpus is None else {_VISIBLE: gpus})}
        with self.log.open("ab") as file:
            return subprocess.Popen(
                [sys.executable, "-m", *module, self.command, "--config", str(config), *flags],
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, **given},
                pass_fds=[lock],
                preexec_fn=_end_with_parent,
            )


def _end_with_parent() -> None:
    """Called in the new process: the kernel kills it when this one is gone, so that no training is left behind."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def run_jobs(
    jobs: Iterable[Job],
    gpus: Sequence[str | None],
    *,
    lock: int,
    say: Callable[[str], None],
    ended: Callable[[], object],
) -> None:
    """Runs the jobs that have no result, as many at a time as there are entries in ``gpus``, the first ones first.

    A job that fails has its ``error``, as have those that need its result. An interrupt ends all processes and waits
    for them.

    Args:
        jobs: each after the one whose result it needs.
        gpus: of the jobs that run at the same time, which GPUs each sees; None for all.
        lock: a file descriptor that the processes inherit.
        say: takes a line about what happens.
        ended: called after each process.
    """
    waiting, free = [job for job in jobs if not job.result.exists()], list(gpus)
    running: dict[subprocess.Popen[bytes], tuple[Job, str | None]] = {}
    try:
        while waiting or running:
            for job in list(waiting):
                if job.after is not None and job.after.error:
                    job.error = job.after.error
                    waiting.remove(job)
                elif free and (job.after is None or job.after.result.exists()):
                    waiting.remove(job)
                    place = free.pop(0)
                    say(job.what if place is None else f"{job.what} on GPU {place}")
                    running[job.start(place, lock)] = job, place
            while running and not any(process.poll() is not None for process in running):
                time.sleep(_PAUSE)
            for process in [process for process in running if process.poll() is not None]:
                job, place = running.pop(process)
                free.append(place)
                if process.returncode or not job.result.exists():
                    lines = job.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
                    said = lines[-1].strip() if lines else "it said nothing"
                    job.error = f"{job.what}: exit code {process.returncode}: {said} ({job.log})"
                    say(job.error)
                ended()
    except BaseException:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()
        raise


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


def jobs_of(
    cell: Cell,
    places: Mapping[str, str],
    digests: Mapping[str, str],
    *,
    output: Path,
    processes: int,
    trainings: dict[Path, Job],
) -> list[Job]:
    """Returns the trainings and tests of a cell, each after the one whose result it needs.

    Args:
        cell: the cell.
        places, digests: of what it needs, by name; see digest_of.
        output: the folder of the experiment.
        processes: of each training.
        trainings: those of other cells by their folders, of which it may share some; its own are added.

    Raises:
        SettingsError: the processes cannot share the updates of a training.
    """
    jobs: list[Job] = []
    model, key = str(resolved(cell.model, places)), ""
    for name, own in cell.stages.items():
        what = f"{cell.name}: {name}"
        try:
            shared = divided(own, processes)
        except SettingsError as error:
            raise SettingsError(f"{what}: {error}") from None
        key = fingerprint(resolved(shared, digests), key, processes)
        folder = output / "stages" / f"{name}-{key}"
        if folder not in trainings:
            trainings[folder] = Job(
                what=what,
                command="fit",
                folder=folder,
                settings=resolved(shared, places),
                flags={"output": str(folder / "run"), **({"model": model} if jobs else {})},
                result=folder / "run" / "model",
                after=jobs[-1] if jobs else None,
                processes=processes,
            )
        jobs.append(trainings[folder])
        model = str(jobs[-1].result)
    training = jobs[-1] if jobs else None
    for name, test in cell.tests.items():
        what, folder, settings = f"{cell.name}: test {name}", output / "cells" / cell.name / name, test.evaluate
        predict = Job(
            what=what,
            command="predict",
            folder=folder,
            settings=resolved({**test.predict, "dataset": settings["dataset"]}, places),
            flags={"model": model, "output": str(folder / "model.jsonl")},
            result=folder / "model.jsonl",
            after=training,
        )
        evaluate = Job(
            what=f"{what}: scores",
            command="evaluate",
            folder=folder,
            settings=resolved(settings, places),
            flags={"predictions": str(predict.result), "output": str(folder / SCORECARD)},
            result=folder / SCORECARD,
            after=predict,
        )
        jobs += [predict, evaluate]
    return jobs


@dataclass(slots=True, kw_only=True)
class Planner:
    """Finds what cells need, and the jobs that are to be run.

    Attributes:
        experiment: what the cells are of.
        output: its folder; the caller holds the lock.
        places: where datasets and weights are, by name.
        processes: of each training.
        say: takes a line about what happens.
    """

    experiment: Experiment
    output: Path
    places: Mapping[str, str]
    processes: int
    say: Callable[[str], None]
    _trainings: dict[Path, Job] = field(default_factory=dict, init=False)
    _digests: dict[str, str] = field(default_factory=dict, init=False)

    def check_places(self, cells: Iterable[Cell]) -> None:
        """Looks for the datasets and weights that cells need.

        Raises:
            SettingsError: one of them is not there, or cannot be read.
        """
        for name in dict.fromkeys(self.experiment.needs[n].of or n for cell in cells for n in cell.needs()):
            place = self.places[name]
            is_hub_name = bool(self.experiment.needs[name].hub)
            if self._digest(place) == place and not (is_hub_name or Path(place.partition("#")[0]).exists()):
                raise SettingsError(f"places: {name}: there is nothing at {place}")

    def jobs(self, cell: Cell) -> list[Job]:
        """Returns the trainings and tests of a cell, after it wrote its subsets and its cell.yaml.

        Scores of a cell that was made of anything else are removed.

        Raises:
            SettingsError: a dataset has too few rows for a subset.
            TrainingError: a dataset cannot be read.
        """
        places = {name: self._place(name, cell.seed) for name in cell.needs()}
        digests = {name: self._digest(place) for name, place in places.items()}
        jobs = jobs_of(cell, places, digests, output=self.output, processes=self.processes, trainings=self._trainings)
        stages = zip(cell.stages.items(), jobs, strict=False)  # the trainings come first
        content = {
            "values": dict(cell.values),
            "seed": cell.seed,
            "model": cell.model,
            "data": digests,
            "stages": [{"name": n, "folder": job.folder.name, "settings": dict(own)} for (n, own), job in stages],
            "tests": {name: {"predict": t.predict, "evaluate": t.evaluate} for name, t in cell.tests.items()},
        }
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)
        path = self.output / "cells" / cell.name / "cell.yaml"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            shutil.rmtree(path.parent, ignore_errors=True)
            path.parent.mkdir(parents=True)
            write_text(path, text)
        return jobs

    def _place(self, name: str, cell_seed: int) -> str:
        """Returns where a dataset or weights are; a subset is written."""
        needed = self.experiment.needs[name]
        place = self.places[needed.of or name]
        if not needed.rows:
            return place
        seed = cell_seed if needed.seed is None else needed.seed
        key = fingerprint(self._digest(place), needed.config, needed.split, needed.rows, seed)
        folder = self.output / "data" / f"{name}-{key}"
        if not folder.exists():
            self.say(f"subset {name} of seed {seed}: {needed.rows:,} rows of {needed.of}")
            folder.parent.mkdir(parents=True, exist_ok=True)
            write_subset(place, folder, config=needed.config or None, split=needed.split, rows=needed.rows, seed=seed)
        return str(folder)

    def _digest(self, place: str) -> str:
        if place not in self._digests:
            self._digests[place] = digest_of(place)
        return self._digests[place]


def visible_gpus() -> list[str]:
    """Returns the names of the GPUs that may be used, as CUDA_VISIBLE_DEVICES has them; none on a processor."""
    import torch

    named = [name for name in os.environ.get(_VISIBLE, "").split(",") if name]
    count = torch.cuda.device_count()
    return named[:count] or list(map(str, range(count)))


def gpus_of_jobs(gpus: Sequence[str], *, parallel: int | None, processes: int) -> list[str | None]:
    """Returns which GPUs each of the jobs sees that run at the same time; None on a processor.

    Args:
        gpus: see visible_gpus.
        parallel: how many jobs; None: as many as the GPUs are enough for. If they are more, some share GPUs.
        processes: of each training, which has as many GPUs.
    """
    if not gpus:
        return [None] * (parallel or 1)
    starts = range(0, len(gpus) - processes + 1, processes)
    shares = [gpus[start : start + processes] for start in starts] or [gpus]  # too few: the training says so itself
    return [",".join(shares[n % len(shares)]) for n in range(parallel or len(shares))]
