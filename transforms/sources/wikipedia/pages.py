"""The text of an export: which kind of file it is, and its cut into pages.

The rule is local, so that every reader of any part finds the same pages: a page begins at each ``<page`` tag and ends
with the first ``</page>``, or before the next ``<page`` or ``</mediawiki>`` where it was never closed. Exports escape
``<`` in wikitext, so these tags occur nowhere else.

A marker is written when a file is completely spooled; a later run over the same workspace reuses its chunks.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import uuid
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, ClassVar, NamedTuple
from xml.sax.saxutils import unescape

from gistmill.core.options import option
from gistmill.core.records import Damage
from gistmill.core.values import list_of, whole
from gistmill.rules.wiki.page import CATEGORY, FILE, MEDIA
from gistmill.transforms.io import create, exists, join, open_input, read_json, size_of, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError, range_key
from gistmill.transforms.sources.files.sniff import HEAD_BYTES, and_looks, foreign_form, shown
from gistmill.transforms.sources.files.streams import (
    BZ2_MAGIC,
    GZIP_MAGIC,
    Piece,
    gzip_pieces,
    plain_pieces,
)

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


PLAIN, BZ2, GZIP = "plain", "bz2", "gzip"
_MAGIC = {BZ2_MAGIC: BZ2, GZIP_MAGIC: GZIP}
_PROLOG = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_ENCODING = re.compile(rb"<\?xml[^>]*?\bencoding\s*=\s*[\"']([^\"'>]*)")
_BOM = b"\xef\xbb\xbf"
_BASE = re.compile(rb"<siteinfo>(?:(?!</?siteinfo>|<page>).)*?<base>([^<]*)</base>", re.DOTALL)
_NAMESPACES = re.compile(
    rb"<siteinfo>(?:(?!</?siteinfo>|<page>).)*?<namespaces>((?:(?!</?siteinfo>|</?namespaces>).)*)</namespaces>",
    re.DOTALL,
)
_NAMESPACE = re.compile(rb"<namespace\b[^<>]*?\bkey=[\"'](-?\d{1,6})[\"'][^<>]*(?<!/)>([^<]+)<")


class Export(NamedTuple):
    """What the beginning of an export says.

    Attributes:
        kind: what ``detect_kind`` says.
        base: URL of the wiki's main page, as ``siteinfo`` gives it; "" if it gives none.
        namespaces: the numbers and names of the namespaces there of files, categories and media.
    """

    kind: str
    base: str
    namespaces: tuple[tuple[int, str], ...] = ()


def detect_kind(path: str) -> str:
    """Returns PLAIN, BZ2 or GZIP, by the file's first bytes, whatever its name."""
    with open_input(path) as handle:
        head = handle.read(max(map(len, _MAGIC)))
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), PLAIN)


def pieces_of(path: str, kind: str) -> Iterator[Piece | Damage]:
    """Yields the text of a whole file of any kind."""
    return {PLAIN: plain_pieces, BZ2: block_pieces, GZIP: gzip_pieces}[kind](path)


def check_input(file: InputFile) -> Export:
    """Looks at the beginning of a file and returns what it says.

    A file that is cut off before anything can be told passes: reading it will find the damage.

    Raises:
        SourceError: not a MediaWiki export in UTF-8, or one with a DOCTYPE; the message names the file.
    """
    kind = detect_kind(file.path)
    head, cut = bytearray(), True
    for piece in pieces_of(file.path, kind):
        if isinstance(piece, Damage):
            break
        head += piece.data
        if len(head) >= HEAD_BYTES:
            cut = False
            break
    problem = _problem(bytes(head[:HEAD_BYTES]), file.path, packed=kind != PLAIN, cut=cut)
    if problem:
        raise SourceError(f"{file.path}: {problem}")
    base, listed = _BASE.search(head), _NAMESPACES.search(bytes(head))
    numbered = ((int(number), _text(name)) for number, name in _NAMESPACE.findall(listed.group(1) if listed else b""))
    namespaces = tuple((number, name) for number, name in numbered if number in (FILE, CATEGORY, MEDIA))
    return Export(kind, _text(base.group(1)) if base else "", namespaces)


def _text(data: bytes) -> str:
    return unescape(data.decode("utf-8", "replace")).strip()


