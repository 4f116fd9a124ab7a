"""A reader that splits WARC files into records and finds the same records whichever part of a file it reads.

Files are divided only between gzip members or, if uncompressed, between records, and no part depends on those before
it. After a broken record, reading continues at the next one.

fastwarc is used to decompress members and parse headers, but not to find records: its iterator does not read records
with lower-case field names, merges a record with a wrong Content-Length with the next one, reports the same offset for
all but the first record in a member, and stops without an error at the end of a truncated file.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from fastwarc.stream_io import GzipReader
from fastwarc.warc import HeaderMap

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.sniff import GZIP_MAGIC

PLAIN, GZIP = "warc", "warc-gzip"
RECORD = b"WARC/"
RESPONSE, UNKNOWN = "response", "unknown"
_TYPES = frozenset(("warcinfo", RESPONSE, "resource", "request", "metadata", "revisit", "conversion", "continuation"))
_MEMBER = GZIP_MAGIC + b"\x08"
_NEXT_MEMBER = gzip.compress(b"\n", mtime=0)
_BLOCK = 1 << 18  # bytes read from a file at once; maximum size of a member decompressed in one step
_MOST_WHOLE = 1 << 22  # maximum bytes of text in such a member
_FEED = 1 << 14  # bytes passed to zlib at once; also the text that may be lost before damage in a member
_TEXT = 1 << 18  # bytes of text requested from zlib at once
# A page compresses to a tenth of its size, a thousand copies of one page to a hundredth, a bomb to a thousandth.
_MOST_TEXT_PER_BYTE, _ALWAYS_ALLOWED = 200, 256 << 20
_SEARCHED, _MEMBER_HEAD = 1 << 16, 1 << 12  # bytes searched at once; bytes that suffice for a member's first text
_MAX_HEAD = 1 << 14  # bytes of a record's header; fastwarc parses up to twice as many
_BEGIN = re.compile(rb"WARC/[01]\.[0-9]{1,2}[ \t]{0,2}\r?\n")
_BEGIN_LATER = re.compile(rb"\n" + _BEGIN.pattern)
_LONGEST_BEGIN = len(b"\nWARC/1.00  \r\n")
_HEAD_END = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_TYPE = re.compile(rb"^warc-type[ \t]*:[ \t]*([a-z]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_NEWLINES, _NO_LINE_END = b"\r\n", re.compile(rb"[^\r\n]")
_AFTER = 4 + _LONGEST_BEGIN  # bytes to check after a block: two line ends and the beginning of another record
_STATUS = re.compile(rb"HTTP(?:/[0-9.]*)?[ \t]+([0-9]{1,9})", re.IGNORECASE)


class Header:
    """The header fields of a record or response, and the line before them. Lines that are not fields are skipped.

    Attributes:
        first: the line before the fields.
        status: the status code; None if the first line is not a status line.
    """

    def __init__(self, data: bytes) -> None:
        """Raises OSError if the header is longer than 32 KiB."""
        self._fields = HeaderMap()
        self._fields.parse(io.BytesIO(data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")))
        first = self._fields.status_line_bytes or b""
        self.first, found = _decoded(first), _STATUS.match(first)
        self.status = int(found.group(1)) if found else None

    def get(self, name: str) -> str:
        """Returns the value of the first field called ``name``, or ""."""
        return _decoded(self._fields.get_bytes(name.encode()) or b"")


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


@dataclass(frozen=True, slots=True)
class Framed:
    """A record, or other data that was found instead (see ``problem``).

    Attributes:
        offset: offset in the file of the record or, in a compressed file, of its gzip member.
        inner: offset of the record in that member's text; 0 in uncompressed files.
        head: the record's header with the empty line at its end; b"" if there is none.
        block: the record's content; b"" if there is a problem.
        problem: the problem in one line, or "".
        oversized: whether the problem is that the content is over the limit.
        cut: whether the text ends inside the record.
    """

    offset: int
    inner: int
    head: bytes = b""
    block: bytes = b""
    problem: str = ""
    oversized: bool = False
    cut: bool = False

    @property
    def type(self) -> str:
        """The WARC-Type (``response``, ``request`` ...); UNKNOWN for other types and unreadable headers."""
        found = _TYPE.search(self.head)
        name = found.group(1).decode().lower() if found else UNKNOWN
        return name if name in _TYPES else UNKNOWN

    @property
    def is_document(self) -> bool:
        """Whether the record counts as a document: a response, or a broken record that may have been one."""
        return self.type == RESPONSE or (bool(self.problem) and self.type == UNKNOWN)

    def response(self) -> tuple[bytes, bytes]:
        """Returns the header and body of an HTTP response; without an empty line, everything is header."""
        block = self.block.lstrip(_NEWLINES)
        end = _HEAD_END.search(block)
        return (block[: end.end()], block[end.end() :]) if end else (block, b"")


def framed_records(
    handle: BinaryIO, path: str, kind: str, *, start: int = 0, end: int | None = None, cap: int
) -> Iterator[Framed | Damage]:
    """Yields the records that begin in [start, end) of a file, in order, and a Damage wherever bytes cannot be decoded.

    Args:
        handle: the open file.
        path: the file's path.
        kind: PLAIN or GZIP.
        start: 0, or the offset of a record found by reading from 0.
        end: end of the range; None for the end of the file.
        cap: maximum bytes of a record's content; longer records are oversized.
    """
    whole = _File(handle, start)
    if kind == PLAIN:
        for record in _Records(_Text(whole, packed=False), cap):
            if end is not None and record.offset >= end:
                return
            yield record
            if record.cut:
                yield Damage(path, record.offset, "the file ends inside the record that begins here")
        return
    file: _File | None = whole
    while file is not None and (end is None or file.position < end) and (magic := file.peek(len(_MEMBER))):
        position, problem = file.position, "no gzip member begins here"
        if magic == _MEMBER:
            text = _Text(file, packed=True)
            inner = 0
            for record in _Records(text, cap):
                inner = record.inner
                yield record
            problem = text.problem
            if text.bomb and not inner:  # its only record has already been rejected
                file = _next_member(handle, position + 1)
                continue
        elif file.is_padding():
            return
        if problem:
            yield Damage(path, position, problem)
            file = _next_member(handle, position + 1)


class _File:
    """A file that is read forward in blocks; surplus bytes can be pushed back."""

    def __init__(self, handle: BinaryIO, position: int) -> None:
        self.position = position
        self._handle, self._rest = handle, b""
        handle.seek(position)

    def peek(self, size: int) -> bytes:
        """Returns the next ``size`` bytes, or fewer at the end of the file, without consuming them."""
        while len(self._rest) < size and (block := self._handle.read(_BLOCK)):
            self._rest += block
        return self._rest[:size]

    def take(self, most: int) -> bytes:
        """Consumes and returns up to ``most`` bytes; b"" at the end of the file."""
        taken = self._rest[:most] or self.peek(most)
        self._rest = self._rest[len(taken) :]
        self.position += len(taken)
        return taken

    def is_padding(self) -> bool:
        """Whether only zeros follow. Consumes them."""
        while data := self.take(_BLOCK):
            if data.strip(b"\0"):
                return False
        return True

    def give_back(self, data: bytes) -> None:
        """Pushes back the last bytes consumed."""
        self._rest = data + self._rest
        self.position -= len(data)


def _next_member(handle: BinaryIO, start: int) -> _File | None:
    """Returns a file positioned at the first gzip member from ``start`` that begins a record, or None. The magic number
    is not enough, because it may also occur in compressed data."""
    file = _File(handle, start)
    while head := file.peek(_SEARCHED + _MEMBER_HEAD):
        at = head.find(_MEMBER)
        while 0 <= at < _SEARCHED:
            try:
                text = zlib.decompressobj(wbits=31).decompress(head[at : at + _MEMBER_HEAD], 64)
            except zlib.error:
                text = b""
            if text.lstrip(_NEWLINES).startswith(RECORD):
                file.take(at)
                return file
            at = head.find(_MEMBER, at + 1)
        file.take(_SEARCHED)
    return None


class _Text:
    """The text of the gzip member at a file's position, or of the rest of a plain file.

    Attributes:
        start: offset of its beginning in the file.
        packed: whether it comes from a gzip member.
        problem: why the text ends before the member does, or "".
        bomb: whether the problem is that the member is a decompression bomb.
    """

    def __init__(self, file: _File, *, packed: bool) -> None:
        self.start, self.packed = file.position, packed
        self.problem, self.bomb = "", False
        self._file = file

    def pieces(self) -> Iterator[bytes]:
        """Yields the text and, unless there is a problem, leaves the file positioned after it."""
        if not self.packed:
            yield from iter(lambda: self._file.take(_TEXT), b"")
        elif (text := self._whole()) is not None:
            yield text
        else:
            yield from self._unpacked()

    def _whole(self) -> bytes | None:
        """Returns the text of a small, undamaged member, read with fastwarc (twice as fast as zlib); else None."""
        begin = self._file.peek(_BLOCK)
        end = begin.find(_MEMBER, 1)
        member = begin if end < 0 else begin[:end]
        reader = GzipReader(io.BytesIO(member + _NEXT_MEMBER))  # found at its offset if this one is complete
        try:
            text = reader.read(_MOST_WHOLE + 1)
        except OSError:
            return None
        if len(text) > _MOST_WHOLE or reader.frame_start_position() != len(member):
            return None
        self._file.take(len(member))
        return text[:-1]

    def _unpacked(self) -> Iterator[bytes]:
        stream, given = zlib.decompressobj(wbits=31), 0
        while not stream.eof:
            data = stream.unconsumed_tail or self._file.take(_FEED)
            if not data:
                self.problem = "the gzip member that begins here is cut off"
                return
            try:
                text = stream.decompress(data, _TEXT)
            except zlib.error as error:
                self.problem = f"the gzip member that begins here is damaged: {error}"
                return
            given += len(text)
            if given > _ALWAYS_ALLOWED + _MOST_TEXT_PER_BYTE * (self._file.position - self.start):
                self.problem, self.bomb = "the gzip member that begins here is a decompression bomb", True
                return
            if text:
                yield text
        self._file.give_back(stream.unused_data)


class _Records:
    """An iterator over the records of a text, in memory bounded by the limit on content."""

    def __init__(self, text: _Text, cap: int) -> None:
        self._source, self._cap = text, cap
        self._pieces, self._ended = text.pieces(), False
        self._text = b""  # the buffer
        self._at = self._base = 0  # position in the buffer; the buffer's offset in the text

    def __iter__(self) -> Iterator[Framed]:
        while self._skip_newlines():
            yield self._record()

    def _record(self) -> Framed:
        """Consumes and returns the next record, or the bytes before it that are not a record."""
        inner = self._base + self._at
        self._has(_LONGEST_BEGIN)
        if not _BEGIN.match(self._text, self._at):
            return self._broken(inner, b"", "bytes that are not a WARC record")
        while (found := _HEAD_END.search(self._text, self._at, self._at + _MAX_HEAD)) is None:
            held = len(self._text) - self._at
            if held >= _MAX_HEAD or not self._has(held + 1):
                return self._broken(inner, b"", "the record's header has no end", cut=True)
        head = self._text[self._at : found.end()]
        lengths = set(_LENGTH.findall(head))
        if len(lengths) != 1:
            return self._broken(inner, head, "the record has no Content-Length, or more than one", cut=True)
        length, size = int(lengths.pop()), len(head)
        if length > self._cap:
            missing = self._skip(size + length)
            self._has(_AFTER)
            if self._source.bomb or (not missing and self._ends_well(0)):
                return self._framed(inner, head, problem=f"the record is {length} bytes long", oversized=True)
        else:
            missing = 0 if self._has(size + length + _AFTER) else size + length - (len(self._text) - self._at)
        if missing > 0:
            problem = f"Content-Length is {length}, but {length - missing} bytes follow"
        elif not self._ends_well(0 if length > self._cap else size + length):
            problem = f"Content-Length is {length}, but the record does not end there"
        elif self._ended and self._source.problem:
            problem = self._source.problem
        else:
            block = self._text[self._at + size : self._at + size + length]
            self._at += size + length
            return self._framed(inner, head, block)
        return self._broken(inner, head, problem, cut=True)

    def _framed(self, inner: int, head: bytes, block: bytes = b"", **more: Any) -> Framed:
        start, packed = self._source.start, self._source.packed
        return Framed(start if packed else start + inner, inner if packed else 0, head, block, **more)

    def _broken(self, inner: int, head: bytes, problem: str, *, cut: bool = False) -> Framed:
        """Skips a broken record and stops at the beginning of the next; returns the broken one."""
        if self._base + self._at == inner:
            self._at += max(len(head) - 1, 0)  # its last line end may precede the next record
        while (found := _BEGIN_LATER.search(self._text, self._at)) is None:
            self._at = max(self._at, len(self._text) - _LONGEST_BEGIN)
            if not self._has(len(self._text) - self._at + 1):
                self._at = len(self._text)
                return self._framed(inner, head, problem=problem, cut=cut)
        self._at = found.start() + 1
        return self._framed(inner, head, problem=problem)

    def _ends_well(self, after: int) -> bool:
        """Whether a record can end here: two line ends follow, or only line ends and then another record or the end."""
        follows = self._text[self._at + after : self._at + after + _AFTER]
        rest = follows.lstrip(_NEWLINES)
        return follows.startswith(b"\r\n\r\n") or not rest or rest.startswith(RECORD[: len(rest)])

    def _has(self, size: int) -> bool:
        """Reads until ``size`` bytes from the current position are buffered; returns whether there are that many."""
        held = len(self._text) - self._at
        if held < size and not self._ended:
            parts = [self._text[self._at :]]
            while held < size and not self._ended:
                parts.append(next(self._pieces, b""))
                held, self._ended = held + len(parts[-1]), not parts[-1]
            self._base, self._text, self._at = self._base + self._at, b"".join(parts), 0
        return held >= size

    def _skip(self, size: int) -> int:
        """Skips ``size`` bytes without buffering them; returns how many of them are missing."""
        while size > len(self._text) - self._at:
            size -= len(self._text) - self._at
            self._at = len(self._text)
            if not self._has(1):
                return size
        self._at += size
        return 0

    def _skip_newlines(self) -> bool:
        """Skips newlines; returns whether any text follows."""
        while self._has(1):
            found = _NO_LINE_END.search(self._text, self._at)
            self._at = found.start() if found else len(self._text)
            if found:
                return True
        return False
