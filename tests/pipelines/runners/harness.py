"""Starts the driver as a real process, and finds whatever it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[3]
MARK = "GISTMILL_TEST_MARK"
# Generous: the machine may be busy. What is promised in seconds is measured where it is tested.
PATIENCE = 300.0


class Driver:
    """One run of ``tests.pipelines.runners.driver``, and all processes that come from it."""

    def __init__(
        self,
        job: str,
        workers: int,
        folder: Path,
        *flags: str,
        python: str = sys.executable,
        cwd: Path = ROOT,
        env: Mapping[str, str] = {},
    ) -> None:
        self.folder = folder
        self._mark = uuid.uuid4().hex
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **env, MARK: self._mark}
        self._log = (folder / "stderr").open("wb")
        self.process = subprocess.Popen(
            [python, "-W", "ignore", "-m", "tests.pipelines.runners.driver", job, str(workers), str(folder), *flags],
            cwd=cwd,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            stdin=subprocess.DEVNULL,
        )

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *exception: object) -> None:
        for process in [*self.others(), self.process]:
            process.kill()
        self.process.wait()
        self._log.close()

    def wait(self, seconds: float = PATIENCE) -> int:
        """The exit code."""
        return self.process.wait(seconds)

    @property
    def said(self) -> list[str]:
        """The lines on standard error, what importing Beam says excepted."""
        lines = (self.folder / "stderr").read_text().splitlines()
        return [line for line in lines if "apitools not found" not in line]

    def others(self) -> list[psutil.Process]:
        """All live processes that descend from the driver, wherever they hang now."""
        return [process for process in marked(self._mark) if process.pid != self.process.pid]

    def there(self, count: int) -> list[int]:
        """The pids of the processes that work, once there are ``count``."""
        wait_until(lambda: len(list(self.folder.glob("*.there"))) >= count or self.process.poll() is not None)
        pids = [int(file.stem) for file in self.folder.glob("*.there")]
        assert len(pids) == count, self.said
        return pids

    def none_left(self, seconds: float = 30.0) -> bool:
        """Whether all descendants are gone, at the latest after so many seconds; left alone they work for a minute."""
        return wait_until(lambda: not self.others(), seconds)


def marked(mark: str) -> list[psutil.Process]:
    """All live processes whose environment has the mark."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether it came true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
