"""Bytes of inputs as text: plain, gzip, zstd and xz, decompressed with bounded memory, and hashed on the way.

Every generator here, and that of ``bz2_blocks.py``, yields ``Piece``s in order of the file, an empty one where a stream
or block begins (so that a reader can stop before it is decompressed), and a ``Damage`` where bytes cannot be decoded.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import zlib
from collections.abc import Generator, Iterator
from typing import BinaryIO, NamedTuple

import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.ranges import SourceError

BLOCK = 1 << 18  # bytes read from a file at once
_FEED = 1 << 10  # little by little, so that an error costs no more of the good text before it
_OUTPUT = 1 << 20  # text that is asked of a decompressor at once; also what is held back until it is checked

# XML compresses to about a quarter, the most repetitive dumps to a fiftieth, a bomb to a millionth.
_MOST_TEXT_PER_BYTE, _ALWAYS_ALLOWED = 200, 1 << 28

BZ2_MAGIC, GZIP_MAGIC = b"BZh", b"\x1f\x8b"


class Piece(NamedTuple):
    """A piece of text.

    Attributes:
        data: the bytes.
        origin: offset in the file: of the piece, or for compressed files of the stream or block that holds it.
        inner: offset of the piece in the text of that stream or block; 0 in plain files.
    """

    data: bytes
    origin: int
    inner: int


def plain_pieces(path: str, start: int = 0, end: int | None = None, base: int = 0) -> Iterator[Piece]:
    """Yields a file's bytes from ``start`` on, to its end; a piece begins at ``end``. ``base`` is added to origins."""
    with open_input(path) as handle:
        handle.seek(start)
        position = start
        while data := handle.read(min(BLOCK, end - position) if end is not None and position < end else BLOCK):
            if position == end:
                yield Piece(b"", base + position, 0)
            yield Piece(data, base + position, 0)
            position += len(data)


def gzip_pieces(path: str) -> Iterator[Piece | Damage]:
    """Yields the text of a gzip file of one or more members; nothing after a damage.

    Raises:
        SourceError: far more text than its bytes can honestly hold (a decompression bomb).
    """
    with open_input(path) as handle:
        damage = yield from _members(handle, Gauge(path))
        if damage:
            yield damage


class _Gunzip:
    """zlib's decompressor with the interface of bz2's."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)
        self.needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:
        text = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = len(text) < max_length  # zlib may hold text back even when it has taken all its input
        return text

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data


class Gauge:
    """Compares bytes taken with text given, over all streams that one reader reads of a file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._taken = self._given = 0

    def count(self, taken: int, given: int) -> None:
        """Counts bytes. Raises SourceError where too much text comes out of too few."""
        self._taken += taken
        self._given += given
        if self._given > _ALWAYS_ALLOWED + _MOST_TEXT_PER_BYTE * self._taken:
            raise SourceError(
                f"{self.path}: {self._taken} bytes hold {self._given} bytes of text or more; "
                "refused as a decompression bomb"
            )


def _members(handle: BinaryIO, gauge: Gauge) -> Generator[Piece, None, Damage | None]:
    """Yields the text of all members; returns Damage, or None at the end of the file."""
    data, position = b"", 0
    while True:
        if len(data) < len(GZIP_MAGIC):
            data += handle.read(BLOCK)
        if not data.strip(b"\0"):  # the end; padding of zeros may come before it, and nothing else
            while data and not data.strip(b"\0"):
                data = handle.read(BLOCK)
            return Damage(gauge.path, position, "no stream begins here") if data else None
        if not data.startswith(GZIP_MAGIC):
            return Damage(gauge.path, position, "no stream begins here")
        yield Piece(b"", position, 0)
        rest, taken, problem = yield from _one_member(handle, gauge, data, position)
        if problem:
            return Damage(gauge.path, position, problem)
        data, position = rest, position + taken


class _Output:
    """Text of one member that is checked and not yet given."""

    def __init__(self, gauge: Gauge, origin: int) -> None:
        self.text = bytearray()
        self._gauge, self._origin, self._given = gauge, origin, 0

    def piece(self) -> Piece:
        """Takes the text out."""
        piece = Piece(bytes(self.text), self._origin, self._given)
        self.text.clear()
        self._given += len(piece.data)
        self._gauge.count(0, len(piece.data))
        return piece

    @property
    def total(self) -> int:
        """Bytes of text so far."""
        return self._given + len(self.text)


