"""Parquet shards of published datasets, each checked against the manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.manifest import PublishedFile
from gistmill.core.parquet_pages import ParquetBomb, table_of
from gistmill.core.statistics import ID_COLUMN, Column, item_type
from gistmill.published.files import DatasetError, Folder

_ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}


@contextmanager
def opened(folder: Folder, file: PublishedFile, columns: Sequence[Column]) -> Iterator[tuple[pq.ParquetFile, BinaryIO]]:
    """Opens a shard: yields its reader, and the file for ``batches_of`` and ``table_of``.

    Args:
        folder: the dataset's folder.
        file: the shard's entry in the manifest.
        columns: the columns of its configuration.

    Raises:
        DatasetError: it cannot be read, here or in the block, or does not match the manifest.
    """
    try:
        with folder.open(file.path) as handle:
            parquet = pq.ParquetFile(handle)
            if said := difference(parquet.metadata, file.rows, columns):
                raise DatasetError(f"{folder.place}: {file.path} {said}; run gistmill validate")
            yield parquet, handle
    except (OSError, UnicodeDecodeError, ParquetBomb, pa.ArrowException) as error:
        said = " ".join(str(error).split())
        raise DatasetError(f"{folder.place}: {file.path} cannot be read: {said}") from None


def group_with(number: int, folder: Folder, file: PublishedFile, columns: Sequence[Column]) -> tuple[int, pa.Table]:
    """Returns the row group that contains a shard's row, and the number of its first row. Raises as ``opened``.

    Args:
        number: the number of the row, from 0; it must exist.
        folder, file, columns: as for ``opened``.
    """
    with opened(folder, file, columns) as (parquet, handle):
        first = index = 0
        while number >= first + (rows := parquet.metadata.row_group(index).num_rows):
            first, index = first + rows, index + 1
        return first, table_of(parquet, handle, groups=[index], columns=[c.name for c in columns])


def difference(metadata: Any, rows: int | None, columns: Sequence[Column]) -> str:
    """Returns the difference between a shard and the manifest, as in "has no column 'id' of string"; "" for none.

    Args:
        metadata: its footer.
        rows: the required number of rows; None for any number.
        columns: the required columns; at least the ids.
    """
    if rows not in (None, metadata.num_rows):
        return f"contains {metadata.num_rows:,} rows, but the manifest says {rows:,}"
    schema = metadata.schema.to_arrow_schema()
    for column in columns or [ID_COLUMN]:
        if column.name not in schema.names or not _fits(schema.field(column.name).type, column):
            return f"has no column {column.name!r} of {column.type}"
    return "contains rows without an id" if _lacks_ids(metadata) else ""


def arrow_type(column: Column) -> pa.DataType:
    """Returns the Arrow type of a column."""
    scalar, is_list = item_type(column.type)
    return pa.list_(_ARROW[scalar]) if is_list else _ARROW[scalar]


def _fits(found: pa.DataType, column: Column) -> bool:
    wanted = arrow_type(column)
    if pa.types.is_list(wanted):  # writers give the items of a list different names
        return bool(pa.types.is_list(found) and found.value_type == wanted.value_type)
    return bool(found == wanted)


def _lacks_ids(metadata: Any) -> bool:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    columns = (group.column(number) for group in groups for number in range(group.num_columns))
    statistics = [column.statistics for column in columns if column.path_in_schema == ID_COLUMN.name]
    return any(found is not None and found.has_null_count and found.null_count > 0 for found in statistics)
