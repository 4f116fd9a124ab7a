"""Source ``jsonl``: a JSON object on each line, plain or compressed (gz, bz2, zst)."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from typing_extensions import override

from gistmill.core.options import HTML
from gistmill.core.options import PLAIN as PLAIN_TEXT
from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.base import Provenance
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.ranges import (
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    range_key,
)
from gistmill.transforms.sources.files.sniff import JSON_LINES, and_looks, foreign_form, hint_of, looks_like, shown
from gistmill.transforms.sources.files.source import (
    FilesSource,
    Planner,
    Reader,
    in_order,
    one_byte,
    public_label,
    shared_names,
)
from gistmill.transforms.sources.files.streams import Hashed
from gistmill.transforms.sources.jsonl.rows import (
    BOM,
    PLAIN,
    SOURCE,
    JsonlFields,
    Line,
    begins,
    breaks_off,
    kind_of,
    lines_of,
    parse_line,
)

_OBJECT = re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\{\s*["}]', re.MULTILINE)
_BINARY = re.compile(rb"(?!\xef\xbb\xbf)[\x80-\xff]|[\s\S]{0,3}[\x00-\x08\x0e-\x1f\x7f]")
_BLOCK = 1 << 20
_SMALLEST_RANGE = 1 << 16
_COMPRESSED = 4  # text for a compressed byte, for scheduling


@dataclass(frozen=True, kw_only=True)
class LinesConfig(FilesConfig):
    """How files of lines are read; a compressed file is one range.

    Attributes (not options):
        max_line_bytes: a line over this size is rejected as TOO_LARGE and never held in memory.
        shared: names that more than one input file has, in different folders.
    """

    max_line_bytes: int = 16 << 20
    shared: frozenset[str] = frozenset()

    def check(self) -> None:
        """Raises ValueError for a size that is not positive."""
        self.check_sizes("max_line_bytes")


@dataclass(frozen=True, kw_only=True)
class JsonlConfig(JsonlFields, LinesConfig):
    """How JSON Lines are read."""


def check_jsonl(file: InputFile, what: str = "JSON Lines") -> str:
    """Looks at the beginning of a file and returns its kind. ``what`` is what it should be, for messages.

    Raises:
        SourceError: binary, or UTF-16; the message names it. A bad line alone is not an error.
    """
    kind = kind_of(file.path)
    text = begins(file.path, kind)
    if form := foreign_form(text, file.path):
        raise SourceError(f"{file.path}: not {what}, but {form}")
    if _BINARY.match(text):
        raise SourceError(f"{file.path}: not {what} in UTF-8: it begins with {shown(text)}{and_looks(text, '')}")
    return kind


def check_lines(file: InputFile, what: str = "JSON Lines") -> str:
    """Returns the kind of a file of JSON Lines. Raises SourceError as check_jsonl, or if it holds one JSON array."""
    kind = check_jsonl(file, what)
    if begins(file.path, kind).removeprefix(BOM).lstrip()[:1] == b"[":
        raise SourceError(
            f"{file.path}: a JSON array, not JSON Lines, which have an object on each line; "
            "write it anew, as by: jq --compact-output '.[]'"
        )
    return kind


def _check_form(file: InputFile, text: bytes) -> None:
    """Raises SourceError for text in which no object begins a line, and of whose form it can be said what to do."""
    if _OBJECT.search(text):
        return
    path = file.path if kind_of(file.path) == PLAIN else ""
    if hint := hint_of(found := looks_like(text), path, asked=SOURCE):
        raise SourceError(f"{file.path}: not JSON Lines; it looks like {found}{hint}")


def plan_file(
    file: InputFile, config: LinesConfig, *, limit: int | None = None
) -> tuple[list[FileRange], SourceFile, int]:
    """Plans one file in a pass that hashes it and counts its lines; with ``limit`` only its first documents.

    Returns:
        The ranges in order, what the manifest says of the file, and how many documents the limit took.

    Raises:
        SourceError: binary, UTF-16, a JSON array, or a decompression bomb.
    """
    kind, sha256, before, documents = check_lines(file), None, [0], 0
    target = config.target_bytes(file.size, smallest=_SMALLEST_RANGE)
    if limit is not None:
        cuts, before, documents = _first(file, kind, config, limit, target if kind == PLAIN else None)
    else:
        with open_input(file.path) as handle:
            hashed = Hashed(handle)
            cuts = [c for c in _cuts(hashed, target) if c[0] < file.size] if kind == PLAIN else [(0, 1)]
            sha256 = hashed.hexdigest()
    ranges = [
        FileRange(
            key=range_key(file.index, start),
            file=file.path,
            path=file.path,
            kind=kind,
            start=start,
            end=end,
            size=(end - start) * (1 if kind == PLAIN else _COMPRESSED),
            last=end == file.size,
            first_line=line,
        )
        for (start, line), (end, _) in zip(cuts, [*cuts[1:], (file.size, 0)], strict=True)
    ]
    if limit is not None:
        ranges[-1] = dataclasses.replace(ranges[-1], max_documents=limit - before[-1])
    return ranges, SourceFile(file.path, file.size, sha256, kind), documents


def _cuts(handle: Hashed, target: int) -> Iterator[tuple[int, int]]:
    """Yields offset and number of the first line, and of others that are at least ``target`` bytes apart."""
    position = latest = 0
    number = 1
    yield latest, number
    while block := handle.read(_BLOCK):
        counted = 0
        while (stop := block.find(b"\n", max(latest + target - 1 - position, counted))) >= 0:
            number += block.count(b"\n", counted, stop + 1)
            counted = stop + 1
            latest = position + counted
            yield latest, number
        number += block.count(b"\n", counted)
        position += len(block)


def _first(
    file: InputFile, kind: str, config: LinesConfig, limit: int, target: int | None
) -> tuple[list[tuple[int, int]], list[int], int]:
    """Returns cuts as _cuts does among the first ``limit`` documents (one cut if ``target`` is None), the number of
    documents before each, and the number of all."""
    cuts, before, documents = [(0, 1)], [0], 0
    whole = FileRange(key="", file=file.path, path=file.path, kind=kind, start=0, end=file.size, size=file.size)
    for line in lines_in(whole, config, most=limit):
        if isinstance(line, Damage):
            continue
        if target is not None and line.offset - cuts[-1][0] >= target:
            cuts.append((line.offset, line.number))
            before.append(documents)
        documents += 1
    return cuts, before, documents


def plan_files(files: Sequence[InputFile], *, config: JsonlConfig) -> Iterator[FileRange | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first documents.

    Raises:
        SourceError: as plan_file.
    """
    return in_order(files, functools.partial(plan_file, config=config), limit=config.limit)


