"""Some ranges of a source, read with a clock beside them."""

from __future__ import annotations

import functools
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apache_beam as beam
from typing_extensions import override

from gistmill.transforms.io import join, list_files, read_json, write_json
from gistmill.transforms.sources.base import PlanRanges, Readable
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.files.source import FilesSource

_TICKS = os.sysconf("SC_CLK_TCK")


class SampledSource(Readable):
    """Some ranges of a source of files, planned before. Each reading of one leaves what it took, in a folder.

    What follows the reading in the same stage of the graph counts too: a document is worked on before the next is read.
    """

    def __init__(self, source: FilesSource[Any], ranges: Sequence[FileRange], timings: str) -> None:
        self.files = source.files
        self.schema = source.schema
        self._ranges, self._timings, self._reader = ranges, timings, source.reader()

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        return PlanRanges(self._ranges)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(functools.partial(_timed, reader=self._reader, folder=self._timings))


def _timed(place: FileRange, *, reader: Callable[[FileRange], Iterable[Any]], folder: str) -> Iterator[Any]:
    begun = processor_seconds()
    yield from reader(place)
    record = {"key": place.key, "begun": begun, "seconds": processor_seconds() - begun}
    write_json(join(folder, f"{uuid.uuid4().hex}.json"), record)


def read_timings(folder: str) -> tuple[Mapping[str, float], float, float]:
    """Returns the seconds of processor time by range, added up over all readings; and the processor time of the process
    when the first range began and when the last one ended.

    Raises:
        ValueError: nothing was read.
    """
    records = [read_json(path) for path in list_files(folder, ".json")]
    if not records:
        raise ValueError("no range was read")
    seconds: dict[str, float] = {}
    for record in records:
        seconds[record["key"]] = seconds.get(record["key"], 0.0) + record["seconds"]
    return seconds, min(r["begun"] for r in records), max(r["begun"] + r["seconds"] for r in records)


def processor_seconds() -> float:
    """Returns the processor time of this process and of its children that still run, such as parsers."""
    return time.process_time() + sum(_seconds_of(child) for child in _children())


def resident_peak(pid: int | str = "self") -> int:
    """Returns the most bytes that a process has held in memory so far, 0 if that is not known."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def _children() -> list[str]:
    """The ids of the processes that the threads of this process have started."""
    found: list[str] = []
    for thread in Path("/proc/self/task").glob("*/children"):
        try:
            found += thread.read_text().split()
        except OSError:  # the thread has ended
            continue
    return found


def _seconds_of(pid: str) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
