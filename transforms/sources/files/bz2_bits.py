"""The bits of bz2 files: where the magic numbers of blocks and of ends of streams stand, and streams of one block."""

from __future__ import annotations

BLOCK, END = 0x314159265359, 0x177245385090
MAGIC_BITS, CRC_BITS = 48, 32


def _needles() -> list[tuple[bytes, int, int, bool]]:
    """The whole bytes of a magic number at each shift: (them, bytes before them, shift, whether it is a block's)."""
    needles = []
    for magic in (BLOCK, END):
        for shift in range(8):
            size = 6 if shift == 0 else 7
            inner = (magic << (8 * size - MAGIC_BITS - shift)).to_bytes(size, "big")
            needles.append((inner if shift == 0 else inner[1:-1], 0 if shift == 0 else 1, shift, magic == BLOCK))
    return needles


_NEEDLES = _needles()


def marks(data: bytes) -> list[tuple[int, bool]]:
    """Returns where magic numbers stand in ``data``, in order: (offset in bits, whether a block begins there)."""
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
    """Returns the number that stands between two offsets in bits; -1 where the data ends before."""
    last = -(-end // 8)
    if last > len(data):
        return -1
    return int.from_bytes(data[start // 8 : last], "big") >> (last * 8 - end) & (1 << end - start) - 1


def stream_of(data: bytes, start: int, end: int) -> bytes:
    """Returns a bz2 stream of the one block that lies between two offsets in bits.

    Raises:
        ValueError: these are too few bits for a block.
    """
    block, length = bits(data, start, end), end - start
    crc = block >> (length - MAGIC_BITS - CRC_BITS) & 0xFFFFFFFF
    stream = ((block << MAGIC_BITS | END) << CRC_BITS) | crc
    length += MAGIC_BITS + CRC_BITS
    padding = -length % 8
    return b"BZh9" + (stream << padding).to_bytes((length + padding) // 8, "big")
