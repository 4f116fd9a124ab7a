"""bz2 files block by block, from any byte on: a stream of many blocks is read in parts, as one of many streams is.

A block begins at any bit with a magic number, ends where the next one (or the end of the stream) begins, and carries
its CRC. So a stream of one block can be made of it. Magic numbers also occur in data, once in 2^48 bits: a block that
ends at one fails its CRC, and is tried again up to the next.
"""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from typing import BinaryIO

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.streams import Gauge, Piece

_BLOCK, _END = 0x314159265359, 0x177245385090
_MAGIC_BITS, _CRC_BITS = 48, 32
_HEADER = b"BZh"  # and a digit
_LONGEST = 1 << 20  # bytes of a block, in the file: 900,000 and a little, of data that cannot be compressed
_READ = 1 << 20


def _needles() -> list[tuple[bytes, int, int, bool]]:
    """The whole bytes of a magic number at each shift: (them, bytes before them, shift, whether it is a block's)."""
    needles = []
    for magic in (_BLOCK, _END):
        for shift in range(8):
            size = 6 if shift == 0 else 7
            inner = (magic << (8 * size - _MAGIC_BITS - shift)).to_bytes(size, "big")
            needles.append((inner if shift == 0 else inner[1:-1], 0 if shift == 0 else 1, shift, magic == _BLOCK))
    return needles


_NEEDLES = _needles()


def marks(data: bytes) -> list[tuple[int, bool]]:
    """Returns where magic numbers stand in ``data``, in order: (offset in bits, whether a block begins there)."""
    found = []
    for needle, before, shift, is_block in _NEEDLES:
        magic = _BLOCK if is_block else _END
        at = data.find(needle)
        while at >= 0:
            bit = (at - before) * 8 + shift
            if bit >= 0 and _bits(data, bit, bit + _MAGIC_BITS) == magic:
                found.append((bit, is_block))
            at = data.find(needle, at + 1)
    return sorted(found)


