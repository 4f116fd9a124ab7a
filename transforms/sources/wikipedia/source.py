"""Source ``wikipedia``: MediaWiki export XML (plain, bz2, gzip)."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Self

from typing_extensions import override

from gistmill.core.manifest import DumpEntry
from gistmill.core.options import WIKITEXT
from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.transforms.sources.base import Provenance
from gistmill.transforms.sources.files.bz2_blocks import LONGEST, block_pieces, origins, streams_at
from gistmill.transforms.sources.files.ranges import (
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    range_key,
)
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader, in_order, one_byte
from gistmill.transforms.sources.files.streams import Piece, plain_pieces
from gistmill.transforms.sources.wikipedia.address import base_of_dump, languages_of
from gistmill.transforms.sources.wikipedia.dump import dump_entries, noted_sha256
from gistmill.transforms.sources.wikipedia.export import parse_page
from gistmill.transforms.sources.wikipedia.pages import (
    BZ2,
    GZIP,
    PLAIN,
    Page,
    PageSplitter,
    WikipediaConfig,
    check_input,
    pieces_of,
    spool,
)

_SMALLEST_RANGE = 1 << 14
_BZ2_RATIO = 4  # text per compressed byte, for scheduling
_TAIL_BYTES = 64  # the last range holds at least this much text, so that its reader sees </mediawiki> whole
_WANTED_RANGES = 48  # of the pages of a limit


def plan_files(
    files: Iterable[InputFile], *, workspace: str, config: WikipediaConfig
) -> Iterator[FileRange | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first pages.

    Raises:
        SourceError: a file is not an export, has a DOCTYPE, or is a decompression bomb.
    """
    return in_order(files, partial(plan_file, workspace=workspace, config=config), limit=config.limit)


def plan_file(
    file: InputFile, *, workspace: str, config: WikipediaConfig, limit: int | None = None
) -> tuple[Sequence[FileRange], SourceFile, int]:
    """Plans one file; ``limit``: only its first pages.

    Returns:
        The ranges in order, what the manifest says of the file, and how many pages the limit took.

    Raises:
        SourceError: as plan_files.
    """
    export, documents = check_input(file), 0
    if export.kind == GZIP:
        spooled = spool(file, workspace=workspace, config=config, limit=limit)
        ranges, documents = spooled.ranges(file), spooled.documents
    elif limit is not None:
        ranges, documents = _first_pages(file, export.kind, config, limit)
    else:
        ranges = _ranges(file, export.kind, _cuts(file, export.kind, _target(file, export.kind, config)))
    made = [replace(place, base=export.base, namespaces=export.namespaces) for place in ranges]
    sha256 = noted_sha256(file) if limit is None else None
    return made, SourceFile(file.path, file.size, sha256, export.kind), documents


def _target(file: InputFile, kind: str, config: WikipediaConfig) -> int:
    return config.target_bytes(file.size, smallest=_SMALLEST_RANGE, ratio=_BZ2_RATIO if kind == PLAIN else 1)


def _cuts(file: InputFile, kind: str, target: int) -> Sequence[int]:
    """Where the ranges of a file begin: at blocks, if they are to be smaller than a block may be; most would be empty
    else."""
    if kind == PLAIN or target >= LONGEST:
        return range(0, file.size, target)
    cuts = [0]
    for origin in origins(file.path):
        if origin - cuts[-1] >= target:
            cuts.append(origin)
    return cuts


def _ranges(file: InputFile, kind: str, cuts: Sequence[int], end: int | None = None) -> tuple[FileRange, ...]:
    """The ranges that begin at the cuts; ``end`` is that of the last one, if it is not the file's."""
    ratio, kept = 1 if kind == PLAIN else _BZ2_RATIO, list(cuts)
    if end is None:
        _merge_tail(file, kind, kept)
    return tuple(
        FileRange(
            key=range_key(file.index, start),
            file=file.path,
            path=file.path,
            kind=kind,
            start=start,
            end=stop,
            size=(stop - start) * ratio,
            last=end is None and stop == file.size,
        )
        for start, stop in zip(kept, [*kept[1:], end or file.size], strict=True)
    )


def _merge_tail(file: InputFile, kind: str, cuts: list[int]) -> None:
    """Drops the last cuts until at least _TAIL_BYTES of text follow the last one."""
    end, text = file.size, 0
    while len(cuts) > 1:
        text += end - cuts[-1] if kind == PLAIN else _text_bytes(file.path, cuts[-1], end)
        if text >= _TAIL_BYTES:
            return
        end = cuts.pop()


def _text_bytes(path: str, start: int, end: int) -> int:
    """Returns how much text the blocks of a part of a file have, _TAIL_BYTES or a little more at most."""
    total = 0
    for piece in block_pieces(path, start, end):
        if isinstance(piece, Damage):
            continue
        total += len(piece.data)
        if piece.origin >= end or total >= _TAIL_BYTES:
            break
    return total


