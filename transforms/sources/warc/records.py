"""Cutting WARC files into records, so that every reader of any part finds the same ones.

Cuts lie only between gzip members, or between the records of an uncompressed file; what comes after one never depends
on what came before it. After a broken record, reading continues at the next place where a record begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from gistmill.core.records import Damage
from gistmill.transforms.sources.warc.feeds import Input, MemberFeed, PlainFeed, begins_member, find_member
from gistmill.transforms.sources.warc.headers import END

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
        if begins_member(source):
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
        if whole and self._ends_well(0) or self.feed.bomb:
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
