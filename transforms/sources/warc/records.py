"""WARC files cut into records, so that every reader of any part finds the same ones.

Cuts lie only between gzip members, or between the records of an uncompressed file; what comes after one never depends
on what came before it. After a broken record, reading continues at the next place where a record begins.

Records are framed here and not by a WARC library, because none can be trusted with a hostile file: a record whose
Content-Length lies takes the next one with it, and one that is cut off comes out empty, without a word.

No library reads them here. fastwarc, which did, read nothing of a record whose line ends, status line or media type
differ from the standard. Archives have such records: bare line feeds in ClueWeb09, and whatever servers sent.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.streams import GZIP_MAGIC

_BLOCK = 1 << 17  # bytes read from a file at once
_FEED = 1 << 14  # compressed bytes for zlib at once; what a damaged member loses of the text before the damage
_TEXT = 1 << 18  # text asked of zlib at once
# A page compresses to a tenth, an archive of one page a thousand times to a hundredth, a bomb to a thousandth.
_MOST_TEXT_PER_BYTE, _ALWAYS_ALLOWED = 200, 256 << 20
_MEMBER = GZIP_MAGIC + b"\x08"
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
        return zlib.decompressobj(wbits=31).decompress(member, 64).lstrip(b"\r\n").startswith(b"WARC/")
    except zlib.error:
        return False


END = re.compile(rb"\n\r?\n")  # of a header: an empty line, behind line ends of either kind
_STATUS = re.compile(r"HTTP(?:/[0-9.]*)?[ \t]+([0-9]{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Header:
    """A header.

    Attributes:
        first: its first line: the version of a record, or the status line of a response.
        fields: values by names in lower case; of equal names the first counts.
    """

    first: str
    fields: dict[str, str]

    def get(self, name: str) -> str:
        """Returns the value of a field, "" without it; ``name`` is in lower case."""
        return self.fields.get(name, "")

    @property
    def status(self) -> int | None:
        """The status code of a response, None if the first line is not a status line."""
        found = _STATUS.match(self.first)
        return int(found.group(1)) if found else None


def parse_header(data: bytes) -> Header:
    """Returns the header in ``data``; the empty line at its end may lack. Lines that are not fields are passed over."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = re.split(r"\r?\n", text.strip("\r\n"))
    fields: dict[str, str] = {}
    name = ""
    for line in lines[1:]:
        if line[:1] in (" ", "\t"):  # what goes on in another line
            if name:
                fields[name] = f"{fields[name]} {line.strip()}".strip()
            continue
        name, colon, value = line.partition(":")
        name = name.rstrip(" \t").lower() if colon and not name[:1].isspace() else ""
        if not name or name in fields:
            name = ""
            continue
        fields[name] = value.strip()
    return Header(lines[0].strip(), fields)


def parse_response(block: bytes) -> tuple[Header, bytes]:
    """Returns the header and the body of an HTTP response; without an empty line all of it is header."""
    block = block.lstrip(b"\r\n")
    end = END.search(block)
    return (parse_header(block), b"") if end is None else (parse_header(block[: end.end()]), block[end.end() :])


PLAIN, GZIP = "warc", "warc-gzip"
RECORD = b"WARC/"
_MAX_HEAD = 1 << 16
_BEGIN = re.compile(rb"WARC/[01]\.[0-9]{1,2}[ \t]{0,2}\r?\n")
_BEGIN_LATER = re.compile(rb"\n" + _BEGIN.pattern)
_LONGEST_BEGIN = len(b"\nWARC/1.00  \r\n")
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_NEWLINES = b"\r\n"
_RECORD_END = b"\r\n\r\n"
_AFTER = len(_RECORD_END) + _LONGEST_BEGIN  # what must be seen after a block
_MOST_LIES = 16  # of lengths over the cap in one gzip member: each costs reading it twice


