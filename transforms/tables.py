"""Pairs and lists of words in files that a user provides, and tables of columns that a job has written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.records import Damage
from gistmill.rules.synthetic.language import WordsError, check_words
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.lines import LinesConfig
from gistmill.transforms.sources.rows import ranges_of, row_file, rows_in

_CONFIG = LinesConfig(max_line_bytes=1 << 30)


def read_pairs(path: str, fields: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the texts in two columns of each row; a list of strings becomes lines.

    Args:
        path: a file of JSON Lines, of TSV below a line of column names, or of Parquet; the first two also compressed.
        fields: names of the two columns.

    Raises:
        SourceError: the file cannot be read, or a row lacks a text; one line that names the place.
    """
    for file in expand_inputs([path]):
        opened = row_file(file, _CONFIG)
        for row in (row for place, _ in ranges_of(opened, _CONFIG) for row in rows_in(place, _CONFIG)):
            if isinstance(row, Damage):
                raise SourceError(f"{file.path} cannot be read: {row.message}")
            here = f"{file.path}, {opened.unit} {row.number}"
            if row.problem:
                raise SourceError(f"{here}: {row.problem}")
            yield _text(row.values, fields[0], here), _text(row.values, fields[1], here)


def _text(values: Mapping[str, Any], field: str, place: str) -> str:
    value = values.get(field)
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        value = "\n".join(value)
    if not isinstance(value, str) or not value.strip():
        there = "" if field in values else f"; it has {', '.join(list(values)[:20]) or 'none'}"
        raise SourceError(f"{place} has no text {field!r}{there}")
    return value


def read_words(content: bytes, path: str) -> tuple[str, ...]:
    """Returns the words of a file in UTF-8; a byte order mark at its beginning is dropped.

    Raises:
        WordsError: it is not such a list; one line that names it and what is wrong.
    """
    lines = _lines("--words", content, path)
    try:
        return check_words(lines)
    except WordsError as error:
        raise WordsError(f"--words {path}: {error}") from None


def read_stop_words(content: bytes, path: str) -> frozenset[str]:
    """Returns the stop words of a file in UTF-8; blank lines and a byte order mark at its beginning are dropped.

    Raises:
        WordsError: it is not such a list: a line has several words or what cannot be printed, or there is no word; one
            line that names the file.
    """
    lines = [line.strip() for line in _lines("--stop-words", content, path)]
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise WordsError(f"--stop-words {path}: line {number} has several words: {line!r:.80}")
        if not line.isprintable():
            raise WordsError(f"--stop-words {path}: line {number} has a character that cannot be printed: {line!r:.80}")
    if not any(lines):
        raise WordsError(f"--stop-words {path}: it has no words; for no stop words say --stop-words none")
    return frozenset(line for line in lines if line)


def _lines(flag: str, content: bytes, path: str) -> list[str]:
    try:
        return content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise WordsError(f"{flag} {path} is not a text in UTF-8: byte {error.start} cannot be decoded") from None


def read_table(path: str, names: Sequence[str] | None = None) -> pa.Table:
    """Returns the named columns of a Parquet file, in their order; all without names."""
    with open_input(path) as file:
        return pq.ParquetFile(file).read(columns=None if names is None else list(names), use_threads=False)
