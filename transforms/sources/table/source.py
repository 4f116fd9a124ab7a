"""Source ``table``: CSV, TSV and Parquet files, in which a document is a row."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from gistmill.core.options import HTML, options_of
from gistmill.core.options import PLAIN as PLAIN_TEXT
from gistmill.core.records import Damage, Origin, RangeEnd, Reject
from gistmill.core.verdict import Reason
from gistmill.rules.documents import RawDocument
from gistmill.rules.reasons import ReadReason
from gistmill.transforms.io import open_input, sha256_of
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.listing import public_label, shared_names
from gistmill.transforms.sources.files.parquet import open_parquet
from gistmill.transforms.sources.files.plan import in_order
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceFile, expand_inputs, range_key
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader
from gistmill.transforms.sources.jsonl.document import EmptyText, JsonlFields, to_document
from gistmill.transforms.sources.jsonl.source import JsonlSource
from gistmill.transforms.sources.table.rows import CSV, PARQUET, TABLE, Form, Row, csv_rows, form_of, parquet_rows

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
    parquet = open_parquet(stack.enter_context(open_input(place.path)), place.path)
    fields = [getattr(config, option.name) for option in options_of(JsonlFields) if option.name.endswith("_field")]
    there = [name for name in dict.fromkeys(fields) if name in parquet.schema_arrow.names]
    return parquet_rows(parquet, place.file, range(place.start, place.end), there, place.first_line)


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
    def open(cls, patterns: Sequence[str], config: TableConfig) -> Self:
        """See Source.open."""
        files = expand_inputs(patterns)
        for file in files:
            form_of(file.path, config.text_field)
        return cls(files, replace(config, shared=shared_names(files)))

    def planner(self, workspace: str) -> Planner:
        """See FilesSource.planner."""
        return functools.partial(plan_files, config=self.config)

    def reader(self) -> Reader:
        """See FilesSource.reader."""
        return functools.partial(read_range, config=self.config)
