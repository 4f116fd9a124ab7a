"""Content-defined chunks of a stream of bytes: what tools that synchronise and store without copies cut files into.

A chunk ends where a rolling hash of the last 32 bytes has 16 given bits zero, so chunks after an insertion are those
of before. Source: the gear hash of W. Xia et al., "FastCDC: a fast and efficient content-defined chunking approach for
data deduplication", USENIX ATC 2016, section 3; the sizes are those of Hugging Face's Xet storage. Tools differ in the
table and in sizes, so what one of them moves is near to what is counted here, and not equal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

LEAST, MOST = 8 * 1024, 128 * 1024  # bytes of a chunk
_WINDOW = 32  # bytes that decide whether a chunk ends
_MASK = np.uint32(0xFFFF_0000)  # 64 KiB on average, before LEAST and MOST
_GEAR = np.frombuffer(
    b"".join(hashlib.blake2b(bytes([n]), digest_size=4, key=b"chunks").digest() for n in range(256)), dtype="<u4"
)


def chunks(stream: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Yields (hash, bytes) of each chunk of a stream, which comes in pieces of any size; a piece and a chunk are held.

    The hash is the first 64 bits of BLAKE2b of the chunk.
    """
    held = b""
    for piece in stream:
        held += piece
        start = 0
        for end in _ends(held, last=False):
            yield _named(held[start:end])
            start = end
        held = held[start:]
    start = 0
    for end in _ends(held, last=True):
        yield _named(held[start:end])
        start = end


def _named(chunk: bytes) -> tuple[int, int]:
    return int.from_bytes(hashlib.blake2b(chunk, digest_size=8).digest(), "big"), len(chunk)


def _ends(data: bytes, *, last: bool) -> Iterator[int]:
    """Yields the ends of the chunks that begin at the start of ``data``; ``last``: nothing follows the data."""
    cuts = _cuts(data)
    start, place = 0, 0
    while len(data) - start >= MOST or (last and start < len(data)):
        place = int(np.searchsorted(cuts, start + LEAST))
        end = min(start + MOST, len(data))
        if place < len(cuts):
            end = min(end, int(cuts[place]))
        yield end
        start = end


def _cuts(data: bytes) -> npt.NDArray[np.int64]:
    """Returns where the hash of the 32 bytes before is one that ends a chunk, in order."""
    hashes = _GEAR[np.frombuffer(data, np.uint8)]
    width = 1
    while width < _WINDOW:  # the sum over twice as many bytes: each is shifted by its distance
        hashes[width:] += hashes[:-width] << np.uint32(width)
        width *= 2
    return np.flatnonzero((hashes & _MASK) == 0) + 1
