"""Documents with equal keys, found through files: keys are dealt out to buckets, and in a bucket equal ones meet.

A step writes one file, a part for each receiver after the other, and emits the places of the parts under the receivers'
keys. A file has a name that no other attempt uses, so a step that is begun again does no harm.

Documents are numbered from 0: those of datasets before, then those of this run, in order of range and row.

Three rounds do so. The exact hashes give the exact copies; of these only the first one goes on. The bands give the
pairs that are worth a look. Groups over the cap of ``rules/duplicates.py`` are divided once more, by their
bands together with others.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, BinaryIO, Self

import apache_beam as beam
import numpy as np
import pyarrow as pa

from gistmill.rules.duplicates import Pairs, equal_pairs, finer, refinements, stars, united, unpack
from gistmill.transforms.duplicates.files import SHINGLE, SketchFile, band_column, from_json, read_columns, to_json
from gistmill.transforms.io import create, open_input, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.tables import read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a file.

    Attributes:
        index: path of the list of files by which documents are numbered.
        path, start, size: the file, and the bytes in it.
        rows: length of its arrays, or rows of its table.
        sender: number of the chunk that sent it.
        column: what was grouped: a band, a slice, a ranking.
    """

    index: str
    path: str
    start: int
    size: int
    rows: int
    sender: int = 0
    column: int = 0


Keyed = tuple[str, Part]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk, of whole ranges, of the documents in the list at ``index``."""

    index: str
    number: int


def chunk_key(number: int) -> str:
    """Returns the key under which a chunk gets parts."""
    return f"{number:06d}"


def chunk_and_parts(values: Iterable[Chunk | Part]) -> tuple[Chunk, list[Part]]:
    """Returns the chunk, and the parts that it was sent, in the order of their senders."""
    found = list(values)
    (chunk,) = (v for v in found if isinstance(v, Chunk))
    parts = [v for v in found if isinstance(v, Part)]
    return chunk, sorted(parts, key=lambda p: (p.sender, p.path, p.start))


class PartsWriter:
    """Writes the parts of one step; there is no file where there are no parts. Nobody may read before it is closed, so
    a step emits its parts after that.

    Args:
        layout: names the file.
        index: see Part.
        sender: see Part.
    """

    def __init__(self, layout: WorkspaceLayout, index: str, *, sender: int = 0) -> None:
        self._layout, self._index, self._sender = layout, index, sender
        self._file: BinaryIO | None = None
        self._path, self._written = "", 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, traceback: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, *arrays: np.ndarray, column: int = 0) -> Part:
        """Writes arrays, one after the other."""
        return self._add([np.ascontiguousarray(a).view(np.uint8).data for a in arrays], len(arrays[0]), column)

    def add_table(self, table: pa.Table, *, column: int = 0) -> Part:
        """Writes a table."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        return self._add([memoryview(sink.getvalue())], len(table), column)

    def _add(self, buffers: Iterable[memoryview], rows: int, column: int) -> Part:
        if self._file is None:
            self._path = self._layout.new_comparison("parts")
            self._file = create(self._path)
        start = self._written
        for buffer in buffers:
            self._file.write(buffer)
            self._written += buffer.nbytes
        return Part(
            index=self._index,
            path=self._path,
            start=start,
            size=self._written - start,
            rows=rows,
            sender=self._sender,
            column=column,
        )


def by_column(parts: Iterable[Part]) -> dict[int, list[Part]]:
    """Returns the parts of each column, both in ascending order; those of a column in the order of their senders."""
    found: dict[int, list[Part]] = defaultdict(list)
    for part in sorted(parts, key=lambda p: (p.column, p.sender, p.path, p.start)):
        found[part.column].append(part)
    return found


