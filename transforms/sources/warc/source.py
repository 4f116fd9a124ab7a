"""Source ``warc``: plain or gzip WARC files of web pages, such as Common Crawl's CC-NEWS."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from typing_extensions import override

from gistmill.core.options import HTML, option
from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.core.values import FOLDER
from gistmill.rules.documents import RawDocument
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.base import FilesConfig, FilesSource, Provenance
from gistmill.transforms.sources.files.ranges import (
    UNREAD,
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_listed,
    label_of,
    shared_names,
)
from gistmill.transforms.sources.files.sniff import (
    GZIP_MAGIC,
    HEAD_BYTES,
    foreign_form,
    looks_like_hint,
    shown,
    unpacked,
)
from gistmill.transforms.sources.warc.page import crawl_entries, parse_record
from gistmill.transforms.sources.warc.records import GZIP, PLAIN, RECORD, framed_records

_TEXT_PER_BYTE = 5  # bytes of text per compressed byte of pages, for scheduling
_MOST_CHECKED = 32  # files checked before the job starts
_SMALLEST_RANGE = 1 << 17


@dataclass(frozen=True, kw_only=True)
class WarcConfig(FilesConfig):
    """Options for reading WARC files.

    Attributes (not options):
        max_page_bytes: maximum size of a record or page; others are rejected as TOO_LARGE and never held in memory.
        shared: file names that occur more than once among the inputs, in different folders.
    """

    warc_prefix: str | None = option(
        FOLDER,
        help="base of relative entries in a list, such as s3://commoncrawl (default: the list's folder, or the "
        "parent of the folders that the entries begin with)",
    )
    max_page_bytes: int = 16 << 20
    shared: frozenset[str] = frozenset()


def check_warc(file: InputFile) -> str:
    """Checks the beginning of a file and returns its kind, PLAIN or GZIP.

    A file too short to be recognized passes; the damage is found when it is read.

    Raises:
        SourceError: it is not a WARC file; the message names it.
    """
    with open_input(file.path) as handle:
        head = handle.read(HEAD_BYTES)
    if form := foreign_form(head, file.path):
        raise SourceError(f"{file.path}: not a WARC file (plain or gzip), but {form}")
    kind = PLAIN
    if head.startswith(GZIP_MAGIC):
        kind, head = GZIP, unpacked(head, HEAD_BYTES)
    text = head.lstrip(b"\r\n")
    if not text.startswith(RECORD[: max(len(text), 1)]) and text:
        raise SourceError(
            f"{file.path}: not a WARC file (plain or gzip): "
            f"it begins with {shown(text)} instead of {RECORD.decode()}"
            f"{looks_like_hint(head, asked=WarcSource.NAME)}"
        )
    return kind


def plan_file(
    file: InputFile, config: WarcConfig, *, workspace: str = "", limit: int | None = None
) -> tuple[list[FileRange], SourceFile, int]:
    """Plans one file by reading its records; with ``limit``, only its first documents.

    Returns:
        The ranges in order, the file's manifest entry, and the number of documents up to the limit.

    Raises:
        SourceError: it is not a WARC file.
    """
    kind = check_warc(file)
    target = config.target_bytes(file.size, smallest=_SMALLEST_RANGE)
    cuts, before, documents = [0], [0], 0  # number of documents before each cut
    with open_input(file.path) as handle:
        for framed in framed_records(handle, file.path, kind, cap=config.max_page_bytes):
            if isinstance(framed, Damage):
                continue
            if framed.offset - cuts[-1] >= target:
                cuts.append(framed.offset)
                before.append(documents)
            if limit is not None:
                documents += framed.is_document
                if documents == limit:
                    break
    ratio = _TEXT_PER_BYTE if kind == GZIP else 1
    ranges = [
        FileRange.part(file, start, end, kind=kind, size=(end - start) * ratio, last=end == file.size)
        for start, end in zip(cuts, [*cuts[1:], file.size], strict=True)
    ]
    if limit is not None:
        ranges[-1] = dataclasses.replace(ranges[-1], max_documents=limit - before[-1])
    return ranges, SourceFile(file.path, file.size, UNREAD if limit is None else None, kind), documents


def read_range(place: FileRange, config: WarcConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields the documents and rejects in a range, in order; then one RangeEnd, which counts the records by type."""
    documents = 0
    damage: list[Damage] = []
    counts: Counter[str] = Counter()
    label = label_of(place.file, config.shared)
    with open_input(place.path) as handle:
        for framed in framed_records(
            handle, place.file, place.kind, start=place.start, end=place.end, cap=config.max_page_bytes
        ):
            if isinstance(framed, Damage):
                damage.append(framed)
                continue
            counts[f"records/{framed.type}"] += 1
            element = parse_record(framed, place, cap=config.max_page_bytes, label=label)
            if element is None:
                continue
            documents += 1
            yield element
            if documents == place.max_documents:
                break
    yield RangeEnd(place.key, documents, tuple(damage), dict(counts))


class WarcSource(FilesSource[WarcConfig]):
    """A source that reads WARC files of web pages."""

    NAME = "warc"
    HELP = (
        "WARC files of web pages (plain, gz), or a list of such files with a name ending in .paths or .paths.gz, as "
        "published by Common Crawl for CC-NEWS"
    )
    CONFIG = WarcConfig
    MARKUPS = frozenset({HTML})
    PROVENANCE = Provenance(
        "other",
        "The text comes from pages of the web, as a crawler found them. Copyright remains with their publishers and "
        "authors: no licence to pass the text on comes with it. The source files below, and `url` where a row has it, "
        "say where each page was.",
    )
    PLAN = plan_file
    READ = read_range

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: WarcConfig) -> Self:
        files = expand_listed(patterns, prefix=config.warc_prefix)
        for file in files[:_MOST_CHECKED]:  # the others are checked during planning
            check_warc(file)
        return cls(files, dataclasses.replace(config, shared=shared_names(files)))

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        return dataclasses.replace(cls.PROVENANCE, crawls=crawl_entries(patterns))

    @override
    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns the range of a record, or of the gzip member that contains it."""
        return FileRange.part(file, offset, offset + 1, kind=check_warc(file))
