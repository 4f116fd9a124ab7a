"""Functions that split JSON Lines, CSV, TSV and Parquet files into ranges and read rows from them.

The sources of documents (``documents.py``) and pairs (``pairs.py``) convert these rows to their elements.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.parquet_pages import ParquetBomb, batches_of
from gistmill.core.records import Damage, Origin, RangeEnd, Reason, Reject
from gistmill.transforms.io import open_input, sha256_of
from gistmill.transforms.sources.base import with_end
from gistmill.transforms.sources.files.ranges import (
    UNREAD,
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
)
from gistmill.transforms.sources.lines import (
    BOM,
    JSONL,
    PLAIN,
    LinesConfig,
    NotAnObject,
    breaks_off,
    check_lines,
    check_text,
    kind_in_manifest,
    lines_in,
    lines_of,
    looks_of,
    object_of,
    text_of,
)

CSV, TSV, PARQUET = "csv", "tsv", "parquet"
MAGIC = b"PAR1"
_TSV = re.compile(r"\.tsv(\.\w+)?$", re.IGNORECASE)
_BLOCK = 1 << 20
_SMALLEST_LINES, _SMALLEST_GROUPS = 1 << 16, 1 << 20  # bytes of a range
_COMPRESSED = 4  # bytes of text per compressed byte, for scheduling
_MOST_HELD = 64 << 20  # bytes; larger row groups are read through a buffer per column
_BUFFER = 1 << 20
_BATCH_BYTES, _MOST_ROWS = 4 << 20, 256  # limits on rows held as Python objects
_ID = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")
_MOST_DETAIL = 320  # characters
_MOST_FIELDS, _LONGEST_FIELD = 8, 24


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFile(InputFile):
    """A file of rows.

    Attributes:
        form: JSONL, CSV, TSV (whose cells are not quoted) or PARQUET.
        packing: compression, as returned by ``kind_of``; PLAIN for a Parquet file.
        names: names of all columns of a CSV or TSV file, or of the columns to read from a Parquet file.
        delimiter: delimiter of a CSV file.
        sha256: expected SHA-256 of the file; "" for any.
    """

    form: str
    packing: str = PLAIN
    names: tuple[str, ...] = ()
    delimiter: str = ","
    sha256: str = ""

    @property
    def kind(self) -> str:
        """The file type's name in the manifest, such as ``csv-gzip``."""
        return kind_in_manifest(self.form, self.packing)

    @property
    def unit(self) -> str:
        """The name of the file's rows in messages, and the unit in which they are numbered."""
        return "line" if self.form in (JSONL, TSV) else "row"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRange(FileRange):
    """A range of rows in the file ``of``. In a Parquet file, ``start`` and ``end`` count row groups, and ``first_line``
    is the number of the first row, from 1."""

    of: RowFile


class Row(NamedTuple):
    """A row.

    Attributes:
        number: line number in JSON Lines and TSV files, else row number; from 1.
        offset: offset of the line in bytes, or of the row in rows.
        values: values by column.
        problem: why there are no values; "" if there are.
        oversized: whether the problem is that the line is too long.
        cut: whether the file seems to end inside the row, if the row proves invalid.
    """

    number: int
    offset: int
    values: Mapping[str, Any]
    problem: str = ""
    oversized: bool = False
    cut: bool = False


def row_file(file: InputFile, config: LinesConfig) -> RowFile:
    """Returns a file as Parquet (recognized by its beginning), TSV (by its name) or JSON Lines, with all its columns.

    Raises:
        SourceError: the file is binary but not Parquet, or is TSV without column names in its first line.
    """
    with open_input(file.path) as handle:
        is_parquet = handle.read(len(MAGIC)) == MAGIC
    if is_parquet:
        names = tuple(schema_of(file.path).names)
        return RowFile(file.path, file.size, file.index, form=PARQUET, names=names)
    if not _TSV.search(file.path):
        return RowFile(file.path, file.size, file.index, form=JSONL, packing=check_text(file)[0])
    packing, _ = check_text(file, "TSV")
    line = next(lines_of(file.path, packing, cap=config.max_line_bytes), None)
    if line is None or isinstance(line, Damage) or not line.data.strip():
        raise SourceError(f"{file.path}: the first line must contain the column names")
    try:
        names = tuple(text_of(line).removesuffix("\r").split("\t"))
    except NotAnObject as error:
        raise SourceError(f"{file.path}: not TSV: {error}") from None
    return RowFile(file.path, file.size, file.index, form=TSV, packing=packing, names=names)