@dataclass(frozen=True, slots=True)
class Framed:
    """A record, or (``problem``) what stands in the place of one.

    Attributes:
        offset: where it begins in the file; for compressed files where its gzip member does.
        inner: where it begins in that member's text; 0 in uncompressed files.
        head: its header with the empty line at its end; b"" where there is none.
        block: its content; b"" if there is a problem, or if it is over the cap.
        problem: what is wrong, one line, or "".
        oversized: whether what is wrong is that its content is over the cap.
        cut: whether no record was found after a broken one.
    """

    offset: int
    inner: int
    head: bytes = b""
    block: bytes = b""
    problem: str = ""
    oversized: bool = False
    cut: bool = False


def framed_records(
    handle: BinaryIO, path: str, kind: str, *, start: int = 0, end: int | None = None, cap: int
) -> Iterator[Framed | Damage]:
    """Yields the records that begin in [start, end) of a file, in order, and a Damage wherever bytes cannot be decoded.

    Args:
        handle: the file, opened; path: its name.
        kind: PLAIN or GZIP.
        start: 0 or the offset of a record that reading from 0 gives.
        end: end of the range; None for the end of the file.
        cap: bytes of content that are held at most.
    """
    if kind == PLAIN:
        yield from _plain_records(path, Input(handle, start), end, cap)
        return
    source: Input | None = Input(handle, start)
    while source is not None and (end is None or source.position < end) and source.peek(1):
        position = source.position
        # whether a gzip member begins at the input's position, by its magic number
        if source.peek(len(_MEMBER)) == _MEMBER:
            cutter = _Cutter(MemberFeed(source), _member_at(handle, position), cap)
            for record in cutter.records():
                yield replace(record, offset=position)
            source, problem = cutter.feed.source, cutter.problem
            if cutter.feed.bomb and cutter.inner == 0:  # it was one record, and is rejected already
                source = _next_member(handle, position + 1)
                continue
        else:
            if _only_zeros(source):
                return
            problem = "no gzip member begins here"
        if problem:
            yield Damage(path, position, problem)
            source = _next_member(handle, position + 1)


def _member_at(handle: BinaryIO, position: int) -> Callable[[], MemberFeed]:
    return lambda: MemberFeed(Input(handle, position))


def _plain_records(path: str, source: Input, end: int | None, cap: int) -> Iterator[Framed | Damage]:
    start, handle = source.position, source.handle
    cutter = _Cutter(PlainFeed(source), lambda: PlainFeed(Input(handle, start)), cap)
    for record in cutter.records():
        offset = start + record.inner
        if end is not None and offset >= end:
            return
        yield replace(record, offset=offset, inner=0)
        if record.cut:
            yield Damage(path, offset, "the file ends inside the record that begins here")


def _next_member(handle: BinaryIO, start: int) -> Input | None:
    found = find_member(handle, start)
    return None if found is None else Input(handle, found)


def _only_zeros(source: Input) -> bool:
    """Whether nothing but padding follows. Takes from the input."""
    while taken := source.take(1 << 16):
        if taken.strip(b"\0"):
            return False
    return True


