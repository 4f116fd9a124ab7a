"""Tab-separated files: a header, one row per line, no quoting, as the released DiscoFuse files are."""

from __future__ import annotations

import io
import json
import re
from typing import Any

from gistmill.core.framing import FramingError, count_lines
from gistmill.core.statistics import ConfigSchema
from gistmill.transforms.io import read_chunks

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
    """Writes the rows of one configuration as TSV, columns in the order of ``tsv_columns``."""

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


def count_tsv(path: str) -> int:
    """Returns the number of rows, the header not counted.

    Raises:
        ValueError: the last line has no end.
    """
    try:
        return count_lines(read_chunks(path)) - 1
    except FramingError as error:
        raise ValueError(f"{path} {error}") from None