def lines_in(place: FileRange, config: LinesConfig, *, most: int | None) -> Iterator[Line | Damage]:
    """Yields the lines of a range that are not blank, ``most`` at most, and what is damaged."""
    end = place.end if place.kind == PLAIN else None
    found = 0
    for line in lines_of(
        place.path, place.kind, start=place.start, end=end, first=place.first_line, cap=config.max_line_bytes
    ):
        if isinstance(line, Line):
            if not line.oversized and not line.data.removeprefix(BOM).strip():
                continue
            found += 1
        yield line
        if found == most:
            return


def looks_of(place: FileRange) -> Callable[[], str]:
    """Returns what says, as the end of a message, what the file of a range looks like if not JSON Lines; the file is
    looked at when that is first asked."""

    @functools.cache
    def looks() -> str:
        found = looks_like(begins(place.path, place.kind))
        return f"; the file looks like {found}" if found not in ("", JSON_LINES) else ""

    return looks


def read_range(place: FileRange, config: JsonlConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields every line of a range that is not blank, as a document or a reject, in order; then one RangeEnd.

    Raises:
        SourceError: a decompression bomb.
    """
    documents, damage = 0, []
    label, looks = public_label(place.file, config.shared), looks_of(place)
    for line in lines_in(place, config, most=place.max_documents):
        if isinstance(line, Damage):
            damage.append(line)
            continue
        documents += 1
        element = parse_line(line, place, config, label=label, looks=looks)
        if isinstance(element, Reject) and place.kind == PLAIN and breaks_off(line):
            damage.append(Damage(place.file, line.offset, f"the file ends inside line {line.number}"))
        yield element
    yield RangeEnd(place.key, documents, tuple(damage))


class JsonlSource(FilesSource[JsonlConfig]):
    """JSON Lines."""

    NAME = SOURCE
    HELP = "JSON Lines (plain, gz, bz2, zst, xz)"
    CONFIG = JsonlConfig
    MARKUPS = frozenset({PLAIN_TEXT, HTML})
    PROVENANCE = Provenance(
        "", "The text comes from the source files below, with whatever rights their owners have in it."
    )

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: JsonlConfig) -> Self:
        files = expand_inputs(patterns)
        for file in files:
            _check_form(file, begins(file.path, check_jsonl(file)))
        return cls(files, dataclasses.replace(config, shared=shared_names(files)))

    @override
    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Ids may be made of the numbers of lines, which the fields of a line do not tell."""
        kind = check_jsonl(file)
        return one_byte(file, kind, offset) if kind == PLAIN else None

    @override
    def planner(self, workspace: str) -> Planner:
        return functools.partial(plan_files, config=self.config)

    @override
    def reader(self) -> Reader:
        return functools.partial(read_range, config=self.config)
