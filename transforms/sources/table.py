"""Source ``table``: CSV, TSV and Parquet files, in which a document is a row."""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Any, BinaryIO, NamedTuple, Self

import pyarrow as pa
import pyarrow.parquet as pq
from typing_extensions import override

from gistmill.core.options import HTML, options_of
from gistmill.core.options import PLAIN as PLAIN_TEXT
from gistmill.core.records import Damage, Origin, RangeEnd, Reason, Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.transforms.io import open_input, sha256_of
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.parquet import MAGIC, one_line, open_parquet, place_of, rows_of
from gistmill.transforms.sources.files.ranges import (
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    range_key,
)
from gistmill.transforms.sources.files.sniff import and_looks, foreign_form, hint_of, looks_like
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader, in_order, public_label, shared_names
from gistmill.transforms.sources.jsonl.rows import (
    BOM,
    PLAIN,
    EmptyText,
    JsonlFields,
    begins,
    kind_of,
    lines_of,
    no_field,
    to_document,
)
from gistmill.transforms.sources.jsonl.source import JsonlSource

TABLE, CSV, PARQUET = "table", "csv", "parquet"
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
    found = {delimiter: _header(head, delimiter) for delimiter in (",", "\t", ";")}
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
        data = line.data.removeprefix(BOM) if line.number == 1 else line.data
        # an oversized line is one byte that is not UTF-8, so that its row is rejected
        yield ("\udcff" if line.oversized else data.decode("utf-8", "surrogateescape")) + "\n"


def parquet_rows(
    parquet: pq.ParquetFile, handle: BinaryIO, path: str, groups: range, columns: Sequence[str], first: int
) -> Iterator[Row | Damage]:
    """Yields the rows of row groups, the first of number ``first``; what a row group cannot give is a Damage. Raises
    SourceError: a bomb."""
    number = first
    for group in groups:
        metadata = parquet.metadata.row_group(group)
        try:
            for at, row in enumerate(rows_of(parquet, handle, path, group, list(columns)), number):
                if isinstance(row, ValueError):
                    yield Row(at, {}, str(row))
                else:
                    # times are dates, too
                    plain = {k: v.isoformat() if isinstance(v, date) else v for k, v in row.items()}
                    yield Row(at, plain)
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
                raise  # the disk or the store, not the file
            yield Damage(path, place_of(metadata), f"a row group cannot be read: {one_line(error)}")
        number += metadata.num_rows


_SMALLEST_RANGE = 1 << 20
_MOST_DETAIL = 320  # characters


@dataclass(frozen=True, kw_only=True)
class TableConfig(JsonlFields, FilesConfig):
    """How tables are read; a CSV file is one range, because a cell may hold line ends.

    Attributes (not options):
        shared: names that more than one input file has, in different folders.
    """

    shared: frozenset[str] = frozenset()


