"""Bytes of WARC files as feeds of text: a gzip member each, or the whole of an uncompressed file.

Records are framed here and not by a WARC library, because none can be trusted with a hostile file: a record whose
Content-Length lies takes the next one with it, and one that is cut off comes out empty, without a word.
"""

from __future__ import annotations

import io
import zlib
from typing import BinaryIO

from gistmill.transforms.sources.files.streams import GZIP_MAGIC

_BLOCK = 1 << 17  # bytes read from a file at once
_FEED = 1 << 14  # compressed bytes for zlib at once; what a damaged member loses of the text before the damage
_TEXT = 1 << 18  # text asked of zlib at once
# A page compresses to a tenth, an archive of one page a thousand times to a hundredth, a bomb to a thousandth.
_MOST_TEXT_PER_BYTE, _ALWAYS_ALLOWED = 200, 256 << 20
_MEMBER = GZIP_MAGIC + b"\x08"
_RECORD = b"WARC/"
_SEARCHED = 1 << 16  # bytes searched at once
_MEMBER_HEAD = 1 << 12  # where a member's header and the first bytes of its text are


class Input:
    """A file read forward in blocks; what was taken too much can be given back."""

    def __init__(self, handle: BinaryIO, position: int) -> None:
        self.handle = handle
        self._rest = b""
        self.position = position
        handle.seek(position)

    def take(self, most: int) -> bytes:
        """Returns the next bytes, ``most`` or fewer; b"" at the end of the file."""
        if not self._rest:
            self._rest = self.handle.read(_BLOCK)
        taken, self._rest = self._rest[:most], self._rest[most:]
        self.position += len(taken)
        return taken

    def skip(self, size: int) -> bool:
        """Passes over ``size`` bytes; returns False if the file has fewer; the input then has no more to give."""
        if size > len(self._rest):
            self.handle.seek(0, io.SEEK_END)
            if self.position + size > self.handle.tell():
                return False
            self.handle.seek(self.position + size)
        self._rest = self._rest[size:]
        self.position += size
        return True

    def give_back(self, data: bytes) -> None:
        """Gives back what was taken last."""
        self._rest = data + self._rest
        self.position -= len(data)

    def peek(self, size: int) -> bytes:
        """Returns the next ``size`` bytes, fewer only at the end of the file, without taking them."""
        while len(self._rest) < size and (block := self.handle.read(_BLOCK)):
            self._rest += block
        return self._rest[:size]


class PlainFeed:
    """The text of an uncompressed file from the input's position on; attributes and methods as MemberFeed's."""

    problem = ""
    bomb = False

    def __init__(self, source: Input) -> None:
        self.source = source

    def read(self) -> bytes:
        """Returns the next piece of text; b"" at the end."""
        return self.source.take(_TEXT)

    def skip(self, size: int) -> bool:
        """Passes over ``size`` bytes of text; returns False if it has fewer; the feed then has no more to give."""
        return self.source.skip(size)


class MemberFeed:
    """The text of the gzip member at the input's position.

    Attributes:
        source: the input; it stands after the member when ``read`` has returned b"" and there is no problem.
        problem: why the text ends before the member does, or "".
        bomb: whether that is because the member holds far more text than its bytes can honestly hold.
    """

    def __init__(self, source: Input) -> None:
        self.source = source
        self._start = source.position
        self._zlib = zlib.decompressobj(wbits=31)
        self._given = 0
        self._ended = False
        self._ready = b""
        self.problem = ""
        self.bomb = False

    def read(self) -> bytes:
        """Returns the next piece of text; b"" at the end."""
        if self._ready:
            text, self._ready = self._ready, b""
            return text
        while not self._ended:
            data = self._zlib.unconsumed_tail or self.source.take(_FEED)
            if not data:
                return self._end("the gzip member that begins here is cut off")
            try:
                text = self._zlib.decompress(data, _TEXT)
            except zlib.error as error:
                return self._end(f"the gzip member that begins here is damaged: {error}")
            if self._zlib.eof:
                self.source.give_back(self._zlib.unused_data)
                self._ended = True
            self._given += len(text)
            if self._given > _ALWAYS_ALLOWED + _MOST_TEXT_PER_BYTE * (self.source.position - self._start):
                self.bomb = True
                return self._end("the gzip member that begins here is a decompression bomb")
            if text:
                return text
        return b""

    def skip(self, size: int) -> bool:
        """Passes over ``size`` bytes of text; returns False if the member has fewer."""
        while size and (text := self.read()):
            self._ready = text[size:]
            size -= min(size, len(text))
        return not size

    def _end(self, problem: str) -> bytes:
        self.problem, self._ended = problem, True
        return b""


def begins_member(source: Input) -> bool:
    """Whether a gzip member begins at the input's position, by its magic number."""
    return source.peek(len(_MEMBER)) == _MEMBER


def find_member(handle: BinaryIO, start: int) -> int | None:
    """Returns the offset, from ``start`` on, of the first gzip member that begins a WARC record; None without one.

    The magic number alone may occur in compressed data.
    """
    source = Input(handle, start)
    while head := source.peek(_SEARCHED + _MEMBER_HEAD):
        at = head.find(_MEMBER)
        while 0 <= at < _SEARCHED:
            if _begins_record(head[at : at + _MEMBER_HEAD]):
                return source.position + at
            at = head.find(_MEMBER, at + 1)
        taken = 0
        while taken < min(len(head), _SEARCHED):
            taken += len(source.take(_SEARCHED - taken))
    return None


def _begins_record(member: bytes) -> bool:
    try:
        return zlib.decompressobj(wbits=31).decompress(member, 64).lstrip(b"\r\n").startswith(_RECORD)
    except zlib.error:
        return False
