"""Parquet whose bytes depend on rows and columns alone: fixed row groups, compression and encodings, no metadata."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rules.dataset import ConfigSchema, item_type
from transforms.io import open_input

ROW_GROUP_ROWS = 10_000
ROW_GROUP_BYTES = 16 * 1024 * 1024  # rows may be whole documents, and a reader holds a row group
_ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}


def arrow_schema(schema: ConfigSchema) -> pa.Schema:
    """Returns the Arrow schema of a configuration."""
    fields = []
    for column in schema.columns:
        scalar, is_list = item_type(column.type)
        fields.append(pa.field(column.name, pa.list_(_ARROW[scalar]) if is_list else _ARROW[scalar]))
    return pa.schema(fields)


class ParquetWriter:
    """Writes the rows of one configuration as Parquet."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = file
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
        )
        self._rows: list[list[Any]] = []
        self._bytes = 0

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        self._rows.append(values)
        self._bytes += size
        if len(self._rows) == ROW_GROUP_ROWS or self._bytes >= ROW_GROUP_BYTES:
            self._flush()

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
            self._rows, self._bytes = [], 0


def count_parquet(path: str) -> int:
    """Returns the number of rows that the file's footer names.

    Raises:
        ValueError: it is not a whole Parquet file.
    """
    with open_input(path) as file:
        metadata = pq.ParquetFile(file).metadata
        return sum(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))
