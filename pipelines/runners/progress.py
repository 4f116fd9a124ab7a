"""Progress display for a running job, based on the heartbeats that its writers leave in the workspace."""

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
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Column

from gistmill.transforms.layout import WorkspaceLayout


@dataclass(frozen=True, kw_only=True)
class Totals:
    """The sums of all heartbeats, and the number of finished input ranges."""

    compared: int = 0
    documents: int = 0
    rows: int = 0
    rejects: int = 0
    ranges: int = 0
    finished_ranges: int = 0


def read_totals(workspace: Path) -> Totals:
    """Sums the heartbeats (``gistmill.transforms.range_files``) in a workspace and counts its finished ranges. Files
    that are missing or currently unreadable are ignored."""
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


def describe(totals: Totals, seconds: float, reads: str = "documents") -> str:
    """Returns one line with the current stage, the numbers of documents (with their rate), rows, rejects and ranges,
    the elapsed time and the time left. ``seconds``: seconds since the start; ``reads``: plural word for documents."""
    rate = totals.documents / seconds if seconds > 0 else 0.0
    parts = [f"{totals.documents:,} {reads} ({rate:,.1f}/s)", f"{totals.rows:,} rows", f"{totals.rejects:,} rejected"]
    if totals.compared > totals.documents:  # the first pass over the input
        parts.insert(0, f"{totals.compared:,} {reads} compared")
    if totals.ranges:
        parts.append(f"{totals.finished_ranges:,} of {totals.ranges:,} ranges")
    parts.append(_clock(seconds))
    open_ranges = totals.ranges - totals.finished_ranges
    if totals.finished_ranges and open_ranges > 0:  # assuming that every range takes equally long
        parts.append(f"about {_clock(seconds * open_ranges / totals.finished_ranges)} left")
    if totals.ranges and not open_ranges:
        stage = "writing"
    elif totals.compared > totals.documents:
        stage = "comparing"
    else:
        stage = "reading" if totals.documents or totals.ranges else "planning"
    return f"{stage}: {', '.join(parts)}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


class Progress:
    """A context manager that shows progress while its block runs: on a terminal or in a notebook, as one line that is
    updated in place; elsewhere, as a line every ``interval`` seconds. In all cases the last line stays."""

    def __init__(
        self,
        workspace: str | os.PathLike[str],
        *,
        reads: str = "documents",
        interval: float | None = None,
        stream: TextIO | None = None,
    ) -> None:
        """``interval``: seconds between lines, by default 0.5 for a line updated in place, otherwise 30. ``stream``: by
        default the notebook cell's output, or else standard error. ``reads``: plural word for documents."""
        self._workspace, self._reads, self._stream = Path(workspace), reads, stream or sys.stderr
        ipython = sys.modules.get("IPython")  # already imported if this is a kernel
        in_cell = stream is None and ipython is not None and hasattr(ipython.get_ipython(), "kernel")
        self._cell = uuid.uuid4().hex if in_cell else ""
        self._shown = False
        self._bar: Bar | None = None
        if not in_cell and self._stream.isatty():
            text = TextColumn(
                "{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis"), markup=False
            )
            self._bar = Bar(BarColumn(bar_width=16), text, console=Console(file=self._stream), auto_refresh=False)
            self._bar.add_task("", total=None)
        self._interval = interval or (0.5 if self._cell or self._bar else 30.0)
        self._started = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def __enter__(self) -> Progress:
        self._started = time.monotonic()
        if self._bar is not None:
            self._bar.start()
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._done.set()
        self._thread.join(timeout=5)
        with suppress(OSError, ValueError):
            self._show()
            if self._bar is not None:
                self._bar.stop()

    def _run(self) -> None:
        with suppress(OSError, ValueError):  # if the terminal is gone, the job continues
            while not self._done.wait(self._interval):
                self._show()

    def _show(self) -> None:
        totals = read_totals(self._workspace)
        line = describe(totals, time.monotonic() - self._started, self._reads)
        if self._bar is not None:
            done, whole = totals.finished_ranges, totals.ranges or None
            self._bar.update(self._bar.task_ids[0], description=line, completed=done, total=whole, refresh=True)
        elif self._cell:
            from IPython.display import display

            display({"text/plain": line}, raw=True, display_id=self._cell, update=self._shown)
            self._shown = True
        else:
            self._stream.write(f"{line}\n")
            self._stream.flush()
