"""Source ``wikipedia``: MediaWiki export XML (plain, bz2, gzip)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Self

from typing_extensions import override

from gistmill.core.options import WIKITEXT
from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.base import FilesSource, Provenance, with_end
from gistmill.transforms.sources.files.bz2_blocks import LONGEST, block_pieces, is_origin, origins
from gistmill.transforms.sources.files.ranges import (
    UNREAD,
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
)
from gistmill.transforms.sources.files.streams import Piece, Spool, plain_pieces
from gistmill.transforms.sources.lines import BZ2, GZIP, PLAIN, ZSTD, pieces_of
from gistmill.transforms.sources.wikipedia.addresses import base_of_dump, languages_of
from gistmill.transforms.sources.wikipedia.dump import dump_entries
from gistmill.transforms.sources.wikipedia.export import parse_page
from gistmill.transforms.sources.wikipedia.pages import Page, PageSplitter, WikipediaConfig, check_input

CHUNK = "chunk"  # the kind of a range of spooled text
_SMALLEST_RANGE = 1 << 14
_BZ2_RATIO = 4  # text per compressed byte, for scheduling
_TAIL_BYTES = 64  # minimum bytes of text in the last range, so that its reader sees all of </mediawiki>
_WANTED_RANGES = 48  # target number of ranges for the pages up to a limit, and for a spooled file
_SMALLEST_CHUNK = 1 << 16
_LARGEST_CHUNK = 8  # multiple of range_bytes


def plan_file(
    file: InputFile, config: WikipediaConfig, *, workspace: str = "", limit: int | None = None
) -> tuple[Sequence[FileRange], SourceFile, int]:
    """Plans one file, or with ``limit`` its first pages. Chunks of gzip files go to ``spool/`` in ``workspace``.

    Returns:
        The ranges in order, the file's manifest entry, and the number of pages up to the limit.

    Raises:
        SourceError: the file is not an export, has a DOCTYPE, or is a decompression bomb.
    """
    export, documents = check_input(file), 0
    ranges: Sequence[FileRange]
    if export.kind == GZIP:
        ranges, documents = _spooled(file, config, workspace, limit)
    elif limit is not None:
        ranges, documents = _first_pages(file, export.kind, config, limit)
    else:
        ranges = _ranges(file, export.kind, _cuts(file, export.kind, _target(file, export.kind, config)))
    made = [replace(place, base=export.base, namespaces=export.namespaces) for place in ranges]
    sha256 = UNREAD if limit is None else None
    return made, SourceFile(file.path, file.size, sha256, export.kind), documents


def _spooled(
    file: InputFile, config: WikipediaConfig, workspace: str, limit: int | None
) -> tuple[list[FileRange], int]:
    """Spools a gzip file, which cannot be split, as chunks; returns their ranges and the number of pages in them.

    Chunks end with a page's end tag; the last ends with the text, or with the piece that completes page ``limit``.
    """
    upper = _LARGEST_CHUNK * config.most_range_bytes
    target = min(max(file.size * _BZ2_RATIO // _WANTED_RANGES, min(_SMALLEST_CHUNK, upper)), upper)
    most = None if limit is None else -(-limit // _WANTED_RANGES)  # pages per chunk
    splitter = _splitter(config)
    position = documents = before = 0  # before: pages before the chunk
    with closing(Spool(file, workspace, kind=CHUNK)) as spool:
        for piece in pieces_of(file.path, GZIP):
            if isinstance(piece, Damage):
                spool.close(piece)
                break
            written = 0
            for page in _pages_in(splitter, Piece(piece.data, position, 0), file.path):
                documents += 1
                if documents == limit:
                    break
                if page.closed and (page.end - spool.start >= target or documents - before == most):
                    spool.write(piece.data[written : page.end - position])
                    spool.close()
                    written, before = page.end - position, documents
            if rest := piece.data[written:]:
                spool.write(rest)
            position += len(piece.data)
            if documents == limit:
                break
        if not spool.ranges and not spool.is_open:
            spool.begin(0)
    *ranges, last = spool.ranges
    is_complete = limit is None or documents < limit
    ranges.append(replace(last, last=is_complete, max_documents=None if is_complete else documents - before))
    return ranges, documents


def _splitter(config: WikipediaConfig) -> PageSplitter:
    return PageSplitter(max_page_bytes=config.max_page_bytes, max_gap_bytes=config.max_gap_bytes)


def _pages_in(splitter: PageSplitter, piece: Piece, path: str) -> Iterator[Page]:
    """Yields the pages that end in a piece. Raises SourceError like PageSplitter.feed, with the file's path."""
    try:
        yield from splitter.feed(*piece)
    except SourceError as error:
        raise SourceError(f"{path}: {error}") from None


def _target(file: InputFile, kind: str, config: WikipediaConfig) -> int:
    return config.target_bytes(file.size, smallest=_SMALLEST_RANGE, ratio=_BZ2_RATIO if kind == PLAIN else 1)


def _cuts(file: InputFile, kind: str, target: int) -> Sequence[int]:
    """Returns the starts of a file's ranges; small ranges in bz2 files start at blocks, or most would be empty."""
    if kind == PLAIN or target >= LONGEST:
        return range(0, file.size, target)
    cuts = [0]
    for origin in origins(file.path):
        if origin - cuts[-1] >= target:
            cuts.append(origin)
    return cuts


