"""Shows the progress of a running job, from the heartbeats that its writers leave in the workspace."""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from gistmill.pipelines.runners.screens import screen_of
from gistmill.transforms.layout import WorkspaceLayout


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


def seconds_left(totals: Totals, seconds: float) -> float | None:
    """Returns how long the ranges will take that are not finished, if they take as long as the others did; None as long
    as no range is finished."""
    open_ranges = totals.ranges - totals.finished_ranges
    return seconds * open_ranges / totals.finished_ranges if totals.finished_ranges and open_ranges > 0 else None


def describe(totals: Totals, seconds: float, reads: str = "documents") -> str:
    """Returns one line: documents and their rate, rows, rejects, ranges and the time left if they are known, time.

    Args:
        totals: the sums.
        seconds: since the beginning.
        reads: what documents are called.
    """
    rate = totals.documents / seconds if seconds > 0 else 0.0
    parts = [
        f"{totals.documents:,} {reads} ({rate:,.1f}/s)",
        f"{totals.rows:,} rows",
        f"{totals.rejects:,} rejects",
    ]
    if totals.compared > totals.documents:  # the first pass over the input
        parts.insert(0, f"{totals.compared:,} {reads} looked through")
    if totals.ranges:
        parts.append(f"{totals.finished_ranges:,} of {totals.ranges:,} ranges")
    parts.append(_clock(seconds))
    if (left := seconds_left(totals, seconds)) is not None:
        parts.append(f"about {_clock(left)} left")
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
