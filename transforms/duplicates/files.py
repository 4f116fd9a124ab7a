"""The files of the first pass in the workspace: three for each range, under names of their own.

    *.parquet     a row for each document: id, offset, date, exact hash, bands, and where its shingles stand; ``stays``
                  is the exact hash of the document that ``id`` names, which may be another one in signatures
    *.shingles    the shingles of all documents, uint32, one after the other: read at any place
    *.documents   the documents themselves, with the Rejects and the RangeEnd, where they had to be cleaned: kept.py

What the files hold is shared out and numbered by ``transforms/duplicates/index.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.rules.duplicates.documents import Document, moment
from gistmill.rules.duplicates.sketch import Bands, Sketch
from gistmill.transforms.columns import read_table
from gistmill.transforms.duplicates.kept import KeptWriter
from gistmill.transforms.io import create
from gistmill.transforms.layout import WorkspaceLayout

SHINGLE = np.dtype("<u4")


@dataclass(frozen=True, slots=True, kw_only=True)
class SketchFile:
    """A range, or a part of it, that was looked through.

    Attributes:
        range_key: of the range; of a file of signatures, its place among them.
        table, shingles, kept: paths; ``kept`` is "" where the source is read again instead.
        documents: how many there are.
        first: the offset of the first one.
        bands: of each document.
        bytes: sizes of the three files.
        old: whether the documents are those of a dataset before, which stay.
    """

    range_key: str
    table: str
    shingles: str
    kept: str
    documents: int
    first: int
    bands: int
    bytes: tuple[int, int, int]
    old: bool = False

    @property
    def sizes(self) -> dict[str, int]:
        """The bytes of each file by path."""
        names = (self.table, self.shingles, self.kept)
        return {name: size for name, size in zip(names, self.bytes) if name}


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
        self._kept = KeptWriter(create(self._names[2])) if keep else None
        self._rows: list[tuple[bytes, int, int, int, int]] = []
        self._bands: list[np.ndarray] = []
        self._count = bands.count if bands else 0

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
                len(sketch.shingles),
            )
        )
        if self._shingles is not None:
            self._bands.append(sketch.bands)
            self._shingles.write(sketch.shingles.astype(SHINGLE).tobytes())

    def close(self) -> SketchFile:
        """Ends the files."""
        ids, offsets, dates, exact, counts = zip(*self._rows) if self._rows else ((),) * 5
        bands = np.stack(self._bands, axis=1) if self._bands else np.zeros((self._count, 0), np.uint64)
        table_bytes = write_table(
            self._names[0], ids=ids, offsets=offsets, dates=dates, exact=exact, counts=counts, bands=bands
        )
        others = (self._shingles, self._kept)
        shingle_bytes, kept_bytes = (_closed(f) if f is not None else 0 for f in others)
        return SketchFile(
            range_key=self._range_key,
            table=self._names[0],
            shingles=self._names[1],
            kept=self._names[2],
            documents=len(self._rows),
            first=min(offsets, default=0),
            bands=self._count,
            bytes=(table_bytes, shingle_bytes, kept_bytes),
        )


def write_table(
    path: str,
    *,
    ids: Sequence[bytes] | pa.Array,
    offsets: Sequence[int] | np.ndarray,
    dates: Sequence[int] | np.ndarray,
    exact: Sequence[int] | np.ndarray,
    counts: Sequence[int] | np.ndarray,
    bands: np.ndarray,
    stays: np.ndarray | None = None,
) -> int:
    """Writes the table of a sketch file.

    Args:
        path: the file.
        ids, offsets, dates, exact, counts: of each document; ``counts`` are numbers of shingles.
        bands: the keys, of shape (bands, documents), uint64.
        stays: exact hashes of the documents that the ids name; None where these are the documents themselves.

    Returns:
        The bytes of the file.
    """
    ends = np.cumsum(np.asarray(counts, np.int64))
    columns = {
        "id": pa.array(ids, pa.binary()),
        "offset": pa.array(offsets, pa.int64()),
        "date": pa.array(dates, pa.int64()),
        "exact": pa.array(exact, pa.uint64()),
        "stays": pa.array(exact if stays is None else stays, pa.uint64()),
        "start": pa.array(ends - np.asarray(counts, np.int64)),
        "count": pa.array(counts, pa.int64()),
        **{band_column(number): pa.array(keys) for number, keys in enumerate(bands)},
    }
    with create(path) as file:
        pq.write_table(pa.table(columns), file, compression="none", use_dictionary=False)
        return file.tell()


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


def band_column(number: int) -> str:
    """Returns the name of the column of a band."""
    return f"band{number:02d}"


def _closed(file: Any) -> int:
    size = file.tell()
    file.close()
    return size
