"""Source ``wikipedia-html``: Wikimedia Enterprise snapshots, which contain pages as Parsoid HTML.

Plain text files are divided into byte ranges. Compressed files can only be read from their beginning, so their lines
are spooled. A single worker plans all files, because the same page may occur in more than one.
"""

from __future__ import annotations

import functools
import posixpath
import re
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

import apache_beam as beam
import numpy as np
from typing_extensions import override

from gistmill.core.hashing import text_digest
from gistmill.core.options import PARSOID
from gistmill.core.records import NO_METADATA, Damage, Metadata, Origin, RangeEnd, Reason, Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.rules.text.prose import without_controls
from gistmill.rules.wiki.page import language_of_wiki
from gistmill.transforms.sources.base import FilesSource, PlanFiles, Planner, in_order, with_end
from gistmill.transforms.sources.files.ranges import UNREAD, FileRange, InputFile, SourceFile, expand_inputs, range_key
from gistmill.transforms.sources.files.streams import Spool
from gistmill.transforms.sources.lines import (
    BOM,
    PLAIN,
    ZSTD,
    Line,
    LinesConfig,
    NotAnObject,
    breaks_off,
    check_lines,
    lines_in,
    looks_of,
    object_of,
)
from gistmill.transforms.sources.wikipedia.addresses import base_of_dump, languages_of, page_address
from gistmill.transforms.sources.wikipedia.export import SOURCE, is_disambiguation_page
from gistmill.transforms.sources.wikipedia.pages import PagesConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from gistmill.transforms.sources.wikipedia_html.archive import form_of, lines_of_snapshot

TEXT_PER_BYTE = 8  # bytes of text per compressed byte


@dataclass(frozen=True, kw_only=True)
class SnapshotConfig(PagesConfig, LinesConfig):
    """Options for reading snapshots, whose lines contain a page's HTML, wikitext and metadata. Ranges of plain text are
    eight times as long as those of compressed text."""

    max_line_bytes: int = 64 << 20


_LONGEST = 4096  # maximum characters of a title or URL
_MOST_DETAIL = 320  # characters
_REDIRECT = re.compile(r'<link\b[^<>]*\brel="mw:PageProp/redirect"[^>]*')
_TARGET = re.compile(r'href="(?:\./)?([^"]*)"')


class Identity(NamedTuple):
    """The wiki, page and version in a line; "" or 0 for a missing wiki or version."""

    wiki: str
    page: int
    version: int


def identity_of(line: Line) -> Identity | None:
    """Returns the identity of the page in a line; None if it cannot be determined."""
    try:
        values = object_of(line)
    except NotAnObject:
        return None
    page = _number(values.get("identifier"))
    wiki = _inside(values, "is_part_of", "identifier")
    version = _number(_inside(values, "version", "identifier"))
    return Identity(wiki if isinstance(wiki, str) else "", int(page), int(version or 0)) if page else None


def parse_line(
    line: Line, place: FileRange, config: SnapshotConfig, *, looks: Callable[[], str] = str
) -> RawDocument | Reject | None:
    """Returns the document in a line; None for a page in an excluded namespace; or a Reject in stage ``read`` with the
    first reason that applies of TOO_LARGE, BAD_LINE, BAD_PAGE, OLD_VERSION, REDIRECT, EMPTY_PAGE and DISAMBIGUATION.

    Documents get the same id, title, revision, time and URL as from an export. A Reject has the document's id, or
    FILE#OFFSET if no page can be read or the reason is OLD_VERSION.

    Args:
        line: the line; its offset is relative to the beginning of the range's file.
        place: the range that contains the line.
        config: limits on pages.
        looks: returns text to add to the detail if the line is not an object.
    """
    unnamed = Origin(f"{place.file}#{line.offset}", SOURCE, file=place.file, offset=line.offset, range_key=place.key)

    def reject(origin: Origin, reason: Reason, detail: str) -> Reject:
        return origin.reject(reason, "read", f"line {line.number}: {' '.join(detail.split())[:_MOST_DETAIL]}")

    if line.oversized:
        return reject(unnamed, ReadReason.TOO_LARGE, f"longer than {config.max_line_bytes} bytes")
    try:
        values = object_of(line)
        html = _html(values)
        namespace = _namespace(values)
    except NotAnObject as error:
        return reject(unnamed, ReadReason.BAD_LINE, f"{error}{looks()}")
    except ValueError as error:
        return reject(unnamed, ReadReason.BAD_LINE, str(error))
    page, title = _number(values.get("identifier")), _text(values.get("name"))
    if not page or not title:
        detail = f"identifier {str(values.get('identifier'))[:40]!r}, name {title[:80]!r}"
        return reject(unnamed, ReadReason.BAD_PAGE, detail)
    origin = _described(unnamed, values, page, title)
    if line.offset in place.superseded:
        return reject(replace(origin, id=unnamed.id), ReadReason.OLD_VERSION, f"version {origin.revision}")
    if namespace not in config.namespaces:
        return None
    if redirect := _REDIRECT.search(html):
        target = _TARGET.search(redirect[0])
        return reject(origin, ReadReason.REDIRECT, target[1] if target else "")
    if not html.strip():
        return reject(origin, ReadReason.EMPTY_PAGE, "no HTML")
    if sign := is_disambiguation_page(title, html, language_of_wiki(origin.metadata.url)):
        return reject(origin, ReadReason.DISAMBIGUATION, sign)
    return RawDocument(origin, html, PARSOID)


