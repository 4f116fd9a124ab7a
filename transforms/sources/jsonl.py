"""Source ``jsonl``: a JSON object on each line, plain or compressed (gz, bz2, zst)."""
from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import apache_beam as beam

from rules.records import Damage, RangeEnd, RawDocument, Reject
from transforms.sources.hashed import Hashed
from transforms.sources.jsonl_document import BOM, SOURCE, JsonlFields, parse_line
from transforms.sources.jsonl_lines import PLAIN, Line, kind_of, lines_of, pieces_of
from transforms.sources.listing import label_of, shared_names
from transforms.sources.ranges import (
    InputFile, Range, SourceError, SourceFile, check_numbers, expand_inputs, range_key,
)
from transforms.sources.source import PlanFiles, Provenance, Source, chosen, in_order
from transforms.sources.streams import open_input

PROVENANCE = Provenance("", "The text comes from the source files below, with whatever rights their owners have in it.")
_BINARY = re.compile(rb"(?!\xef\xbb\xbf)[\x80-\xff]|[\s\S]{0,3}[\x00-\x08\x0e-\x1f\x7f]")
_SHOWN = 16
_BLOCK = 1 << 20
_WANTED_RANGES = 32  # a small input is cut finer, so that it too keeps many workers busy
_SMALLEST_RANGE = 1 << 16
_COMPRESSED = 4  # text for a compressed byte, for scheduling


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonlConfig:
    """How JSON Lines are read.

    Attributes:
        fields: which keys hold what.
        limit: read the first ``limit`` documents only, in order of file and line; None for all.
        range_bytes: bytes that one range should have at most; compressed files are one range.
        max_line_bytes: a line over this size is rejected as TOO_LARGE and never held in memory.
        shared: names that more than one input file has, in different folders.

    Raises:
        ValueError: at construction, naming the value.
    """

    fields: JsonlFields = JsonlFields()
    limit: int | None = None
    range_bytes: int = 16 << 20
    max_line_bytes: int = 16 << 20
    shared: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_numbers(self, "range_bytes", "max_line_bytes")


def check_jsonl(file: InputFile) -> str:
    """Looks at the beginning of a file and returns its kind.

    Raises:
        SourceError: binary, or UTF-16; the message names it. A bad line is no reason to refuse a file.
    """
    kind = kind_of(file.path)
    for piece in pieces_of(file.path, kind):
        if isinstance(piece, Damage):
            break
        if piece.data:
            if _BINARY.match(piece.data):
                raise SourceError(f"{file.path}: not JSON Lines in UTF-8: it begins with {piece.data[:_SHOWN]!r}")
            break
    return kind


