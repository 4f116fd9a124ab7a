"""Real dumps for the tests: pages of the slice of enwiki that gensim ships, in any of the forms a dump may have."""

from __future__ import annotations

import bz2
import functools
import re
from pathlib import Path

from benchmarks.slice import slice_path

_PAGE = re.compile(rb"  <page>.*?</page>\n", re.S)


@functools.cache
def whole() -> bytes:
    """The slice's XML."""
    return bz2.decompress(slice_path().read_bytes())


def head() -> bytes:
    """Everything before the first page."""
    return whole()[: whole().index(b"  <page>")]


def pages() -> list[bytes]:
    """The slice's 206 pages."""
    return _PAGE.findall(whole())


@functools.cache
def small_pages() -> tuple[bytes, ...]:
    """About 40 pages that parse in seconds: short articles, redirects, and the page outside the main namespace."""
    articles = sorted((p for p in pages() if b"<redirect" not in p and b"<ns>0</ns>" in p), key=len)[4:20]
    redirects = [p for p in pages() if b"<redirect" in p][:24]
    others = [p for p in pages() if b"<ns>0</ns>" not in p]
    chosen = {*articles, *redirects, *others}
    return tuple(p for p in pages() if p in chosen)


def export(chosen: tuple[bytes, ...] | list[bytes]) -> bytes:
    """A whole export of some pages."""
    return head() + b"".join(chosen) + b"</mediawiki>\n"


def write_small(path: Path) -> Path:
    """Writes the small pages as a bz2 file of one stream; returns its path."""
    path.write_bytes(bz2.compress(export(small_pages())))
    return path


def content_file_export(chosen: tuple[bytes, ...] | list[bytes]) -> bytes:
    """The XML of some pages as a content file export has it: schema 0.11, its generator, and its tags of texts."""
    begin = re.sub(rb"<generator>.*?<", b"<generator>MediaWiki Content File Export 0.3.1<", head())
    begin = begin.replace(b"export-0.10", b"export-0.11").replace(b'version="0.10"', b'version="0.11"')
    made = [
        re.sub(
            rb"(\n *)<model>(.*?)<text xml:space=",
            rb'\1<origin>1</origin>\1<model>\2<text bytes="9" xml:space=',
            p,
            flags=re.S,
        )
        for p in chosen
    ]
    return begin + b"".join(made) + b"</mediawiki>\n"


def page_id(page: bytes) -> int:
    """The number of a page."""
    return int(re.findall(rb"<id>(\d+)", page)[0])


def of_namespace(page: bytes, number: int, new_id: int) -> bytes:
    """The page as one of another namespace."""
    page = page.replace(b"<ns>0</ns>", b"<ns>%d</ns>" % number).replace(b"<title>", b"<title>Talk:", 1)
    return re.sub(rb"<id>\d+</id>", b"<id>%d</id>" % new_id, page, count=1)


def write_multistream(
    path: Path, chosen: tuple[bytes, ...] | list[bytes], *, pages_per_stream: int, index: bool
) -> Path:
    """Writes a multistream dump as Wikimedia does (head, pages, foot in streams of their own), and its index."""
    streams = [head()]
    streams += [b"".join(chosen[i : i + pages_per_stream]) for i in range(0, len(chosen), pages_per_stream)]
    packed = [bz2.compress(s) for s in (*streams, b"</mediawiki>\n")]
    path.write_bytes(b"".join(packed))
    if index:
        lines, offset = [], len(packed[0])
        for number, stream in enumerate(packed[1:-1]):
            for page in chosen[number * pages_per_stream : (number + 1) * pages_per_stream]:
                page_id = re.findall(rb"<id>(\d+)", page)[0].decode()
                title = re.findall(rb"<title>(.*?)</title>", page)[0].decode()
                lines.append(f"{offset}:{page_id}:{title}\n")
            offset += len(stream)
        name = path.name.replace(".xml.bz2", "-index.txt.bz2")
        (path.parent / name).write_bytes(bz2.compress("".join(lines).encode()))
    return path
