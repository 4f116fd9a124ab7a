"""Where a line of progress is shown: on a terminal, in the output of a notebook's cell, or in a stream of lines."""

from __future__ import annotations

import sys
import uuid
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column


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


class Terminal:
    """A bar and one line, redrawn in place. A line that is too long is cut."""

    INTERVAL = 0.5

    def __init__(self, stream: TextIO) -> None:
        text = TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis"), markup=False)
        self._bar = Progress(BarColumn(bar_width=16), text, console=Console(file=stream), auto_refresh=False)
        self._task = self._bar.add_task("", total=None)

    def open(self) -> None:
        """See Screen."""
        self._bar.start()

    def show(self, line: str, done: int, whole: int | None) -> None:
        """See Screen."""
        self._bar.update(self._task, description=line, completed=done, total=whole, refresh=True)

    def close(self) -> None:
        """See Screen."""
        self._bar.stop()


class Cell:
    """One line in the output of a notebook's cell, replaced in place: so a saved notebook has the last one alone."""

    INTERVAL = 0.5

    def __init__(self) -> None:
        self._id, self._there = uuid.uuid4().hex, False

    def open(self) -> None:
        """See Screen."""

    def show(self, line: str, done: int, whole: int | None) -> None:
        """See Screen."""
        from IPython.display import display  # it is there: see screen_of

        display({"text/plain": line}, raw=True, display_id=self._id, update=self._there)
        self._there = True

    def close(self) -> None:
        """See Screen."""


class Lines:
    """A line under the other, now and then."""

    INTERVAL = 30.0

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def open(self) -> None:
        """See Screen."""

    def show(self, line: str, done: int, whole: int | None) -> None:
        """See Screen."""
        self._stream.write(f"{line}\n")
        self._stream.flush()

    def close(self) -> None:
        """See Screen."""


def screen_of(stream: TextIO | None) -> Screen:
    """Returns the screen of a stream; of None, the output of the cell in a notebook, and standard error elsewhere."""
    if stream is None and _in_a_notebook():
        return Cell()
    stream = stream or sys.stderr
    return Terminal(stream) if stream.isatty() else Lines(stream)


def _in_a_notebook() -> bool:
    ipython = sys.modules.get("IPython")  # a kernel has loaded it
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
