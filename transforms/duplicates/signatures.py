"""Signatures of documents: files in the workspace, and those in datasets for comparison with later runs.

For each range, the first pass writes

    *.parquet     one row per document: id, offset, date, exact hash, bands and the position of its shingles; ``stays``
                  is the exact hash of the document that ``id`` names, which in datasets may be another document
    *.shingles    the shingles of all documents in sequence, as uint32, for random access
    *.documents   the documents, with the Rejects and the RangeEnd, if they had to be cleaned. A workspace may be in a
                  store that others can write to, so the file contains only data: reading it runs no code

A dataset contains Parquet files, ``signatures/part-00000-of-00003.parquet``, with one row per document that was checked
for duplicates, except those with exactly the same words as a document that is kept. Columns:

    id        ID of the document, or of the one kept instead
    date      its date, in microseconds since 1970
    exact     hash of its words
    stays     hash of the words of the document that ``id`` names
    band00... keys of its bands; absent if only exact copies were detected
    shingles  their numbers in ascending order
"""

from __future__ import annotations

import itertools
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
from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.parquet_pages import table_of
from gistmill.core.records import Damage, Metadata, Origin, RangeEnd, Reason, Reject
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section
from gistmill.rules.duplicates import Bands, Document, Sketch, moment, sketch, text_of
from gistmill.transforms.io import create, join, open_input, sha256_of
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import Chunk, Chunks, RangeFile, read_table
from gistmill.transforms.sinks.formats import HashingFile
from gistmill.transforms.sinks.shards import SIGNATURES, ShardFile
from gistmill.transforms.sources.base import below, manifest_of
from gistmill.transforms.sources.files.ranges import SourceError

DOCUMENTS = (CleanDocument, AnnotatedDocument)
SHINGLE = np.dtype("<u4")
_FORM = b"gistmill_signatures"  # key of the files' metadata
_VERSION = 1  # of the words, shingles, hashes and bands; only documents of equal version are compared


class SignaturesError(SourceError):
    """Signatures that cannot be used; the text is one line that names the dataset and the solution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SketchFile(RangeFile):
    """The signatures of a range, or of a part of it.

    Attributes:
        shingles, kept: paths; ``kept`` is "" if the source is read again instead.
        bands: the bands of each document.
    """

    shingles: str
    kept: str
    bands: int


class SketchWriter:
    """A writer for the files of one range. Elements are added one by one; ``close`` returns a summary of the files.

    ``bands`` is None if only exact copies are detected. ``keep`` states whether the elements are also written, so that
    they need not be made again.
    """

    def __init__(self, layout: WorkspaceLayout, range_key: str, bands: Bands | None, *, keep: bool) -> None:
        self._range_key, self._bands = range_key, bands
        self._table = layout.new_sketch(range_key, "parquet")
        self._paths = (
            layout.new_sketch(range_key, "shingles") if bands else "",
            layout.new_sketch(range_key, "documents") if keep else "",
        )
        self._shingles, self._kept = (create(path) if path else None for path in self._paths)
        self._rows: list[tuple[bytes, int, int, int, int]] = []
        self._keys: list[np.ndarray] = []

    def take(self, element: Any) -> None:
        """Adds a document; ignores other elements, except that they are stored with ``keep``."""
        if self._kept is not None:
            write_kept(self._kept, element)
        if isinstance(element, DOCUMENTS):
            self.add(element, sketch(text_of(element), self._bands))

    def add(self, document: Document, found: Sketch) -> None:
        """Adds a document's sketch."""
        id_ = document.id.encode("utf-8", "surrogatepass")
        self._rows.append((id_, document.origin.offset, moment(document), found.exact, len(found.shingles)))
        if self._shingles is not None:
            self._keys.append(found.bands)
            self._shingles.write(found.shingles.astype(SHINGLE).tobytes())

    def close(self) -> SketchFile:
        """Closes the files and returns their summary."""
        ids, offsets, dates, exact, counts = zip(*self._rows, strict=True) if self._rows else ((),) * 5
        count = self._bands.count if self._bands else 0
        keys = np.stack(self._keys, axis=1) if self._keys else np.zeros((count, 0), np.uint64)
        columns = {
            "id": pa.array(ids, pa.binary()),
            "offset": pa.array(offsets, pa.int64()),
            "date": pa.array(dates, pa.int64()),
            "exact": pa.array(exact, pa.uint64()),
            "stays": pa.array(exact, pa.uint64()),
            **{band_column(number): values for number, values in enumerate(keys)},
        }
        sizes = {self._table: write_table(self._table, columns, counts)}
        for path, file in zip(self._paths, (self._shingles, self._kept), strict=True):
            if file is not None:
                sizes[path] = file.tell()
                file.close()
        return SketchFile(
            range_key=self._range_key,
            table=self._table,
            shingles=self._paths[0],
            kept=self._paths[1],
            rows=len(ids),
            first=min(offsets, default=0),
            bands=count,
            sizes=sizes,
        )


