"""Parquet whose bytes depend on rows and columns alone: fixed compression and encodings, no metadata.

Few rows that change do not move the rest: hashes of ids say where row groups begin, and the content where pages do.
"""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.statistics import ConfigSchema, item_type
from gistmill.transforms.io import open_input
from gistmill.transforms.sinks.cuts import Cutter

ROW_GROUP_ROWS = 10_000
ROW_GROUP_BYTES = 2 * 1024 * 1024  # the rows of about a dozen articles: where few change, most row groups do not
_LEAST, _MORE = 0.25, 0.375  # weights of a row group: 5/8 of the largest on average, and one in seven is as large
_ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}


def arrow_schema(schema: ConfigSchema) -> pa.Schema:
    """Returns the Arrow schema of a configuration."""
    fields = []
    for column in schema.columns:
        scalar, is_list = item_type(column.type)
        fields.append(pa.field(column.name, pa.list_(_ARROW[scalar]) if is_list else _ARROW[scalar]))
    return pa.schema(fields)


class ParquetWriter:
    """Writes the rows of one configuration as Parquet.

    Args:
        file: where it goes.
        schema: the configuration.
        row_group_bytes: of the largest row groups, before encoding; a row more may be in them.
    """

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema, *, row_group_bytes: int | None = None) -> None:
        self._file = file
        self._id = [c.name for c in schema.columns].index("id")
        self._most_bytes = row_group_bytes or ROW_GROUP_BYTES
        self._cutter = Cutter(least=_LEAST, more=_MORE)
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
