"""A gistmill job on a Flink cluster: the job's own command line, with the options that Beam's portable runner needs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

WORKER = "gistmill-worker"
# So long a Python worker waits for its next stage: it keeps its model, and is not started anew for every stage.
CACHE_MILLIS = 60_000


def portable_options(*, job_endpoint: str, parallelism: int, worker: str, flink_master: str | None = None) -> list[str]:
    """Returns the options for a job server at ``job_endpoint`` whose task managers start ``worker``; with the REST
    address of its Flink the job can be cancelled there.
    """
    master = [f"--flink_master={flink_master}"] if flink_master else []
    return ["--runner=PortableRunner", f"--job_endpoint={job_endpoint}", *master, *_common(parallelism, worker)]


def jar_options(*, flink_master: str, jar: str, parallelism: int, worker: str) -> list[str]:
    """Returns the options for the Flink at ``flink_master``; Beam starts a job server from ``jar`` for the one job."""
    return [
        "--runner=FlinkRunner",
        f"--flink_master={flink_master}",
        f"--flink_job_server_jar={jar}",
        *_common(parallelism, worker),
    ]


def _common(parallelism: int, worker: str) -> list[str]:
    return [
        "--environment_type=PROCESS",
        f"--environment_config={json.dumps({'command': worker})}",
        f"--environment_cache_millis={CACHE_MILLIS}",
        f"--parallelism={parallelism}",
    ]


def worker_command() -> str:
    """Returns the path of the worker program of this installation.

    Raises:
        FileNotFoundError: gistmill is not installed, only unpacked.
    """
    beside = Path(sys.executable).with_name(WORKER)
    found = str(beside) if beside.exists() else shutil.which(WORKER)
    if found is None:
        raise FileNotFoundError(f"{WORKER} is not on the PATH; install gistmill first (pip install .)")
    return found


def submit(job: Sequence[str], options: Sequence[str]) -> NoReturn:
    """Becomes ``gistmill`` with the job's arguments and these options: signals and the exit code are its own."""
    os.execv(sys.executable, [sys.executable, "-m", "gistmill", *job, *options])