def write_table(path: str, columns: Mapping[str, Any], counts: Sequence[int] | np.ndarray) -> int:
    """Writes the table of a SketchFile, from its columns other than the shingles and from each document's number of
    shingles; returns the size in bytes."""
    numbers = np.asarray(counts, np.int64)
    with create(path) as file:
        table = pa.table({**columns, "start": np.cumsum(numbers) - numbers, "count": numbers})
        pq.write_table(table, file, compression="none", use_dictionary=False)
        return file.tell()


def band_column(number: int) -> str:
    """Returns the name of a band's column."""
    return f"band{number:02d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureFile:
    """A signature file: its position among all of them, its dataset, its path in the dataset, and its SHA-256."""

    key: str
    dataset: str
    name: str
    sha256: str

    @property
    def path(self) -> str:
        """Path or URL of the file."""
        return join(self.dataset, *self.name.split("/"))


def signature_files(datasets: Sequence[str], bands: Bands | None) -> list[SignatureFile]:
    """Returns the signature files of datasets, in order.

    Args:
        datasets: their folders or URLs.
        bands: the required bands; None if only exact copies are detected.

    Raises:
        SignaturesError: a dataset is missing, contains no signatures, or its bands differ from ``bands``.
    """
    found = []
    for number, dataset in enumerate(datasets):
        try:
            manifest = manifest_of(dataset)
            if manifest is None:
                raise SignaturesError(f"{dataset} is not a dataset: {MANIFEST} is missing")
            named = files_of_signatures(manifest)
            for file in named:
                below(dataset, file.path)
        except SourceError as error:
            raise SignaturesError(str(error)) from None
        if not named:
            raise SignaturesError(f"{dataset} contains no signatures; a job writes them with --keep-signatures")
        for place, file in enumerate(named):
            key = f"{number:04d}-{place:06d}"
            found.append(SignatureFile(key=key, dataset=dataset, name=file.path, sha256=file.sha256))
        _check_form(dataset, found[-1].path, bands)
    return found


def files_of_signatures(manifest: Manifest) -> list[PublishedFile]:
    """Returns the signature files among a dataset's files."""
    return [file for file in manifest.files if f"{SIGNATURES}/part-" in file.path]


def _shown(bands: Bands | None) -> list[int] | None:
    return [bands.count, bands.rows] if bands else None


