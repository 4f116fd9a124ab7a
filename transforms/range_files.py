"""Files of ranges: a DoFn that writes them, markers for --resume, and the first of two passes over an input.

The local runner blocks while a job runs and shows no metrics before its end, so progress travels through files in the
workspace (``pipelines/runners/progress.py`` reads them): heartbeats, each replaced at most twice a second.

A first pass reads all ranges in any order; its results over all of them decide in the second. Between
the passes the rows of all tables are numbered from 0. A step works on a chunk: whole ranges, whose tables become one.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.transforms.window import GlobalWindows

from gistmill.core.json_value import JsonValue, read_as
from gistmill.core.records import RangeEnd
from gistmill.transforms.beam.transforms import DealRanges, GatherAll, ReshuffleByKey
from gistmill.transforms.io import create, is_url, list_files, make_folder, open_input, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout

CHUNK_ROWS = 1 << 18


INTERVAL_SECONDS = 0.5


class Heartbeat:
    """Running totals of one writer (a DoFn instance, say), kept in a file of its own in ``folder``. They are only
    shown: the counts that are checked and published travel as data.

    ``folder`` is local; None (a run without a local driver that would look) makes every call do nothing.
    Make it in ``setup``: it is not meant to be pickled.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, *, interval: float = INTERVAL_SECONDS) -> None:
        self._totals = Counter(compared=0, documents=0, rows=0, rejects=0, ranges=0)
        self._interval = interval
        self._due = 0.0
        self._file = None
        if folder is not None:
            with contextlib.suppress(OSError):  # as in flush
                make_folder(folder)
            self._file = Path(folder) / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"

    @classmethod
    def of(cls, layout: WorkspaceLayout) -> Heartbeat:
        """Returns a heartbeat in a workspace. It does nothing in a store, where the driver does not look."""
        return cls(None if is_url(layout.root) else layout.progress)

    def update(self, **more: int) -> None:
        """Adds to the totals, as ``Counter.update`` does, and writes them unless the last write was just now.

        Args:
            more: ``compared``, documents that the first of two passes has looked through; ``documents`` that came to
                their end, used or rejected; ``rows`` of all configurations; ``rejects``, documents that were rejected;
                ``ranges`` that the source planned. Finished ones are counted by their markers.
        """
        self._totals.update(more)
        if time.monotonic() >= self._due:
            self.flush()

    def flush(self) -> None:
        """Writes the totals now; call it in ``finish_bundle``. Never raises: it is only progress."""
        self._due = time.monotonic() + self._interval
        if self._file is None:
            return
        scratch = self._file.with_suffix(".tmp")
        with contextlib.suppress(OSError):
            scratch.write_text(json.dumps(self._totals), encoding="utf-8")
            os.replace(scratch, self._file)


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeFile:
    """The files of a range, or of a part of it; a subclass says what else is known of them.

    Attributes:
        range_key: of the range.
        table: path of a Parquet file with a row for each document.
        rows: how many there are.
        first: the offset of the first one.
        sizes: the bytes of each file by path.
        old: whether the documents are those of an older dataset.
    """

    range_key: str
    table: str
    rows: int
    first: int
    sizes: Mapping[str, int]
    old: bool = False


@dataclass(slots=True)
class _OpenRange:
    writer: Any
    documents: int = 0
    end: RangeEnd | None = None


class WriteRanges(beam.DoFn):
    """Documents (or what was made of them), Rejects and RangeEnds in, a summary of each range out. A range whose
    documents have all arrived gets a marker; other open files are closed at the end of the bundle.

    Args:
        workspace: root of the run's workspace.
        writer: makes a writer of the layout and the key of a range. Its ``take`` gets each element, its ``close``
            returns a dataclass with ``range_key`` and ``sizes``; its files have names of their own.
    """

    def __init__(self, workspace: str, writer: Callable[[WorkspaceLayout, str], Any]) -> None:
        self.workspace, self._layout, self._writer = workspace, WorkspaceLayout(workspace), writer

    def setup(self) -> None:
        self._heartbeat = Heartbeat.of(self._layout)

    def start_bundle(self) -> None:
        self._open: dict[str, _OpenRange] = {}

    def process(self, element: Any) -> Iterator[Any]:
        key = element.range_key if isinstance(element, RangeEnd) else element.origin.range_key
        current = self._open.get(key)
        if current is None:
            current = self._open[key] = _OpenRange(self._writer(self._layout, key))
        current.writer.take(element)
        if isinstance(element, RangeEnd):
            current.end = element
        else:
            current.documents += 1
        self.show(element)
        if current.end is not None and current.documents == current.end.documents:
            made = self._open.pop(key).writer.close()
            write_json(self.marker(key), asdict(made))
            yield made

    def finish_bundle(self) -> Iterator[Any]:
        for current in self._open.values():
            yield GlobalWindows.windowed_value_at_end_of_window(current.writer.close())
        self._open = {}
        self._heartbeat.flush()

    def marker(self, range_key: str) -> str:
        """Returns the path of the marker of a range."""
        return self._layout.sketch_marker(range_key)

    def show(self, element: Any) -> None:
        """Counts an element for those who watch."""
        self._heartbeat.update(compared=int(not isinstance(element, RangeEnd)))