def read_arrays(parts: Sequence[Part], *dtypes: str) -> list[np.ndarray]:
    """Returns the arrays of parts, each put together over all parts.

    Args:
        parts: with arrays of equal length.
        dtypes: of the arrays, in order.
    """
    kinds = [np.dtype(d) for d in dtypes]
    row = sum(k.itemsize for k in kinds)
    counts = [p.size // row for p in parts]
    found = [np.empty(sum(counts), k) for k in kinds]
    place = 0
    for part, count in zip(parts, counts, strict=True):
        data, offset = _bytes_of(part), 0
        for array, kind in zip(found, kinds, strict=True):
            array[place : place + count] = np.frombuffer(data, kind, count, offset)
            offset += count * kind.itemsize
        place += count
    return found


def read_table_part(part: Part) -> pa.Table:
    """Returns the table of a part."""
    return pa.ipc.open_stream(_bytes_of(part)).read_all()


def _bytes_of(part: Part) -> bytes:
    with open_input(part.path) as file:
        file.seek(part.start)
        data = file.read(part.size)
    if len(data) != part.size:
        raise OSError(f"{part.path} ends before byte {part.start + part.size}")
    return data


MOST = (1 << 32) - 1  # documents; their numbers have 32 bits
_FEW = 64  # small tables of files kept at hand


class TooManyDocuments(ValueError):
    """There are more documents than can be numbered; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much a step has in memory; none of it changes what is found.

    Attributes:
        chunk: documents that are looked through together, with all their bands; whole ranges, so it may be more.
        bucket: keys that are grouped together. It may be more: all documents that share a key are together, and a
            band has 32 buckets at most.
        piece: pairs that are compared together; the shingles of twice as many documents are in memory.
    """

    chunk: int = 1 << 18
    bucket: int = 1 << 21
    piece: int = 1 << 13


class Sketches:
    """The list.

    Attributes:
        files: in the order of their documents.
        starts: number of the first document of each file, and the number of documents.
        chunks: place of the first file of each chunk, and the number of files.
        bounds: number of the first document of each chunk, and the number of documents.
        old: how many of the documents are those of datasets before: the first ones.
        sizes: see Sizes.

    Raises:
        TooManyDocuments: there are more than MOST.
    """

    def __init__(self, files: Sequence[SketchFile], sizes: Sizes) -> None:
        self.files = sorted(files, key=lambda f: (not f.old, f.range_key, f.first, f.table))
        self.starts = np.cumsum([0, *(f.documents for f in self.files)])
        if self.documents > MOST:
            raise TooManyDocuments(f"{self.documents:,} documents cannot be compared at once, only {MOST:,}")
        self.chunks = [*_cuts(self.files, sizes.chunk), len(self.files)]
        self.bounds = self.starts[self.chunks]
        self.old = sum(f.documents for f in self.files if f.old)
        self.sizes = sizes
        self._places = functools.lru_cache(maxsize=_FEW)(
            lambda place: read_columns(self.files[place].table, ("start", "count"))
        )

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self.starts[-1])

    @property
    def band_count(self) -> int:
        """How many bands each document has."""
        return max((f.bands for f in self.files), default=0)

    def by_chunk(self, numbers: np.ndarray) -> Iterator[tuple[int, slice]]:
        """Yields each chunk of which there are documents, and which of ``numbers`` (ascending) are its own."""
        return _shares(numbers, self.bounds)

    def by_file(self, numbers: np.ndarray) -> Iterator[tuple[int, slice]]:
        """Yields the place of each file in ``files`` of which there are documents, and which of ``numbers`` (ascending)
        are its own."""
        return _shares(numbers, self.starts)

    def files_of(self, chunk: int) -> list[SketchFile]:
        """Returns the files of a chunk."""
        return self.files[self.chunks[chunk] : self.chunks[chunk + 1]]

    def columns(self, chunk: int, names: Sequence[str]) -> np.ndarray:
        """Returns unsigned columns of the documents of a chunk, of shape (names, documents), uint64."""
        start, end = self.bounds[chunk : chunk + 2]
        found = np.empty((len(names), end - start), np.uint64)
        for place in range(self.chunks[chunk], self.chunks[chunk + 1]):
            if self.files[place].documents:
                mine = slice(self.starts[place] - start, self.starts[place + 1] - start)
                for row, column in zip(found, read_columns(self.files[place].table, names), strict=True):
                    row[mine] = column
        return found

    def rows(self, numbers: np.ndarray, names: Sequence[str]) -> pa.Table:
        """Returns columns of documents (``numbers`` ascending, at least one)."""
        return pa.concat_tables(
            read_table(self.files[place].table, names).take(numbers[mine] - self.starts[place])
            for place, mine in self.by_file(numbers)
        )

    def shingles(self, numbers: np.ndarray) -> dict[int, np.ndarray]:
        """Returns the shingles of documents, by number (``numbers`` ascending)."""
        found = {}
        for place, mine in self.by_file(numbers):
            starts, counts = self._places(place)
            rows = numbers[mine] - self.starts[place]
            with open_input(self.files[place].shingles) as file:
                for number, row in zip(numbers[mine].tolist(), rows.tolist(), strict=True):
                    file.seek(int(starts[row]) * SHINGLE.itemsize)
                    found[number] = np.frombuffer(file.read(int(counts[row]) * SHINGLE.itemsize), SHINGLE)
        return found

    def write(self, layout: WorkspaceLayout) -> str:
        """Writes the list; returns its path."""
        path = layout.new_comparison("json")
        write_json(path, {"files": [to_json(f) for f in self.files], "sizes": asdict(self.sizes)})
        return path


