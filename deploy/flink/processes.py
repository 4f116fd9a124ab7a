"""Processes that outlive the command that started them, and are ended by another one: exactly these, no namesakes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

STOP_SECONDS = 15.0
# In the environment of a process and of all that it starts: by it they are found when the process itself is gone.
_MARK = "GISTMILL_PROCESS"


@dataclass(frozen=True, slots=True)
class Process:
    """A started process. ``born`` (clock ticks since the machine's start) tells it from a later one of its number."""

    name: str
    pid: int
    born: int
    log: str

    def lives(self) -> bool:
        """Whether it still runs."""
        return _born(self.pid) == self.born


class Processes:
    """The processes noted in a file, in the order of their start."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def all(self) -> list[Process]:
        """Returns everything noted, dead or alive."""
        try:
            return [Process(**p) for p in json.loads(self._file.read_text("utf-8"))]
        except FileNotFoundError:
            return []

    def start(self, name: str, command: Sequence[str], *, log: Path, environment: Mapping[str, str]) -> Process:
        """Starts a process in a session of its own, its output in ``log``, and notes it, in the place of a dead one of
        its name; what that one left is ended."""
        others = []
        for process in self.all():
            if process.name == name and not process.lives():
                _end_orphans(process)
            else:
                others.append(process)
        with log.open("ab") as output:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**environment, _MARK: _mark(name, str(log))},
                start_new_session=True,
            )
        born = _born(child.pid)
        process = Process(name, child.pid, born if born is not None else -1, str(log))
        self._note([*others, process])
        return process

    def stop(self, name: str | None = None) -> list[Process]:
        """Ends the noted processes (or those of this name), the last first, with all that they started; returns those
        that were still alive.
        """
        stopped = []
        kept = []
        for process in reversed(self.all()):
            if name is not None and process.name != name:
                kept.append(process)
            elif process.lives():
                _end(process)
                stopped.append(process)
            else:
                _end_orphans(process)
        self._note(kept[::-1])
        return stopped

    def _note(self, processes: Sequence[Process]) -> None:
        temporary = self._file.with_suffix(".tmp")
        temporary.write_text(json.dumps([asdict(p) for p in processes], indent=1), "utf-8")
        temporary.replace(self._file)


def _mark(name: str, log: str) -> str:
    return f"{name} {log}"  # processes may share a log


def _born(pid: int) -> int | None:
    """Start time of a process; None when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] == b"Z" else int(fields[19])


def _end(process: Process) -> None:
    for number, patience in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, STOP_SECONDS)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        until = time.monotonic() + patience
        while process.lives() and time.monotonic() < until:
            time.sleep(0.1)
        if not process.lives():
            break
    _end_orphans(process)


def _end_orphans(process: Process) -> None:
    """Kills what a dead process has left: workers that their task manager started."""
    mark = os.fsencode(f"{_MARK}={_mark(process.name, process.log)}")
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile, or is another user's
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
