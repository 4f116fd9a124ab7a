"""A reader for the header of an export, and a splitter that divides its text into pages.

The rule is local, so that every reader of any part finds the same pages: a page begins at each ``<page`` tag and ends
with the first ``</page>`` or, if it is not closed, before the next ``<page`` or ``</mediawiki>``. Exports escape ``<``
in wikitext, so these tags occur nowhere else.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple
from xml.sax.saxutils import unescape

from gistmill.core.options import option
from gistmill.core.values import list_of, whole
from gistmill.rules.wiki.page import CATEGORY, FILE, MEDIA
from gistmill.transforms.sources.base import FilesConfig
from gistmill.transforms.sources.files.ranges import InputFile, SourceError
from gistmill.transforms.sources.files.sniff import HEAD_BYTES, foreign_form, looks_like_hint, shown
from gistmill.transforms.sources.lines import BOM, BZ2, GZIP, PLAIN, begins, kind_of

_TAG = re.compile(rb"<(?:page[\s/>]|/page>|/mediawiki>)")
_TAGS = (b"<page>", b"</page>", b"</mediawiki>")
_LONGEST_TAG = max(map(len, _TAGS))
_HEAD = 1 << 16  # bytes kept from a page that is too large


class Page(NamedTuple):
    """The bytes of a page.

    Attributes:
        data: the page element; only its beginning if ``oversized``.
        origin, inner: position of its tag, as in Piece.
        end: offset of its end in all the text fed to the splitter.
        closed: whether it ends with its end tag.
        oversized: whether it is over the limit; oversized pages are returned as soon as the limit is exceeded.
    """

    data: bytes
    origin: int
    inner: int
    end: int
    closed: bool
    oversized: bool = False


class PageSplitter:
    """A splitter that divides text, fed in pieces, into pages, in memory bounded by the largest page allowed."""

    def __init__(self, *, max_page_bytes: int, max_gap_bytes: int) -> None:
        self._max_page_bytes = max_page_bytes
        self._max_gap_bytes = max_gap_bytes
        self._fed = 0  # bytes fed before the current piece
        self.reset()
        self.complete = False  # whether the last tag was </mediawiki>

    def reset(self) -> None:
        """Discards an unfinished page; call it if the text fed next does not continue the previous text."""
        self._buffer = bytearray()
        self._base = self._scanned = self._last_tag = self._fed  # all count bytes fed
        self._marks: deque[tuple[int, int, int]] = deque()  # starts of pieces: (bytes fed, origin, inner)
        self._page: tuple[int, int, int] | None = None  # the current page: (bytes fed, origin, inner)
        self._skipping = False

    @property
    def in_page(self) -> tuple[int, int] | None:
        """(origin, inner) of the unfinished page, or None."""
        return self._page[1:] if self._page else None

    @property
    def begun(self) -> int | None:
        """Origin of an unfinished page, or of what may be the beginning of a page tag, or None."""
        if self._page and not self._skipping:
            return self._page[1]
        if self._skipping or self._scanned == self._fed:
            return None
        return self._locate(self._scanned)[1]

    def feed(self, data: bytes, origin: int, inner: int) -> Iterator[Page]:
        """Yields the pages that end in ``data``. The iterator must be exhausted before the next call.

        Raises SourceError if there is more text without a page tag than the limit allows.
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
        """Returns the position of a possible incomplete tag at the end of the text, or the end itself."""
        tail = bytes(self._buffer[-_LONGEST_TAG:])
        at = tail.rfind(b"<")
        if at < 0 or not any(tag.startswith(tail[at:]) for tag in (b"<page", *_TAGS)):
            return self._fed
        return self._fed - len(tail) + at


