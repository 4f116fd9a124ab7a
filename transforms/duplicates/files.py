"""The files of the first pass in the workspace: three for each range, under names of their own.

    *.parquet     a row for each document: id, offset, date, exact hash, bands, and where its shingles stand
    *.shingles    the shingles of all documents, uint32, one after the other: read at any place
    *.documents   the documents themselves, with the Rejects and the RangeEnd, where they had to be cleaned

Numbers of documents run over all files in order of range and row.
"""

from __future__ import annotations

import functools
import pickle
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rules.duplicates.documents import Document, moment
from rules.duplicates.sketch import Bands, Sketch
from transforms.io import create, open_input, read_json, write_json
from transforms.layout import WorkspaceLayout

_SHINGLE = np.dtype("<u4")
_FEW = 64  # small tables of files kept at hand
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True, kw_only=True)
class SketchFile:
    """A range, or a part of it, that was looked through; ``kept`` is "" where the source is read again instead."""

    range_key: str
    table: str
    shingles: str
    kept: str
    documents: int
    bands: int
    bytes: tuple[int, int, int]


class SketchWriter:
    """Writes the files of one range. Documents go in one by one, ``close`` returns what was written."""

    def __init__(self, layout: WorkspaceLayout, range_key: str, bands: Bands | None, *, keep: bool) -> None:
        self._range_key = range_key
        self._names = [
            layout.new_sketch(range_key, "parquet"),
            layout.new_sketch(range_key, "shingles") if bands else "",
            layout.new_sketch(range_key, "documents") if keep else "",
        ]
        self._shingles = create(self._names[1]) if bands else None
        self._kept = Pickled(create(self._names[2])) if keep else None
        self._rows: list[tuple[bytes, int, int, int, int, int]] = []
        self._bands: list[np.ndarray] = []
        self._count = bands.count if bands else 0
        self._written = 0

    def keep(self, element: Any) -> None:
        """Takes an element in that pass 2 has to see again, if it reads from here."""
        if self._kept is not None:
            self._kept.add(element)

    def add(self, document: Document, sketch: Sketch) -> None:
        """Takes a document's sketch in."""
        self._rows.append(
            (
                document.id.encode("utf-8", "surrogatepass"),
                document.origin.offset,
                moment(document),
                sketch.exact,
                self._written,
                len(sketch.shingles),
            )
        )
        if self._shingles is not None:
            self._bands.append(sketch.bands)
            self._shingles.write(sketch.shingles.astype(_SHINGLE).tobytes())
            self._written += len(sketch.shingles)

    def close(self) -> SketchFile:
        """Ends the files."""
        ids, offsets, dates, exact, starts, counts = zip(*self._rows) if self._rows else ((),) * 6
        bands = np.stack(self._bands) if self._bands else np.zeros((0, self._count), np.uint64)
        columns = {
            "id": pa.array(ids, pa.binary()),
            "offset": pa.array(offsets, pa.int64()),
            "date": pa.array(dates, pa.int64()),
            "exact": pa.array(exact, pa.uint64()),
            "start": pa.array(starts, pa.int64()),
            "count": pa.array(counts, pa.int64()),
            **{_band(b): pa.array(bands[:, b], pa.uint64()) for b in range(self._count)},
        }
        with create(self._names[0]) as file:
            pq.write_table(pa.table(columns), file, compression="none", use_dictionary=False)
            table_bytes = file.tell()
        others = (self._shingles, self._kept)
        shingle_bytes, kept_bytes = (_closed(f) if f is not None else 0 for f in others)
        return SketchFile(
            range_key=self._range_key,
            table=self._names[0],
            shingles=self._names[1],
            kept=self._names[2],
            documents=len(self._rows),
            bands=self._count,
            bytes=(table_bytes, shingle_bytes, kept_bytes),
        )