def _problem(head: bytes, path: str, *, packed: bool, cut: bool) -> str:
    """Returns what is wrong with the beginning of a text, or "".

    Args:
        head: the beginning.
        path: the file.
        packed: whether the text was unpacked from it.
        cut: whether the text ends there.
    """
    if form := foreign_form(head, path):
        return f"not a MediaWiki export, but {form}"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[:4].strip(b"\0") != head[:4]:
        return f"the text is not UTF-8 (UTF-16, or a binary file); MediaWiki exports are UTF-8{and_looks(head, path)}"
    head = head.removeprefix(_BOM)
    encoding = _ENCODING.match(head)
    if encoding and encoding.group(1).lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        return f"the encoding is {encoding.group(1).decode('ascii', 'replace')!r}; MediaWiki exports are UTF-8"
    prolog = _PROLOG.match(head)
    root = head[prolog.end() :] if prolog else head
    if re.match(rb"<mediawiki[\s>]", root):
        return ""
    if re.match(rb"<!(?:DOCTYPE(?!\s+html)|ENTITY)", root, re.IGNORECASE):
        return "the XML has a DOCTYPE, which exports never have; it is refused"
    if cut and (root == b"<mediawiki"[: len(root)] or root.startswith((b"<?", b"<!--"))):
        return ""
    looks = and_looks(head, "" if packed else path)
    return f"not a MediaWiki export: the text begins with {shown(root)} where <mediawiki> should be{looks}"


@dataclass(frozen=True, kw_only=True)
class PagesConfig(FilesConfig):
    """Which pages of a wiki are read, in whatever form."""

    namespaces: tuple[int, ...] = option(
        list_of(whole(0)), default=(0,), metavar="N,N", help="MediaWiki namespaces to keep"
    )


@dataclass(frozen=True, kw_only=True)
class WikipediaConfig(PagesConfig):
    """How exports are read. A range of plain text has four times as many bytes as one of compressed text.

    Attributes (not options):
        max_page_bytes: a page over this size is rejected as TOO_LARGE and never held in memory.
        max_gap_bytes: text without any page tag over this size is an error (a decompression bomb).
    """

    RANGE_BYTES: ClassVar[int] = 4 << 20

    max_page_bytes: int = 16 << 20
    max_gap_bytes: int = 256 << 20

    def check(self) -> None:
        """Raises ValueError for sizes that are not positive, or do not go together."""
        self.check_sizes("max_page_bytes", "max_gap_bytes")
        if self.max_gap_bytes < self.max_page_bytes:
            raise ValueError(f"max_gap_bytes ({self.max_gap_bytes}) is below max_page_bytes ({self.max_page_bytes})")


_SMALLEST_CHUNK = 1 << 16
_LARGEST_CHUNK = 8  # times range_bytes
_RATIO = 4  # text per compressed byte
_WANTED_CHUNKS = 48  # a small input is cut finer, so that it too keeps many workers busy


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file of the workspace that holds bytes [start, end) of an input's text, ``documents`` pages."""

    path: str
    start: int
    end: int
    documents: int
    damage: tuple[Damage, ...] = ()


@dataclass(frozen=True, slots=True)
class Spooled:
    """All chunks of an input; ``complete`` unless a limit ended them before the end of the file."""

    chunks: tuple[Chunk, ...]
    complete: bool

    @property
    def documents(self) -> int:
        """Number of pages in the chunks."""
        return sum(chunk.documents for chunk in self.chunks)

    def ranges(self, file: InputFile) -> tuple[FileRange, ...]:
        """Returns a range for each chunk."""
        final = self.chunks[-1]
        return tuple(
            FileRange(
                key=range_key(file.index, chunk.start),
                file=file.path,
                path=chunk.path,
                kind="chunk",
                start=chunk.start,
                end=chunk.end,
                size=chunk.end - chunk.start,
                damage=chunk.damage,
                last=chunk is final and self.complete,
                max_documents=None if self.complete or chunk is not final else chunk.documents,
            )
            for chunk in self.chunks
        )


