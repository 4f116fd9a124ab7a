"""Files written per range, the markers that ``--resume`` uses, and the first of two passes over an input.

The local runner blocks while a job runs and reports no metrics until it ends, so workers report progress through
heartbeat files in the workspace, each replaced at most twice a second (``pipelines/runners/progress.py`` reads them).

A first pass reads all ranges in any order; the second uses its combined results. Between the passes, the rows of all
tables are numbered from 0. Each step works on a chunk: several whole ranges whose tables are combined into one.
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
    """One writer's running totals (those of a DoFn instance, for example), kept in its own file in ``folder``. They are
    only for display; counts that are checked and published are passed as data.

    ``folder`` is local; if None, because no local driver watches the run, calls do nothing. Heartbeats must be created
    in ``setup``, because they cannot be pickled.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, *, interval: float = INTERVAL_SECONDS) -> None:
        self._totals = Counter(compared=0, documents=0, rows=0, rejects=0, ranges=0)
        self._interval = interval
        self._due = 0.0
        self._file = None
        if folder is not None:
            with contextlib.suppress(OSError):  # progress is optional, as in flush
                make_folder(folder)
            self._file = Path(folder) / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"

    @classmethod
    def of(cls, layout: WorkspaceLayout) -> Heartbeat:
        """Returns a heartbeat for a workspace; in a store, where the driver does not read it, its calls do nothing."""
        return cls(None if is_url(layout.root) else layout.progress)

    def update(self, **more: int) -> None:
        """Adds to the totals, like ``Counter.update``, and writes them unless the last write was very recent.

        Args:
            more: ``compared``, documents read by the first of two passes; ``documents``, finished documents, used or
                rejected; ``rows``, rows of all configurations; ``rejects``, rejected documents; ``ranges``, ranges
                planned by the source (finished ranges are counted by their markers).
        """
        self._totals.update(more)
        if time.monotonic() >= self._due:
            self.flush()

    def flush(self) -> None:
        """Writes the totals now; call it in ``finish_bundle``. Errors are ignored, because progress is optional."""
        self._due = time.monotonic() + self._interval
        if self._file is None:
            return
        scratch = self._file.with_suffix(".tmp")
        with contextlib.suppress(OSError):
            scratch.write_text(json.dumps(self._totals), encoding="utf-8")
            os.replace(scratch, self._file)


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeFile:
    """The files of a range or of a part of it; subclasses add attributes.

    Attributes:
        range_key: key of the range.
        table: path of a Parquet file with one row per document.
        rows: number of rows.
        first: offset of the first document.
        sizes: size of each file in bytes, by path.
        old: whether the documents come from an older dataset.
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
    """A DoFn that writes documents (or elements made from them), Rejects and RangeEnds, and outputs a summary of each
    range. A range whose documents have all arrived gets a marker; other open files are closed when the bundle ends.

    Args:
        workspace: root of the run's workspace.
        writer: returns a writer for a layout and a range key. Its ``take`` receives each element; its ``close`` returns
            a dataclass with ``range_key`` and ``sizes``. Each writer must use unique file names.
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
        """Returns the path of a range's marker."""
        return self._layout.sketch_marker(range_key)

    def show(self, element: Any) -> None:
        """Counts an element in the displayed progress."""
        self._heartbeat.update(compared=int(not isinstance(element, RangeEnd)))


