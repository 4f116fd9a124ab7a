"""Rows as gzipped JSON Lines: one object per line, with its keys in column order."""

from __future__ import annotations

import gzip
import io
import json
from typing import Any

from gistmill.core.statistics import ConfigSchema


class JsonlRowsWriter:
    """A writer for the rows of one configuration."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = file
        self._gzip = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)
        self._names = [column.name for column in schema.columns]

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        row = dict(zip(self._names, values, strict=True))
        self._gzip.write(json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n")

    def close(self) -> None:
        """Closes the file."""
        self._gzip.close()
        self._file.close()
