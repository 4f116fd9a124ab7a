"""A bz2 reader that can start at any block, so that even a file with a single stream can be split.

A block begins with a magic number, at any bit, and ends where the next block or the end of the stream begins. It
includes its CRC, so it can be turned into a stream of its own. Magic numbers also occur by chance, once in 2^48 bits: a
block cut off at one fails its CRC and is then tried up to the next. Only the CRCs of blocks are checked, not those of
whole streams.

The origin of a block, which determines the part of the file that it belongs to, is the byte in which it begins or, for
the first block of a stream, the first byte of the header before it.
"""

from __future__ import annotations

import bz2
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import BinaryIO

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.streams import CompressionRatioLimit, Piece

BLOCK, END = 0x314159265359, 0x177245385090
MAGIC_BITS, CRC_BITS = 48, 32


def _needles() -> list[tuple[bytes, int, int, bool]]:
    """Returns (complete bytes, number of bytes before them, shift, whether it begins a block) for each magic number and
    shift."""
    needles = []
    for magic in (BLOCK, END):
        for shift in range(8):
            size = 6 if shift == 0 else 7
            inner = (magic << (8 * size - MAGIC_BITS - shift)).to_bytes(size, "big")
            needles.append((inner if shift == 0 else inner[1:-1], 0 if shift == 0 else 1, shift, magic == BLOCK))
    return needles


_NEEDLES = _needles()


def marks(data: bytes) -> list[tuple[int, bool]]:
    """Returns (offset in bits, whether a block begins there) for each magic number in ``data``, in order."""
    found = []
    for needle, before, shift, is_block in _NEEDLES:
        magic = BLOCK if is_block else END
        at = data.find(needle)
        while at >= 0:
            bit = (at - before) * 8 + shift
            if bit >= 0 and bits(data, bit, bit + MAGIC_BITS) == magic:
                found.append((bit, is_block))
            at = data.find(needle, at + 1)
    return sorted(found)