def marked_ranges(markers: str, files: str, read: Callable[[JsonValue], Any]) -> dict[str, Any]:
    """Returns what markers say of finished ranges, by key. A marker that is torn, or whose files (``sizes``) are
    missing or of another size, does not count.

    Args:
        markers, files: folders.
        read: makes an object from the content of a marker.
    """
    sizes = list_files(files)
    found = {}
    for path in list_files(markers, ".json"):
        try:
            one = read(JsonValue(read_json(path), path))
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
        if all(sizes.get(name) == size for name, size in one.sizes.items()):
            found[one.range_key] = one
    return found


class SetAside(beam.DoFn):
    """Ranges (anything with ``key``) in; those without a result are passed on, the results of the others go to the
    output ``KNOWN``. ``find`` returns the results in a workspace, by key; ``counted``: whether ranges are counted for
    those who watch."""

    KNOWN = "known"

    def __init__(self, workspace: str, find: Callable[[str], Mapping[str, Any]], *, counted: bool = False) -> None:
        self._workspace, self._find, self._counted = workspace, find, counted

    def setup(self) -> None:
        self._known = self._find(self._workspace)
        self._heartbeat = Heartbeat.of(WorkspaceLayout(self._workspace))

    def process(self, element: Any) -> Iterator[Any]:
        self._heartbeat.update(ranges=int(self._counted))
        found = self._known.get(element.key)
        yield element if found is None else beam.pvalue.TaggedOutput(self.KNOWN, found)

    def finish_bundle(self) -> None:
        self._heartbeat.flush()


class FirstPass(beam.PTransform):
    """PCollection[Range], all ranges of the input, -> PCollection[RangeFile]. In a resumed run all take part, also
    those whose rows are written, so that decisions stay the same.

    Args:
        look: the transform of the elements of the ranges.
        kind: the class of the RangeFiles.
        read: PCollection[Range] -> PCollection of documents (or pairs), Rejects and RangeEnds.
    """

    def __init__(
        self, look: WriteRanges, kind: type[RangeFile], read: Callable[[beam.PCollection], beam.PCollection]
    ) -> None:
        super().__init__()
        self._look, self._kind, self._read = look, kind, read

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        find = functools.partial(_looked_through, kind=self._kind)
        known = ranges | "Known" >> beam.ParDo(SetAside(self._look.workspace, find)).with_outputs(
            SetAside.KNOWN, main="pending"
        )
        elements = self._read(known.pending | "Schedule" >> DealRanges())
        return (elements | "Look" >> beam.ParDo(self._look), known.known) | beam.Flatten()


