"""Some ranges of a source, drawn by chance, and the processor time when reading them began."""

from __future__ import annotations

import copy
import functools
import os
import resource
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import apache_beam as beam
from typing_extensions import override

from gistmill.core.hashing import unit_interval
from gistmill.transforms.io import exists, write_json
from gistmill.transforms.sources.base import PlanRanges, Readable
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.files.source import FilesSource, Reader

_RANGES = 5_000  # that an input is cut into, as far as it can be
_RANGE_BYTES = 250_000  # at least, unless --range-bytes says otherwise: about a block of bz2
_TICKS = os.sysconf("SC_CLK_TCK")


def finely_cut(source: FilesSource[Any]) -> FilesSource[Any]:
    """Returns the source with smaller ranges, which hold the same documents, unless it was said how large they are."""
    if not isinstance(source.config, FilesConfig) or source.config.range_bytes is not None:
        return source
    size, most = sum(file.size for file in source.files), source.config.most_range_bytes
    finer = copy.copy(source)
    finer.config = replace(source.config, range_bytes=min(max(size // _RANGES, _RANGE_BYTES), most))
    return finer


def draw(ranges: Iterable[FileRange], count: int, *, seed: int) -> list[FileRange]:
    """Returns ``count`` of the ranges, or all if there are fewer, in the order of chance that the seed decides."""
    return sorted(ranges, key=lambda place: unit_interval(f"sample {seed}", place.key))[:count]


class SampledSource(Readable):
    """Some ranges of a source of files, planned before.

    Args:
        source: of the files.
        ranges: those that are read.
        begun: path of a JSON file, to which the first reading writes ``processor_seconds``. By then the stage that
            reads has imported its packages and loaded its models.
    """

    def __init__(self, source: FilesSource[Any], ranges: Sequence[FileRange], begun: str) -> None:
        self.files = source.files
        self.schema = source.schema
        self._ranges, self._begun, self._reader = ranges, begun, source.reader()

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        return PlanRanges(self._ranges)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(functools.partial(_read, reader=self._reader, begun=self._begun))


def _read(place: FileRange, *, reader: Reader, begun: str) -> Iterable[Any]:
    if not exists(begun):
        write_json(begun, processor_seconds())
    return reader(place)


def processor_seconds() -> float:
    """Returns the processor time of this process and of its children, such as parsers, whether they have ended or
    not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(_seconds_of, _children()))


def _children() -> Iterator[str]:
    """The ids of the processes that the threads of this process have started and that still run."""
    for thread in Path("/proc/self/task").glob("*/children"):
        try:
            yield from thread.read_text().split()
        except OSError:  # the thread has ended
            continue


def _seconds_of(pid: str) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
