"""Source ``warc``: WARC files of web pages, plain or gzip, as Common Crawl publishes them (CC-NEWS)."""
from __future__ import annotations

import dataclasses
import functools
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import apache_beam as beam

from rules.records import Damage, RangeEnd, RawDocument, Reject
from transforms.sources.hashed import Hashed
from transforms.sources.listing import expand_listed, label_of, shared_names
from transforms.sources.ranges import InputFile, Range, SourceError, SourceFile, check_numbers, range_key
from transforms.sources.source import PlanFiles, Provenance, Source, chosen, in_order
from transforms.sources.streams import GZIP_MAGIC, open_input
from transforms.sources.warc_page import PageConfig, is_document, parse_record, record_type
from transforms.sources.warc_records import GZIP, PLAIN, RECORD, framed_records

PROVENANCE = Provenance(
    "other",
    "The text comes from pages of the web, as a crawler found them. Copyright remains with their publishers and authors: no "
    "licence to pass the text on comes with it. The source files below, and `url` where a row has it, say where each page was.",
)
_HEAD_BYTES = 1 << 16
_TEXT_PER_BYTE = 5  # of pages, for scheduling
_MOST_CHECKED = 32  # files that are looked at before anything is begun
_WANTED_RANGES = 32  # a small input is cut finer, so that it too keeps many workers busy
_SMALLEST_RANGE = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcConfig:
    """How WARC files are read.

    Attributes:
        limit: read the first ``limit`` documents only, in order of file and offset; None for all.
        range_bytes: compressed bytes that one range should have at most.
        max_page_bytes: a record or page over this size is rejected as TOO_LARGE and never held in memory.
        shared: names that more than one input file has, in different folders.

    Raises:
        ValueError: at construction, naming the value.
    """

    limit: int | None = None
    range_bytes: int = 16 << 20
    max_page_bytes: int = 16 << 20
    shared: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_numbers(self, "range_bytes", "max_page_bytes")


def check_warc(file: InputFile) -> str:
    """Looks at the beginning of a file and returns its kind, PLAIN or GZIP.

    A file that is cut off before anything can be told passes: reading it will find the damage.

    Raises:
        SourceError: not a WARC file; the message names it.
    """
    with open_input(file.path) as handle:
        head = handle.read(_HEAD_BYTES)
    kind = GZIP if head.startswith(GZIP_MAGIC) else PLAIN
    if kind == GZIP:
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD_BYTES)
        except zlib.error:
            head = b""
    text = head.lstrip(b"\r\n")
    if not text.startswith(RECORD[:max(len(text), 1)]) and text:
        shown = text[:40].decode("utf-8", "replace")
        raise SourceError(f"{file.path}: not a WARC file (plain or gzip): it begins with {shown!r} where {RECORD.decode()} "
                          "should be")
    return kind


def plan_file(file: InputFile, config: WarcConfig, *, limit: int | None = None) -> tuple[list[Range], SourceFile, int]:
    """Plans one file by a walk along its records, which also hashes it; with ``limit`` only its first documents.

    Returns:
        The ranges in order, what the manifest says of the file, and how many documents the limit took.

    Raises:
        SourceError: not a WARC file.
    """
    kind = check_warc(file)
    target = min(max(file.size // _WANTED_RANGES, min(_SMALLEST_RANGE, config.range_bytes)), config.range_bytes)
    cuts, before, documents = [0], [0], 0  # documents before each cut
    with open_input(file.path) as handle:
        hashed = Hashed(handle)
        for framed in framed_records(hashed, file.path, kind, cap=config.max_page_bytes):
            if isinstance(framed, Damage):
                continue
            if framed.offset - cuts[-1] >= target:
                cuts.append(framed.offset)
                before.append(documents)
            if limit is not None:
                documents += is_document(framed)
                if documents == limit:
                    break
        sha256 = hashed.hexdigest() if limit is None else None
    ranges = [
        Range(key=range_key(file.index, start), file=file.path, path=file.path, kind=kind, start=start, end=end,
              size=(end - start) * (_TEXT_PER_BYTE if kind == GZIP else 1), last=end == file.size)
        for start, end in zip(cuts, [*cuts[1:], file.size])]
    if limit is not None:
        ranges[-1] = dataclasses.replace(ranges[-1], max_documents=limit - before[-1])
    return ranges, SourceFile(file.path, file.size, sha256, kind), documents


def plan_files(files: Sequence[InputFile], *, config: WarcConfig) -> Iterator[Range | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first documents.

    Raises:
        SourceError: not a WARC file.
    """
    return in_order(files, functools.partial(plan_file, config=config), limit=config.limit)


def read_range(place: Range, config: WarcConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields every document of a range, in order; then one RangeEnd, which counts the records by type."""
    documents, damage, counts = 0, [], Counter()
    label, caps = label_of(place.file, config.shared), PageConfig(max_page_bytes=config.max_page_bytes)
    with open_input(place.path) as handle:
        for framed in framed_records(handle, place.file, place.kind, start=place.start, end=place.end,
                                     cap=config.max_page_bytes):
            if isinstance(framed, Damage):
                damage.append(framed)
                continue
            counts[f"records/{record_type(framed)}"] += 1
            element = parse_record(framed, place, caps, label=label)
            if element is None:
                continue
            documents += 1
            yield element
            if documents == place.max_documents:
                break
    yield RangeEnd(place.key, documents, tuple(damage), dict(counts))


class ReadWarc(beam.PTransform):
    """PCollection[Range] -> PCollection[RawDocument | Reject | RangeEnd]."""

    def __init__(self, config: WarcConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, ranges: beam.PCollection[Range]) -> beam.PCollection:
        return ranges | "Records" >> beam.FlatMap(read_range, config=self._config)


class WarcSource(Source):
    """WARC files of web pages."""

    NAME = "warc"
    HELP = ("WARC files of web pages (plain, gz), or a listing of them whose name ends in .paths or .paths.gz, as Common "
            "Crawl has for CC-NEWS")
    OPTIONS = ("warc_prefix", "range_bytes", "keep_lists", "parse_deadline", "languages", "keep_boilerplate", "spacy_model", "coref",
               "coref_model")

    def __init__(self, files: Sequence[InputFile], config: WarcConfig) -> None:
        self.files = tuple(files)
        self._config = config

    @classmethod
    def open(cls, patterns: Sequence[str], options: Mapping[str, Any]) -> Self:
        """See Source.open."""
        files = expand_listed(patterns, prefix=options.get("warc_prefix"))
        for file in files[:_MOST_CHECKED]:  # the others are looked at when they are planned
            check_warc(file)
        return cls(files, WarcConfig(shared=shared_names(files), **chosen(options, "limit", "range_bytes")))

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
        return ReadWarc(self._config)