def _check_form(dataset: str, path: str, bands: Bands | None) -> None:
    try:
        with open_input(path) as file:
            form = json.loads((pq.read_schema(file).metadata or {})[_FORM])
            version, found = form["version"], form["bands"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SignaturesError(f"{path} does not contain signatures: {error}") from None
    if version != _VERSION:
        raise SignaturesError(f"{dataset} contains signatures of version {version}, not {_VERSION}; rebuild it")
    if bands is not None and found != _shown(bands):
        which = "another --duplicate-threshold" if found else "exact copies only"
        raise SignaturesError(f"{dataset} contains signatures for {which}; use the options that its manifest names")


def read_signatures(file: SignatureFile, *, layout: WorkspaceLayout) -> SketchFile:
    """Copies a dataset's signatures into the workspace, in the format of the first pass."""
    if sha256_of(file.path) != file.sha256:
        raise SignaturesError(f"{file.path} differs from the checksum in its dataset's manifest")
    table, shingles = layout.new_comparison("parquet"), layout.new_comparison("shingles")
    rows, counts = [], [np.zeros(0, np.int64)]
    with open_input(file.path) as source, create(shingles) as target:
        parquet = pq.ParquetFile(source)
        names = [name for name in parquet.schema_arrow.names if name != "shingles"]
        for group in range(parquet.num_row_groups):
            found = table_of(parquet, source, groups=[group])
            lists = found["shingles"].combine_chunks()
            target.write(lists.flatten().to_numpy().astype(SHINGLE).tobytes())
            counts.append(lists.value_lengths().to_numpy().astype(np.int64))
            rows.append(found.select(names))
        whole = pa.concat_tables([parquet.schema_arrow.empty_table().select(names), *rows])
        written = target.tell()
    columns = {name: whole[name] for name in names}
    size = write_table(table, {**columns, "offset": np.arange(len(whole))}, np.concatenate(counts))
    return SketchFile(
        range_key=file.key,
        table=table,
        shingles=shingles,
        kept="",
        rows=len(whole),
        first=0,
        bands=sum(name.startswith("band") for name in names),
        sizes={table: size, shingles: written},
        old=True,
    )


def write_signatures(
    documents: Chunks, chunk: Chunk, gone: pa.Table | None, *, bands: Bands | None, layout: WorkspaceLayout
) -> ShardFile:
    """Writes the signatures of a chunk.

    Args:
        documents: all documents.
        chunk: the chunk.
        gone: one row per duplicate in the chunk: its ``number``, the id and exact hash of the document to keep
            (``kept``, ``stays``), and whether both contain the ``same`` words. None if there are no duplicates.
        bands: the bands of the signatures; None if only exact copies were detected.
        layout: the workspace's layout.
    """
    names = ["id", "stays", "date", "exact", *map(band_column, range(bands.count if bands else 0))]
    form = {"version": _VERSION, "bands": _shown(bands)}
    schema = pa.schema(
        [
            ("id", pa.binary()),
            ("stays", pa.uint64()),
            ("date", pa.int64()),
            *((name, pa.uint64()) for name in names[3:]),
            ("shingles", pa.list_(pa.uint32())),
        ],
        metadata={_FORM: json.dumps(form)},
    )
    rows = read_table(chunk.table, [*names, "count"])
    kept = np.ones(len(rows), bool)
    if gone is not None:
        numbers = gone["number"].to_numpy() - documents.bounds[chunk.number]
        kept[numbers[gone["same"].to_numpy()]] = False
        ids, stays = np.array(rows["id"].to_pylist(), object), rows["stays"].to_numpy().copy()
        ids[numbers], stays[numbers] = gone["kept"].to_pylist(), gone["stays"].to_numpy()
        rows = rows.set_column(0, "id", pa.array(ids.tolist(), pa.binary())).set_column(1, "stays", pa.array(stays))
    file, start, written = HashingFile(layout.new_shard("parquet")), 0, 0
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
        for _, files in itertools.groupby(chunk.files, key=lambda f: f.range_key):
            tables = []
            for one in files:
                shingles = b""
                if one.shingles:
                    with open_input(one.shingles) as data:
                        shingles = data.read()
                mine = rows.slice(start, one.rows)
                ends = np.cumsum([0, *mine["count"].to_pylist()]).astype(np.int32)
                lists = pa.ListArray.from_arrays(pa.array(ends), pa.array(np.frombuffer(shingles, SHINGLE)))
                mine = mine.drop_columns("count").append_column("shingles", lists)
                tables.append(mine.filter(pa.array(kept[start : start + one.rows])))
                start += one.rows
            table = pa.concat_tables(tables)
            writer.write_table(table.cast(schema).combine_chunks())
            written += len(table)
    file.close()
    old = sum(one.files[0].old for one in documents.chunks)
    places = (chunk.number - old, len(documents.chunks) - old)
    return ShardFile(SIGNATURES, SIGNATURES, "parquet", *places, file.path, written, file.size, file.sha256, "", "")


_LENGTHS = struct.Struct("<2I")  # of the JSON, uncompressed and compressed
_ORIGIN, _METADATA = attrgetter(*Origin.__slots__), attrgetter(*Metadata.__slots__)
_CODEC = pa.Codec("zstd", compression_level=1)


class KeptError(ValueError):
    """A file does not contain documents kept by a first pass; the message is one line."""


def write_kept(file: BinaryIO, element: Any) -> None:
    """Appends a CleanDocument, Reject or RangeEnd to a file. Raises TypeError for other classes."""
    plain = json.dumps(_to_json(element), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    packed = _CODEC.compress(plain, asbytes=True)
    file.write(_LENGTHS.pack(len(plain), len(packed)) + packed)


def read_kept(path: str, reasons: Iterable[type[Reason]]) -> Iterator[CleanDocument | Reject | RangeEnd]:
    """Yields the elements of a file.

    Args:
        path: the file.
        reasons: the enumerations of the reasons that its Rejects may use.

    Raises:
        KeptError: it contains something else.
        OSError: it cannot be opened.
    """
    by_name = {str(reason): reason for kind in reasons for reason in kind}  # such as CleanReason.LANGUAGE
    with open_input(path) as file:
        while head := file.read(_LENGTHS.size):
            try:
                size, packed = _LENGTHS.unpack(head)
                plain = _CODEC.decompress(file.read(packed), decompressed_size=size, asbytes=True)
                yield _from_json(json.loads(plain.decode("utf-8", "surrogatepass")), by_name)
            except (ValueError, TypeError, OSError, RecursionError, struct.error) as error:
                said = " ".join(str(error).split())
                raise KeptError(f"{path} does not contain documents kept by a first pass: {said}") from error


def _to_json(element: Any) -> list[Any]:
    if isinstance(element, RangeEnd):
        damage, arithmetic = map(astuple, element.damage), map(astuple, element.arithmetic)
        return ["end", element.range_key, element.documents, [*damage], dict(element.counts), [*arithmetic]]
    # a document has no earlier form yet: a later step looks it up
    if not isinstance(element, Reject) and not (isinstance(element, CleanDocument) and element.earlier is None):
        raise TypeError(f"a {type(element).__name__} cannot be kept for the second pass")
    *values, metadata = _ORIGIN(element.origin)
    origin = [*values, _METADATA(metadata)]
    if isinstance(element, Reject):
        details = (element.stage, element.detail, element.unit, element.index)
        return ["reject", origin, str(element.reason), *details]
    return ["document", origin, [(s.title, s.level, s.paragraphs) for s in element.sections]]


def _from_json(value: Any, reasons: Mapping[str, Reason]) -> CleanDocument | Reject | RangeEnd:
    match value:
        case ["document", origin, [*sections]]:
            return CleanDocument(_origin(origin), tuple(map(_section, sections)))
        case ["reject", origin, str(name), *details] if name in reasons:
            return Reject(_origin(origin), reasons[name], *_typed(details, str, str, str, int))
        case ["end", str(key), int(documents), [*damage], dict(counts), [*arithmetic]]:
            return RangeEnd(
                key,
                documents,
                tuple(Damage(*_typed(values, str, int, str)) for values in damage),
                dict(zip(counts, _typed([*counts.values()], *[int] * len(counts)), strict=True)),
                tuple(Arithmetic(*_typed(values, str, str, str, int)) for values in arithmetic),
            )
    raise ValueError(f"unexpected {str(value)[:80]!r}")


def _origin(value: Any) -> Origin:
    values = _typed(value, *[str] * 6, int, str, list)
    texts = _typed(values[-1], *[str] * len(Metadata.__slots__))
    values[-1] = Metadata(**dict(zip(Metadata.__slots__, texts, strict=True)))
    return Origin(*values)


def _section(value: Any) -> Section:
    title, level, paragraphs = _typed(value, str, int, list)
    return Section(title, level, tuple(_typed(paragraphs, *[str] * len(paragraphs))))


def _typed(values: Any, *types: type) -> list[Any]:
    """Returns the values of a list if they are of these types."""
    if not isinstance(values, list) or [*map(type, values)] != [*types]:
        raise ValueError(f"unexpected {str(values)[:80]!r}")
    return values