def _one_member(
    handle: BinaryIO, gauge: Gauge, data: bytes, origin: int
) -> Generator[Piece, None, tuple[bytes, int, str]]:
    """Yields one member's text; returns (bytes read after its end, its size in bytes, problem or "")."""
    decompressor, ready, taken, problem = _Gunzip(), _Output(gauge, origin), 0, ""
    while data and not problem:
        for begin in range(0, len(data), _FEED):
            feed = data[begin : begin + _FEED]
            taken += len(feed)
            gauge.count(len(feed), 0)
            try:
                burst = bytearray(decompressor.decompress(feed, _OUTPUT))
                while not (decompressor.eof or decompressor.needs_input):
                    if len(burst) >= _OUTPUT:  # let it go, unchecked, to keep memory flat
                        ready.text += burst
                        burst.clear()
                        yield ready.piece()
                    burst += decompressor.decompress(b"", _OUTPUT)
            except zlib.error as error:
                problem = f"the stream that begins here is damaged after {ready.total} bytes of text: {error}"
                break
            ready.text += burst
            if ready.text and (len(ready.text) >= BLOCK or decompressor.eof):
                yield ready.piece()
            if decompressor.eof:
                unused = decompressor.unused_data
                return unused + data[begin + len(feed) :], taken - len(unused), ""
        else:
            data = handle.read(BLOCK)
    if ready.text:
        yield ready.piece()
    return b"", taken, problem or f"the stream that begins here is cut off after {ready.total} bytes of text"


ZSTD_MAGIC, XZ_MAGIC = b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"
_MAX_WINDOW = 1 << 27  # bytes that zstd may look back
_MAX_MEMORY = 1 << 28  # bytes of the dictionary of xz; `xz -9` asks for a quarter
_packed_MOST_TEXT_PER_BYTE, _packed_ALWAYS_ALLOWED = 1000, 1 << 28  # both find more repetition than gzip


def zstd_pieces(path: str) -> Iterator[Piece | Damage]:
    """Yields the text of a zstd file; nothing after a damage. Raises SourceError: a decompression bomb."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    with open_input(path) as handle:
        frame, taken, given, data = None, 0, 0, b""
        while data := data or handle.read(_FEED):
            frame = frame or decompressor.decompressobj()
            taken += len(data)
            try:
                text = frame.decompress(data)
            except zstandard.ZstdError as error:
                yield Damage(path, taken, f"the zstd frame is damaged before here: {error}")
                return
            data = frame.unused_data
            taken -= len(data)
            if frame.eof:
                frame = None
            given += len(text)
            _check_ratio(path, taken, given)
            yield Piece(text, 0, given - len(text))
        if frame is not None:
            yield Damage(path, taken, "the file ends inside a zstd frame")


def xz_pieces(path: str) -> Iterator[Piece | Damage]:
    """Yields the text of an xz file of one or more streams; nothing after a damage. Raises SourceError: a decompression
    bomb."""
    with open_input(path) as handle:
        stream, taken, given, data = None, 0, 0, b""
        while data := data or handle.read(_FEED):
            taken += len(data)
            if stream is None and not (data := data.lstrip(b"\0")):  # padding between streams
                continue
            stream = stream or lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_MEMORY)
            while True:
                try:
                    text = stream.decompress(data, _OUTPUT)
                except lzma.LZMAError as error:
                    yield Damage(path, taken, f"the xz stream is damaged before here: {error}")
                    return
                data, given = b"", given + len(text)
                _check_ratio(path, taken, given)
                yield Piece(text, 0, given - len(text))
                if stream.eof or stream.needs_input:
                    break
            if stream.eof:
                data, stream = stream.unused_data, None
                taken -= len(data)
        if stream is not None:
            yield Damage(path, taken, "the file ends inside an xz stream")


def _check_ratio(path: str, taken: int, given: int) -> None:
    if given > _packed_ALWAYS_ALLOWED + _packed_MOST_TEXT_PER_BYTE * taken:
        raise SourceError(f"{path}: far more text than its bytes can honestly hold; refused as a decompression bomb")


_BLOCK = 1 << 20


class Hashed:
    """Wraps an open file at its beginning; every byte is hashed once, in order, whatever is read again or skipped."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._digest = hashlib.sha256()
        self._hashed = self._position = 0

    def read(self, size: int, /) -> bytes:
        """As a file's; what was skipped before is hashed first."""
        if self._position > self._hashed:
            position = self._position
            self.seek(self._hashed)
            while self._position < position and self.read(min(_BLOCK, position - self._position)):
                pass
            self.seek(position)
        data = self._handle.read(size)
        if self._hashed >= self._position and self._position + len(data) > self._hashed:
            self._digest.update(memoryview(data)[self._hashed - self._position :])
            self._hashed = self._position + len(data)
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """As a file's."""
        self._handle.seek(offset, whence)
        self._position = self._handle.tell()
        return self._position

    def tell(self) -> int:
        """As a file's."""
        return self._position

    def hexdigest(self) -> str:
        """Reads to the end of the file and returns its SHA-256."""
        self.seek(self._hashed)
        while self.read(_BLOCK):
            pass
        return self._digest.hexdigest()