_PROLOG = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_ENCODING = re.compile(rb"<\?xml[^>]*?\bencoding\s*=\s*[\"']([^\"'>]*)")
_BASE = re.compile(rb"<siteinfo>(?:(?!</?siteinfo>|<page>).)*?<base>([^<]*)</base>", re.DOTALL)
_NAMESPACES = re.compile(
    rb"<siteinfo>(?:(?!</?siteinfo>|<page>).)*?<namespaces>((?:(?!</?siteinfo>|</?namespaces>).)*)</namespaces>",
    re.DOTALL,
)
_NAMESPACE = re.compile(rb"<namespace\b[^<>]*?\bkey=[\"'](-?\d{1,6})[\"'][^<>]*(?<!/)>([^<]+)<")


class Export(NamedTuple):
    """The header of an export.

    Attributes:
        kind: PLAIN, BZ2 or GZIP.
        base: URL of the wiki's main page in ``siteinfo``, or "".
        namespaces: numbers and names of the file, category and media namespaces in ``siteinfo``.
    """

    kind: str
    base: str
    namespaces: tuple[tuple[int, str], ...] = ()


def check_input(file: InputFile) -> Export:
    """Reads and returns the header of a file.

    A file too short to be recognized passes; the damage is found when it is read.

    Raises:
        SourceError: the file is not a MediaWiki export in UTF-8, or has a DOCTYPE; the message names it.
    """
    packing = kind_of(file.path)
    kind = packing if packing in (BZ2, GZIP) else PLAIN
    head = begins(file.path, kind)
    problem = _problem(head, file.path, cut=len(head) < HEAD_BYTES)
    if problem:
        raise SourceError(f"{file.path}: {problem}")
    base, listed = _BASE.search(head), _NAMESPACES.search(head)
    numbered = ((int(number), _text(name)) for number, name in _NAMESPACE.findall(listed.group(1) if listed else b""))
    namespaces = tuple((number, name) for number, name in numbered if number in (FILE, CATEGORY, MEDIA))
    return Export(kind, _text(base.group(1)) if base else "", namespaces)


def _text(data: bytes) -> str:
    return unescape(data.decode("utf-8", "replace")).strip()


def _problem(head: bytes, path: str, *, cut: bool) -> str:
    """Returns the problem with the beginning of a text, or "". ``cut`` is whether the text ends there."""
    if form := foreign_form(head, path):
        return f"not a MediaWiki export, but {form}"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[:4].strip(b"\0") != head[:4]:
        return f"the text is not UTF-8 (UTF-16, or a binary file); MediaWiki exports are UTF-8{looks_like_hint(head)}"
    head = head.removeprefix(BOM)
    encoding = _ENCODING.match(head)
    if encoding and encoding.group(1).lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        return f"the encoding is {encoding.group(1).decode('ascii', 'replace')!r}; MediaWiki exports are UTF-8"
    prolog = _PROLOG.match(head)
    root = head[prolog.end() :] if prolog else head
    if re.match(rb"<mediawiki[\s>]", root):
        return ""
    if re.match(rb"<!(?:DOCTYPE(?!\s+html)|ENTITY)", root, re.IGNORECASE):
        return "the XML contains a DOCTYPE, which exports never do; it is refused"
    if cut and (root == b"<mediawiki"[: len(root)] or root.startswith((b"<?", b"<!--"))):
        return ""
    begins = f"the text begins with {shown(root)} instead of <mediawiki>"
    return f"not a MediaWiki export: {begins}{looks_like_hint(head)}"


@dataclass(frozen=True, kw_only=True)
class PagesConfig(FilesConfig):
    """Options that select wiki pages, common to exports and snapshots."""

    namespaces: tuple[int, ...] = option(
        list_of(whole(0)), default=(0,), metavar="N,N", help="MediaWiki namespaces to keep"
    )


@dataclass(frozen=True, kw_only=True)
class WikipediaConfig(PagesConfig):
    """Options for reading exports. Ranges of plain text are four times as long as those of compressed text.

    Attributes (not options):
        max_page_bytes: maximum size of a page; larger ones are rejected as TOO_LARGE and never held in memory.
        max_gap_bytes: maximum size of text without a page tag; more is an error (a decompression bomb).
    """

    RANGE_BYTES: ClassVar[int] = 4 << 20

    max_page_bytes: int = 16 << 20
    max_gap_bytes: int = 256 << 20
