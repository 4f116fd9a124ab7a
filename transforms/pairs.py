"""Pairs of texts out of a user's file: JSON Lines, TSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gistmill.transforms.tables import JSONL, PARQUET, TSV, TableError, open_table


def read_pairs(path: str, fields: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the texts in two columns of each row; a list of strings becomes lines.

    Args:
        path: a .jsonl, .tsv or .parquet file; the first two also in .gz or .bz2. A TSV file begins with its column
            names.
        fields: names of the two columns.

    Raises:
        TableError: the file cannot be read, or a row lacks a text; one line that names the place.
    """
    with open_table(path, (JSONL, TSV, PARQUET), "pairs") as table:
        for place, row in table.rows():
            yield _text(row, fields[0], place), _text(row, fields[1], place)


def _text(row: Mapping[str, Any], field: str, place: str) -> str:
    value = row.get(field)
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        value = "\n".join(value)
    if not isinstance(value, str) or not value.strip():
        there = ", ".join(list(row)[:20]) or "none"
        raise TableError(f"{place} has no text {field!r}" + ("" if field in row else f"; it has {there}"))
    return value