def plan_files(files: Sequence[InputFile], *, config: TableConfig) -> Iterator[FileRange | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first documents.

    Raises:
        SourceError: as form_of, or a decompression bomb.
    """
    return in_order(files, functools.partial(plan_file, config=config), limit=config.limit)


def plan_file(
    file: InputFile, config: TableConfig, *, limit: int | None = None
) -> tuple[list[FileRange], SourceFile, int]:
    """Plans one file; with ``limit`` only its first rows.

    Returns:
        The ranges in order, what the manifest says of the file, and how many rows the limit took.

    Raises:
        SourceError: as plan_files.
    """
    form = form_of(file.path, config.text_field)
    sha256 = sha256_of(file.path) if limit is None else None
    source = SourceFile(file.path, file.size, sha256, form.packing.replace("jsonl", CSV) or PARQUET)
    if form.kind == PARQUET:
        ranges, rows = _row_groups(file, config, limit)
        return ranges, source, rows
    whole = FileRange(
        key=range_key(file.index, 0),
        file=file.path,
        path=file.path,
        kind=CSV,
        start=0,
        end=file.size,
        size=file.size,
        last=True,
        max_documents=limit,
    )
    rows = 0 if limit is None else sum(isinstance(r, Row) for r in islice(csv_rows(file.path, form), limit))
    return [whole], source, rows


def _row_groups(file: InputFile, config: TableConfig, limit: int | None) -> tuple[list[FileRange], int]:
    """Returns ranges of whole row groups, and how many rows they have with the limit."""
    with open_input(file.path) as handle:
        metadata = open_parquet(handle, file.path).metadata
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    target = config.target_bytes(sum(g.total_byte_size for g in groups), smallest=_SMALLEST_RANGE)
    ranges: list[FileRange] = []
    start = size = rows = taken = 0
    for number, group in enumerate(groups, 1):
        size, rows = size + group.total_byte_size, rows + group.num_rows
        full = limit is not None and taken + rows >= limit
        if size >= target or full or number == len(groups):
            place = FileRange(
                key=range_key(file.index, start),
                file=file.path,
                path=file.path,
                kind=PARQUET,
                start=start,
                end=number,
                size=size,
                last=number == len(groups),
                first_line=taken + 1,
            )
            ranges.append(replace(place, max_documents=limit - taken) if full and limit is not None else place)
            start, taken, size, rows = number, taken + rows, 0, 0
            if full:
                break
    return ranges, taken


def read_range(place: FileRange, config: TableConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields every row of a range, as a document or a reject, in order; then one RangeEnd.

    Raises:
        SourceError: a decompression bomb.
    """
    read, damage, label = 0, [], public_label(place.file, config.shared)
    with ExitStack() as stack:
        for row in _rows(place, config, stack):
            if isinstance(row, Damage):
                damage.append(row)
                continue
            if read == place.max_documents:
                break
            read += 1
            yield _element(row, place, config, label)
    yield RangeEnd(place.key, read, tuple(damage))


def _rows(place: FileRange, config: TableConfig, stack: ExitStack) -> Iterator[Row | Damage]:
    form: Form = form_of(place.path, config.text_field)
    if form.kind == CSV:
        return csv_rows(place.path, form)
    handle = stack.enter_context(open_input(place.path))
    parquet = open_parquet(handle, place.path)
    fields = [getattr(config, option.name) for option in options_of(JsonlFields) if option.name.endswith("_field")]
    there = [name for name in dict.fromkeys(fields) if name in parquet.schema_arrow.names]
    return parquet_rows(parquet, handle, place.file, range(place.start, place.end), there, place.first_line)


def _element(row: Row, place: FileRange, config: TableConfig, label: str) -> RawDocument | Reject:
    offset = row.number - 1
    unnamed = Origin(f"{place.file}#{offset}", TABLE, file=place.file, offset=offset, range_key=place.key)

    def reject(reason: Reason, detail: str) -> Reject:
        return unnamed.reject(reason, "read", f"row {row.number}: {' '.join(detail.split())[:_MOST_DETAIL]}")

    if row.problem:
        return reject(ReadReason.BAD_LINE, row.problem)
    try:
        return to_document(row.values, unnamed, config, otherwise=f"{TABLE}-{label}-{row.number}")
    except EmptyText as error:
        return reject(ReadReason.EMPTY_PAGE, str(error))
    except ValueError as error:
        return reject(ReadReason.BAD_LINE, str(error))


class TableSource(FilesSource[TableConfig]):
    """Tables with a text in each row."""

    NAME = TABLE
    HELP = "CSV and TSV (plain, gz, bz2, zst, xz) and Parquet, with a text in each row"
    CONFIG = TableConfig
    MARKUPS = frozenset({PLAIN_TEXT, HTML})
    PROVENANCE = JsonlSource.PROVENANCE

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: TableConfig) -> Self:
        files = expand_inputs(patterns)
        for file in files:
            form_of(file.path, config.text_field)
        return cls(files, replace(config, shared=shared_names(files)))

    @override
    def planner(self, workspace: str) -> Planner:
        return functools.partial(plan_files, config=self.config)

    @override
    def reader(self) -> Reader:
        return functools.partial(read_range, config=self.config)