def _looked_through(workspace: str, *, kind: type[RangeFile]) -> dict[str, Any]:
    folder = WorkspaceLayout(workspace).sketches
    return marked_ranges(folder, folder, lambda value: kind(**read_as(Any, value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Whole ranges that are worked on together; ``table`` is the path of all their rows, once they are gathered."""

    number: int
    files: tuple[Any, ...]
    table: str = ""

    @property
    def key(self) -> str:
        """The key under which a chunk is sent something."""
        return f"{self.number:06d}"


class Chunks:
    """The chunks of an input, whose rows are numbered from 0: old ones first, then in order of range and row.

    Attributes:
        chunks: in order.
        files: of all chunks, in the order of their rows.
        starts: number of the first row of each file, and the number of rows.
        bounds: number of the first row of each chunk, and the number of rows.
        old: how many rows are old: the first ones.
        plan: what else the steps have to know.
    """

    def __init__(self, chunks: Iterable[Chunk], plan: Any = None) -> None:
        self.chunks, self.plan = sorted(chunks, key=lambda chunk: chunk.number), plan
        self.files = [file for chunk in self.chunks for file in chunk.files]
        self.starts = np.cumsum([0, *(file.rows for file in self.files)])
        self.bounds = np.cumsum([0, *(sum(file.rows for file in chunk.files) for chunk in self.chunks)])
        self.old = sum(file.rows for file in self.files if file.old)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.bounds[-1])

    def by_chunk(self, numbers: np.ndarray) -> Iterator[tuple[Chunk, slice]]:
        """Yields each chunk of which there are rows, and which of ``numbers`` (ascending) are its own."""
        for place, mine in shares(numbers, self.bounds):
            yield self.chunks[place], mine

    def take(self, numbers: np.ndarray, names: Sequence[str]) -> pa.Table:
        """Returns columns of rows (``numbers`` ascending, at least one)."""
        return pa.concat_tables(
            read_table(chunk.table, names).take(numbers[mine].astype(np.int64) - self.bounds[chunk.number])
            for chunk, mine in self.by_chunk(numbers)
        ).combine_chunks()

    def write(self, layout: WorkspaceLayout) -> str:
        """Writes the list; returns its path."""
        path = layout.new_comparison("json")
        write_json(path, {"chunks": [asdict(chunk) for chunk in self.chunks], "plan": self.plan})
        return path


def shares(numbers: np.ndarray, bounds: np.ndarray) -> Iterator[tuple[int, slice]]:
    """Yields each place between two of ``bounds`` that has some of ``numbers`` (both ascending), and which they are."""
    places = np.searchsorted(numbers, bounds)
    for place in np.flatnonzero(np.diff(places)):
        yield int(place), slice(int(places[place]), int(places[place + 1]))


@functools.lru_cache(maxsize=2)
def chunks_at(path: str, kind: type[RangeFile]) -> Chunks:
    """Returns what ``Chunks.write`` wrote; ``kind`` is the class of the RangeFiles."""
    value = read_json(path)
    chunks = [Chunk(**{**c, "files": tuple(kind(**file) for file in c["files"])}) for c in value["chunks"]]
    return Chunks(chunks, value["plan"])


class GatherChunks(beam.PTransform):
    """PCollection[RangeFile], all of them, -> all Chunks in one list, with their tables. Each has at least ``rows``
    rows, except the last ones."""

    def __init__(self, layout: WorkspaceLayout, rows: int = CHUNK_ROWS) -> None:
        super().__init__()
        self._layout, self._rows = layout, rows

    def expand(self, files: beam.PCollection) -> beam.PCollection:
        return (
            files
            | "Files" >> GatherAll()
            | "Cut" >> beam.FlatMap(cut_chunks, rows=self._rows).with_output_types(Chunk)
            | "Spread" >> ReshuffleByKey(lambda chunk: chunk.key)
            | "Gather" >> beam.Map(gather, layout=self._layout)
            | "Chunks" >> GatherAll()
        )


def cut_chunks(files: Iterable[RangeFile], *, rows: int) -> Iterator[Chunk]:
    """Yields chunks of whole ranges, of at least ``rows`` rows except the last ones; no chunk is old in part."""
    number, found, mine = 0, 0, list[RangeFile]()
    for file in sorted(files, key=lambda f: (not f.old, f.range_key, f.first, f.table)):
        full = found >= rows and mine[-1].range_key != file.range_key
        if mine and (full or mine[-1].old != file.old):
            yield Chunk(number=number, files=tuple(mine))
            number, found, mine = number + 1, 0, []
        mine.append(file)
        found += file.rows
    if mine:
        yield Chunk(number=number, files=tuple(mine))


def gather(chunk: Chunk, *, layout: WorkspaceLayout) -> Chunk:
    """Returns a chunk with the table of all its files, which it writes."""
    whole = pa.concat_tables((read_table(file.table) for file in chunk.files), promote_options="default")
    path = layout.new_comparison("parquet")
    with create(path) as target:
        pq.write_table(whole, target, compression="none", use_dictionary=False, write_statistics=False)
    return replace(chunk, table=path)


def read_table(path: str, names: Sequence[str] | None = None) -> pa.Table:
    """Returns the named columns of a Parquet file, in their order; all without names."""
    with open_input(path) as file:
        return pq.ParquetFile(file).read(columns=None if names is None else list(names), use_threads=False)