def _bits(data: bytes, start: int, end: int) -> int:
    """Returns the number that stands between two offsets in bits; -1 where the data ends before."""
    last = -(-end // 8)
    if last > len(data):
        return -1
    return int.from_bytes(data[start // 8 : last], "big") >> (last * 8 - end) & (1 << end - start) - 1


def stream_of(data: bytes, start: int, end: int) -> bytes:
    """Returns a bz2 stream of the one block that lies between two offsets in bits."""
    block, length = _bits(data, start, end), end - start
    crc = block >> (length - _MAGIC_BITS - _CRC_BITS) & 0xFFFFFFFF
    bits = ((block << _MAGIC_BITS | _END) << _CRC_BITS) | crc
    length += _MAGIC_BITS + _CRC_BITS
    padding = -length % 8
    return b"BZh9" + (bits << padding).to_bytes((length + padding) // 8, "big")


class _Window:
    """The part of a file that is looked at. It grows at its end, and what lies before the block at hand is forgotten.

    Offsets are in bits of the file.
    """

    def __init__(self, handle: BinaryIO, start: int) -> None:
        handle.seek(start)
        self._handle, self._base, self._data = handle, start, b""
        self._marks: list[tuple[int, bool]] = []

    def next_block(self, at: int) -> int | None:
        """Returns where the first block begins at ``at`` or behind it; None at the end of the file."""
        while True:
            for bit, is_block in self._marks:
                if is_block and bit >= at:
                    self._forget(bit // 8)
                    return bit
            self._forget(self._base + len(self._data) - 6)  # in which a magic number may begin
            if not self._grow():
                return None

    def block(self, begin: int) -> tuple[bytes, int | None]:
        """Returns the text of a block and where it ends; b"" of a damaged one, and None where the file ends in it."""
        index, nearest = 0, None
        while (stop := self._mark_behind(begin, index)) is not None and stop - begin <= 8 * _LONGEST:
            if text := self._text(begin, stop):
                return text, stop
            index, nearest = index + 1, nearest or stop
        return b"", nearest or stop

    def behind(self, stop: int) -> tuple[str, int | None]:
        """Returns what is wrong where a block ends, or "", and where the next one begins; None at the file's end."""
        if (stop, True) in self._marks:
            return "", stop
        at = -(-(stop + _MAGIC_BITS + _CRC_BITS) // 8)  # behind the checksum of the stream
        while self._base + len(self._data) < at + len(_HEADER) + 8 and self._grow():
            pass
        rest = self._data[at - self._base :]
        if at > self._base + len(self._data):
            return "the stream that ends here is cut off", None
        following = (at + len(_HEADER) + 1) * 8
        if rest.startswith(_HEADER) and (following, True) in self._marks:
            return "", following
        if rest.startswith(_HEADER) and (following, False) in self._marks:
            return self.behind(following)
        while not rest.strip(b"\0"):  # padding, and nothing else, may come before the end
            if not self._grow():
                return "", None
            rest = self._data[at - self._base :]
        return "no stream begins here", self.next_block(stop)

    def _mark_behind(self, begin: int, index: int) -> int | None:
        while len(behind := [bit for bit, _ in self._marks if bit > begin]) <= index:
            if self._base + len(self._data) > begin // 8 + _LONGEST + 8 or not self._grow():
                return None
        return behind[index]

    def reaches(self, begin: int, stop: int) -> bool:
        """Whether a block lies between two offsets."""
        while self._base + len(self._data) < stop // 8 + 8 and self._grow():
            pass
        return bool(self._text(begin, stop))

    def _text(self, begin: int, stop: int) -> bytes:
        try:
            return bz2.decompress(stream_of(self._data, begin - 8 * self._base, stop - 8 * self._base))
        except (OSError, ValueError):
            return b""

    def _grow(self) -> bool:
        data = self._handle.read(_READ)
        known = self._base + max(len(self._data) - 6, 0)
        self._data += data
        seen = self._marks[-1][0] if self._marks else -1
        found = marks(self._data[known - self._base :])
        self._marks += [(bit + 8 * known, is_block) for bit, is_block in found if bit + 8 * known > seen]
        return bool(data)

    def _forget(self, before: int) -> None:
        """Forgets the bytes before one."""
        if before > self._base:
            self._data, self._base = self._data[before - self._base :], before
            self._marks = [mark for mark in self._marks if mark[0] >= 8 * before]


def _is_inside(handle: BinaryIO, begin: int, stop: int | None) -> bool:
    """Whether a magic number lies within a block that begins before it, by chance."""
    if stop is None:
        return False
    here, first = handle.tell(), max(begin // 8 - _LONGEST, 0)
    window = _Window(handle, first)
    before = window.next_block(8 * first)
    while before is not None and before < begin and not window.reaches(before, stop):
        before = window.next_block(before + 1)
    handle.seek(here)
    return before is not None and before < begin


def block_pieces(path: str, start: int = 0, end: int | None = None) -> Iterator[Piece | Damage]:
    """Yields the text of the blocks that begin at byte ``start`` or behind it, to the end of the file.

    The origin of a piece is the byte in which its block begins; an empty piece comes before each block. A damaged block
    is left out; behind a damage at ``end`` or later nothing follows.

    Raises:
        SourceError: far more text than its bytes can honestly hold (a decompression bomb).
    """
    gauge = Gauge(path)
    with open_input(path) as handle:
        window = _Window(handle, start)
        first = begin = window.next_block(start * 8)
        while begin is not None:
            origin = begin // 8
            yield Piece(b"", origin, 0)
            text, stop = window.block(begin)
            if text:
                gauge.count((stop - begin) // 8, len(text))
                yield Piece(text, origin, 0)
                problem, begin = window.behind(stop)
                origin = stop // 8
            else:
                problem = f"the block that begins here is {'cut off' if stop is None else 'damaged'}"
                if begin == first and _is_inside(handle, begin, stop):
                    problem = ""
                begin = window.next_block(begin + 1)
            if problem:
                yield Damage(path, origin, problem)
                if end is not None and origin >= end:
                    return
