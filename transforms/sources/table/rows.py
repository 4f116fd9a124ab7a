"""The rows of a table: a CSV or TSV file, packed or not, or a Parquet file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.foreign import foreign_form
from gistmill.transforms.sources.files.looks import and_looks, hint_of, looks_like
from gistmill.transforms.sources.files.parquet import MAGIC, one_line, open_parquet, place_of, rows_of
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.jsonl.lines import PLAIN, Line, begins, kind_of, lines_of
from gistmill.transforms.sources.jsonl.objects import BOM, no_field

TABLE, CSV, PARQUET = "table", "csv", "parquet"
_DELIMITERS = ",", "\t", ";"
_MOST_BYTES = 16 << 20  # of a line, and of a cell


class Row(NamedTuple):
    """A row: its ``number``, counted from 1 over the file, and its ``values`` by column, or the ``problem``."""

    number: int
    values: Mapping[str, Any]
    problem: str = ""


class Form(NamedTuple):
    """What a table is: ``kind`` is CSV or PARQUET; of CSV how it is packed (``kind_of``), and its delimiter."""

    kind: str
    packing: str = ""
    delimiter: str = ""


def form_of(path: str, text_field: str) -> Form:
    """Returns the form of a table by its beginning, whatever its name.

    Raises:
        SourceError: it is not a table, or has no column for the text; the message names the columns.
    """
    with open_input(path) as handle:
        if handle.read(len(MAGIC)) == MAGIC:
            handle.seek(0)
            columns = open_parquet(handle, path).schema_arrow.names
            if text_field in columns:
                return Form(PARQUET)
            raise SourceError(f"{path}: {no_field(text_field, columns, flag='--text-field')}")
    packing = kind_of(path)
    head = begins(path, packing)
    if form := foreign_form(head, path):
        raise SourceError(f"{path}: not a table (CSV, TSV or Parquet), but {form}")
    if hint := hint_of(looks := looks_like(head), "", asked=TABLE):
        raise SourceError(f"{path}: not a table (CSV, TSV or Parquet); it looks like {looks}{hint}")
    found = {delimiter: _header(head, delimiter) for delimiter in _DELIMITERS}
    for delimiter, columns in found.items():
        if text_field in columns:
            return Form(CSV, packing, delimiter)
    columns = max(found.values(), key=len)
    if len(columns) < 2:
        looks = and_looks(head, path if packing == PLAIN else "", asked=TABLE)
        raise SourceError(f"{path}: not a table (CSV, TSV or Parquet){looks}")
    raise SourceError(f"{path}: {no_field(text_field, columns, flag='--text-field')}")


def _header(head: bytes, delimiter: str) -> list[str]:
    text = head.removeprefix(BOM).decode("utf-8", "replace")
    try:
        columns = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return []
    return columns if all(map(str.isprintable, columns)) else []


def csv_rows(path: str, form: Form) -> Iterator[Row | Damage]:
    """Yields the rows of a CSV file that are not blank; after a Damage, no more. Raises SourceError: a bomb."""
    csv.field_size_limit(_MOST_BYTES)
    damage: list[Damage] = []
    reader = csv.reader(_lines(path, form.packing, damage), delimiter=form.delimiter, strict=True)
    columns, number = next(reader, []), 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            number += 1
            yield Row(number, {}, f"not CSV: {error}")
            continue
        if cells:
            number += 1
            yield _row(number, columns, cells)
    yield from damage


def _row(number: int, columns: Sequence[str], cells: Sequence[str]) -> Row:
    if len(cells) != len(columns):
        return Row(number, {}, f"{len(cells)} cells, and the header has {len(columns)}")
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:  # half a surrogate stands for a byte
        return Row(number, {}, "not UTF-8")
    return Row(number, dict(zip(columns, cells, strict=True)))


def _lines(path: str, packing: str, damage: list[Damage]) -> Iterator[str]:
    """Yields the lines of a file; what is damaged is appended to ``damage``."""
    for line in lines_of(path, packing, cap=_MOST_BYTES):
        if isinstance(line, Damage):
            damage.append(line)
            return
        yield _text(line)


def _text(line: Line) -> str:
    data = line.data.removeprefix(BOM) if line.number == 1 else line.data
    # an oversized line is one byte that is not UTF-8, so that its row is rejected
    return ("\udcff" if line.oversized else data.decode("utf-8", "surrogateescape")) + "\n"


def parquet_rows(
    parquet: pq.ParquetFile, path: str, groups: range, columns: Sequence[str], first: int
) -> Iterator[Row | Damage]:
    """Yields the rows of row groups, the first of number ``first``; what a row group cannot give is a Damage."""
    number = first
    for group in groups:
        metadata = parquet.metadata.row_group(group)
        try:
            for at, row in enumerate(rows_of(parquet, group, list(columns)), number):
                if isinstance(row, ValueError):
                    yield Row(at, {}, str(row))
                else:
                    yield Row(at, {name: _plain(value) for name, value in row.items()})
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
                raise  # the disk or the store, not the file
            yield Damage(path, place_of(metadata), f"a row group cannot be read: {one_line(error)}")
        number += metadata.num_rows


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value  # times are dates, too