def _first_pages(file: InputFile, kind: str, config: WikipediaConfig, limit: int) -> tuple[tuple[FileRange, ...], int]:
    """Reads up to page number ``limit``; returns the ranges up to there, and the number of their pages."""
    splitter = PageSplitter(max_page_bytes=config.max_page_bytes, max_gap_bytes=config.max_gap_bytes)
    target, most = _target(file, kind, config), -(-limit // _WANTED_RANGES)
    cuts, before, documents, latest = [0], 0, 0, 0  # before: pages before the last cut
    for piece in pieces_of(file.path, kind):
        if isinstance(piece, Damage):
            splitter.reset()
            continue
        try:
            for page in splitter.feed(*piece):
                place = page.origin + (page.inner if kind == PLAIN else 0)
                if place > latest and (place - cuts[-1] >= target or documents - before >= most):
                    cuts.append(place)
                    before = documents
                documents, latest = documents + 1, place
                if documents == limit:
                    *ranges, last = _ranges(file, kind, cuts, place + 1)
                    return (*ranges, replace(last, max_documents=limit - before)), limit
        except SourceError as error:
            raise SourceError(f"{file.path}: {error}") from None
    return _ranges(file, kind, cuts), documents


def read_range(place: FileRange, config: WikipediaConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields the pages of a range, each as a document or a reject, in order; then one RangeEnd.

    Pages outside the wanted namespaces are counted in the RangeEnd alone, as documents read and rejected: an export may
    have more of them than of articles.

    Raises:
        SourceError: more text than the cap without a page (a decompression bomb).
    """
    documents, others, damage = 0, 0, list(place.damage)
    for found in _pages(place, config):
        if isinstance(found, Damage):
            damage.append(found)
            continue
        documents += 1
        page = parse_page(found, place, config)
        if page is None:
            others += 1
        else:
            yield page
        if documents == place.max_documents:
            break
    yield end_of(place, documents - others, others, damage)


def end_of(place: FileRange, documents: int, others: int, damage: Iterable[Damage]) -> RangeEnd:
    """Returns the end of a range of which so many documents were emitted, and ``others`` were outside the wanted
    namespaces."""
    counts = {"documents/read": others, f"documents/rejected/{ReadReason.NAMESPACE.name}": others} if others else {}
    return RangeEnd(place.key, documents, tuple(damage), counts)


def _pieces(place: FileRange) -> Iterator[Piece | Damage]:
    if place.kind == "bz2":
        return block_pieces(place.path, place.start, place.end)
    if place.kind == "plain":
        return plain_pieces(place.path, place.start, place.end)
    return plain_pieces(place.path, base=place.start)


def _pages(place: FileRange, config: WikipediaConfig) -> Iterator[Page | Damage]:
    """Yields the pages that the range owns, and what is damaged on the way."""
    splitter = PageSplitter(max_page_bytes=config.max_page_bytes, max_gap_bytes=config.max_gap_bytes)
    damaged, here = bool(place.damage), place.start

    def done(origin: int) -> bool:
        if place.kind == "chunk" or origin < place.end:
            return False
        return splitter.begun is None or splitter.begun >= place.end

    for piece in _pieces(place):
        if isinstance(piece, Damage):
            if here < place.end:  # else the range that owns the block says it
                yield piece
            damaged = True
            splitter.reset()
            continue
        here = piece.origin
        if done(piece.origin):
            return
        try:
            for page in splitter.feed(*piece):
                if page.origin >= place.end:
                    return
                yield page
        except SourceError as error:
            raise SourceError(f"{place.file}: {error}") from None
        if piece.data and done(piece.origin):
            return
    if not damaged:
        # what the end of the file lacks, if anything
        counted = " (offset in the decompressed text)" if place.kind == "chunk" else ""
        if splitter.in_page:
            yield Damage(
                place.file,
                sum(splitter.in_page) if place.kind != "bz2" else splitter.in_page[0],
                "the file ends inside the page that begins here" + counted,
            )
        elif place.last and not splitter.complete:
            yield Damage(place.file, place.end, "the file ends without </mediawiki>" + counted)


class WikipediaSource(FilesSource[WikipediaConfig]):
    """MediaWiki export XML."""

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

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: WikipediaConfig) -> Self:
        source = cls(expand_inputs(patterns), config)
        found = (check_input(file).base or base_of_dump(posixpath.basename(file.path)) for file in source.files)
        source.languages = languages_of(found)
        return source

    @classmethod
    @override
    def dumps(cls, patterns: Sequence[str]) -> list[DumpEntry]:
        return dump_entries(file.path for file in expand_inputs(patterns))

    @override
    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """The blocks of a bz2 dump, or a page of a plain one."""
        kind, base, namespaces = check_input(file)
        end = streams_at(file.path, offset) if kind == BZ2 else offset + 1
        if kind == GZIP or end is None:
            return None
        return replace(one_byte(file, kind, offset), end=end, base=base, namespaces=namespaces)

    @override
    def planner(self, workspace: str) -> Planner:
        """Chunks of what cannot be read in parts go to ``spool/`` in the folder of the run."""
        return functools.partial(plan_files, workspace=workspace, config=self.config)

    @override
    def reader(self) -> Reader:
        return functools.partial(read_range, config=self.config)
