"""The formats of shards: writers whose output depends only on rows and columns, and functions that count a file's rows.

Changing a few rows does not shift the rest: hashes of ids determine where row groups and compressed stretches begin,
and the content determines where pages begin. No file contains a time or a name.

Idea from A. Muthitacharoen, B. Chen, D. Mazieres, "A low-bandwidth network file system", SOSP 2001, section 3.1
(breakpoints chosen by content); here ids determine the breakpoints, because rows are kept whole.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.framing import FramingError, count_lines, count_records, gunzip
from gistmill.core.hashing import unit_interval
from gistmill.core.records import Reject
from gistmill.core.statistics import ConfigSchema, item_type
from gistmill.core.tf_example import records_of
from gistmill.rules.lineage import file_name
from gistmill.transforms.io import create, open_input, read_chunks

_FULL = 1 - 1e-9  # a ten-thousandth added 10,000 times is not quite 1


class HashingFile(io.RawIOBase):
    """A new file for writing; ``size`` and ``sha256`` describe the data written to ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._file = create(path)
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        """The SHA-256 of all data written, in hexadecimal digits."""
        return self._hash.hexdigest()

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def write(self, data: Any) -> int:
        """Writes all of ``data``, a bytes-like object."""
        view = memoryview(data).cast("B")
        self._file.write(view)
        self._hash.update(view)
        self.size += len(view)
        return len(view)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def cut_point(key: str) -> float:
    """Returns a number in [0, 1) that depends only on a row's id; rows with small numbers may begin a part."""
    return unit_interval("gistmill-cut", key)


class Cutter:
    """Determines which rows begin a new part. Weights are fractions of the largest part.

    A part weighs at least ``least``. After that, each row begins a new part with a probability proportional to its
    weight, so that a part grows by ``more`` on average; a part always ends at weight 1.
    """

    def __init__(self, *, least: float, more: float) -> None:
        self._least, self._more = least, more
        self._weight = 0.0

    def begins(self, key: str, weight: float) -> bool:
        """Whether the next row, with this id and weight, begins a new part. The first row does not."""
        cut = self._weight >= _FULL or (self._weight >= self._least and cut_point(key) < weight / self._more)
        self._weight = weight if cut else self._weight + weight
        return cut


def _open_gzip(file: io.RawIOBase) -> gzip.GzipFile:
    """Returns a gzip stream that writes to ``file`` without name or time, so equal content gives equal bytes."""
    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)


def _counter(count: Callable[[Iterator[bytes]], int]) -> Callable[[str], int]:
    """Returns a function that counts a file's rows by applying ``count`` to its bytes. It raises a ValueError that
    names the file if the file is truncated or damaged."""

    def counted(path: str) -> int:
        try:
            return count(read_chunks(path))
        except FramingError as error:
            raise ValueError(f"{path} {error}") from None

    return counted


ROW_GROUP_ROWS = 10_000
ROW_GROUP_BYTES = 2 * 1024 * 1024  # rows of about a dozen articles: if few articles change, most row groups do not
_ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}


def arrow_schema(schema: ConfigSchema) -> pa.Schema:
    """Returns the Arrow schema of a configuration."""
    fields = []
    for column in schema.columns:
        scalar, is_list = item_type(column.type)
        fields.append(pa.field(column.name, pa.list_(_ARROW[scalar]) if is_list else _ARROW[scalar]))
    return pa.schema(fields)


class ParquetWriter:
    """A Parquet writer for the rows of one configuration: fixed compression and encodings, no metadata.

    Args:
        file: the output file.
        schema: the configuration.
        row_group_bytes: the maximum size of a row group before encoding; one row may exceed it.
    """

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema, *, row_group_bytes: int | None = None) -> None:
        self._file = file
        self._id = [c.name for c in schema.columns].index("id")
        self._most_bytes = row_group_bytes or ROW_GROUP_BYTES
        self._cutter = Cutter(least=0.25, more=0.375)  # on average 5/8 of the maximum; one in seven reaches it
        self._schema = arrow_schema(schema)
        self._writer = pq.ParquetWriter(
            file,
            self._schema,
            version="2.6",
            data_page_version="1.0",
            compression="zstd",
            compression_level=3,
            use_dictionary=True,
            write_statistics=True,
            store_schema=True,
            use_content_defined_chunking=True,
        )
        self._rows: list[list[Any]] = []

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        if self._cutter.begins(values[self._id], max(size / self._most_bytes, 1 / ROW_GROUP_ROWS)):
            self._flush()
        self._rows.append(values)

    def close(self) -> None:
        """Completes the file."""
        self._flush()
        self._writer.close()
        self._file.close()

    def _flush(self) -> None:
        if self._rows:
            columns = zip(*self._rows, strict=True)
            arrays = [pa.array(list(c), f.type) for c, f in zip(columns, self._schema, strict=True)]
            table = pa.Table.from_arrays(arrays, schema=self._schema).combine_chunks()
            self._writer.write_table(table, row_group_size=len(self._rows))
            self._rows = []