def marked_ranges(markers: str, files: str, read: Callable[[JsonValue], Any]) -> dict[str, Any]:
    """Returns the results recorded in the markers of finished ranges, by key. A marker is ignored if it is incomplete,
    or if a file listed in its ``sizes`` is missing or has another size.

    Args:
        markers, files: folders of the markers and of the files that they list.
        read: converts the content of a marker to an object.
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
    """A DoFn that passes on ranges (objects with a ``key``) without a result; the results of the others go to the
    output ``KNOWN``. ``find`` returns a workspace's results by key; ``counted`` shows ranges in the progress."""

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
    """PCollection[Range] with all ranges of the input -> PCollection[RangeFile]. A resumed run also includes ranges
    whose rows have already been written, so that its decisions stay the same.

    Args:
        look: the DoFn applied to the elements of the ranges.
        kind: the RangeFile subclass.
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
    """Whole ranges processed together; ``table`` is the path of their combined rows after gathering."""

    number: int
    files: tuple[Any, ...]
    table: str = ""

    @property
    def key(self) -> str:
        """The key for sending elements to the chunk."""
        return f"{self.number:06d}"


class Chunks:
    """The chunks of an input, whose rows are numbered from 0: first old rows, then the others by range and row.

    Attributes:
        chunks: the chunks in order.
        files: files of all chunks, in row order.
        starts: number of the first row of each file, followed by the number of rows.
        bounds: number of the first row of each chunk, followed by the number of rows.
        old: number of old rows.
        plan: any further data that the steps need.
    """

    def __init__(self, chunks: Iterable[Chunk], plan: Any = None) -> None:
        self.chunks, self.plan = sorted(chunks, key=lambda chunk: chunk.number), plan
        self.files = [file for chunk in self.chunks for file in chunk.files]
        self.starts = np.cumsum([0, *(file.rows for file in self.files)])
        self.bounds = np.cumsum([0, *(sum(file.rows for file in chunk.files) for chunk in self.chunks)])
        self.old = sum(file.rows for file in self.files if file.old)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.bounds[-1])

    def by_chunk(self, numbers: np.ndarray) -> Iterator[tuple[Chunk, slice]]:
        """Yields each chunk that contains any of the rows ``numbers`` (ascending), with its slice of ``numbers``."""
        for place, mine in shares(numbers, self.bounds):
            yield self.chunks[place], mine

    def take(self, numbers: np.ndarray, names: Sequence[str]) -> pa.Table:
        """Returns the named columns of the rows ``numbers`` (ascending, at least one)."""
        return pa.concat_tables(
            read_table(chunk.table, names).take(numbers[mine].astype(np.int64) - self.bounds[chunk.number])
            for chunk, mine in self.by_chunk(numbers)
        ).combine_chunks()

    def write(self, layout: WorkspaceLayout) -> str:
        """Writes the list of chunks and the plan to a file; returns its path."""
        path = layout.new_comparison("json")
        write_json(path, {"chunks": [asdict(chunk) for chunk in self.chunks], "plan": self.plan})
        return path


def shares(numbers: np.ndarray, bounds: np.ndarray) -> Iterator[tuple[int, slice]]:
    """Yields (index, slice of ``numbers``) for each interval of ``bounds`` with any numbers in it; both ascend."""
    places = np.searchsorted(numbers, bounds)
    for place in np.flatnonzero(np.diff(places)):
        yield int(place), slice(int(places[place]), int(places[place + 1]))


@functools.lru_cache(maxsize=2)
def chunks_at(path: str, kind: type[RangeFile]) -> Chunks:
    """Reads a file written by ``Chunks.write``; ``kind`` is the RangeFile subclass."""
    value = read_json(path)
    chunks = [Chunk(**{**c, "files": tuple(kind(**file) for file in c["files"])}) for c in value["chunks"]]
    return Chunks(chunks, value["plan"])


class GatherChunks(beam.PTransform):
    """PCollection[RangeFile] with all files -> one list of all Chunks (see cut_chunks), with their tables."""

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
    """Yields chunks of whole ranges, either all old or all new, with at least ``rows`` rows except the last of each."""
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
    """Writes the combined table of a chunk's files; returns the chunk with the path of the table."""
    whole = pa.concat_tables((read_table(file.table) for file in chunk.files), promote_options="default")
    path = layout.new_comparison("parquet")
    with create(path) as target:
        pq.write_table(whole, target, compression="none", use_dictionary=False, write_statistics=False)
    return replace(chunk, table=path)


def read_table(path: str, names: Sequence[str] | None = None) -> pa.Table:
    """Returns the named columns of a Parquet file in that order, or all columns if ``names`` is None."""
    with open_input(path) as file:
        return pq.ParquetFile(file).read(columns=None if names is None else list(names), use_threads=False)