def _described(unnamed: Origin, values: Mapping[str, Any], page: str, title: str) -> Origin:
    """Returns the origin of a page, the same as from an export."""
    revision = _number(_inside(values, "version", "identifier"))
    url = _address(_text(values.get("url")), title, revision)
    return replace(
        unnamed,
        id=f"{SOURCE}-{page}",
        title=title,
        revision=revision,
        timestamp=_text(values.get("date_modified")),
        metadata=Metadata(url=url) if url else NO_METADATA,
    )


def _html(values: Mapping[str, Any]) -> str:
    """Returns the HTML of a page, "" if it has none. Raises ValueError if the field is missing or not a string."""
    body = values.get("article_body", "")
    if body is None:
        return ""
    if not isinstance(body, Mapping) or "html" not in body:
        raise ValueError("no field 'html' in 'article_body'")
    if not isinstance(body["html"], str | None):
        raise ValueError("'html' in 'article_body' is not a string")
    return body["html"] or ""


def _namespace(values: Mapping[str, Any]) -> int:
    """Returns the namespace number; 0 (articles) if a line gives none. Raises ValueError if it is not a number."""
    if values.get("namespace") is None:
        return 0
    number = _inside(values, "namespace", "identifier")
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("'identifier' in 'namespace' is not a whole number")
    return number


def _inside(values: Mapping[str, Any], outer: str, inner: str) -> Any:
    within = values.get(outer)
    return within.get(inner) if isinstance(within, Mapping) else None