def csv_header(head: bytes, delimiter: str) -> tuple[str, ...]:
    """Returns the column names of a CSV file with this beginning, or () if it cannot be CSV."""
    text = head.removeprefix(BOM).decode("utf-8", "replace")
    try:
        names = tuple(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), ()))
    except csv.Error:
        return ()
    return names if all(map(str.isprintable, names)) else ()


def schema_of(path: str) -> pa.Schema:
    """Returns the schema of a Parquet file. Raises SourceError if it is not a Parquet file."""
    with open_input(path) as handle:
        return open_parquet(handle, path).schema_arrow


def plan_file(
    file: RowFile, config: LinesConfig, *, workspace: str = "", limit: int | None = None
) -> tuple[list[RowRange], SourceFile, int]:
    """Returns the ranges of a file, its manifest entry, and the number of its rows up to the limit.

    Raises:
        SourceError: the file is a decompression bomb or a JSON array, or has changed since its dataset was published.
    """
    if file.form == JSONL:
        check_lines(file)
    ranges, taken = [], 0
    for place, rows in ranges_of(file, config):
        if limit is not None:
            place = replace(place, max_documents=limit - taken)
            known = sum(isinstance(row, Row) for row in rows_in(place, config)) if rows is None else rows
            taken += min(known, limit - taken)
        ranges.append(place)
        if taken == limit:
            break
    sha256 = UNREAD if limit is None else None
    if sha256 == UNREAD and file.sha256:
        sha256 = sha256_of(file.path)
        if sha256 != file.sha256:
            raise SourceError(f"{file.path} has changed: its SHA-256 differs from the one in its dataset's manifest")
    return ranges, SourceFile(file.path, file.size, sha256, file.kind), taken


def ranges_of(file: RowFile, config: LinesConfig) -> Iterator[tuple[RowRange, int | None]]:
    """Yields the ranges of a file in order, each with its number of rows or None.

    CSV files, whose cells may contain line ends, and compressed files are single ranges.
    """
    if file.form == PARQUET:
        yield from _ranges_of_groups(file, config)
    elif file.form == CSV or file.packing != PLAIN:
        yield range_of(file, 0, file.size, size=file.size * (1 if file.packing == PLAIN else _COMPRESSED)), None
    else:
        for place in _ranges_of_lines(file, config.target_bytes(file.size, smallest=_SMALLEST_LINES)):
            yield place, None


def range_of(file: RowFile, start: int, end: int, **more: Any) -> RowRange:
    """Returns a range of a file; ``first_line`` in ``more`` is the number of its first line or row."""
    return RowRange.part(file, start, end, kind=file.packing, of=file, **more)


def _ranges_of_lines(file: RowFile, target: int) -> Iterator[RowRange]:
    """Yields ranges of whole lines, each of at least ``target`` bytes except the last."""
    start = position = 0
    first = number = 1
    with open_input(file.path) as handle:
        while block := handle.read(_BLOCK):
            counted = 0
            while (stop := block.find(b"\n", max(start + target - 1 - position, counted))) >= 0:
                number += block.count(b"\n", counted, stop + 1)
                counted = stop + 1
                end = position + counted
                yield range_of(file, start, end, first_line=first)
                start, first = end, number
            number += block.count(b"\n", counted)
            position += len(block)
    if start < position:
        yield range_of(file, start, position, first_line=first)


