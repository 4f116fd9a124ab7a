"""The formats of shards: writers whose bytes depend on rows and columns alone, and how to count the rows of a file.

Few rows that change do not move the rest: hashes of ids say where row groups and compressed stretches begin, and the
content where pages do. No file holds a time or a name.

Source of the idea: A. Muthitacharoen, B. Chen, D. Mazieres, "A low-bandwidth network file system", SOSP 2001, section
3.1 (breakpoints that the content chooses); here it is ids that choose, because rows are kept whole.
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

_FULL = 1 - 1e-9  # 10,000 times a ten-thousandth is not quite 1


class HashingFile(io.RawIOBase):
    """A new file for writing; ``size`` and ``sha256`` tell what was written to ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._file = create(path)
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        """SHA-256 of everything written, in hexadecimal digits."""
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
    """Returns a number in [0, 1) that depends on the id of a row alone; a row with a small one may begin a part."""
    return unit_interval("gistmill-cut", key)


class Cutter:
    """Tells which rows begin a new part. Weights are shares of the largest part.

    A part has a weight of at least ``least``. After that, a row begins another one with a chance in proportion to its
    weight, so that a part grows by ``more`` on average; at 1 it ends in any case.
    """

    def __init__(self, *, least: float, more: float) -> None:
        self._least, self._more = least, more
        self._weight = 0.0

    def begins(self, key: str, weight: float) -> bool:
        """Whether the row with this id and weight, which comes next, begins a new part. The first row does not."""
        cut = self._weight >= _FULL or (self._weight >= self._least and cut_point(key) < weight / self._more)
        self._weight = weight if cut else self._weight + weight
        return cut


def _open_gzip(file: io.RawIOBase) -> gzip.GzipFile:
    """Returns a gzip stream onto ``file``: no name, no time, so that the same content gives the same bytes."""
    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)


def _counter(count: Callable[[Iterator[bytes]], int]) -> Callable[[str], int]:
    """Returns what counts the rows of a file, by a count over its bytes. It raises a ValueError that names a file that
    is torn or damaged."""

    def counted(path: str) -> int:
        try:
            return count(read_chunks(path))
        except FramingError as error:
            raise ValueError(f"{path} {error}") from None

    return counted


ROW_GROUP_ROWS = 10_000
ROW_GROUP_BYTES = 2 * 1024 * 1024  # the rows of about a dozen articles: where few change, most row groups do not
_ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}


def arrow_schema(schema: ConfigSchema) -> pa.Schema:
    """Returns the Arrow schema of a configuration."""
    fields = []
    for column in schema.columns:
        scalar, is_list = item_type(column.type)
        fields.append(pa.field(column.name, pa.list_(_ARROW[scalar]) if is_list else _ARROW[scalar]))
    return pa.schema(fields)


class ParquetWriter:
    """Writes the rows of one configuration as Parquet: fixed compression and encodings, no metadata.

    Args:
        file: where it goes.
        schema: the configuration.
        row_group_bytes: of the largest row groups, before encoding; a row more may be in them.
    """

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema, *, row_group_bytes: int | None = None) -> None:
        self._file = file
        self._id = [c.name for c in schema.columns].index("id")
        self._most_bytes = row_group_bytes or ROW_GROUP_BYTES
        self._cutter = Cutter(least=0.25, more=0.375)  # 5/8 of the largest on average, and one in seven is as large
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
        """Ends the file."""
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
    """Returns the number of rows that the file's footer names.

    Raises:
        ValueError: it is not a whole Parquet file.
    """
    with open_input(path) as file:
        metadata = pq.ParquetFile(file).metadata
        return sum(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))


STRETCH_BYTES = 2 * 1024 * 1024  # the longest that are compressed together, before compression


_TOGETHER = 64  # rows that are encoded and written together


class TfrecordWriter:
    """Writes the rows of one configuration as gzipped TFRecords of tf.train.Example. Compression restarts at rows
    chosen by hashes of ids, so that soon after a changed row the bytes are as before."""

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
        """Ends the file."""
        self._write()
        self._gzip.close()
        self._file.close()


count_tfrecords = _counter(lambda chunks: count_records(gunzip(chunks)))
_BREAKS = re.compile(r"\r\n|[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")  # a tab, and what some reader takes for a line end


def cell(value: Any) -> str:
    """Returns a value as the text of a cell: tabs and line ends become spaces, booleans 1 and 0, None nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False)
    return _BREAKS.sub(" ", str(value))


class TsvWriter:
    """Writes the rows of one configuration as TSV, columns in the order of ``tsv_columns``: a header, one row per line,
    no quoting, as the released DiscoFuse files are."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = io.BufferedWriter(file, 1024 * 1024)
        names = [c.name for c in schema.columns]
        self._order = [names.index(n) for n in schema.tsv_columns]
        self._file.write(("\t".join(schema.tsv_columns) + "\n").encode("utf-8"))

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        self._file.write(("\t".join([cell(values[i]) for i in self._order]) + "\n").encode("utf-8"))

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


count_tsv = _counter(lambda chunks: count_lines(chunks) - 1)  # the header is not a row


def encode_reject(reject: Reject) -> tuple[bytes, bytes]:
    """Returns sort key and line of a reject. Characters that are not valid Unicode are written as escapes.

    The key of the range is left out: it says how the input was cut, not what was wrong. So is the folder of the file,
    which a document without a readable id has in its id too.
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
    """Writes lines as they are into gzip: rejects, one JSON object each."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self._gzip = _open_gzip(file)

    def add(self, values: bytes, size: int) -> None:
        """Adds a line."""
        self._gzip.write(values + b"\n")

    def close(self) -> None:
        """Ends the file."""
        self._gzip.close()
        self._file.close()


count_jsonl = _counter(lambda chunks: sum(chunk.count(b"\n") for chunk in gunzip(chunks)))


class Writer(Protocol):
    """Writes the rows of one file."""

    def add(self, values: Any, size: int) -> None:
        """Adds a row: its values in the order of the columns (for the rejects, the line), and their size in the
        spills."""

    def close(self) -> None:
        """Ends the file and closes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format: the end of its file names, how to write it, how to count the rows of a file by reading it again."""

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
    """Returns formats by name; ``row_group_bytes`` is for Parquet (see ParquetWriter), None for its default."""
    parquet = functools.partial(ParquetWriter, row_group_bytes=row_group_bytes)
    return {n: replace(FORMATS[n], open=parquet) if n == "parquet" else FORMATS[n] for n in names}
