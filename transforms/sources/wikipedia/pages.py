"""Cutting the text of an export into pages, wherever it was cut before: into pieces, streams or ranges.

The rule is local, so that every reader of any part finds the same pages: a page begins at each ``<page`` tag and ends
with the first ``</page>``, or before the next ``<page`` or ``</mediawiki>`` where it was never closed. Exports escape
``<`` in wikitext, so these tags occur nowhere else.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from gistmill.transforms.sources.files.ranges import SourceError

_TAG = re.compile(rb"<(?:page[\s/>]|/page>|/mediawiki>)")
_TAGS = (b"<page>", b"</page>", b"</mediawiki>")
_LONGEST_TAG = max(map(len, _TAGS))
_HEAD = 1 << 16  # what is kept of a page that is too large


class Page(NamedTuple):
    """A page's bytes.

    Attributes:
        data: the element; only its beginning if ``oversized``.
        origin, inner: place of its tag, as in Piece.
        end: where it ends, counted in bytes over everything that was fed.
        closed: whether it ends with its end tag.
        oversized: whether it is over the cap; it is then given as soon as that is seen.
    """

    data: bytes
    origin: int
    inner: int
    end: int
    closed: bool
    oversized: bool = False


class PageSplitter:
    """Cuts text that is fed piece by piece into pages, in memory bounded by the largest page allowed."""

    def __init__(self, *, max_page_bytes: int, max_gap_bytes: int) -> None:
        self._max_page_bytes = max_page_bytes
        self._max_gap_bytes = max_gap_bytes
        self._fed = 0  # bytes fed before the piece at hand
        self.reset()
        self.complete = False  # whether the last tag was </mediawiki>

    def reset(self) -> None:
        """Forgets an unfinished page: the text that is fed next does not follow on what was fed before."""
        self._buffer = bytearray()
        self._base = self._scanned = self._last_tag = self._fed  # all count bytes fed
        self._marks: deque[tuple[int, int, int]] = deque()  # where pieces begin: (bytes fed, origin, inner)
        self._page: tuple[int, int, int] | None = None  # the page at hand: (bytes fed, origin, inner)
        self._skipping = False

    @property
    def in_page(self) -> tuple[int, int] | None:
        """(origin, inner) of a page that has begun and not ended, else None."""
        return self._page[1:] if self._page else None

    @property
    def begun(self) -> int | None:
        """Origin of a page, or of what may become a page's tag, that has begun and not ended, else None."""
        if self._page and not self._skipping:
            return self._page[1]
        if self._skipping or self._scanned == self._fed:
            return None
        return self._locate(self._scanned)[1]

    def feed(self, data: bytes, origin: int, inner: int) -> Iterator[Page]:
        """Yields the pages that end in ``data``. Must be exhausted before the next call.

        Raises:
            SourceError: more text than the cap without any page tag.
        """
        self._marks.append((self._fed, origin, inner))
        self._buffer += data
        self._fed += len(data)
        while match := _TAG.search(self._buffer, self._scanned - self._base):
            yield from self._on_tag(match.group(), self._base + match.start(), self._base + match.end())
        self._scanned = max(self._scanned, self._first_open_tag())
        if self._page and not self._skipping and self._fed - self._page[0] > self._max_page_bytes:
            yield self._cut(self._fed, closed=False, oversized=True)
            self._skipping = True
        if not self._page or self._skipping:
            self._drop(self._scanned)
        while len(self._marks) > 1 and self._marks[1][0] <= self._scanned:
            self._marks.popleft()
        if self._fed - self._last_tag > self._max_gap_bytes:
            raise SourceError(f"more than {self._max_gap_bytes} bytes of text without a page at offset {origin}")

    def _on_tag(self, tag: bytes, start: int, end: int) -> Iterator[Page]:
        closes, opens = tag == b"</page>", tag.startswith(b"<p")
        if self._page and not self._skipping:
            stop = end if closes else start
            yield self._cut(stop, closed=closes, oversized=stop - self._page[0] > self._max_page_bytes)
        self._page, self._skipping = (self._locate(start) if opens else None), False
        self.complete = not closes and not opens
        self._scanned = self._last_tag = end
        self._drop(start if opens else end)

    def _cut(self, end: int, *, closed: bool, oversized: bool) -> Page:
        assert self._page is not None
        start, origin, inner = self._page
        length = min(end - start, _HEAD) if oversized else end - start
        with memoryview(self._buffer) as view:
            data = bytes(view[start - self._base : start - self._base + length])
        return Page(data, origin, inner, end, closed, oversized)

    def _locate(self, position: int) -> tuple[int, int, int]:
        begin, origin, inner = max(mark for mark in self._marks if mark[0] <= position)
        return position, origin, inner + position - begin

    def _drop(self, position: int) -> None:
        del self._buffer[: position - self._base]
        self._base = position

    def _first_open_tag(self) -> int:
        """Where a tag may begin that the next piece completes; the end of the text if none may."""
        tail = bytes(self._buffer[-_LONGEST_TAG:])
        at = tail.rfind(b"<")
        if at < 0 or not any(tag.startswith(tail[at:]) for tag in (b"<page", *_TAGS)):
            return self._fed
        return self._fed - len(tail) + at
