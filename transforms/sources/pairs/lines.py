"""Pairs in files of lines: JSON Lines and TSV, plain or compressed."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from gistmill.core.records import Damage, Pair, RangeEnd, Reject
from gistmill.rules.reasons import PairReason, ReadReason
from gistmill.transforms.sources.files.listing import public_label
from gistmill.transforms.sources.files.ranges import InputFile, SourceError, SourceFile
from gistmill.transforms.sources.jsonl.lines import PLAIN, Line, lines_of
from gistmill.transforms.sources.jsonl.objects import BOM, NotAnObject, breaks_off, object_of
from gistmill.transforms.sources.jsonl.source import check_jsonl, lines_in, looks_of, plan_file
from gistmill.transforms.sources.pairs.config import PairsConfig
from gistmill.transforms.sources.pairs.ranges import JSONL, TSV, PairFile, PairRange, of_file
from gistmill.transforms.sources.pairs.rows import Rows

_LOOKED_AT = 64  # lines of JSON Lines, among which the fields have to be


def header_of(file: InputFile, config: PairsConfig) -> tuple[str, ...]:
    """Returns the names of the columns of a TSV file.

    Raises:
        SourceError: it does not begin with a line of them, or two that are read have one name.
    """
    kind = check_jsonl(file, "TSV")
    line = next(lines_of(file.path, kind, cap=config.max_line_bytes), None)
    if not isinstance(line, Line) or not line.data.strip():
        raise SourceError(f"{file.path} does not begin with the names of its columns")
    try:
        names = tuple(_cells(line))
    except UnicodeDecodeError as error:
        raise SourceError(f"{file.path}: not TSV in UTF-8: {error}") from None
    if twice := [name for name in config.fields.values() if names.count(name) > 1]:
        raise SourceError(f"{file.path} has two columns {twice[0]!r}")
    return names


def fields_of(file: InputFile, config: PairsConfig) -> set[str]:
    """Returns the fields of the first objects of a file of JSON Lines; lines that hold none are passed over.

    Raises:
        SourceError: binary, or UTF-16; the message names it.
    """
    kind = check_jsonl(file)
    found: set[str] = set()
    for line in islice(lines_of(file.path, kind, cap=config.max_line_bytes), _LOOKED_AT):
        if isinstance(line, Line):
            with contextlib.suppress(ValueError):
                found |= object_of(line).keys()
    return found


def plan_lines(
    file: PairFile, config: PairsConfig, *, limit: int | None = None
) -> tuple[list[PairRange], SourceFile, int]:
    """Plans one file; arguments, results and errors are those of plan_file of JSON Lines."""
    head = int(file.form == TSV)
    ranges, source, lines = plan_file(file, config, limit=None if limit is None else limit + head)
    kind = source.kind.replace(JSONL, file.form)
    return [of_file(place, file) for place in ranges], dataclasses.replace(source, kind=kind), max(lines - head, 0)


def read_lines(place: PairRange, config: PairsConfig) -> Iterator[Pair | Reject | RangeEnd]:
    """Yields every line of a range that is not blank, as a pair or a reject, in order; then one RangeEnd.

    Raises:
        SourceError: a decompression bomb.
    """
    rows = Rows(place, label=public_label(place.file, config.shared), cap=config.max_line_bytes)
    looks, read, damage = looks_of(place), 0, []
    for line in lines_in(place, config, most=place.max_documents):
        if isinstance(line, Damage):
            damage.append(line)
            continue
        if place.of.form == TSV and line.number == 1:
            continue
        read += 1
        element = _element(line, place, rows, looks)
        if isinstance(element, Reject) and place.kind == PLAIN and _breaks_off(line, place):
            damage.append(Damage(place.file, line.offset, f"the file ends inside line {line.number}"))
        yield element
    yield RangeEnd(place.key, read, tuple(damage))


def _breaks_off(line: Line, place: PairRange) -> bool:
    return not line.closed if place.of.form == TSV else breaks_off(line)


def _element(line: Line, place: PairRange, rows: Rows, looks: Callable[[], str]) -> Pair | Reject:
    if line.oversized:
        return rows.reject(ReadReason.TOO_LARGE, f"{line.length} bytes long", line.number, line.offset)
    try:
        row = _row(line, place.of.header) if place.of.form == TSV else object_of(line)
    except NotAnObject as error:
        return rows.reject(PairReason.BAD_ROW, f"{error}{looks()}", line.number, line.offset)
    except UnicodeDecodeError as error:
        detail = f"not UTF-8: {error.reason} at byte {error.start}"
        return rows.reject(PairReason.BAD_ROW, detail, line.number, line.offset)
    except ValueError as error:
        return rows.reject(PairReason.BAD_ROW, str(error), line.number, line.offset)
    return rows.pair(row, number=line.number, offset=line.offset)


def _row(line: Line, header: tuple[str, ...]) -> Mapping[str, str]:
    cells = _cells(line)
    if len(cells) != len(header):
        raise ValueError(f"{len(cells)} cells, where the file has {len(header)} columns")
    return dict(zip(header, cells, strict=True))


def _cells(line: Line) -> list[str]:
    data = line.data.removeprefix(BOM) if line.number == 1 else line.data
    return data.decode("utf-8").removesuffix("\r").split("\t")
