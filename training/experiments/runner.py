"""Runs the trainings and tests of an experiment's cells, each as a process of ``gistmill-train``.

The folder of an experiment:

    stages/STAGE-KEY/     a training: fit.yaml, fit.log, and its run; cells that begin alike share it
    cells/CELL/           cell.yaml: the definition of the cell; TEST/model.jsonl and TEST/scorecard.json

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
from dataclasses import dataclass
from pathlib import Path

import yaml

from gistmill.published.files import DatasetError, take
from gistmill.training.cards import manifest_sha256, write_text
from gistmill.training.errors import SettingsError
from gistmill.training.experiments.plan import Cell, Settings, fingerprint, resolved

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux
_PAUSE = 0.05  # seconds between two looks at the processes
_VISIBLE = "CUDA_VISIBLE_DEVICES"
SCORECARD = "scorecard.json"


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """A command of ``gistmill-train``.

    Attributes:
        what: its name for people.
        command: the command; ``COMMAND.yaml`` and ``COMMAND.log`` in ``folder`` have its settings and its output.
        flags: options other than the settings: its inputs and outputs.
        result: the file or folder that it leaves when it ends well.
        after: the job whose result it needs.
        error: why it failed, in one line.
    """

    what: str
    command: str
    folder: Path
    settings: Settings
    flags: Mapping[str, str]
    result: Path
    after: Job | None = None
    error: str = ""

    @property
    def log(self) -> Path:
        """The output of the command."""
        return self.folder / f"{self.command}.log"

    def start(self, gpu: str | None, lock: int) -> subprocess.Popen[bytes]:
        """Starts the process; it inherits the file descriptor ``lock`` and sees only ``gpu`` (None: all)."""
        config = self.folder / f"{self.command}.yaml"
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(config, yaml.safe_dump(dict(self.settings), sort_keys=False, allow_unicode=True))
        flags = [part for name, value in self.flags.items() for part in (f"--{name}", value)]
        # what this process can import, its commands can, and nothing else that is in the working directory
        path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
        given = {"PYTHONPATH": path, "PYTHONSAFEPATH": "1", **({} if gpu is None else {_VISIBLE: gpu})}
        with self.log.open("ab") as file:
            return subprocess.Popen(
                [sys.executable, "-m", "gistmill.training.cli", self.command, "--config", str(config), *flags],
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
        gpus: of the jobs that run at the same time, which GPU each sees; None for all.
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
        raise SettingsError(f"{output}: another process is running an experiment there")
    try:
        yield lock
    finally:
        os.close(lock)


def digest_of(place: str) -> str:
    """Returns the digest of a place's content for keys.

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
    cell: Cell, places: Mapping[str, str], digests: Mapping[str, str], *, output: Path, trainings: dict[Path, Job]
) -> list[Job]:
    """Returns the trainings and tests of a cell, each after the one whose result it needs.

    Args:
        cell: the cell.
        places, digests: of its needs, by name; see digest_of.
        output: the folder of the experiment.
        trainings: those of other cells by their folders, of which it may share some; its own are added.
    """
    jobs: list[Job] = []
    model, key = str(resolved(cell.model, places)), ""
    for name, settings in cell.stages.items():
        key = fingerprint(resolved(settings, digests), key, 1)  # the 1 keeps the names of earlier versions
        folder = output / "stages" / f"{name}-{key}"
        if folder not in trainings:
            trainings[folder] = Job(
                what=f"{cell.name}: {name}",
                command="fit",
                folder=folder,
                settings=resolved(settings, places),
                flags={"output": str(folder / "run"), **({"model": model} if jobs else {})},
                result=folder / "run" / "model",
                after=jobs[-1] if jobs else None,
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


def write_cell(cell: Cell, jobs: Sequence[Job], digests: Mapping[str, str], output: Path) -> None:
    """Writes the cell.yaml of a cell; scores of one that was made of anything else are removed.

    Args:
        cell: the cell.
        jobs: its trainings, then its tests.
        digests: of all datasets and weights, by name.
        output: the folder of the experiment.
    """
    content = {
        "values": dict(cell.values),
        "seed": cell.seed,
        "model": cell.model,
        "data": {name: digests[name] for name in cell.needs()},
        "stages": [
            {"name": name, "folder": job.folder.name, "settings": dict(settings)}
            for (name, settings), job in zip(cell.stages.items(), jobs, strict=False)
        ],
        "tests": {name: {"predict": t.predict, "evaluate": t.evaluate} for name, t in cell.tests.items()},
    }
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)
    path = output / "cells" / cell.name / "cell.yaml"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir(parents=True)
        write_text(path, text)


def visible_gpus() -> list[str]:
    """Returns the names of the GPUs that may be used, as CUDA_VISIBLE_DEVICES has them; none on a processor."""
    import torch

    named = [name for name in os.environ.get(_VISIBLE, "").split(",") if name]
    count = torch.cuda.device_count()
    return named[:count] or list(map(str, range(count)))
