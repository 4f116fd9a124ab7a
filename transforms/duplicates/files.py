"""The files of the first pass in the workspace, and the documents that it keeps for the second.

    *.parquet     a row for each document: id, offset, date, exact hash, bands, and where its shingles stand; ``stays``
                  is the exact hash of the document that ``id`` names, which may be another one in signatures
    *.shingles    the shingles of all documents, uint32, one after the other: read at any place
    *.documents   the documents themselves, with the Rejects and the RangeEnd, where they had to be cleaned: kept.py

What the files hold is shared out and numbered by ``transforms/duplicates/grouping.py``.

A workspace may lie in a store, where others may write too. So its files are data: whatever they hold, to read them runs
nothing. On the slice of enwiki that is no slower than pickles were.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import attrgetter
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage, Metadata, Origin, RangeEnd, Reason, Reject
from gistmill.rules.documents import CleanDocument, Section
from gistmill.rules.duplicates import Bands, Document, Sketch, moment
from gistmill.transforms.io import create, open_input
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.tables import read_table

_LENGTHS = struct.Struct("<2I")  # of the JSON, and of what it was packed to
_ORIGIN, _METADATA = attrgetter(*Origin.__slots__), attrgetter(*Metadata.__slots__)
_CODEC = pa.Codec("zstd", compression_level=1)


class KeptError(ValueError):
    """A file does not hold what a first pass has kept; the text is one line."""


class KeptWriter:
    """Writes CleanDocuments, Rejects and RangeEnds to a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, element: Any) -> None:
        """Writes an element. Raises TypeError for another class."""
        text = json.dumps(_to_json(element), ensure_ascii=False, separators=(",", ":"))
        plain = text.encode("utf-8", "surrogatepass")
        packed = _CODEC.compress(plain, asbytes=True)
        self._file.write(_LENGTHS.pack(len(plain), len(packed)) + packed)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._file.tell()

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


def kept_elements(path: str, reasons: Iterable[type[Reason]]) -> Iterator[CleanDocument | Reject | RangeEnd]:
    """Yields the elements of a file.

    Args:
        path: the file.
        reasons: the enumerations of the reasons that Rejects in it may have.

    Raises:
        KeptError: it holds something else.
        OSError: it cannot be opened.
    """
    by_name = {_name_of(reason): reason for kind in reasons for reason in kind}
    with open_input(path) as file:
        while head := file.read(_LENGTHS.size):
            try:
                size, packed = _LENGTHS.unpack(head)
                plain = _CODEC.decompress(file.read(packed), decompressed_size=size, asbytes=True)
                yield _from_json(json.loads(plain.decode("utf-8", "surrogatepass")), by_name)
            except (ValueError, OSError, RecursionError, struct.error) as error:
                said = " ".join(str(error).split())
                raise KeptError(f"{path} does not hold documents that a first pass has kept: {said}") from error


def _name_of(reason: Reason) -> str:
    return f"{type(reason).__name__}.{reason.name}"


def _to_json(element: Any) -> list[Any]:
    # a document has no earlier form yet: that is looked up by a later step
    if isinstance(element, CleanDocument) and element.earlier is None:
        return ["document", _values(element.origin), [(s.title, s.level, s.paragraphs) for s in element.sections]]
    if isinstance(element, Reject):
        details = (element.stage, element.detail, element.unit, element.index)
        return ["reject", _values(element.origin), _name_of(element.reason), *details]
    if isinstance(element, RangeEnd):
        damage, arithmetic = map(astuple, element.damage), map(astuple, element.arithmetic)
        return ["end", element.range_key, element.documents, [*damage], dict(element.counts), [*arithmetic]]
    raise TypeError(f"a {type(element).__name__} cannot be kept for the second pass")


def _values(origin: Origin) -> list[Any]:
    *values, metadata = _ORIGIN(origin)
    return [*values, _METADATA(metadata)]


def _from_json(value: Any, reasons: Mapping[str, Reason]) -> CleanDocument | Reject | RangeEnd:
    match value:
        case ["document", origin, [*sections]]:
            return CleanDocument(_origin(origin), tuple(map(_section, sections)))
        case ["reject", origin, str(name), str(stage), str(detail), str(unit), int(index)]:
            if name not in reasons:
                raise ValueError(f"the reason {name[:80]!r} is unknown")
            return Reject(_origin(origin), reasons[name], stage, detail, unit, index)
        case ["end", str(key), int(documents), [*damage], dict(counts), [*arithmetic]]:
            damages, ways = tuple(map(_damage, damage)), tuple(map(_arithmetic, arithmetic))
            if not {*map(type, counts.values())} <= {int}:
                raise _unlike("counts", counts)
            return RangeEnd(key, documents, damages, counts, ways)
    raise _unlike("an element", value)


def _origin(value: Any) -> Origin:
    match value:
        case [*texts, str(), int(), str(), [*metadata]] if _are_texts(texts, 5) and _are_texts(metadata, 7):
            values = (*value[:-1], Metadata(**dict(zip(Metadata.__slots__, metadata, strict=True))))
            return Origin(**dict(zip(Origin.__slots__, values, strict=True)))
    raise _unlike("an origin", value)


def _section(value: Any) -> Section:
    match value:
        case [str(title), int(level), [*paragraphs]] if _are_texts(paragraphs, len(paragraphs)):
            return Section(title, level, tuple(paragraphs))
    raise _unlike("a section", value)


def _damage(value: Any) -> Damage:
    match value:
        case [str(file), int(offset), str(message)]:
            return Damage(file, offset, message)
    raise _unlike("damage", value)


def _arithmetic(value: Any) -> Arithmetic:
    match value:
        case [str(library), str(version), str(kernel), int(threads)]:
            return Arithmetic(library, version, kernel, threads)
    raise _unlike("arithmetic", value)


def _are_texts(values: list[Any], count: int) -> bool:
    return len(values) == count and {*map(type, values)} <= {str}


def _unlike(what: str, value: Any) -> ValueError:
    return ValueError(f"{what} is {str(value)[:80]!r}")


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
        return {name: size for name, size in zip(names, self.bytes, strict=True) if name}


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
        ids, offsets, dates, exact, counts = zip(*self._rows, strict=True) if self._rows else ((),) * 5
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