def _ranges(file: InputFile, kind: str, cuts: Sequence[int], end: int | None = None) -> tuple[FileRange, ...]:
    """Returns the ranges that begin at the cuts; ``end`` is the end of the last range, by default that of the file."""
    ratio, kept = 1 if kind == PLAIN else _BZ2_RATIO, list(cuts)
    if end is None:
        _merge_tail(file, kind, kept)
    return tuple(
        FileRange.part(
            file, start, stop, kind=kind, size=(stop - start) * ratio, last=end is None and stop == file.size
        )
        for start, stop in zip(kept, [*kept[1:], end or file.size], strict=True)
    )


def _merge_tail(file: InputFile, kind: str, cuts: list[int]) -> None:
    """Removes cuts at the end until at least _TAIL_BYTES of text follow the last one."""
    end, text = file.size, 0
    while len(cuts) > 1:
        text += end - cuts[-1] if kind == PLAIN else _text_bytes(file.path, cuts[-1], end)
        if text >= _TAIL_BYTES:
            return
        end = cuts.pop()


def _text_bytes(path: str, start: int, end: int) -> int:
    """Returns the bytes of text in the blocks of part of a file; stops counting when _TAIL_BYTES are reached."""
    total = 0
    for piece in block_pieces(path, start, end):
        if isinstance(piece, Damage):
            continue
        total += len(piece.data)
        if piece.origin >= end or total >= _TAIL_BYTES:
            break
    return total


def _first_pages(file: InputFile, kind: str, config: WikipediaConfig, limit: int) -> tuple[tuple[FileRange, ...], int]:
    """Reads up to page number ``limit``; returns the ranges up to that page, and the number of pages in them."""
    splitter = _splitter(config)
    target, most = _target(file, kind, config), -(-limit // _WANTED_RANGES)
    cuts, before, documents, latest = [0], 0, 0, 0  # before: pages before the last cut
    for piece in pieces_of(file.path, kind):
        if isinstance(piece, Damage):
            splitter.reset()
            continue
        for page in _pages_in(splitter, piece, file.path):
            place = page.origin + (page.inner if kind == PLAIN else 0)
            if place > latest and (place - cuts[-1] >= target or documents - before >= most):
                cuts.append(place)
                before = documents
            documents, latest = documents + 1, place
            if documents == limit:
                *ranges, last = _ranges(file, kind, cuts, place + 1)
                return (*ranges, replace(last, max_documents=limit - before)), limit
    return _ranges(file, kind, cuts), documents


def read_range(place: FileRange, config: WikipediaConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields a document or reject for each page in a range, in order; then one RangeEnd (see ``with_end``).

    Raises SourceError if there is more text without a page than the limit allows (a decompression bomb).
    """
    pages = _pages(place, config)
    yield from with_end(place, (p if isinstance(p, Damage) else parse_page(p, place, config) for p in pages))


def _pieces(place: FileRange) -> Iterator[Piece | Damage]:
    if place.kind == CHUNK:
        for piece in pieces_of(place.path, ZSTD, known=place.end - place.start):
            yield piece if isinstance(piece, Damage) else Piece(piece.data, place.start + piece.inner, 0)
    else:
        read = block_pieces if place.kind == BZ2 else plain_pieces
        yield from read(place.path, place.start, place.end)


def _pages(place: FileRange, config: WikipediaConfig) -> Iterator[Page | Damage]:
    """Yields the pages that belong to the range, and damage between them."""
    splitter = _splitter(config)
    damaged, here = bool(place.damage), place.start

    def done(origin: int) -> bool:
        if place.kind == CHUNK or origin < place.end:
            return False
        return splitter.begun is None or splitter.begun >= place.end

    for piece in _pieces(place):
        if isinstance(piece, Damage):
            if here < place.end:  # else it is reported by the range that the block belongs to
                yield piece
            damaged = True
            splitter.reset()
            continue
        here = piece.origin
        if done(piece.origin):
            return
        for page in _pages_in(splitter, piece, place.file):
            if page.origin >= place.end:
                return
            yield page
        if piece.data and done(piece.origin):
            return
    if not damaged:
        # report a truncated file as damage
        counted = " (offset in the decompressed text)" if place.kind == CHUNK else ""
        if splitter.in_page:
            yield Damage(
                place.file,
                sum(splitter.in_page) if place.kind != BZ2 else splitter.in_page[0],
                "the file ends inside the page that begins here" + counted,
            )
        elif place.last and not splitter.complete:
            yield Damage(place.file, place.end, "the file ends without </mediawiki>" + counted)


class WikipediaSource(FilesSource[WikipediaConfig]):
    """A source that reads MediaWiki export XML."""

    NAME = "wikipedia"
    DEDUPLICATE = "none"
    HELP = "MediaWiki export XML (plain, gz, bz2)"
    CONFIG = WikipediaConfig
    MARKUPS = frozenset({WIKITEXT})
    PROVENANCE = Provenance(
        "cc-by-sa-4.0",
        "The text comes from Wikipedia, by its contributors, under CC BY-SA 4.0. `url` leads to each article, "
        "and `revision` names its version; where `url` is empty, `title` names the article. The history of an article "
        "lists its authors.",
    )
    PLAN = plan_file
    READ = read_range

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: WikipediaConfig) -> Self:
        source = cls(expand_inputs(patterns), config)
        found = (check_input(file).base or base_of_dump(posixpath.basename(file.path)) for file in source.files)
        source.languages = languages_of(found)
        return source

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        return replace(cls.PROVENANCE, dumps=dump_entries(file.path for file in expand_inputs(patterns)))

    @override
    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns the range of a bz2 block or, in a plain file, of a page; None otherwise."""
        kind, base, namespaces = check_input(file)
        if kind == GZIP or (kind == BZ2 and not is_origin(file.path, offset)):
            return None
        return FileRange.part(file, offset, offset + 1, kind=kind, size=1, base=base, namespaces=namespaces)
