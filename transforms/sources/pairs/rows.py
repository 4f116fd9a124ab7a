"""Pairs in files of lines and of Parquet, in ranges, each row a pair or a reject."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.options import option
from gistmill.core.records import Damage, Origin, Pair, RangeEnd, Reason, Reject
from gistmill.core.values import TEXT, whole
from gistmill.rules.documents import PairReason, ReadReason
from gistmill.rules.mixture import Share
from gistmill.rules.text.prose import without_controls
from gistmill.transforms.io import open_input, sha256_of
from gistmill.transforms.sources.files.parquet import one_line, open_parquet, place_of, rows_of
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError, SourceFile, range_key
from gistmill.transforms.sources.files.source import public_label
from gistmill.transforms.sources.jsonl.rows import (
    BOM,
    PLAIN,
    Line,
    NotAnObject,
    breaks_off,
    lines_of,
    no_field,
    object_of,
    own_id,
)
from gistmill.transforms.sources.jsonl.source import LinesConfig, check_jsonl, lines_in, looks_of, plan_file

JSONL, TSV, PARQUET = "jsonl", "tsv", "parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFile(InputFile):
    """A file to read.

    Attributes:
        form: JSONL, TSV or PARQUET.
        columns: the columns to read, in order: of each its name in the file and its name in a Pair.
        header: names of all columns of a TSV file.
        published: whether it is a shard of a published dataset, so that its rows have ids and nothing is to mend.
        split: of a shard.
        sha256: that a shard has to have.
        share: what a mixture has of it.
    """

    form: str
    columns: tuple[tuple[str, str], ...]
    header: tuple[str, ...] = ()
    published: bool = False
    split: str = ""
    sha256: str = ""
    share: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRange(FileRange):
    """Rows of a file of pairs. ``start`` and ``end`` count row groups in Parquet files; ``first_line`` is the number of
    the first row there, and everywhere else of the first line.

    Attributes:
        of: the file.
    """

    of: PairFile


def of_file(place: FileRange, file: PairFile) -> PairRange:
    """Returns a range of a file of lines as a range of pairs."""
    values = {field.name: getattr(place, field.name) for field in dataclasses.fields(place)}
    return PairRange(**values, of=file)


ID, INPUTS, TARGETS = "id", "inputs", "targets"  # what the fields are called in a Pair
FLAGS = {ID: "--id-field", INPUTS: "--inputs-field", TARGETS: "--targets-field"}


@dataclass(frozen=True, kw_only=True)
class PairsConfig(LinesConfig):
    """Which fields of a row hold what, and how files are read.

    Attributes (not options):
        max_line_bytes: a line, or the texts of a pair, over this size are rejected as TOO_LARGE.
    """

    GROUP: ClassVar[str] = "input"

    limit: int | None = option(whole(1), unit="pairs", help="read only the first N pairs, in order of file and row")
    id_field: str = option(
        TEXT,
        default=ID,
        metavar="KEY",
        help="field of an id that is unique over the input; a row of a file without it gets one from the file's name "
        "and the row's number",
    )
    inputs_field: str = option(
        TEXT, default=INPUTS, metavar="KEY", help="field of the inputs, a string or a list of strings, which are lines"
    )
    targets_field: str = option(
        TEXT, default=TARGETS, metavar="KEY", help="field of the targets, a string or a list of strings"
    )

    def check(self) -> None:
        """Raises ValueError where two options name one field, and for a size that is not positive."""
        super().check()
        fields = (self.id_field, self.inputs_field, self.targets_field)
        if len(set(fields)) < len(fields):
            raise ValueError(f"id_field, inputs_field and targets_field have to differ, and are {', '.join(fields)}")

    @property
    def fields(self) -> dict[str, str]:
        """The names that ``id``, ``inputs`` and ``targets`` have in the input."""
        return {ID: self.id_field, INPUTS: self.inputs_field, TARGETS: self.targets_field}


SOURCE = "pairs"
DOCUMENT = "document_id"
_MOST_DETAIL = 320  # characters


class Rows:
    """Makes pairs of the rows of a range.

    Args:
        place: the range.
        label: the file's name, unique among the inputs, for ids.
        cap: bytes that the texts of a pair may have.
    """

    def __init__(self, place: PairRange, *, label: str, cap: int) -> None:
        self._place, self._label, self._cap = place, label, cap
        self._what = "row" if place.of.form == PARQUET else "line"
        self._fields = {name: own for own, name in place.of.columns}

    def pair(self, row: Mapping[str, Any], *, number: int, offset: int) -> Pair | Reject:
        """Returns the pair of a row, or a Reject of stage ``read`` whose detail names the row.

        Args:
            row: values by the names that the file has for them.
            number: of the row or line in its file, from 1.
            offset: of the line in bytes, or of the row in rows.
        """
        values = {name: row.get(own) for name, own in self._fields.items()}
        row_id = ""
        try:
            own = values.get(ID)
            if self._place.of.published:
                row_id = own if isinstance(own, str) else ""
            else:
                row_id = own_id(own, self._fields.get(ID, ID)) or f"{SOURCE}-{self._label}-{number}"
            if not row_id:
                return self.reject(PairReason.NO_ID, "", number=number, offset=offset)
            texts = {name: self._text(values.get(name), self._fields[name]) for name in (INPUTS, TARGETS)}
        except ValueError as error:
            return self.reject(PairReason.BAD_ROW, str(error), number=number, offset=offset, row_id=row_id)
        for name, text in texts.items():
            if not text.strip():
                return self.reject(PairReason.NO_TEXT, self._missing(name, row), number, offset, row_id)
        if 4 * sum(map(len, texts.values())) > self._cap:  # a character has four bytes at most
            size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts.values())
            if size > self._cap:
                return self.reject(ReadReason.TOO_LARGE, f"{size} bytes of text", number, offset, row_id)
        values |= {ID: row_id, **texts}
        if not self._place.of.published:
            try:
                values[DOCUMENT] = own_id(values.get(DOCUMENT), DOCUMENT) or row_id
            except ValueError:  # none that can be used
                values[DOCUMENT] = row_id
        return Pair(self._origin(number, offset, row_id), texts[INPUTS], texts[TARGETS], values, self._place.of.split)

    def reject(self, reason: Reason, detail: str, number: int, offset: int, row_id: str = "") -> Reject:
        """Returns the Reject of a row, under its id if it is known."""
        shown = " ".join(detail.split())[:_MOST_DETAIL]
        text = f"{self._what} {number}: {shown}" if shown else f"{self._what} {number}"
        return self._origin(number, offset, row_id).reject(reason, "read", text)

    def _origin(self, number: int, offset: int, row_id: str) -> Origin:
        file = self._place.file
        return Origin(row_id or f"{file}#{offset}", SOURCE, file=file, offset=offset, range_key=self._place.key)

    def _text(self, value: Any, field: str) -> str:
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = "\n".join(value)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise ValueError(f"{field!r} is neither a string nor a list of strings")
        return value if self._place.of.published else without_controls(value)

    def _missing(self, name: str, row: Mapping[str, Any]) -> str:
        field = self._fields[name]
        if field in row:
            return f"{field!r} is empty"
        return no_field(field, row, flag=FLAGS[name])


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


_SMALLEST_RANGE = 1 << 20


def columns_of(path: str, config: PairsConfig) -> set[str]:
    """Returns the names of the columns of a Parquet file.

    Raises:
        SourceError: it is not a Parquet file, or the columns of the texts hold something else.
    """
    with open_input(path) as handle:
        schema = open_parquet(handle, path).schema_arrow
    for field in schema:
        if field.name not in (config.inputs_field, config.targets_field):
            continue
        kind = field.type
        if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_dictionary(kind):
            kind = kind.value_type
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
            raise SourceError(f"{path}: the column {field.name!r} is {field.type}, not text or lists of texts")
    return set(schema.names)


def plan_parquet(
    file: PairFile, config: PairsConfig, *, limit: int | None = None
) -> tuple[list[PairRange], SourceFile, int]:
    """Plans one file: a range is a number of whole row groups.

    Returns:
        The ranges in order, what the manifest says of the file (its checksum only without a limit), and how many rows
        the limit took.

    Raises:
        SourceError: it is not a Parquet file, or is a shard that differs from the manifest of its dataset.
    """
    with open_input(file.path) as handle:
        parquet = open_parquet(handle, file.path)
        metadata = parquet.metadata
        if missing := [own for own, _ in file.columns if own not in parquet.schema_arrow.names]:
            raise SourceError(f"{file.path} has no column {missing[0]!r}, which its dataset has")
    sha256 = sha256_of(file.path) if limit is None else None
    if sha256 and file.sha256 and sha256 != file.sha256:
        raise SourceError(f"{file.path} has changed: its bytes are not those of the manifest of its dataset")
    ranges, rows = _cut(file, metadata, config, limit)
    return ranges, SourceFile(file.path, file.size, sha256, PARQUET), rows


def _cut(
    file: PairFile, metadata: pq.FileMetaData, config: PairsConfig, limit: int | None
) -> tuple[list[PairRange], int]:
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    total = sum(g.total_byte_size for g in groups)
    target = config.target_bytes(total, smallest=_SMALLEST_RANGE, ratio=max(1, total // max(1, file.size)))
    ranges: list[PairRange] = []
    start = rows = size = before = 0
    for number, group in enumerate(groups, 1):
        rows, size = rows + group.num_rows, size + group.total_byte_size
        full = limit is not None and before + rows >= limit
        if size >= target or full or number == len(groups):
            ranges.append(
                PairRange(
                    key=range_key(file.index, start),
                    file=file.path,
                    path=file.path,
                    kind=PARQUET,
                    start=start,
                    end=number,
                    size=size,
                    last=number == len(groups),
                    max_documents=None if limit is None else min(limit - before, rows),
                    first_line=before + 1,
                    of=file,
                )
            )
            start, before, rows, size = number, before + rows, 0, 0
            if full:
                break
    return ranges, before


def read_parquet(place: PairRange, config: PairsConfig) -> Iterator[Pair | Reject | RangeEnd]:
    """Yields the rows of a range as pairs or rejects, in order; then one RangeEnd. What a row group cannot give is
    damage.

    Raises:
        SourceError: a decompression bomb.
    """
    rows = Rows(place, label=public_label(place.file, config.shared), cap=config.max_line_bytes)
    read, damage, number = 0, [], place.first_line
    with open_input(place.path) as handle:
        parquet = open_parquet(handle, place.path)
        for group in range(place.start, place.end):
            metadata = parquet.metadata.row_group(group)
            try:
                columns = [own for own, _ in place.of.columns]
                for at, row in enumerate(rows_of(parquet, handle, place.file, group, columns), number):
                    if read == place.max_documents:
                        break
                    read += 1
                    yield (
                        rows.reject(PairReason.BAD_ROW, str(row), at, at - 1)
                        if isinstance(row, ValueError)
                        else rows.pair(row, number=at, offset=at - 1)
                    )
            except (OSError, pa.ArrowException) as error:
                if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
                    raise  # the disk or the store, not the file
                damage.append(Damage(place.file, place_of(metadata), f"a row group cannot be read: {one_line(error)}"))
            number += metadata.num_rows
    yield RangeEnd(place.key, read, tuple(damage))