def bits(data: bytes, start: int, end: int) -> int:
    """Returns the number between two bit offsets, or -1 if the data ends before the second."""
    last = -(-end // 8)
    if last > len(data):
        return -1
    return int.from_bytes(data[start // 8 : last], "big") >> (last * 8 - end) & (1 << end - start) - 1


def stream_of(data: bytes, start: int, end: int) -> bytes:
    """Returns a bz2 stream with only the block between two bit offsets. Raises ValueError if there are too few bits."""
    block, length = bits(data, start, end), end - start
    crc = block >> (length - MAGIC_BITS - CRC_BITS) & 0xFFFFFFFF
    stream = ((block << MAGIC_BITS | END) << CRC_BITS) | crc
    length += MAGIC_BITS + CRC_BITS
    padding = -length % 8
    return b"BZh9" + (stream << padding).to_bytes((length + padding) // 8, "big")


_HEADER = re.compile(rb"BZh[1-9]")
_HEADER_BYTES = 4
_STREAM = re.compile(_HEADER.pattern + BLOCK.to_bytes(6, "big"))
LONGEST = 1 << 20  # compressed bytes in a block: just over 900,000 if its data is incompressible
_READ = 1 << 20
_HELD = 1 << 22  # bytes of text; a block with more (such as a bomb) is returned in pieces
_MOSTENDS = 64  # possible ends tried for a block; more than one magic number inside it cannot be chance


def _texts(stream: bytes) -> Iterator[bytes]:
    """Yields the text of a stream in pieces. Raises OSError or ValueError if it is damaged or ends elsewhere."""
    decompressor = bz2.BZ2Decompressor()
    text = decompressor.decompress(stream, _HELD)
    while text:
        yield text
        text = b"" if decompressor.eof else decompressor.decompress(b"", _HELD)
    if not decompressor.eof or decompressor.unused_data:
        raise ValueError("the block ends elsewhere")


class _Window:
    """A window on a file that grows at its end and drops bytes before the current block.

    Offsets are bit offsets in the file unless described as bytes.

    Args:
        handle: the file.
        start: first byte.
        end: byte at which searches for blocks stop; None for the end of the file.
    """

    def __init__(self, handle: BinaryIO, start: int, end: int | None = None) -> None:
        handle.seek(start)
        self._handle, self._base, self._data = handle, start, b""
        self._until = None if end is None else 8 * (end + _HEADER_BYTES)
        self._marks: list[tuple[int, bool]] = []

    @property
    def _stop(self) -> int:
        """The byte offset of the window's end."""
        return self._base + len(self._data)

    def next_block(self, at: int) -> int | None:
        """Returns the offset of the first block at or after ``at``, or None."""
        while True:
            for bit, is_block in islice(self._marks, bisect_left(self._marks, (at, False)), None):
                if is_block:
                    return bit if self._until is None or bit < self._until else None
            wanted = None if self._until is None else (self._until + MAGIC_BITS) // 8 - self._stop
            self._forget(self._stop - _HEADER_BYTES - 6)  # a header and a magic number may begin in these bytes
            if (wanted is not None and wanted <= 0) or not self._grow(wanted):
                return None

    def origin(self, begin: int) -> int:
        """Returns the byte offset of a block's origin."""
        at = begin // 8 - _HEADER_BYTES
        first = begin % 8 == 0 and at >= self._base and _HEADER.match(self._data, at - self._base)
        return at if first else begin // 8

    def block(self, begin: int) -> tuple[Sequence[bytes] | Iterator[bytes], int | None]:
        """Returns the text of a block and the offset of its end; for a damaged block, () and the offset of the next
        magic number or None."""
        self._forget(begin // 8 - _HEADER_BYTES)
        nearest = None
        for end in islice(self._ends(begin), _MOSTENDS):
            if texts := self._text(begin, end):
                return texts, end
            nearest = nearest or end
        for end in self._cut_ends(begin):
            if texts := self._text(begin, end):
                return texts, end
        return (), nearest

    def after(self, end: int) -> tuple[str, int, int | None]:
        """Returns the problem after a block or "", its byte offset, and the offset of the next block or None."""
        if self._has(end, True):
            return "", end // 8, end
        return self.stream_at(-(-(end + MAGIC_BITS + CRC_BITS) // 8))

    def stream_at(self, at: int) -> tuple[str, int, int | None]:
        """Does the same as ``after`` at a byte where a stream must begin or the file must end."""
        while True:
            self._reach(at + _HEADER_BYTES + 6)
            rest = self._data[at - self._base :][: _HEADER_BYTES + 6]
            if at > self._stop:
                return "the stream that ends here is cut off", at, None
            begin = (at + _HEADER_BYTES) * 8
            if not _HEADER.match(rest) or not self._has(begin, False):
                break
            at += _HEADER_BYTES + 10  # skip a stream without blocks
        if _HEADER.match(rest) and self._has(begin, True):
            return "", at, begin
        if not rest.strip(b"\0") and self._is_padding(at):
            return "", at, None
        cut = _HEADER.match(rest) and len(rest) < _HEADER_BYTES + 6
        problem = "the stream that begins here is cut off" if cut else "no stream begins here"
        return problem, at, self.next_block(8 * at)

    def reaches(self, begin: int, end: int) -> bool:
        """Whether the bits between two offsets form a block."""
        self._reach(end // 8 + 8)
        return bool(self._text(begin, end))

    def _ends(self, begin: int) -> Iterator[int]:
        """Yields the offsets at which a block may end."""
        latest = begin
        while True:
            at = bisect_right(self._marks, (latest, True))
            if at < len(self._marks):
                latest = self._marks[at][0]
                if latest - begin > 8 * LONGEST:
                    return
                yield latest
            elif self._stop > begin // 8 + LONGEST + 8 or not self._grow():
                return

    def _cut_ends(self, begin: int) -> Iterator[int]:
        """Yields the offsets at which a block may end if the file is cut off inside the next magic number."""
        stop = 8 * self._stop
        if stop - begin > 8 * LONGEST or self._grow():
            return
        for known in range(MAGIC_BITS):
            tail = bits(self._data, stop - known - 8 * self._base, stop - 8 * self._base)
            if stop - known > begin and tail in (BLOCK >> MAGIC_BITS - known, END >> MAGIC_BITS - known):
                yield stop - known

    def _text(self, begin: int, end: int) -> Sequence[bytes] | Iterator[bytes]:
        """Returns the text of the block between two offsets, or () if there is none; large text is unpacked twice."""
        try:
            stream = stream_of(self._data, begin - 8 * self._base, end - 8 * self._base)
            pieces = _texts(stream)
            first = next(pieces, b"")
            return _texts(stream) if sum(map(len, pieces)) else (first,) if first else ()
        except (OSError, ValueError):
            return ()

    def _is_padding(self, at: int) -> bool:
        """Whether all bytes from ``at`` to the end of the file are zero."""
        while not self._data[max(at - self._base, 0) :].strip(b"\0"):
            self._forget(self._stop - _HEADER_BYTES - 6)
            if not self._grow():
                return True
        return False

    def _has(self, bit: int, is_block: bool) -> bool:
        at = bisect_left(self._marks, (bit, is_block))
        return at < len(self._marks) and self._marks[at] == (bit, is_block)

    def _reach(self, byte: int) -> None:
        while self._stop < byte and self._grow():
            pass

    def _grow(self, most: int | None = None) -> bool:
        data = self._handle.read(_READ if most is None else min(_READ, most))
        known = max(self._stop - 6, self._base)
        self._data += data
        seen = self._marks[-1][0] if self._marks else -1
        found = marks(self._data[known - self._base :])
        self._marks += [(bit + 8 * known, is_block) for bit, is_block in found if bit + 8 * known > seen]
        return bool(data)

    def _forget(self, before: int) -> None:
        """Drops the bytes before the byte ``before``."""
        if before > self._base:
            self._data, self._base = self._data[before - self._base :], before
            del self._marks[: bisect_left(self._marks, (8 * before, False))]


def _is_inside(handle: BinaryIO, begin: int, end: int | None) -> bool:
    """Whether a magic number occurs by chance inside an earlier block."""
    if end is None:
        return False
    here, first = handle.tell(), max(begin // 8 - LONGEST, 0)
    window = _Window(handle, first)
    before = window.next_block(8 * first)
    while before is not None and before < begin and not window.reaches(before, end):
        before = window.next_block(before + 1)
    handle.seek(here)
    return before is not None and before < begin


def block_pieces(path: str, start: int = 0, end: int | None = None) -> Iterator[Piece | Damage]:
    """Yields the text of all blocks whose origin is at or after ``start``.

    The origin of a piece is that of its block; each block is preceded by an empty piece. Damaged blocks are left out. A
    Damage belongs to the block before it; the search for the next block after it stops at ``end``.

    Raises:
        SourceError: the file is a decompression bomb.
    """
    gauge = CompressionRatioLimit(path)
    with open_input(path) as handle:
        window, problem, place = _Window(handle, max(start - _HEADER_BYTES, 0), end), "", start
        if start:
            begin = window.next_block(8 * start)
            if begin is not None and window.origin(begin) < start:
                begin = window.next_block(begin + 1)
            searched = begin
        else:
            problem, place, begin = window.stream_at(0)
            searched = None
        while True:
            if problem:
                yield Damage(path, place, problem)
            if begin is None:
                return
            origin = place = window.origin(begin)
            yield Piece(b"", origin, 0)
            texts, stop = window.block(begin)
            if texts and stop is not None:
                gauge.count((stop - begin) // 8, 0)
                inner = 0
                for text in texts:
                    gauge.count(0, len(text))
                    yield Piece(text, origin, inner)
                    inner += len(text)
                problem, place, begin = window.after(stop)
                continue
            problem = f"the block that begins here is {'cut off' if stop is None else 'damaged'}"
            if begin == searched and _is_inside(handle, begin, stop):
                problem = ""
            begin = window.next_block(begin + 1)


def origins(path: str) -> Iterator[int]:
    """Yields the origins of all blocks, without unpacking them; data that only looks like a block is included."""
    with open_input(path) as handle:
        window = _Window(handle, 0)
        begin = window.next_block(0)
        while begin is not None:
            yield window.origin(begin)
            begin = window.next_block(begin + 1)


def is_origin(path: str, offset: int) -> bool:
    """Whether the byte at ``offset`` is the origin of a block."""
    with open_input(path) as handle:
        handle.seek(offset)
        data = handle.read(_HEADER_BYTES + 6)
    return bool(_STREAM.match(data)) or any(bit < 8 and is_block for bit, is_block in marks(data[:8]))
