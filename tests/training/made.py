"""Small datasets and runs for the tests of training."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from gistmill.training.cli import main
from tests.training.data import made as data

ROOT = Path(__file__).parents[2]
WORDS = [a + b + c for a in "bdf" for b in "aei" for c in "lmn"]


publish = partial(data.publish, group=50)


def copies(count: int, start: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Rows of the copy task: 3 to 8 words of nonsense, which are the target too."""
    chance = random.Random(start)
    texts = [" ".join(chance.choice(WORDS) for _ in range(chance.randint(3, 8))) for _ in range(count)]
    return [{"id": f"{start + n:06d}", "inputs": text, "targets": text, **more} for n, text in enumerate(texts)]


def copy_task(folder: Path, rows: int = 400) -> str:
    """Publishes the copy task; returns the place."""
    return publish(folder, {"train": copies(rows), "validation": copies(40, 10**6), "test": copies(60, 2 * 10**6)})


def tiny(dataset: str, output: Path, **changes: Any) -> list[str]:
    """The arguments of `fit` for a training of seconds."""
    options = {
        "model": "tiny-pointer",
        "datasets": dataset,
        "output": str(output),
        "vocabulary": 400,
        "max_source": 48,
        "max_target": 48,
        "batch_rows": 8,
        "bucket_rows": 64,
        "steps": 24,
        "checkpoint_every": 5,
        "log_every": 3,
        "learning_rate": 3e-3,
        "validate_every": 10,
        "validation_rows": 20,
        **changes,
    }
    flags = ["fit"]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(flag if value else "--no-" + flag[2:])
        elif value is not None:
            flags += [flag, str(value)]
    return flags


def environment(**changes: str) -> dict[str, str]:
    """Of a command: one thread, and no process group of the caller."""
    kept = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    places = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))  # the packages, if not installed
    return {**kept, "OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0", "PYTHONPATH": places, **changes}


def start(arguments: Sequence[str], **changes: str) -> subprocess.Popen[str]:
    """Starts the real command."""
    command = [sys.executable, "-m", "gistmill.training.cli", *arguments]
    return subprocess.Popen(
        command, env=environment(**changes), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def ran(arguments: Sequence[str]) -> Done:
    """Runs the command to its end in this process, which has torch loaded already."""
    out, err = io.StringIO(), io.StringIO()
    before = signal.getsignal(signal.SIGTERM)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            signal.signal(signal.SIGTERM, before)
    return Done(code, out.getvalue(), err.getvalue())


def ran_apart(arguments: Sequence[str], **changes: str) -> Done:
    """Runs the command to its end in a process of its own."""
    process = start(arguments, **changes)
    out, err = process.communicate(timeout=300)
    return Done(process.returncode, out, err)


def metrics(output: Path) -> list[dict[str, Any]]:
    """The metrics of a run."""
    return [json.loads(line) for line in (output / "metrics.jsonl").read_text().splitlines()]


def outcome(output: Path) -> dict[str, str]:
    """What two equal runs have the same: the bytes of the metrics and of every file of the model and last checkpoint."""
    newest = sorted((output / "checkpoints").glob("step-*"))[-1]
    files = [output / "metrics.jsonl", *sorted((output / "model").rglob("*")), *sorted(newest.rglob("*"))]
    return {str(f.relative_to(output)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files if f.is_file()}