def plan_file(file: InputFile, config: JsonlConfig, *, limit: int | None = None) -> tuple[list[Range], SourceFile, int]:
    """Plans one file in a pass that hashes it and counts its lines; with ``limit`` only its first documents.

    Returns:
        The ranges in order, what the manifest says of the file, and how many documents the limit took.

    Raises:
        SourceError: binary, UTF-16, or a decompression bomb.
    """
    kind, sha256, before, documents = check_jsonl(file), None, [0], 0
    upper = config.range_bytes
    target = min(max(file.size // _WANTED_RANGES, min(_SMALLEST_RANGE, upper)), upper)
    if limit is not None:
        cuts, before, documents = _first(file, kind, config, limit, target if kind == PLAIN else None)
    else:
        with open_input(file.path) as handle:
            hashed = Hashed(handle)
            cuts = [c for c in _cuts(hashed, target) if c[0] < file.size] if kind == PLAIN else [(0, 1)]
            sha256 = hashed.hexdigest()
    ranges = [
        Range(key=range_key(file.index, start), file=file.path, path=file.path, kind=kind, start=start, end=end,
              size=(end - start) * (1 if kind == PLAIN else _COMPRESSED), last=end == file.size, first_line=line)
        for (start, line), (end, _) in zip(cuts, [*cuts[1:], (file.size, 0)])]
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


def _first(file: InputFile, kind: str, config: JsonlConfig, limit: int,
           target: int | None) -> tuple[list[tuple[int, int]], list[int], int]:
    """Returns cuts as _cuts does among the first ``limit`` documents (one if ``target`` is None), how many documents come
    before each, and how many there are."""
    cuts, before, documents = [(0, 1)], [0], 0
    whole = Range(key="", file=file.path, path=file.path, kind=kind, start=0, end=file.size, size=file.size)
    for line in _documents(whole, config, most=limit):
        if isinstance(line, Damage):
            continue
        if target is not None and line.offset - cuts[-1][0] >= target:
            cuts.append((line.offset, line.number))
            before.append(documents)
        documents += 1
    return cuts, before, documents


def plan_files(files: Sequence[InputFile], *, config: JsonlConfig) -> Iterator[Range | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first documents.

    Raises:
        SourceError: as plan_file.
    """
    return in_order(files, functools.partial(plan_file, config=config), limit=config.limit)


def _documents(place: Range, config: JsonlConfig, *, most: int | None) -> Iterator[Line | Damage]:
    """Yields the lines of a range that are not blank, ``most`` at most, and what is damaged."""
    end = place.end if place.kind == PLAIN else None
    found = 0
    for line in lines_of(place.path, place.kind, start=place.start, end=end, first=place.first_line, cap=config.max_line_bytes):
        if isinstance(line, Line):
            if not line.oversized and not line.data.removeprefix(BOM if line.number == 1 else b"").strip():
                continue
            found += 1
        yield line
        if found == most:
            return


def read_range(place: Range, config: JsonlConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields every line of a range that is not blank, as a document or a reject, in order; then one RangeEnd.

    Raises:
        SourceError: a decompression bomb.
    """
    documents, damage = 0, []
    label = label_of(place.file, config.shared)
    for line in _documents(place, config, most=place.max_documents):
        if isinstance(line, Damage):
            damage.append(line)
            continue
        documents += 1
        element = parse_line(line, place, config.fields, label=label)
        if isinstance(element, Reject) and not line.closed and place.kind == PLAIN:
            damage.append(Damage(place.file, line.offset, f"the file ends inside line {line.number}"))
        yield element
    yield RangeEnd(place.key, documents, tuple(damage))


class ReadJsonl(beam.PTransform):
    """PCollection[Range] -> PCollection[RawDocument | Reject | RangeEnd]."""

    def __init__(self, config: JsonlConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, ranges: beam.PCollection[Range]) -> beam.PCollection:
        return ranges | "Lines" >> beam.FlatMap(read_range, config=self._config)


_FIELDS = tuple(field.name for field in dataclasses.fields(JsonlFields))


class JsonlSource(Source):
    """JSON Lines."""

    NAME = SOURCE
    HELP = "JSON Lines (plain, gz, bz2, zst)"
    OPTIONS = (*_FIELDS, "range_bytes", "keep_lists", "parse_deadline", "languages", "keep_boilerplate", "spacy_model", "coref",
               "coref_model")

    def __init__(self, files: Sequence[InputFile], config: JsonlConfig) -> None:
        self.files = tuple(files)
        self._config = config

    @classmethod
    def open(cls, patterns: Sequence[str], options: Mapping[str, Any]) -> Self:
        """See Source.open."""
        files = expand_inputs(patterns)
        for file in files:
            check_jsonl(file)
        return cls(files, JsonlConfig(fields=JsonlFields(**chosen(options, *_FIELDS)), shared=shared_names(files),
                                      **chosen(options, "limit", "range_bytes")))

    @classmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """See Source.provenance."""
        return PROVENANCE

    def plan(self, workspace: str) -> beam.PTransform:
        """See Source.plan."""
        return PlanFiles(self.files, functools.partial(plan_files, config=self._config),
                         together=self._config.limit is not None)

    def read(self) -> beam.PTransform:
        """See Source.read."""
        return ReadJsonl(self._config)