def spool(file: InputFile, *, workspace: str, config: WikipediaConfig, limit: int | None = None) -> Spooled:
    """Writes the chunks of a gzip file, which cannot be read in parts, or finds them already written.

    Args:
        file: the file.
        workspace: folder of the run; the chunks go to ``spool/`` in it.
        limit: stop after this many pages.

    Raises:
        SourceError: the file is a decompression bomb.
    """
    folder = WorkspaceLayout(workspace).spool
    upper = _LARGEST_CHUNK * config.most_range_bytes
    target = min(max(file.size * _RATIO // _WANTED_CHUNKS, min(_SMALLEST_CHUNK, upper)), upper)
    most = None if limit is None else -(-limit // _WANTED_CHUNKS)  # pages a chunk
    request = {
        "path": file.path,
        "size": file.size,
        "target": target,
        "limit": limit,
        "caps": [config.max_page_bytes, config.max_gap_bytes],
    }
    name = f"{file.index:05d}-{hashlib.blake2b(json.dumps(request).encode(), digest_size=8).hexdigest()}"
    marker = join(folder, name + ".json")
    if (found := _read_marker(marker, request)) is not None:
        return found
    stem = join(folder, f"{name}-{uuid.uuid4().hex[:12]}")
    writer = _ChunkWriter(
        stem, target, most, PageSplitter(max_page_bytes=config.max_page_bytes, max_gap_bytes=config.max_gap_bytes)
    )
    try:
        complete = _fill(writer, gzip_pieces(file.path), file.path, limit)
    finally:
        writer.close()
    spooled = Spooled(tuple(writer.chunks), complete)
    write_json(marker, {"request": request, **dataclasses.asdict(spooled)})
    return spooled


def _fill(writer: _ChunkWriter, pieces: Iterator[Piece | Damage], path: str, limit: int | None) -> bool:
    """Returns whether the file was read to its end."""
    for piece in pieces:
        if isinstance(piece, Damage):
            writer.break_off(piece)
            continue
        try:
            writer.write(piece.data, limit)
        except SourceError as error:
            raise SourceError(f"{path}: {error}") from None
        if limit is not None and writer.documents >= limit:
            return False
    if not writer.chunks and not writer.is_open:
        writer.break_off(None)
    return True


class _ChunkWriter:
    """Writes text into chunks; each ends with a page's end tag, the last with the text."""

    def __init__(self, stem: str, target: int, most: int | None, splitter: PageSplitter) -> None:
        self.chunks: list[Chunk] = []
        self.documents = 0
        self._stem, self._target, self._most, self._splitter = stem, target, most, splitter
        self._handle: BinaryIO | None = None
        self._path, self._start, self._position, self._before = "", 0, 0, 0

    @property
    def is_open(self) -> bool:
        return self._handle is not None

    def write(self, data: bytes, limit: int | None) -> None:
        """Writes text that follows; a piece ends with the page that fills it, and the last one with page ``limit``."""
        begin, written = self._position, 0
        for page in self._splitter.feed(data, begin, 0):
            self.documents += 1
            if limit is not None and self.documents == limit:
                break
            full = page.end - self._start >= self._target or self.documents - self._before == self._most
            if page.closed and full:
                self._append(data[written : page.end - begin])
                written = page.end - begin
                self.close()
        self._append(data[written:])

    def break_off(self, damage: Damage | None) -> None:
        """Ends the chunk at hand, even inside a page, because the text does not go on."""
        self._open()
        self._splitter.reset()
        self.close((damage,) if damage else ())

    def close(self, damage: tuple[Damage, ...] = ()) -> None:
        """Ends the chunk at hand, if one is open."""
        if self._handle is None:
            return
        self._handle.close()
        self._handle = None
        self.chunks.append(Chunk(self._path, self._start, self._position, self.documents - self._before, damage))
        self._start, self._before = self._position, self.documents

    def _append(self, data: bytes) -> None:
        if data:
            self._open().write(data)
            self._position += len(data)

    def _open(self) -> BinaryIO:
        if self._handle is None:
            self._path = f"{self._stem}-{len(self.chunks):05d}.xml"
            self._handle = create(self._path)
        return self._handle


def _read_marker(path: str, request: dict) -> Spooled | None:
    """Returns what a marker says, None unless it fits the request and all its chunks are there, whole."""
    if not exists(path):
        return None
    content = read_json(path)
    if content["request"] != request:
        return None
    chunks = tuple(
        Chunk(**{**entry, "damage": tuple(Damage(**damage) for damage in entry["damage"])})
        for entry in content["chunks"]
    )
    if any(size_of(chunk.path) != chunk.end - chunk.start for chunk in chunks):
        return None
    return Spooled(chunks, content["complete"])
