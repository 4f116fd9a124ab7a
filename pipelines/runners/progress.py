"""Shows the progress of a running job, from the heartbeats that its writers leave in the workspace.

Keeps Beam's own log messages off the terminal. Shared by the driver and its workers; does not import Beam.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as progress_Progress
from rich.table import Column
from typing_extensions import override

from gistmill.core.text_output import printable_lines
from gistmill.transforms.io import WorkspaceLayout


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
    if stream is None and _in_a_notebook():
        return Cell()
    stream = stream or sys.stderr
    return Terminal(stream) if stream.isatty() else Lines(stream)


def _in_a_notebook() -> bool:
    ipython = sys.modules.get("IPython")  # a kernel has loaded it
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


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
    """Sums the heartbeats (``gistmill.transforms.guard``) in a workspace and counts its markers of finished
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
    parts = [f"{totals.documents:,} {reads} ({rate:,.1f}/s)", f"{totals.rows:,} rows", f"{totals.rejects:,} rejects"]
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


_SILENT = logging.CRITICAL + 1
# Beam logs a failing bundle in each of these, with its traceback, besides raising it: the one line that the job ends
# with is made from what is raised. The data plane and the handlers complain about workers that were ended on purpose.
_LEVELS = {
    "apache_beam": logging.WARNING,
    "apache_beam.runners.common": _SILENT,
    "apache_beam.runners.worker.sdk_worker": _SILENT,
    "apache_beam.runners.worker.sdk_worker_main": _SILENT,
    "apache_beam.runners.worker.data_plane": _SILENT,
    "apache_beam.runners.portability.fn_api_runner.worker_handlers": _SILENT,
}


class _Printable(logging.Formatter):
    """Warnings may name what strangers wrote."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_lines(super().format(record))


def show_warnings() -> None:
    """Shows warnings on standard error, unless the root logger has a handler."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Printable("gistmill: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def quieten() -> None:
    """Silences Beam's loggers in this process, for good."""
    for name, level in _LEVELS.items():
        logging.getLogger(name).setLevel(level)


@contextmanager
def quiet() -> Iterator[None]:
    """Silences Beam's loggers within the block; does nothing when the root logger shows debug messages."""
    before = {name: logging.getLogger(name).level for name in _LEVELS}
    try:
        if logging.getLogger().getEffectiveLevel() > logging.DEBUG:
            quieten()
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def unconfigured() -> Iterator[None]:
    """Keeps Beam from configuring the root logger, which it does where the user has not: within the block the handler
    that Python falls back to stands there, so that warnings look as they would without it."""
    root, fallback = logging.getLogger(), logging.lastResort
    if root.handlers or fallback is None:
        yield
        return
    root.addHandler(fallback)
    try:
        yield
    finally:
        root.removeHandler(fallback)


@contextmanager
def quiet_imports() -> Iterator[None]:
    """Drops, within the block, what Beam logs on import: that the clients of a cloud are not installed."""
    root = logging.getLogger()
    there = _is_news in root.filters  # the command has put it there, for good
    root.addFilter(_is_news)
    try:
        with unconfigured():
            yield
    finally:
        if not there:
            root.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("apitools not found")


def mute_imports() -> None:
    """Drops two kinds of messages: those of ``quiet_imports``, and those that the core of gRPC prints, past all
    loggers, when a connection ends. Whoever needs the latter sets GRPC_VERBOSITY.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # With fork support a forked child begins to poll at once, and now and then aborts before it has become another
    # program ("epoll_wait error: Bad file descriptor", grpc/grpc#43055). All that is started here is another program.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    logging.getLogger().addFilter(_is_news)


def mute_stores() -> None:
    """Drops what Beam's file systems log besides raising it, with its traceback; each single try of a request that is
    tried again; and that a store is used without credentials, which a store that asks for them will say.
    """
    logging.getLogger().addFilter(lambda record: not record.getMessage().startswith("Error in _start_upload"))
    for name in ("apache_beam.internal.gcp.auth", "apache_beam.utils.retry", "google.auth", "urllib3.connectionpool"):
        logging.getLogger(name).setLevel(_SILENT)


def mute_cancelled() -> None:
    """Drops what Flink reports of a job that is cancelled on purpose: whoever cancels it says why."""
    logging.getLogger().addFilter(lambda record: "JobCancellationException" not in record.getMessage())
