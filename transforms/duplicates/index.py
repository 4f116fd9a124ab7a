"""All sketch files of a run as one list of documents, cut into chunks that workers look through one by one.

Documents are numbered from 0: those of datasets before, then those of this run, in order of range and row.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa

from gistmill.transforms.columns import read_table
from gistmill.transforms.duplicates.files import SHINGLE, SketchFile, from_json, read_columns, to_json
from gistmill.transforms.io import open_input, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout

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
        self._places = functools.lru_cache(maxsize=_FEW)(self._read_places)

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
                for row, column in zip(found, read_columns(self.files[place].table, names)):
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
                for number, row in zip(numbers[mine].tolist(), rows.tolist()):
                    file.seek(int(starts[row]) * SHINGLE.itemsize)
                    found[number] = np.frombuffer(file.read(int(counts[row]) * SHINGLE.itemsize), SHINGLE)
        return found

    def _read_places(self, place: int) -> list[np.ndarray]:
        return read_columns(self.files[place].table, ("start", "count"))

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
        if not place or before.old != file.old or documents >= size and before.range_key != file.range_key:
            yield place
            documents = 0
        documents += file.documents


def _shares(numbers: np.ndarray, bounds: np.ndarray) -> Iterator[tuple[int, slice]]:
    places = np.searchsorted(numbers, bounds)
    for place in np.flatnonzero(np.diff(places)):
        yield int(place), slice(int(places[place]), int(places[place + 1]))
