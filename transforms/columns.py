"""Columns of Parquet files in the workspace, which are read as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.transforms.io import open_input


def read_table(path: str, names: Sequence[str]) -> pa.Table:
    """Returns the named columns of a Parquet file, in their order."""
    with open_input(path) as file:
        return pq.ParquetFile(file).read(columns=list(names), use_threads=False)
