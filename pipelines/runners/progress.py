"""Shows the progress of a running job, from the heartbeats that its writers leave in the workspace."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from transforms.layout import WorkspaceLayout

TERMINAL_INTERVAL = 0.5
PLAIN_INTERVAL = 30.0


@dataclass(frozen=True, kw_only=True)
class Totals:
    """The sum of all heartbeats, and how many ranges of the input are finished."""

    compared: int = 0
    documents: int = 0
    examples: int = 0
    rejects: int = 0
    ranges: int = 0
    finished_ranges: int = 0


def read_totals(workspace: Path) -> Totals:
    """Sums the heartbeats (``transforms.beam.heartbeat``) in a workspace and counts its markers of finished ranges.
    Files that are missing, or cannot be read at the moment, count as nothing."""
    layout = WorkspaceLayout(str(workspace))
    sums = {"compared": 0, "documents": 0, "examples": 0, "rejects": 0, "ranges": 0}
    for file in Path(layout.progress).glob("*.json"):
        try:
            beat = json.loads(file.read_text(encoding="utf-8"))
            for key in sums:
                sums[key] += int(beat.get(key, 0))
        except (OSError, ValueError, TypeError, AttributeError):
            continue
    return Totals(**sums, finished_ranges=sum(1 for _ in Path(layout.ranges).glob("*.json")))


def describe(totals: Totals, seconds: float, reads: str = "documents") -> str:
    """One line: documents and their rate, examples, rejects, ranges if they are known, time. ``reads``: what documents
    are called."""
    rate = totals.documents / seconds if seconds > 0 else 0.0
    parts = [
        f"{totals.documents:,} {reads} ({rate:,.1f}/s)",
        f"{totals.examples:,} examples",
        f"{totals.rejects:,} rejects",
    ]
    if totals.compared > totals.documents:  # the first pass over the input
        parts.insert(0, f"{totals.compared:,} {reads} looked through")
    if totals.ranges:
        parts.append(f"{totals.finished_ranges:,} of {totals.ranges:,} ranges")
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts.append(f"{hours}:{minutes:02}:{rest:02}")
    return ", ".join(parts)


class Progress:
    """A context manager that shows progress while its block runs: on a terminal one line, redrawn in place; elsewhere
    a line every ``interval`` seconds. Either way a line stands at the end."""

    def __init__(
        self,
        workspace: str | os.PathLike[str],
        *,
        reads: str = "documents",
        interval: float | None = None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``interval``: seconds between lines, by default 0.5 on a terminal and 30 elsewhere. ``stream``: standard
        error by default. ``reads``: what documents are called."""
        self._workspace, self._reads = Path(workspace), reads
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._interval = interval or (TERMINAL_INTERVAL if self._terminal else PLAIN_INTERVAL)
        self._clock = clock
        self._started = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def __enter__(self) -> Progress:
        self._started = self._clock()
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._done.set()
        self._thread.join(timeout=5)
        self._show(last=True)

    def _run(self) -> None:
        while not self._done.wait(self._interval):
            self._show()

    def _show(self, *, last: bool = False) -> None:
        line = describe(read_totals(self._workspace), self._clock() - self._started, self._reads)
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            line = f"\r\x1b[K{line[:width]}" + ("\n" if last else "")
        else:
            line += "\n"
        try:
            self._stream.write(line)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone: the work goes on
            self._done.set()
