"""Readers for plain, gzip, zstd and xz files that use bounded memory, and the spool, which splits the text of files
that must be read from their beginning into chunks that workers can read independently.

Generators here and in ``bz2_blocks.py`` yield ``Piece``s in file order, and a ``Damage`` for undecodable bytes.
"""

from __future__ import annotations

import lzma
import uuid
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.io import create, join, open_input
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError

BLOCK = 1 << 18  # approximate bytes in a piece
_FEED = 1 << 10  # compressed bytes per step; limits the text held in memory, and the text lost before an error
_MAX_WINDOW = 1 << 27  # bytes; limit on the zstd window
_MAX_MEMORY = 1 << 28  # bytes; limit on the xz dictionary; `xz -9` needs a quarter of it
# Text compresses to about a quarter of its size, the most repetitive dumps to a fiftieth, a bomb to a millionth.
_MOST_TEXT_PER_BYTE, _ALWAYS_ALLOWED = 200, 1 << 28


class Piece(NamedTuple):
    """A piece of text.

    Attributes:
        data: the bytes.
        origin: offset in the file of the piece or, if the file is compressed, of the stream or block that contains it.
        inner: offset of the piece in the text of that stream or block; 0 in plain files.
    """

    data: bytes
    origin: int
    inner: int


def plain_pieces(path: str, start: int = 0, end: int | None = None, base: int = 0) -> Iterator[Piece]:
    """Yields a file's bytes from ``start`` to its end; one piece begins at ``end``. ``base`` is added to origins."""
    with open_input(path) as handle:
        handle.seek(start)
        position = start
        while data := handle.read(min(BLOCK, end - position) if end is not None and position < end else BLOCK):
            if position == end:
                yield Piece(b"", base + position, 0)
            yield Piece(data, base + position, 0)
            position += len(data)


class CompressionRatioLimit:
    """A check against decompression bombs that compares the compressed and decompressed bytes read from a file.

    ``known`` is the number of bytes of text that the file is already known to contain, as for a chunk in the workspace,
    whose text was counted when the user's file was decompressed.
    """

    def __init__(self, path: str, known: int = 0) -> None:
        self.path = path
        self._taken = self._given = 0
        self._allowed = _ALWAYS_ALLOWED + known

    def count(self, taken: int, given: int) -> None:
        """Adds to the counts. Raises SourceError if there is too much text for the number of compressed bytes."""
        self._taken += taken
        self._given += given
        if self._given > self._allowed + _MOST_TEXT_PER_BYTE * self._taken:
            raise SourceError(
                f"{self.path}: {self._taken} bytes decompress to at least {self._given} bytes of text; "
                "refused as a decompression bomb"
            )


_BEGIN: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.decompressobj(wbits=31),
    "zstd": lambda: zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).decompressobj(),
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_MEMORY),
}


def unpacked_pieces(path: str, packing: str, *, known: int = 0) -> Iterator[Piece | Damage]:
    """Yields the text of a file that consists of streams, possibly with zeros between and after them; stops at damage.

    Args:
        path: the file.
        packing: ``gzip``, ``zstd`` or ``xz``.
        known: see CompressionRatioLimit.

    Raises:
        SourceError: the file is a decompression bomb.
    """
    gauge, problem, begin = CompressionRatioLimit(path, known), "", _BEGIN[packing]
    stream: Any = None
    origin = position = given = 0  # start of the stream; current position; bytes of its text yielded so far
    ready, data = bytearray(), b""
    with open_input(path) as handle:
        while data := data or handle.read(_FEED):
            position += len(data)
            if stream is None and not (data := data.lstrip(b"\0")):
                continue
            stream = stream or begin()
            try:
                text = stream.decompress(data)
            except (zlib.error, zstandard.ZstdError, lzma.LZMAError) as error:
                problem = f"the stream that begins here is damaged after {given + len(ready)} bytes of text: {error}"
                break
            ready += text
            rest = stream.unused_data if stream.eof else b""
            gauge.count(len(data) - len(rest), len(text))
            position, data = position - len(rest), rest
            if ready and (stream.eof or len(ready) >= BLOCK):
                yield Piece(bytes(ready), origin, given)
                given += len(ready)
                ready.clear()
            if stream.eof:
                stream, origin, given = None, position, 0
    if stream is not None:
        if ready:
            yield Piece(bytes(ready), origin, given)
        cut = f"the stream that begins here is cut off after {given + len(ready)} bytes of text"
        yield Damage(path, origin, problem or cut)


_LEVEL = 1  # compresses HTML as well as gzip does, many times faster


class Spool:
    """A writer that divides the text of a file into ranges and stores each in a zstd-compressed chunk in the workspace.

    Args:
        file: the file.
        workspace: folder of the run; None to write nothing, because the file is plain text.
        kind: kind of the ranges.

    Attributes:
        ranges: closed ranges.
        start, end: start and end of the open range; if none is open, both are the end of the last range.
        is_open: whether a range is open.
    """

    def __init__(self, file: InputFile, workspace: str | None, *, kind: str) -> None:
        self.ranges: list[FileRange] = []
        self.start = self.end = 0
        self.is_open = False
        self._file, self._kind = file, kind
        # unique, because another attempt to plan the file may be writing at the same time
        name = f"{file.index:05d}-{uuid.uuid4().hex[:12]}"
        self._stem = None if workspace is None else join(WorkspaceLayout(workspace).spool, name)
        self._handle: BinaryIO | None = None
        self._writer: zstandard.ZstdCompressionWriter | None = None
        self._first_line = 1

    def begin(self, offset: int, first_line: int = 1) -> None:
        """Opens a range at an offset in the text; ``first_line`` is the number of the line there."""
        self.start = self.end = offset
        self.is_open, self._first_line = True, first_line
        if self._stem is not None:
            self._handle = create(self._path)
            self._writer = zstandard.ZstdCompressor(level=_LEVEL).stream_writer(self._handle, closefd=False)

    def write(self, data: bytes, *, end: int | None = None) -> None:
        """Adds text to the open range, or to a new one; ``end`` overrides the end that follows from its length."""
        if not self.is_open:
            self.begin(self.end)
        if self._writer is not None:
            self._writer.write(data)
        self.end = self.end + len(data) if end is None else end

    def close(self, damage: Damage | None = None) -> None:
        """Closes the open range. Damage after it is added to the range, or to an empty one if none is open."""
        if damage is not None and not self.is_open:
            self.begin(self.end, self._first_line)
        if not self.is_open:
            return
        self.is_open = False
        more: dict[str, Any] = {"first_line": self._first_line, "damage": (damage,) if damage else ()}
        if self._writer is None or self._handle is None:
            self.end = min(self.end, self._file.size)
            more["last"] = self.end == self._file.size
        else:
            self._writer.close()
            self._handle.close()
            self._writer = self._handle = None
            more["path"] = self._path
        self.ranges.append(FileRange.part(self._file, self.start, self.end, kind=self._kind, **more))
        self.start = self.end

    @property
    def _path(self) -> str:
        return f"{self._stem}-{len(self.ranges):05d}.zst"
