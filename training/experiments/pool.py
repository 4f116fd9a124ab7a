"""Runs commands of cells side by side: as many at a time as there are places, in the order of the cells."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gistmill.training.errors import TrainingError

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
                text = f"{step.what}: exit code {process.returncode}: {_last_line(step.log)} ({step.log})"
                try:
                    self._cells[number][1].throw(CellFailed(text))
                except CellFailed as error:
                    self._end(number, error)


def _end_with_parent() -> None:
    """Called in the new process: the kernel kills it when this one is gone, so that no training is left behind."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it said nothing"
