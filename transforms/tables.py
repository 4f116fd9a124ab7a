"""Tables, pairs and lists of words in files that a user provides: JSON Lines, TSV, plain text or Parquet.

The text formats may be compressed with gzip or bzip2. Text is UTF-8; a byte order mark at its beginning is dropped.
"""

from __future__ import annotations

import bz2
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.parquet_pages import ParquetBomb, batches_of
from gistmill.rules.synthetic.language import WordsError, check_words
from gistmill.transforms.io import open_input

PARQUET, JSONL, TSV, TEXT = "parquet", "jsonl", "tsv", "txt"
_NAME = re.compile(r"\.(?P<format>jsonl|ndjson|parquet|tsv|txt)(?P<packing>\.gz|\.bz2)?$", re.IGNORECASE)
_BATCH_ROWS = 256
_BOM = "\ufeff"


class TableError(ValueError):
    """A file of texts that cannot be read; the text is one line that names it and what is wrong."""


@dataclass(frozen=True, slots=True)
class Table:
    """An open file. ``format`` is PARQUET, JSONL, TSV or TEXT; ``file`` holds its bytes, decompressed."""

    path: str
    format: str
    file: BinaryIO

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yields (place, line without its end) of a text file; a place is ``PATH, line N``, for messages."""
        for number, line in enumerate(self.file, 1):
            text = line.decode("utf-8").rstrip("\r\n")
            yield f"{self.path}, line {number}", text.removeprefix(_BOM) if number == 1 else text

    def json_values(self) -> Iterator[tuple[str, Any]]:
        """Yields (place, value) of each line of a JSON Lines file; blank lines are skipped.

        Raises:
            TableError: a line is not JSON.
        """
        for place, line in self.lines():
            if line.strip():
                try:
                    yield place, json.loads(line)
                except ValueError as error:
                    raise TableError(f"{place} is not JSON: {error}") from None

    def parquet(self) -> pq.ParquetFile:
        """Returns the reader of a Parquet file."""
        return pq.ParquetFile(self.file)

    def rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yields (place, values by column name) of each row; the first line of a TSV file names its columns.

        Raises:
            TableError: a line of a JSON Lines file is not a JSON object.
        """
        readers = {PARQUET: self._parquet_rows, JSONL: self._jsonl_rows, TSV: self._tsv_rows}
        yield from readers[self.format]()

    def _jsonl_rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for place, row in self.json_values():
            if not isinstance(row, dict):
                raise TableError(f"{place} is not an object")
            yield place, row

    def _tsv_rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        lines = self.lines()
        _, header = next(lines, ("", ""))
        names = header.split("\t")
        for place, line in lines:
            if line:
                yield place, dict(zip(names, line.split("\t"), strict=False))

    def _parquet_rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        number = 0
        for batch in batches_of(self.parquet(), self.file, _BATCH_ROWS):
            for row in batch.to_pylist():
                number += 1
                yield f"{self.path}, row {number}", row


@contextmanager
def open_table(path: str, formats: Sequence[str], what: str) -> Iterator[Table]:
    """Opens a file by its name; what goes wrong within the block becomes one line that names the file.

    Args:
        path: a path or URL.
        formats: those of PARQUET, JSONL, TSV and TEXT that are allowed, PARQUET last.
        what: what the file holds, for messages: "pairs".

    Raises:
        TableError: the name has another ending, or the file is missing, damaged or not UTF-8.
    """
    name = _NAME.search(path)
    form = name["format"].lower().replace("ndjson", JSONL) if name else ""
    packing = (name["packing"] or "").lower() if name else ""
    if form not in formats or (form == PARQUET and packing):
        *texts, last = (f".{f}" for f in formats)
        raise TableError(
            f"{path}: {what} are in {', '.join(texts)} or {last} files, all but the last also in .gz or .bz2"
        )
    try:
        with open_input(path) as raw:
            file = raw
            if packing:
                file = cast(BinaryIO, gzip.GzipFile(fileobj=raw) if packing == ".gz" else bz2.BZ2File(raw))
            yield Table(path, form, file)
    except UnicodeDecodeError as error:
        raise TableError(f"{path} is not UTF-8: {error}") from None
    except (OSError, EOFError, RecursionError, ParquetBomb, zlib.error, pa.ArrowException) as error:
        raise TableError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


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


def read_table(path: str, names: Sequence[str]) -> pa.Table:
    """Returns the named columns of a Parquet file, in their order."""
    with open_input(path) as file:
        return pq.ParquetFile(file).read(columns=list(names), use_threads=False)
