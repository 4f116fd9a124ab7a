"""Shows the progress of a running job, from the heartbeats that its writers leave in the workspace."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as progress_Progress
from rich.table import Column
from typing_extensions import override

from gistmill.transforms.layout import WorkspaceLayout


class Screen(Protocol):
    """A place for one line at a time. Its methods raise OSError or ValueError when it is gone.

    Attributes:
        INTERVAL: seconds from one line to the next.
    """

    INTERVAL: float

    def open(self) -> None:
        """Called before the first line."""

    def show(self, line: str, done: int, whole: int | None) -> None:
        """Shows a line, and how much of the whole is done, where there is room for a bar."""

    def close(self) -> None:
        """Called after the last line, which stays."""


class Terminal(Screen):
    """A bar and one line, redrawn in place. A line that is too long is cut."""

    INTERVAL = 0.5

    def __init__(self, stream: TextIO) -> None:
        text = TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis"), markup=False)
        self._bar = progress_Progress(BarColumn(bar_width=16), text, console=Console(file=stream), auto_refresh=False)
        self._task = self._bar.add_task("", total=None)

    @override
    def open(self) -> None:
        self._bar.start()

    @override
    def show(self, line: str, done: int, whole: int | None) -> None:
        self._bar.update(self._task, description=line, completed=done, total=whole, refresh=True)

    @override
    def close(self) -> None:
        self._bar.stop()


class Cell(Screen):
    """One line in the output of a notebook's cell, replaced in place: so a saved notebook has the last one alone."""

    INTERVAL = 0.5

    def __init__(self) -> None:
        self._id, self._there = uuid.uuid4().hex, False

    @override
    def open(self) -> None:
        pass

    @override
    def show(self, line: str, done: int, whole: int | None) -> None:
        from IPython.display import display  # it is there: see screen_of

        display({"text/plain": line}, raw=True, display_id=self._id, update=self._there)
        self._there = True

    @override
    def close(self) -> None:
        pass


class Lines(Screen):
    """A line under the other, now and then."""

    INTERVAL = 30.0

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @override
    def open(self) -> None:
        pass

    @override
    def show(self, line: str, done: int, whole: int | None) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()

    @override
    def close(self) -> None:
        pass


def screen_of(stream: TextIO | None) -> Screen:
    """Returns the screen of a stream; of None, the output of the cell in a notebook, and standard error elsewhere."""
    ipython = sys.modules.get("IPython")  # a kernel has loaded it
    if stream is None and ipython is not None and hasattr(ipython.get_ipython(), "kernel"):
        return Cell()
    stream = stream or sys.stderr
    return Terminal(stream) if stream.isatty() else Lines(stream)


@dataclass(frozen=True, kw_only=True)
class Totals:
    """The sum of all heartbeats, and how many ranges of the input are finished."""

    compared: int = 0
    documents: int = 0
    rows: int = 0
    rejects: int = 0
    ranges: int = 0
    finished_ranges: int = 0


def read_totals(workspace: Path) -> Totals:
    """Sums the heartbeats (``gistmill.transforms.heartbeat``) in a workspace and counts its markers of finished
    ranges. Files that are missing, or cannot be read at the moment, count as nothing."""
    layout = WorkspaceLayout(str(workspace))
    sums = {"compared": 0, "documents": 0, "rows": 0, "rejects": 0, "ranges": 0}
    for file in Path(layout.progress).glob("*.json"):
        try:
            beat = json.loads(file.read_text(encoding="utf-8"))
            for key in sums:
                sums[key] += int(beat.get(key, 0))
        except (OSError, ValueError, TypeError, AttributeError):
            continue
    return Totals(**sums, finished_ranges=sum(1 for _ in Path(layout.ranges).glob("*.json")))


def stage(totals: Totals) -> str:
    """Returns what the job is at: planning ranges, comparing documents before it reads them again, reading, writing."""
    if totals.ranges and totals.finished_ranges >= totals.ranges:
        return "writing"
    if totals.compared > totals.documents:
        return "comparing"
    return "reading" if totals.documents or totals.ranges else "planning"


def describe(totals: Totals, seconds: float, reads: str = "documents") -> str:
    """Returns one line: documents and their rate, rows, rejects, ranges and the time left if they are known, time.

    Args:
        totals: the sums.
        seconds: since the beginning.
        reads: what documents are called.
    """
    rate = totals.documents / seconds if seconds > 0 else 0.0
    parts = [f"{totals.documents:,} {reads} ({rate:,.1f}/s)", f"{totals.rows:,} rows", f"{totals.rejects:,} rejects"]
    if totals.compared > totals.documents:  # the first pass over the input
        parts.insert(0, f"{totals.compared:,} {reads} looked through")
    if totals.ranges:
        parts.append(f"{totals.finished_ranges:,} of {totals.ranges:,} ranges")
    parts.append(_clock(seconds))
    open_ranges = totals.ranges - totals.finished_ranges
    if totals.finished_ranges and open_ranges > 0:  # they will take as long as the others did
        parts.append(f"about {_clock(seconds * open_ranges / totals.finished_ranges)} left")
    return f"{stage(totals)}: {', '.join(parts)}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


class Progress:
    """A context manager that shows progress while its block runs: on a terminal and in a notebook one line, replaced in
    place; elsewhere a line every ``interval`` seconds. Either way a line stands at the end."""

    def __init__(
        self,
        workspace: str | os.PathLike[str],
        *,
        reads: str = "documents",
        interval: float | None = None,
        stream: TextIO | None = None,
    ) -> None:
        """``interval``: seconds between lines, by default that of the screen. ``stream``: by default the output of a
        notebook's cell, or standard error. ``reads``: what documents are called."""
        self._workspace, self._reads = Path(workspace), reads
        self._screen = screen_of(stream)
        self._interval = interval or self._screen.INTERVAL
        self._started = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def __enter__(self) -> Progress:
        self._started = time.monotonic()
        self._screen.open()
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._done.set()
        self._thread.join(timeout=5)
        self._show()
        with suppress(OSError, ValueError):
            self._screen.close()

    def _run(self) -> None:
        while not self._done.wait(self._interval):
            self._show()

    def _show(self) -> None:
        totals = read_totals(self._workspace)
        line = describe(totals, time.monotonic() - self._started, self._reads)
        try:
            self._screen.show(line, totals.finished_ranges, totals.ranges or None)
        except (OSError, ValueError):  # the terminal is gone: the work goes on
            self._done.set()
