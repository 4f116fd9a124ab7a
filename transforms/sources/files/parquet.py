"""Parquet files: opening them, and the rows of a row group, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.parquet_pages import ParquetBomb, batches_of
from gistmill.transforms.sources.files.ranges import SourceError

MAGIC = b"PAR1"
_MOST_HELD = 64 << 20  # a row group of more bytes is not held whole: of each column a buffer is read at once
_BUFFER = 1 << 20
_BATCH_BYTES, _MOST_ROWS = 4 << 20, 256  # rows that are Python objects at once


def open_parquet(handle: BinaryIO, path: str) -> pq.ParquetFile:
    """Returns the reader of a Parquet file.

    Raises:
        SourceError: it is not a Parquet file.
    """
    try:
        metadata = pq.read_metadata(handle)
        groups = (metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
        held = max(groups, default=0) <= _MOST_HELD
        return pq.ParquetFile(handle, metadata=metadata, pre_buffer=held, buffer_size=0 if held else _BUFFER)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is not a Parquet file: {one_line(error)}") from None


def rows_of(
    parquet: pq.ParquetFile, handle: BinaryIO, path: str, group: int, columns: list[str]
) -> Iterator[Mapping[str, Any] | ValueError]:
    """Yields the rows of a row group; of a row that holds no valid text, the error.

    Raises:
        SourceError: a decompression bomb.
    """
    metadata = parquet.metadata.row_group(group)
    each = max(1, metadata.total_byte_size // max(1, metadata.num_rows))
    rows = max(1, min(_BATCH_BYTES // each, _MOST_ROWS))
    for batch in checked_batches(parquet, handle, path, rows, groups=[group], columns=columns):
        try:
            yield from batch.to_pylist()
        except ValueError:  # one of them
            for index in range(batch.num_rows):
                try:
                    yield from batch.slice(index, 1).to_pylist()
                except ValueError as error:
                    yield error


def checked_batches(
    parquet: pq.ParquetFile,
    handle: BinaryIO,
    path: str,
    rows: int,
    *,
    groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yields what ``batches_of`` does. Raises SourceError: a decompression bomb."""
    try:
        yield from batches_of(parquet, handle, rows, groups=groups, columns=columns)
    except ParquetBomb as error:
        raise SourceError(f"{path}: {error}") from None


def place_of(metadata: pq.RowGroupMetaData) -> int:
    """Where the bytes of a row group begin."""
    columns = (metadata.column(i) for i in range(metadata.num_columns))
    return min((c.dictionary_page_offset or c.data_page_offset for c in columns), default=0)


def one_line(error: Exception) -> str:
    """Returns the text of an error of Arrow on one line, cut."""
    return " ".join(str(error).split())[:200]
