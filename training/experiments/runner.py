"""A runner for an experiment's training runs and tests, each as a ``gistmill-train`` process.

An experiment's folder contains:

    stages/STAGE-KEY/     a training run with fit.yaml and fit.log, shared by cells with the same first stages
    cells/CELL/           the cell's definition, cell.yaml; TEST/model.jsonl and TEST/scorecard.json

A key is a digest of the settings and the datasets' manifests, so a folder is reused only for the same work. A command
writes its result only on success, so it is not run again once the result exists.
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

_DEATH_SIGNAL = 1  # Linux's PR_SET_PDEATHSIG
_PAUSE = 0.05  # seconds between checks for finished processes
_VISIBLE = "CUDA_VISIBLE_DEVICES"
SCORECARD = "scorecard.json"


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """A ``gistmill-train`` command to run.

    Attributes:
        what: its name for messages.
        command: the command; ``COMMAND.yaml`` and ``COMMAND.log`` in ``folder`` contain its settings and output.
        flags: additional options for its inputs and outputs.
        result: the file or folder written on success.
        after: the job whose result it needs.
        error: the reason why it failed, in one line.
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
        """The log file with the command's output."""
        return self.folder / f"{self.command}.log"

    def start(self, gpu: str | None, lock: int) -> subprocess.Popen[bytes]:
        """Starts the process, which inherits the file descriptor ``lock`` and sees only ``gpu`` (None: all GPUs)."""
        config = self.folder / f"{self.command}.yaml"
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(config, yaml.safe_dump(dict(self.settings), sort_keys=False, allow_unicode=True))
        flags = [part for name, value in self.flags.items() for part in (f"--{name}", value)]
        # commands can import the same modules as this process, and nothing else from the working directory
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
    """Tells the kernel to kill this new process when its parent exits, so that no training run is left behind."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def run_jobs(
    jobs: Iterable[Job],
    gpus: Sequence[str | None],
    *,
    lock: int,
    say: Callable[[str], None],
    ended: Callable[[], object],
) -> None:
    """Runs the jobs that have no result, in order, up to ``len(gpus)`` at a time.

    ``error`` is set on jobs that fail and on jobs that need their results. An interrupt terminates all processes and
    waits for them.

    Args:
        jobs: the jobs, each after the job whose result it needs.
        gpus: the GPU visible to each concurrent job; None for all GPUs.
        lock: a file descriptor that the processes inherit.
        say: prints a progress message.
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
                    said = lines[-1].strip() if lines else "no output"
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
    """Locks an experiment's folder; yields the file descriptor, which also holds the lock in processes that inherit it.

    Raises:
        SettingsError: another process is running an experiment there.
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
    """Returns a digest of a place's contents, for use in keys.

    This is the SHA-256 of a dataset's manifest, a SHA-256 of all bytes of any other local file or folder, such as
    weights, and otherwise the place itself, such as a hub name.

    Raises:
        SettingsError: the place cannot be read.
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
    """Returns the training runs and tests of a cell, each after the job whose result it needs.

    Args:
        cell: the cell.
        places, digests: the places and digests of its datasets and weights, by name; see ``digest_of``.
        output: the experiment's folder.
        trainings: training runs of other cells, by folder, which this cell may share; its own are added.
    """
    jobs: list[Job] = []
    model, key = str(resolved(cell.model, places)), ""
    for name, settings in cell.stages.items():
        key = fingerprint(resolved(settings, digests), key, 1)  # the 1 keeps names compatible with earlier versions
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
    """Writes a cell's cell.yaml, and removes the cell's results if its definition has changed.

    Args:
        cell: the cell.
        jobs: its training runs, followed by its tests.
        digests: the digests of all datasets and weights, by name.
        output: the experiment's folder.
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
    """Returns the names of the available GPUs, in the format of CUDA_VISIBLE_DEVICES; empty if there are none."""
    import torch

    named = [name for name in os.environ.get(_VISIBLE, "").split(",") if name]
    count = torch.cuda.device_count()
    return named[:count] or list(map(str, range(count)))