class _Cutter:
    """Cuts the text of a feed into records, in memory bounded by the cap.

    Attributes, valid after ``records``:
        feed: the feed that was read last.
        problem: why records may be missing, or "".
        inner: where the last record begins.
    """

    def __init__(self, feed: MemberFeed | PlainFeed, again: Callable[[], MemberFeed | PlainFeed], cap: int) -> None:
        self.feed = feed
        self.problem = ""
        self.inner = 0
        self._again = again
        self._cap = cap
        self._lies = 0
        self._begin()

    def records(self) -> Iterator[Framed]:
        """Yields the records; their offset is 0, ``inner`` counts from where the feed begins."""
        while self._skip_newlines() and not self.problem:
            self.inner = self._position
            yield self._record()
        self.problem = self.problem or self.feed.problem

    def _record(self) -> Framed:
        """Takes the next record, or the bytes before it that are not a record, out of the text."""
        self._fill(_LONGEST_BEGIN)
        if not _BEGIN.match(self._text):
            return self._broken(b"", "bytes that are not a WARC record", cut=False)
        end = self._find_head_end()
        if end is None:
            return self._broken(b"", "the record's header has no end")
        head = bytes(self._text[:end])
        lengths = set(_LENGTH.findall(head))
        if len(lengths) != 1:
            return self._broken(head, "the record has no Content-Length, or more than one")
        length = int(lengths.pop())
        if length > self._cap:
            return self._oversized(head, length)
        self._fill(end + length + _AFTER)
        if len(self._text) < end + length:
            return self._broken(head, f"Content-Length is {length}, but {len(self._text) - end} bytes follow")
        if not self._ends_well(end + length):
            return self._broken(head, f"Content-Length is {length}, but the record does not end there")
        if self._ended and self.feed.problem:
            return self._broken(head, self.feed.problem)
        block = bytes(self._text[end : end + length])
        self._drop(end + length)
        return Framed(0, self.inner, head, block)

    def _oversized(self, head: bytes, length: int) -> Framed:
        """Passes over content that is over the cap, unless that leads to no record's end."""
        size = len(head) + length
        whole = self._pass(size)
        self._fill(_AFTER)
        if (whole and self._ends_well(0)) or self.feed.bomb:
            return Framed(0, self.inner, head, problem=f"the record is {length} bytes long", oversized=True)
        self._lies += 1
        if self._lies > _MOST_LIES and isinstance(self.feed, MemberFeed):
            self.problem = f"more than {_MOST_LIES} records with a wrong Content-Length; the rest is not read"
        self.feed = self._again()
        self._begin()
        self._pass(self.inner)
        self._fill(len(head))
        return self._broken(head, f"Content-Length is {length}, but the record does not end there")

    def _broken(self, head: bytes, problem: str, *, cut: bool = True) -> Framed:
        """Passes over a broken record, to the next beginning of one."""
        self._drop(max(len(head) - 1, 0))  # its last line end may be what the next record follows
        while not (match := _BEGIN_LATER.search(self._text)):
            self._drop(max(len(self._text) - _LONGEST_BEGIN, 0))
            if not self._fill(len(self._text) + 1):
                self._drop(len(self._text))
                return Framed(0, self.inner, head, problem=problem, cut=cut)
        self._drop(match.start() + 1)
        return Framed(0, self.inner, head, problem=problem)

    def _ends_well(self, position: int) -> bool:
        """Whether a record can end here: two line ends follow, or nothing but line ends before another record."""
        after = bytes(self._text[position : position + _AFTER])
        rest = after.lstrip(_NEWLINES)
        return after.startswith(_RECORD_END) or not rest or rest.startswith(RECORD[: len(rest)])

    def _find_head_end(self) -> int | None:
        while (end := END.search(self._text, 0, _MAX_HEAD)) is None:
            if len(self._text) >= _MAX_HEAD or not self._fill(len(self._text) + 1):
                return None
        return end.end()

    def _begin(self) -> None:
        self._text = bytearray()
        self._position = 0  # of the buffer in the feed's text
        self._ended = False

    def _fill(self, size: int) -> bool:
        """Reads on until the buffer holds ``size`` bytes; returns whether it does."""
        while len(self._text) < size and not self._ended:
            if piece := self.feed.read():
                self._text += piece
            else:
                self._ended = True
        return len(self._text) >= size

    def _pass(self, size: int) -> bool:
        """Passes over text without holding it; returns whether there is as much."""
        held = min(size, len(self._text))
        self._drop(held)
        if size > held and not self._ended:
            self._ended = not self.feed.skip(size - held)
            self._position += size - held
            held = 0 if self._ended else size
        return held == size

    def _drop(self, size: int) -> None:
        del self._text[:size]
        self._position += size

    def _skip_newlines(self) -> bool:
        """Passes over newlines; returns whether any text follows."""
        while self._fill(1):
            self._drop(len(self._text) - len(self._text.lstrip(_NEWLINES)))
            if self._text:
                return True
        return False
