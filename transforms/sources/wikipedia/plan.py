"""Planning: one pass over an input finds the places where it can be cut into ranges, and its checksum."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceFile, range_key
from gistmill.transforms.sources.files.streams import BZ2_HEADER, BZ2_HEADER_BYTES, bz2_pieces
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.detect import BZ2, GZIP, PLAIN, check_input
from gistmill.transforms.sources.wikipedia.index import BadIndex, find_index, index_offsets
from gistmill.transforms.sources.wikipedia.spool import spool

_log = logging.getLogger(__name__)
_SCAN_BLOCK = 1 << 22
_SMALLEST_RANGE = 1 << 14
_BZ2_RATIO = 4  # text per compressed byte, for scheduling
_TAIL_BYTES = 64  # the last range holds at least this much text, so that its reader sees </mediawiki> whole


@dataclass(frozen=True, slots=True)
class FilePlan:
    """The ranges of one file, in order; what the manifest says of it; and how many pages a limit took from it."""

    ranges: tuple[FileRange, ...]
    source: SourceFile
    documents: int = 0


def plan_files(files: Iterable[InputFile], *, workspace: str, config: WikipediaConfig) -> Iterator[FilePlan]:
    """Plans files in order; with a limit, only as many as hold the first ``limit`` pages.

    Raises:
        SourceError: a file is not an export, has a DOCTYPE, or is a decompression bomb.
    """
    left = config.limit
    for file in files:
        plan = plan_file(file, workspace=workspace, config=config, limit=left)
        yield plan
        if left is not None:
            left -= plan.documents
            if left <= 0:
                return


def plan_file(file: InputFile, *, workspace: str, config: WikipediaConfig, limit: int | None = None) -> FilePlan:
    """Plans one file; ``limit``: only its first pages. Raises as plan_files."""
    export = check_input(file)
    plan = _plan_file(file, export.kind, workspace=workspace, config=config, limit=limit)
    ranges = (replace(place, base=export.base, namespaces=export.namespaces) for place in plan.ranges)
    return replace(plan, ranges=tuple(ranges))


def _plan_file(file: InputFile, kind: str, *, workspace: str, config: WikipediaConfig, limit: int | None) -> FilePlan:
    if limit is not None:  # its pages must be found one after the other anyway
        spooled = spool(file, kind, workspace=workspace, config=config, limit=limit)
        return FilePlan(spooled.ranges(file), SourceFile(file.path, file.size, None, kind), spooled.documents)
    ratio = _BZ2_RATIO if kind == PLAIN else 1
    target = config.target_bytes(file.size, smallest=_SMALLEST_RANGE, ratio=ratio)
    expected = _index_cuts(file, target) if kind == BZ2 else []
    scan = _scan(file.path, kind, target, expected)
    if kind == PLAIN:
        cuts = _merge_tail(list(range(0, file.size, target)), lambda start: file.size - start)
        return FilePlan(_ranges(file, kind, cuts), SourceFile(file.path, file.size, scan.sha256, kind))
    # A stream far over the target would keep one worker busy while the others wait.
    if kind == GZIP or scan.streams < 2 or scan.longest > max(file.size // 8, 2 * target):
        ranges = spool(file, kind, workspace=workspace, config=config).ranges(file)
        return FilePlan(ranges, SourceFile(file.path, file.size, scan.sha256, kind))
    cuts = scan.cuts
    if len(expected) > 1:
        if scan.found == len(expected):
            cuts = expected
        else:
            _log.warning("The index beside %s does not fit it; scanning for streams instead.", file.path)
    cuts = _merge_tail(cuts, lambda start: _text_bytes(file.path, start))
    return FilePlan(_ranges(file, kind, cuts), SourceFile(file.path, file.size, scan.sha256, "bz2-multistream"))


def _ranges(file: InputFile, kind: str, cuts: list[int]) -> tuple[FileRange, ...]:
    ratio = 1 if kind == PLAIN else _BZ2_RATIO
    return tuple(
        FileRange(
            key=range_key(file.index, start),
            file=file.path,
            path=file.path,
            kind=kind,
            start=start,
            end=end,
            size=(end - start) * ratio,
            last=end == file.size,
        )
        for start, end in zip(cuts, [*cuts[1:], file.size])
    )


class _Cuts:
    """Keeps of ascending offsets those that are at least ``target`` apart; 0 is always the first."""

    def __init__(self, target: int) -> None:
        self.offsets = [0]
        self._target = target

    def add(self, offset: int) -> None:
        if offset - self.offsets[-1] >= self._target:
            self.offsets.append(offset)


@dataclass(slots=True)
class _Scan:
    """``found`` counts the expected cuts that are stream headers; ``longest`` is in compressed bytes."""

    sha256: str = ""
    cuts: list[int] = field(default_factory=list)
    streams: int = 0
    longest: int = 0
    found: int = 0


def _scan(path: str, kind: str, target: int, expected: list[int]) -> _Scan:
    """Reads a file once: its checksum and, if bz2, where its streams begin."""
    digest, cuts, scan, wanted = hashlib.sha256(), _Cuts(target), _Scan(), set(expected)
    tail, position, latest = b"", 0, 0
    with open_input(path) as handle:
        while block := handle.read(_SCAN_BLOCK):
            digest.update(block)
            if kind == BZ2:
                window = tail + block
                for match in BZ2_HEADER.finditer(window):
                    offset = position - len(tail) + match.start()
                    cuts.add(offset)
                    scan.streams += 1
                    scan.found += offset in wanted
                    scan.longest, latest = max(scan.longest, offset - latest), offset
                tail = window[1 - BZ2_HEADER_BYTES :]
            position += len(block)
    scan.sha256, scan.cuts, scan.longest = digest.hexdigest(), cuts.offsets, max(scan.longest, position - latest)
    return scan


def _index_cuts(file: InputFile, target: int) -> list[int]:
    """Returns the cuts that the index beside a dump proposes; [] without a usable index."""
    path = find_index(file.path)
    if path is None:
        return []
    cuts = _Cuts(target)
    try:
        for offset in index_offsets(path, file.size):
            cuts.add(offset)
    except BadIndex as problem:
        _log.warning("The index %s does not fit its dump (%s); scanning for streams instead.", path, problem)
        return []
    return cuts.offsets


def _merge_tail(cuts: list[int], text_bytes: Callable[[int], int]) -> list[int]:
    """Drops the last cuts until at least _TAIL_BYTES of text follow the last one."""
    while len(cuts) > 1 and text_bytes(cuts[-1]) < _TAIL_BYTES:
        cuts = cuts[:-1]
    return cuts


def _text_bytes(path: str, start: int) -> int:
    """Returns how much text follows a stream's beginning, _TAIL_BYTES or a little more at most."""
    total = 0
    for piece in bz2_pieces(path, start):
        if isinstance(piece, Damage):
            break
        total += len(piece.data)
        if total >= _TAIL_BYTES:
            break
    return total