class Pickled:
    """Elements in a file, each compressed. The workspace is this run's own: no other run writes there."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def add(self, element: Any) -> None:
        """Writes an element."""
        frame = zlib.compress(pickle.dumps(element, protocol=5), 1)
        self._file.write(_LENGTH.pack(len(frame)) + frame)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._file.tell()

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


def kept_elements(path: str) -> Iterator[Any]:
    """Yields the elements that were kept."""
    with open_input(path) as file:
        while head := file.read(_LENGTH.size):
            yield pickle.loads(zlib.decompress(file.read(*_LENGTH.unpack(head))))


class Sketches:
    """All SketchFiles of a run as one list of documents, numbered from 0 in order of range and row."""

    def __init__(self, files: Sequence[SketchFile]) -> None:
        self.files = sorted(files, key=lambda f: (f.range_key, f.table))
        self.starts = np.cumsum([0, *(f.documents for f in self.files)])
        self._tables = functools.lru_cache(maxsize=_FEW)(self._places)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self.starts[-1])

    def columns(self, names: Sequence[str]) -> list[np.ndarray]:
        """Returns number columns of all documents."""
        parts = [read_columns(f.table, names) for f in self.files if f.documents]
        return [np.concatenate([p[i] for p in parts]) if parts else np.zeros(0, np.uint64) for i in range(len(names))]

    @property
    def band_count(self) -> int:
        """How many bands each document has."""
        return max((f.bands for f in self.files), default=0)

    def bands(self, wanted: Sequence[int], numbers: np.ndarray) -> np.ndarray:
        """Returns bands of documents (``numbers`` ascending), a row for each of ``wanted``."""
        found = np.empty((len(wanted), len(numbers)), np.uint64)
        for place, mine in self.by_file(numbers):
            columns = read_columns(self.files[place].table, [_band(b) for b in wanted])
            found[:, mine] = np.stack(columns)[:, numbers[mine] - self.starts[place]]
        return found

    def by_file(self, numbers: np.ndarray) -> Iterator[tuple[int, slice]]:
        """Yields the place of each file in ``files`` of which there are documents, and which of ``numbers`` (ascending)
        are its own."""
        bounds = np.searchsorted(numbers, self.starts)
        for place in np.flatnonzero(np.diff(bounds)):
            yield int(place), slice(int(bounds[place]), int(bounds[place + 1]))

    def shingles(self, numbers: np.ndarray) -> dict[int, np.ndarray]:
        """Returns the shingles of documents, by number (``numbers`` ascending)."""
        found = {}
        for place, mine in self.by_file(numbers):
            starts, counts = self._tables(place)
            rows = numbers[mine] - self.starts[place]
            with open_input(self.files[place].shingles) as file:
                for number, row in zip(numbers[mine].tolist(), rows.tolist()):
                    file.seek(int(starts[row]) * _SHINGLE.itemsize)
                    found[number] = np.frombuffer(file.read(int(counts[row]) * _SHINGLE.itemsize), _SHINGLE)
        return found

    def _places(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        starts, counts = read_columns(self.files[place].table, ("start", "count"))
        return starts, counts

    def write(self, layout: WorkspaceLayout) -> str:
        """Writes the list of files; returns its path."""
        path = layout.new_sketch("all", "index")
        write_json(path, [to_json(f) for f in self.files])
        return path


@functools.lru_cache(maxsize=2)
def sketches_at(path: str) -> Sketches:
    """Returns what ``Sketches.write`` wrote."""
    return Sketches([from_json(value) for value in read_json(path)])


def to_json(file: SketchFile) -> dict[str, Any]:
    """Returns a SketchFile as plain JSON values."""
    return {name: getattr(file, name) for name in SketchFile.__slots__}


def from_json(value: dict[str, Any]) -> SketchFile:
    """Returns what ``to_json`` gave.

    Raises:
        TypeError, KeyError: it is something else.
    """
    return SketchFile(**{**value, "bytes": tuple(value["bytes"])})


def read_columns(path: str, names: Sequence[str]) -> list[np.ndarray]:
    """Returns number columns of a table."""
    table = read_table(path, names)
    return [table[name].to_numpy() for name in names]


def read_table(path: str, names: Sequence[str]) -> pa.Table:
    """Returns columns of a table."""
    with open_input(path) as file:
        return pq.ParquetFile(file).read(columns=list(names), use_threads=False)


def _band(number: int) -> str:
    return f"band{number:02d}"


def _closed(file: Any) -> int:
    size = file.tell()
    file.close()
    return size