@functools.lru_cache(maxsize=2)
def sketches_at(path: str) -> Sketches:
    """Returns what ``Sketches.write`` wrote."""
    value = read_json(path)
    return Sketches([from_json(v) for v in value["files"]], Sizes(**value["sizes"]))


def _cuts(files: Sequence[SketchFile], size: int) -> Iterator[int]:
    """Yields where chunks begin: between ranges, of at least ``size`` documents but for the last ones."""
    documents = size
    for place, file in enumerate(files):
        before = files[place - 1] if place else file
        if not place or before.old != file.old or (documents >= size and before.range_key != file.range_key):
            yield place
            documents = 0
        documents += file.documents


def _shares(numbers: np.ndarray, bounds: np.ndarray) -> Iterator[tuple[int, slice]]:
    places = np.searchsorted(numbers, bounds)
    for place in np.flatnonzero(np.diff(places)):
        yield int(place), slice(int(places[place]), int(places[place + 1]))


KEYS = ("<u8", "<u4")  # a part of a bucket: keys, and the documents that have them
NUMBERS = ("<u4",)
PAIRS = ("<u8",)
EDGES = "edges"  # output: pairs of documents that are the same
OTHERS = "others"  # output: documents of which a copy stands before them
LARGE = "large"  # output: documents of groups over the cap
_MOST_BITS = 5  # of a key that choose its bucket: more buckets a band would have more parts than a shuffle should


class Group(beam.PTransform):
    """Parts of keys under the keys of their buckets -> the outputs of ``found``, a function of a bucket's parts."""

    def __init__(self, found: Callable[..., list[Any]], layout: WorkspaceLayout, *outputs: str) -> None:
        super().__init__()
        self._found, self._layout, self._outputs = found, layout, outputs

    def expand(self, parts: beam.PCollection) -> Any:
        grouped = parts | "Bucket" >> beam.GroupByKey()
        return grouped | "Find" >> beam.FlatMap(self._found, layout=self._layout).with_outputs(
            *self._outputs, main="main"
        )


