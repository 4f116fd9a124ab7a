"""Cutting files into lines, plain or compressed, in memory bounded by the longest line allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.looks import HEAD_BYTES
from gistmill.transforms.sources.files.packed import XZ_MAGIC, ZSTD_MAGIC, xz_pieces, zstd_pieces
from gistmill.transforms.sources.files.streams import (
    BZ2_MAGIC,
    GZIP_MAGIC,
    Piece,
    gzip_pieces,
    plain_pieces,
)

PLAIN, GZIP, BZ2, ZSTD, XZ = "jsonl", "jsonl-gzip", "jsonl-bz2", "jsonl-zstd", "jsonl-xz"
_MAGIC = {GZIP_MAGIC: GZIP, BZ2_MAGIC: BZ2, ZSTD_MAGIC: ZSTD, XZ_MAGIC: XZ}


class Line(NamedTuple):
    """A line without its end.

    Attributes:
        data: its bytes; b"" if ``oversized``.
        offset: where it begins: in the file, or for compressed files in the text.
        number: counted from 1 over the file.
        oversized: whether it is over the cap.
        length: how many bytes it has, not counting its end.
        closed: whether a line end follows.
    """

    data: bytes
    offset: int
    number: int
    oversized: bool = False
    length: int = 0
    closed: bool = True


def kind_of(path: str) -> str:
    """Returns PLAIN, GZIP, BZ2, ZSTD or XZ, by the file's first bytes, whatever its name."""
    with open_input(path) as handle:
        head = handle.read(len(XZ_MAGIC))
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), PLAIN)


def pieces_of(path: str, kind: str, start: int = 0) -> Iterator[Piece | Damage]:
    """Yields the text of a file from ``start`` on, which is 0 for compressed files.

    Raises:
        SourceError: a decompression bomb.
    """
    if kind == PLAIN:
        return plain_pieces(path, start)
    return {GZIP: gzip_pieces, BZ2: block_pieces, ZSTD: zstd_pieces, XZ: xz_pieces}[kind](path)


def begins(path: str, kind: str) -> bytes:
    """Returns the beginning of the text of a file: HEAD_BYTES, or less where it ends or is damaged."""
    text = b""
    for piece in pieces_of(path, kind):
        if isinstance(piece, Damage) or len(text) >= HEAD_BYTES:
            break
        text += piece.data
    return text[:HEAD_BYTES]


def lines_of(
    path: str, kind: str, *, start: int = 0, end: int | None = None, first: int = 1, cap: int
) -> Iterator[Line | Damage]:
    """Yields the lines that begin in [start, end), in order; after a Damage, no more.

    Args:
        path: the file.
        kind: what kind_of said.
        start: where a line begins; 0 for compressed files.
        end: end of the range; None for the end of the file.
        first: number of the line at ``start``.
        cap: bytes that a line may have.

    Raises:
        SourceError: a decompression bomb.
    """
    return cut(pieces_of(path, kind, start), start=start, end=end, first=first, cap=cap)


def cut(
    pieces: Iterable[Piece | Damage], *, start: int, end: int | None = None, first: int = 1, cap: int
) -> Iterator[Line | Damage]:
    """Yields the lines of text that begins at ``start`` with line ``first``; the rest as ``lines_of``."""
    held, length, offset, number = bytearray(), 0, start, first
    for piece in pieces:
        if isinstance(piece, Damage):
            if length:
                yield _line(held, length, offset, number, cap, closed=False)
            yield piece
            return
        position = 0
        while (stop := piece.data.find(b"\n", position)) >= 0:
            length += stop - position
            if length <= cap:
                held += piece.data[position:stop]
            yield _line(held, length, offset, number, cap)
            offset, number, position = offset + length + 1, number + 1, stop + 1
            held.clear()
            length = 0
            if end is not None and offset >= end:
                return
        length += len(piece.data) - position
        if length <= cap:
            held += piece.data[position:]
        else:
            held.clear()
    if length:
        yield _line(held, length, offset, number, cap, closed=False)


def _line(held: bytearray, length: int, offset: int, number: int, cap: int, *, closed: bool = True) -> Line:
    return Line(bytes(held) if length <= cap else b"", offset, number, length > cap, length, closed)