def _number(value: Any) -> str:
    """Returns a positive number as digits; "" for anything else."""
    digits = str(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else ""
    return digits.lstrip("0") if digits.isascii() and digits.isdigit() and len(digits) < 19 else ""


def _text(value: Any) -> str:
    """Returns a string as one line; "" for anything else."""
    return " ".join(without_controls(value[:_LONGEST]).split()) if isinstance(value, str) else ""


def _address(url: str, title: str, revision: str) -> str:
    """Returns the URL of a page's revision, the same as from an export of the wiki."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return page_address(f"{parts.scheme}://{parts.netloc}/wiki/", title, revision) if parts.netloc else ""


_OFFSET_BITS = 44


class Versions:
    """An index of the pages in all lines, in 24 bytes per line, that finds the superseded lines."""

    def __init__(self) -> None:
        self._pages, self._versions, self._places = array("q"), array("q"), array("q")

    def add(self, file: int, offset: int, identity: Identity) -> None:
        """Adds a line, given by the number of its file and its offset there."""
        self._pages.append(text_digest(f"{identity.wiki}\0{identity.page}"))
        self._versions.append(identity.version)
        self._places.append(file << _OFFSET_BITS | offset)

    def superseded(self) -> Iterator[tuple[int, int]]:
        """Yields the superseded lines in order: for each page, all but the first line with its newest version."""
        pages, versions, places = (np.frombuffer(a, np.int64) for a in (self._pages, self._versions, self._places))
        order = np.lexsort((places, -versions, pages))
        again = pages[order][1:] == pages[order][:-1]
        for place in np.sort(places[order][1:][again]).tolist():
            yield place >> _OFFSET_BITS, place & (1 << _OFFSET_BITS) - 1


_SMALLEST_RANGE = 1 << 16


def plan_files(
    files: Sequence[InputFile], *, workspace: str, config: SnapshotConfig
) -> Iterator[FileRange | SourceFile]:
    """Yields each file and its ranges, in order; with a limit, only those that contain the first documents.

    Spooled chunks go to ``spool/`` in ``workspace``. Raises SourceError if a file is a decompression bomb.
    """
    versions = Versions()
    plan = functools.partial(plan_file, config=config, workspace=workspace, versions=versions)
    planned = list(in_order(files, plan, limit=config.limit))
    keys = [each.key for each in planned if isinstance(each, FileRange)]
    superseded: dict[str, list[int]] = defaultdict(list)
    for file, offset in versions.superseded():
        superseded[keys[bisect_right(keys, range_key(file, offset)) - 1]].append(offset)
    for each in planned:
        yield replace(each, superseded=tuple(superseded[each.key])) if isinstance(each, FileRange) else each


def plan_file(
    file: InputFile, config: SnapshotConfig, *, workspace: str, versions: Versions, limit: int | None
) -> tuple[list[FileRange], SourceFile, int]:
    """Plans one file for ``plan_files`` and adds its pages to ``versions``; with ``limit``, only its first documents.

    Returns:
        The ranges in order, the file's manifest entry, and the number of documents up to the limit.
    """
    form, documents, cap = form_of(file.path), 0, config.max_line_bytes
    text = file.size * (1 if form.is_plain else TEXT_PER_BYTE)
    target = config.target_bytes(text, smallest=_SMALLEST_RANGE, ratio=TEXT_PER_BYTE)
    place, kind = (None, PLAIN) if form.is_plain else (workspace, ZSTD)
    with closing(Spool(file, place, kind=kind)) as spool:
        for line in lines_of_snapshot(file.path, form, cap=cap):
            if isinstance(line, Damage):
                spool.close(line)
                break
            _spool_line(spool, line, target=target, cap=cap)
            if line.oversized or line.data.removeprefix(BOM).strip():
                documents += 1
                if not line.oversized and (identity := identity_of(line)) is not None:
                    versions.add(file.index, line.offset, identity)
            if documents == limit:
                break
    sha256 = UNREAD if limit is None else None
    return spool.ranges, SourceFile(file.path, file.size, sha256, form.name), documents


def _spool_line(spool: Spool, line: Line, *, target: int, cap: int) -> None:
    """Adds a line to the open range, or to a new one if that is full (``target`` bytes) or the line is not adjacent."""
    if spool.is_open and (line.offset != spool.end or spool.end - spool.start >= target):
        spool.close()
    if not spool.is_open:
        spool.begin(line.offset, line.number)
    # an oversized line, whose bytes were not kept, is replaced by blanks, one more than the cap
    data = b" " * (cap + 1) if line.oversized else line.data
    spool.write(data + b"\n" if line.closed else data, end=line.offset + line.length + 1)
    if line.oversized:
        spool.close()


def read_range(place: FileRange, config: SnapshotConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields a document or reject for every non-blank line in a range, in order; then one RangeEnd (``with_end``)."""
    yield from with_end(place, _elements(place, config))


def _elements(place: FileRange, config: SnapshotConfig) -> Iterator[RawDocument | Reject | Damage | None]:
    looks, is_chunk = looks_of(place), place.path != place.file
    for line in lines_in(replace(place, start=0, end=place.end - place.start) if is_chunk else place, config):
        if isinstance(line, Damage):
            yield line
            continue
        if is_chunk:
            line = line._replace(offset=place.start + line.offset)
        element = parse_line(line, place, config, looks=looks)
        if isinstance(element, Reject) and place.kind == PLAIN and breaks_off(line):
            yield Damage(place.file, line.offset, f"the file ends inside line {line.number}")
        yield element


class WikipediaHtmlSource(FilesSource[SnapshotConfig]):
    """A source that reads Wikimedia Enterprise snapshots."""

    NAME = "wikipedia-html"
    DEDUPLICATE = WikipediaSource.DEDUPLICATE
    HELP = (
        "Wikimedia Enterprise snapshots: JSON Lines with HTML (plain, gz, bz2, zst, xz), or a tar archive of such files"
    )
    CONFIG = SnapshotConfig
    MARKUPS = frozenset({PARSOID})
    PROVENANCE = WikipediaSource.PROVENANCE
    READ = read_range

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: SnapshotConfig) -> Self:
        files = expand_inputs(patterns)
        for file in files:
            if not form_of(file.path).is_archive:
                check_lines(file, "a snapshot in JSON Lines, or a tar archive of such files")
        source = cls(files, config)
        source.languages = languages_of(base_of_dump(posixpath.basename(file.path)) for file in files)
        return source

    @override
    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns the range of a line in a plain text file; None for other files."""
        return FileRange.part(file, offset, offset + 1, kind=PLAIN) if form_of(file.path).is_plain else None

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        return PlanFiles(self.files, self.planner(workspace), together=True)

    @override
    def planner(self, workspace: str) -> Planner:
        return functools.partial(plan_files, workspace=workspace, config=self.config)