def deal_exact(chunk: Chunk, *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the parts of a chunk's exact hashes."""
    sketches = sketches_at(chunk.index)
    (keys,) = sketches.columns(chunk.number, ["exact"])
    with PartsWriter(layout, chunk.index, sender=chunk.number) as writer:
        return list(_dealt(writer, sketches, 0, keys, _numbers(sketches, chunk)))


def deal_bands(group: tuple[str, Iterable[Chunk | Part]], *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the parts of the bands of a chunk's documents, those left out that ``OTHERS`` names."""
    chunk, others = chunk_and_parts(group[1])
    sketches = sketches_at(chunk.index)
    numbers = _numbers(sketches, chunk)
    once = np.ones(len(numbers), bool)
    once[read_arrays(others, *NUMBERS)[0] - numbers[:1]] = False
    bands = sketches.columns(chunk.number, [band_column(b) for b in range(sketches.band_count)])
    with PartsWriter(layout, chunk.index, sender=chunk.number) as writer:
        return [
            keyed for b, keys in enumerate(bands) for keyed in _dealt(writer, sketches, b, keys[once], numbers[once])
        ]


def deal_finer(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the parts of finer keys of the documents of a chunk that ``LARGE`` names."""
    parts = by_column(group[1])
    number, index = int(group[0]), next(iter(parts.values()))[0].index
    sketches = sketches_at(index)
    count, column = sketches.band_count, 0
    dealt: list[Keyed] = []
    with PartsWriter(layout, index, sender=number) as writer:
        for band in range(count):
            others = refinements(band, count)
            if band in parts:
                numbers = np.sort(read_arrays(parts[band], *NUMBERS)[0])
                mine = numbers - np.uint32(sketches.bounds[number])
                keys, *more = sketches.columns(number, [band_column(b) for b in (band, *others)])[:, mine]
                for place, other in enumerate(more):
                    dealt += _dealt(writer, sketches, column + place, finer(keys, other), numbers)
            column += len(others)
    return dealt


def find_copies(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Any]:
    """Returns the pairs of each document with the first one that has the same hash, and all but the first under the
    keys of their chunks."""
    (parts,) = by_column(group[1]).values()
    sketches, pairs = sketches_at(parts[0].index), stars(*read_arrays(parts, *KEYS))
    others = unpack(pairs)[1].astype(np.uint32)  # each once, ascending
    pairs = _of_this_run(pairs, sketches)
    with PartsWriter(layout, parts[0].index) as writer:
        edges = [beam.pvalue.TaggedOutput(EDGES, writer.add(pairs))] if len(pairs) else []
        return edges + [
            beam.pvalue.TaggedOutput(OTHERS, (chunk_key(chunk), writer.add(others[mine])))
            for chunk, mine in sketches.by_chunk(others)
        ]


def find_pairs(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Any]:
    """Returns the candidate pairs of a bucket under the keys of their second documents' chunks, and the documents whose
    pairs are not complete under those of theirs."""
    columns = by_column(group[1])
    index = next(iter(columns.values()))[0].index
    sketches, found, large_ones = sketches_at(index), [], []
    with PartsWriter(layout, index) as writer:
        for column, parts in columns.items():
            keys, numbers = read_arrays(parts, *KEYS)
            pairs, large = equal_pairs(keys, numbers)
            found.append(_of_this_run(pairs, sketches))
            numbers = numbers[large]
            large_ones += [
                beam.pvalue.TaggedOutput(LARGE, (chunk_key(chunk), writer.add(numbers[mine], column=column)))
                for chunk, mine in sketches.by_chunk(numbers)
            ]
        pairs = united(found)
        by_second = sketches.by_chunk(unpack(pairs)[1])
        return large_ones + [(chunk_key(chunk), writer.add(pairs[mine])) for chunk, mine in by_second]


def _numbers(sketches: Sketches, chunk: Chunk) -> np.ndarray:
    start, end = sketches.bounds[chunk.number : chunk.number + 2]
    return np.arange(start, end, dtype=np.uint32)


def _of_this_run(pairs: Pairs, sketches: Sketches) -> Pairs:
    """Documents of datasets before are not compared with each other."""
    return pairs[unpack(pairs)[1] >= sketches.old] if sketches.old else pairs


def _dealt(
    writer: PartsWriter, sketches: Sketches, column: int, keys: np.ndarray, numbers: np.ndarray
) -> Iterator[Keyed]:
    """Yields parts for the buckets of a column. Large columns are divided by the upper bits of their keys; several
    small ones make a bucket."""
    bits = min(_MOST_BITS, max(0, (sketches.documents - 1) // sketches.sizes.bucket).bit_length())
    together = max(1, sketches.sizes.bucket // max(1, sketches.documents))
    place = (keys >> np.uint64(64 - bits)).astype(np.uint8) if bits else np.zeros(len(keys), np.uint8)
    order = np.argsort(place, kind="stable")
    bounds = np.searchsorted(place[order], np.arange((1 << bits) + 1))
    for bucket in np.flatnonzero(np.diff(bounds)).tolist():
        mine = order[bounds[bucket] : bounds[bucket + 1]]
        yield f"{column // together:03d}-{bucket:05d}", writer.add(keys[mine], numbers[mine], column=column)
