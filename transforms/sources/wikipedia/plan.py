"""Planning: the ranges of a file, which are known before it is read, and where its checksum comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.bz2_blocks import LONGEST, block_pieces, origins
from gistmill.transforms.sources.files.plan import in_order
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError, SourceFile, range_key
from gistmill.transforms.sources.wikipedia.checksum import noted_sha256
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.detect import PLAIN, SPOOLED, check_input, pieces_of
from gistmill.transforms.sources.wikipedia.pages import PageSplitter
from gistmill.transforms.sources.wikipedia.spool import spool

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
    if export.kind in SPOOLED:
        spooled = spool(file, export.kind, workspace=workspace, config=config, limit=limit)
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
        for start, stop in zip(kept, [*kept[1:], end or file.size])
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
