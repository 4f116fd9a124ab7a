"""Reading one range of an export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.rules.reasons import ReadReason
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.ranges import FileRange, SourceError
from gistmill.transforms.sources.files.streams import Piece, plain_pieces
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.export import parse_page
from gistmill.transforms.sources.wikipedia.pages import Page, PageSplitter


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
        yield from _cut_off(place, splitter)


def _cut_off(place: FileRange, splitter: PageSplitter) -> Iterator[Damage]:
    """What the end of the file lacks, if anything."""
    counted = " (offset in the decompressed text)" if place.kind == "chunk" else ""
    if splitter.in_page:
        yield Damage(
            place.file,
            sum(splitter.in_page) if place.kind != "bz2" else splitter.in_page[0],
            "the file ends inside the page that begins here" + counted,
        )
    elif place.last and not splitter.complete:
        yield Damage(place.file, place.end, "the file ends without </mediawiki>" + counted)