def _ranges_of_groups(file: RowFile, config: LinesConfig) -> Iterator[tuple[RowRange, int]]:
    """Yields ranges of whole row groups."""
    with open_input(file.path) as handle:
        parquet = open_parquet(handle, file.path)
    if missing := [name for name in file.names if name not in parquet.schema_arrow.names]:
        raise SourceError(f"{file.path} has no column {missing[0]!r}, although its dataset's manifest lists it")
    groups = [parquet.metadata.row_group(i) for i in range(parquet.metadata.num_row_groups)]
    total = sum(group.total_byte_size for group in groups)
    target = config.target_bytes(total, smallest=_SMALLEST_GROUPS, ratio=max(1, total // max(1, file.size)))
    start = before = rows = size = 0
    for end, group in enumerate(groups, 1):
        rows, size = rows + group.num_rows, size + group.total_byte_size
        if size >= target or end == len(groups):
            yield range_of(file, start, end, size=size, first_line=before + 1), rows
            start, before, rows, size = end, before + rows, 0, 0


def read_range(
    place: RowRange, config: Any, element_of: Callable[[Row, RowRange, Any], Any]
) -> Iterator[Any | Reject | RangeEnd]:
    """Yields the result of ``element_of``, which may be a Reject, for every row of a range, in order; then a RangeEnd.

    Raises SourceError if the file is a decompression bomb.
    """
    yield from with_end(place, _elements(place, config, element_of))


def _elements(place: RowRange, config: Any, element_of: Callable[[Row, RowRange, Any], Any]) -> Iterator[Any]:
    for row in rows_in(place, config):
        if isinstance(row, Damage):
            yield row
            continue
        element = element_of(row, place, config)
        if row.cut and isinstance(element, Reject):
            yield Damage(place.file, row.offset, f"the file ends inside line {row.number}")
        yield element


def rows_in(place: RowRange, config: LinesConfig) -> Iterator[Row | Damage]:
    """Yields the non-blank rows of a range, at most ``max_documents``, and damage.

    Raises SourceError if the file is a decompression bomb.
    """
    read = 0
    for row in {CSV: _csv_rows, PARQUET: _parquet_rows}.get(place.of.form, _line_rows)(place, config):
        yield row
        read += isinstance(row, Row)
        if read == place.max_documents:
            return


def _line_rows(place: RowRange, config: LinesConfig) -> Iterator[Row | Damage]:
    is_tsv, names = place.of.form == TSV, place.of.names
    looks = str if is_tsv else looks_of(place)
    for line in lines_in(place, config):
        if isinstance(line, Damage):
            yield line
            continue
        if is_tsv and line.number == 1:
            continue
        values: Mapping[str, Any] = {}
        problem = ""
        if line.oversized:
            problem = f"{line.length} bytes long"
        else:
            try:
                values = _by_name(names, text_of(line).removesuffix("\r").split("\t")) if is_tsv else object_of(line)
            except ValueError as error:
                problem = f"{error}{looks()}"
        is_cut = not line.closed and place.kind == PLAIN and (is_tsv or breaks_off(line))
        yield Row(line.number, line.offset, values, problem, line.oversized, is_cut)


def _by_name(names: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    if len(cells) != len(names):
        raise ValueError(f"{len(cells)} cells, but the header has {len(names)}")
    return dict(zip(names, cells, strict=True))


def _csv_rows(place: RowRange, config: LinesConfig) -> Iterator[Row | Damage]:
    csv.field_size_limit(config.max_line_bytes)
    damage: list[Damage] = []
    rows = csv.reader(_csv_lines(place, config, damage), delimiter=place.of.delimiter, strict=True)
    number = -1  # the header is number 0
    while True:
        values: Mapping[str, Any] = {}
        problem = ""
        try:
            if not (cells := next(rows)):
                continue
            values = _by_name(place.of.names, cells)
            "".join(cells).encode()
        except StopIteration:
            break
        except UnicodeEncodeError:  # a surrogate represents an invalid byte
            problem = "not UTF-8"
        except csv.Error as error:
            problem = f"not CSV: {error}"
        except ValueError as error:
            problem = str(error)
        number += 1
        if number:
            yield Row(number, number - 1, {} if problem else values, problem)
    yield from damage


def _csv_lines(place: RowRange, config: LinesConfig, damage: list[Damage]) -> Iterator[str]:
    """Yields the lines of a file; damage is appended to ``damage``."""
    for line in lines_of(place.path, place.kind, cap=config.max_line_bytes):
        if isinstance(line, Damage):
            damage.append(line)
            return
        data = line.data.removeprefix(BOM) if line.number == 1 else line.data
        # an oversized line is replaced by an invalid byte, so that its row is rejected
        yield ("\udcff" if line.oversized else data.decode("utf-8", "surrogateescape")) + "\n"


def _parquet_rows(place: RowRange, config: LinesConfig) -> Iterator[Row | Damage]:
    """Yields the rows of a range, and a Damage for each row group that cannot be read."""
    number = place.first_line
    with open_input(place.path) as handle:
        parquet = open_parquet(handle, place.path)
        for group in range(place.start, place.end):
            metadata = parquet.metadata.row_group(group)
            try:
                for at, values in enumerate(_rows_of_group(parquet, handle, place, group), number):
                    yield (
                        Row(at, at - 1, {}, str(values)) if isinstance(values, ValueError) else Row(at, at - 1, values)
                    )
            except (OSError, pa.ArrowException) as error:
                if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
                    raise  # the disk or store failed; the file is not damaged
                chunks = (metadata.column(i) for i in range(metadata.num_columns))
                offset = min((c.dictionary_page_offset or c.data_page_offset for c in chunks), default=0)
                yield Damage(place.file, offset, f"a row group cannot be read: {_one_line(error)}")
            number += metadata.num_rows


def _rows_of_group(
    parquet: pq.ParquetFile, handle: BinaryIO, place: RowRange, group: int
) -> Iterator[Mapping[str, Any] | ValueError]:
    """Yields the rows of a row group; for a row with invalid text, the error."""
    metadata = parquet.metadata.row_group(group)
    each = max(1, metadata.total_byte_size // max(1, metadata.num_rows))
    rows = max(1, min(_BATCH_BYTES // each, _MOST_ROWS))
    for batch in checked_batches(parquet, handle, place.file, rows, groups=[group], columns=place.of.names):
        try:
            yield from batch.to_pylist()
        except ValueError:  # some row is invalid
            for index in range(batch.num_rows):
                try:
                    yield from batch.slice(index, 1).to_pylist()
                except ValueError as error:
                    yield error


def open_parquet(handle: BinaryIO, path: str) -> pq.ParquetFile:
    """Returns a reader for a Parquet file. Raises SourceError if it is not a Parquet file."""
    try:
        metadata = pq.read_metadata(handle)
        groups = (metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
        held = max(groups, default=0) <= _MOST_HELD
        return pq.ParquetFile(handle, metadata=metadata, pre_buffer=held, buffer_size=0 if held else _BUFFER)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is not a Parquet file: {_one_line(error)}") from None


def checked_batches(
    parquet: pq.ParquetFile,
    handle: BinaryIO,
    path: str,
    rows: int,
    *,
    groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yields the batches from ``batches_of``. Raises SourceError for a decompression bomb."""
    try:
        yield from batches_of(parquet, handle, rows, groups=groups, columns=columns)
    except ParquetBomb as error:
        raise SourceError(f"{path}: {error}") from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def origin_of(row: Row, place: RowRange, source: str, row_id: str = "") -> Origin:
    """Returns the origin of a row; its id is FILE#OFFSET if ``row_id`` is empty."""
    file = place.file
    return Origin(row_id or f"{file}#{row.offset}", source, file=file, offset=row.offset, range_key=place.key)


def reject_of(row: Row, place: RowRange, source: str, reason: Reason, detail: str, row_id: str = "") -> Reject:
    """Returns the Reject of a row in stage ``read``; its detail begins with the row's number."""
    shown = " ".join(detail.split())[:_MOST_DETAIL]
    text = f"{place.of.unit} {row.number}{': ' if shown else ''}{shown}"
    return origin_of(row, place, source, row_id).reject(reason, "read", text)


def own_id(value: Any, name: str) -> str:
    """Returns an id as text; "" for None and for blank text, as in empty table cells.

    Raises:
        ValueError: ``value``, from the field ``name``, cannot be an id.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not _ID.fullmatch(str(value).strip()):
        raise ValueError(
            f"{name!r} is not a valid id: it must be a whole number or a string of at most 200 characters, without "
            "control characters"
        )
    return str(value).strip()


def joined(value: Any, separator: str) -> Any:
    """Joins a list of strings into one string; returns any other value unchanged."""
    strings = isinstance(value, list) and all(isinstance(part, str) for part in value)
    return separator.join(value) if strings else value


def no_field(name: str, there: Iterable[str], *, flag: str) -> str:
    """Returns the error message for a missing field, with the names of existing fields, shortened if necessary, and the
    option that specifies the field."""
    names = list(there)
    shown = [repr(n if len(n) <= _LONGEST_FIELD else f"{n[: _LONGEST_FIELD - 1]}…") for n in names[:_MOST_FIELDS]]
    more = f" and {len(names) - _MOST_FIELDS} more" if len(names) > _MOST_FIELDS else ""
    fields = f"the fields are {', '.join(shown)}{more}" if names else "there are no fields"
    return f"no field {name!r}; {fields}; specify one with {flag}"


_WHOLE = LinesConfig(max_line_bytes=1 << 30)


def read_pairs(path: str, fields: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the texts in two columns of each row; a list of strings is joined with newlines.

    Args:
        path: a Parquet file, a JSON Lines file, or a TSV file with column names; all but Parquet may be compressed.
        fields: names of the two columns.

    Raises:
        SourceError: the file cannot be read, or a row lacks a text; the message is one line that gives the place.
    """
    for file in expand_inputs([path]):
        opened = row_file(file, _WHOLE)
        for row in (row for place, _ in ranges_of(opened, _WHOLE) for row in rows_in(place, _WHOLE)):
            if isinstance(row, Damage):
                raise SourceError(f"{file.path} cannot be read: {row.message}")
            here = f"{file.path}, {opened.unit} {row.number}"
            if row.problem:
                raise SourceError(f"{here}: {row.problem}")
            yield _text_in(row.values, fields[0], here), _text_in(row.values, fields[1], here)


def _text_in(values: Mapping[str, Any], field: str, place: str) -> str:
    value = joined(values.get(field), "\n")
    if not isinstance(value, str) or not value.strip():
        there = "" if field in values else f"; fields: {', '.join(list(values)[:20]) or 'none'}"
        raise SourceError(f"{place}: no text in field {field!r}{there}")
    return value