def count_parquet(path: str) -> int:
    """Returns the number of rows according to the file's footer.

    Raises:
        ValueError: it is not a complete Parquet file.
    """
    with open_input(path) as file:
        metadata = pq.ParquetFile(file).metadata
        return sum(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))


STRETCH_BYTES = 2 * 1024 * 1024  # maximum size of a compressed stretch, before compression


_TOGETHER = 64  # rows encoded and written together


class TfrecordWriter:
    """A writer for one configuration's rows as gzipped TFRecords of tf.train.Example. Compression restarts at rows
    chosen by hashes of ids, so the bytes are unchanged again soon after a changed row."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = file
        self._id = [c.name for c in schema.columns].index("id")
        self._cutter = Cutter(least=0.125, more=0.375)
        self._gzip = _open_gzip(file)
        self._records = records_of(schema.columns)
        self._waiting: list[list[Any]] = []

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        if self._cutter.begins(values[self._id], size / STRETCH_BYTES):
            self._write()
            self._gzip.flush(zlib.Z_FULL_FLUSH)
        self._waiting.append(values)
        if len(self._waiting) == _TOGETHER:
            self._write()

    def _write(self) -> None:
        self._gzip.write(self._records(self._waiting))
        self._waiting.clear()

    def close(self) -> None:
        """Completes the file."""
        self._write()
        self._gzip.close()
        self._file.close()


count_tfrecords = _counter(lambda chunks: count_records(gunzip(chunks)))
# Tabs, and characters that some reader treats as a line end.
_BREAKS = re.compile(r"\r\n|[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def cell(value: Any) -> str:
    """Returns a value as the text of a cell: tabs and line ends become spaces, booleans 1 or 0, and None is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False)
    return _BREAKS.sub(" ", str(value))


class TsvWriter:
    """A TSV writer for the rows of one configuration, with columns in the order of ``tsv_columns``: a header, one row
    per line and no quoting, as in the released DiscoFuse files."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = io.BufferedWriter(file, 1024 * 1024)
        names = [c.name for c in schema.columns]
        self._order = [names.index(n) for n in schema.tsv_columns]
        self._file.write(("\t".join(schema.tsv_columns) + "\n").encode("utf-8"))

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        self._file.write(("\t".join([cell(values[i]) for i in self._order]) + "\n").encode("utf-8"))

    def close(self) -> None:
        """Completes the file."""
        self._file.close()


count_tsv = _counter(lambda chunks: count_lines(chunks) - 1)  # the header is not a row


def encode_reject(reject: Reject) -> tuple[bytes, bytes]:
    """Returns a reject's sort key and line. Characters that are not valid Unicode are escaped.

    The range's key is omitted: it depends on how the input was divided, not on the error. The file's folder is omitted
    too, also from the id of a document without a readable id.
    """
    origin, name = reject.origin, file_name(reject.origin.file)
    place = origin.id.removeprefix(origin.file)
    reject_id = f"{name}{place}" if origin.file and place.startswith("#") else origin.id
    value = {
        "id": reject_id,
        "reason": reject.reason.name,
        "text": reject.reason.value,
        "stage": reject.stage,
        "unit": reject.unit,
        "index": reject.index,
        "detail": reject.detail,
        "title": origin.title,
        "file": name,
        "offset": origin.offset,
    }
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    key = f"{reject_id}\0{reject.index + 1:010d}"
    return key.encode("utf-8", "backslashreplace"), line.encode("utf-8", "backslashreplace")


class JsonlWriter:
    """A gzip writer for unchanged lines: rejects, one JSON object each."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self._gzip = _open_gzip(file)

    def add(self, values: bytes, size: int) -> None:
        """Adds a line."""
        self._gzip.write(values + b"\n")

    def close(self) -> None:
        """Completes the file."""
        self._gzip.close()
        self._file.close()


count_jsonl = _counter(lambda chunks: sum(chunk.count(b"\n") for chunk in gunzip(chunks)))


class Writer(Protocol):
    """A writer for the rows of one file."""

    def add(self, values: Any, size: int) -> None:
        """Adds a row: its values in column order (for rejects, the line), and their size in the spills."""

    def close(self) -> None:
        """Completes the file and closes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format: its file extension, its writer, and a function that counts a file's rows by reading it again."""

    extension: str
    open: Callable[[io.RawIOBase, ConfigSchema], Writer]
    count: Callable[[str], int]


FORMATS = {
    "parquet": Format(extension="parquet", open=ParquetWriter, count=count_parquet),
    "tfrecord": Format(extension="tfrecord.gz", open=TfrecordWriter, count=count_tfrecords),
    "tsv": Format(extension="tsv", open=TsvWriter, count=count_tsv),
}
REJECTS_FORMAT = Format(extension="jsonl.gz", open=lambda file, _: JsonlWriter(file), count=count_jsonl)


def formats_named(names: Iterable[str], *, row_group_bytes: int | None = None) -> dict[str, Format]:
    """Returns formats by name; ``row_group_bytes`` applies to Parquet (see ParquetWriter), None means its default."""
    parquet = functools.partial(ParquetWriter, row_group_bytes=row_group_bytes)
    return {n: replace(FORMATS[n], open=parquet) if n == "parquet" else FORMATS[n] for n in names}
