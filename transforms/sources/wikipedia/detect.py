"""Tells the kind of an input file by its content, and checks that it is an export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import unescape

from gistmill.core.records import Damage
from gistmill.rules.wiki.page import CATEGORY, FILE, MEDIA
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.foreign import foreign_form, shown
from gistmill.transforms.sources.files.looks import HEAD_BYTES, and_looks
from gistmill.transforms.sources.files.packed import XZ_MAGIC, ZSTD_MAGIC, xz_pieces, zstd_pieces
from gistmill.transforms.sources.files.ranges import InputFile, SourceError
from gistmill.transforms.sources.files.streams import (
    BZ2_MAGIC,
    GZIP_MAGIC,
    Piece,
    gzip_pieces,
    plain_pieces,
)

PLAIN, BZ2, GZIP, ZSTD, XZ = "plain", "bz2", "gzip", "zstd", "xz"
SPOOLED = frozenset({GZIP, ZSTD, XZ})  # kinds that cannot be read in parts
_MAGIC = {BZ2_MAGIC: BZ2, GZIP_MAGIC: GZIP, ZSTD_MAGIC: ZSTD, XZ_MAGIC: XZ}
_PROLOG = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_ENCODING = re.compile(rb"<\?xml[^>]*?\bencoding\s*=\s*[\"']([^\"'>]*)")
_BOM = b"\xef\xbb\xbf"
_BASE = re.compile(rb"<siteinfo>(?:(?!</siteinfo>|<page>).)*?<base>([^<]*)</base>", re.DOTALL)
_NAMESPACES = re.compile(rb"<siteinfo>(?:(?!</siteinfo>|<page>).)*?<namespaces>(.*?)</namespaces>", re.DOTALL)
_NAMESPACE = re.compile(rb"<namespace\b[^>]*?\bkey=[\"'](-?\d{1,6})[\"'][^>]*(?<!/)>([^<]+)<")


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
    """Returns PLAIN, BZ2, GZIP, ZSTD or XZ, by the file's first bytes, whatever its name."""
    with open_input(path) as handle:
        head = handle.read(len(XZ_MAGIC))
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), PLAIN)


def pieces_of(path: str, kind: str) -> Iterator[Piece | Damage]:
    """Yields the text of a whole file of any kind."""
    read = {PLAIN: plain_pieces, BZ2: block_pieces, GZIP: gzip_pieces, ZSTD: zstd_pieces, XZ: xz_pieces}
    return read[kind](path)


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
    base = _BASE.search(head)
    return Export(kind, _text(base.group(1)) if base else "", _namespaces(bytes(head)))


def _namespaces(head: bytes) -> tuple[tuple[int, str], ...]:
    listed = _NAMESPACES.search(head)
    found = ((int(number), _text(name)) for number, name in _NAMESPACE.findall(listed.group(1) if listed else b""))
    return tuple((number, name) for number, name in found if number in (FILE, CATEGORY, MEDIA))


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
