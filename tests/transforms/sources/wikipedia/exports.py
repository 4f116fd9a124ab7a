"""Builders of MediaWiki exports for the tests, and readers that use the plain functions without Beam."""

from __future__ import annotations

import bz2
import gzip
import itertools
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from gistmill.core.records import Damage, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.io import is_url
from gistmill.transforms.sources.files.bz2_blocks import marks
from gistmill.transforms.sources.files.ranges import FileRange, SourceFile, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from tests.transforms.sources.reading import read_source

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">\n'
    "  <siteinfo>\n    <sitename>Wikipedia</sitename>\n  </siteinfo>\n"
)
TAIL = "</mediawiki>\n"
DEFAULT = WikipediaConfig()


def page(
    number: int, title: str = "", text: str = "Some prose.", *, ns: int | None = 0, redirect: str = "", model: str = ""
) -> str:
    """Returns a page element as MediaWiki writes it."""
    return (
        "  <page>\n"
        f"    <title>{escape(title or f'Page {number}')}</title>\n"
        + (f"    <ns>{ns}</ns>\n" if ns is not None else "")
        + f"    <id>{number}</id>\n"
        + (f'    <redirect title="{escape(redirect)}" />\n' if redirect else "")
        + f"    <revision>\n      <id>{number + 9000}</id>\n      <timestamp>2020-01-02T03:04:05Z</timestamp>\n"
        "      <contributor>\n        <username>U</username>\n        <id>77</id>\n      </contributor>\n"
        + (f"      <model>{model}</model>\n" if model else "")
        + f'      <text xml:space="preserve">{escape(text)}</text>\n    </revision>\n  </page>\n'
    )


def export(pages: Iterable[str]) -> bytes:
    """Returns an export as one UTF-8 text."""
    return (HEAD + "".join(pages) + TAIL).encode()


def segments(data: bytes, cuts: Iterable[int]) -> list[bytes]:
    """Cuts bytes at the given places."""
    places = [0, *sorted(cuts), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(places)]


def multistream(parts: Iterable[bytes]) -> bytes:
    """Compresses each part as a bz2 stream of its own."""
    return b"".join(bz2.compress(part, 1) for part in parts)


def pages_per_stream(data: bytes, count: int) -> list[bytes]:
    """Cuts an export as the dumps are: head, ``count`` pages a stream, tail."""
    first = data.index(b"  <page>")
    last = data.rindex(b"</page>\n") + len(b"</page>\n")
    pieces = data[first:last].split(b"</page>\n")[:-1]
    groups = [b"".join(p + b"</page>\n" for p in pieces[i : i + count]) for i in range(0, len(pieces), count)]
    return [data[:first], *groups, data[last:]]


def write_kinds(folder: Path, data: bytes, count: int = 10) -> dict[str, Path]:
    """Writes an export as every kind of file; returns the paths by name of the kind."""
    parts = pages_per_stream(data, count)
    cuts = range(3333, len(data), max(1, len(data) // 20))
    contents = {
        "plain": ("a.xml", data),
        "single": ("a.xml.bz2", bz2.compress(data)),
        "scanned": ("scanned.bz2", multistream(parts)),
        "pbzip2": ("pbzip2.bz2", multistream(segments(data, cuts))),
        "gzip": ("a.xml.gz", gzip.compress(data)),
        "members": ("members.gz", b"".join(map(gzip.compress, segments(data, cuts)))),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for kind, (name, content) in contents.items():
        paths[kind] = folder / name
        paths[kind].write_bytes(content)
    return paths


def planned(path: object, workspace: object, config: WikipediaConfig = DEFAULT) -> list[FileRange | SourceFile]:
    """Plans an input (path, glob or comma list): its ranges and files."""
    source = WikipediaSource(expand_inputs(str(path)), config)
    return list(source.planner(str(workspace))(source.files))


def ranges_of(path: object, workspace: Path, config: WikipediaConfig = DEFAULT) -> list[FileRange]:
    """Plans the ranges of an input (path, glob or comma list)."""
    if not is_url(str(workspace)):
        Path(workspace).mkdir(exist_ok=True)
    return [place for place in planned(path, workspace, config) if isinstance(place, FileRange)]


def read_all(
    path: object, workspace: Path, config: WikipediaConfig = DEFAULT
) -> tuple[list[RawDocument | Reject], list[Damage]]:
    """Plans and reads an input; returns documents and rejects, and the damage."""
    if not is_url(str(workspace)):
        Path(workspace).mkdir(exist_ok=True)
    elements, ends, _ = read_source(WikipediaSource(expand_inputs(str(path)), config), workspace)
    return elements, [damage for end in ends for damage in end.damage]


def gist(documents: Iterable[RawDocument | Reject]) -> list[tuple]:
    """What must be equal however the input was compressed and cut."""
    return [
        (d.id, d.origin.title, d.origin.revision, d.origin.timestamp, d.text)
        if isinstance(d, RawDocument)
        else (d.id if "#" not in d.id else "", d.origin.title, d.reason, d.detail)
        for d in documents
    ]


def one_stream(parts: Iterable[bytes]) -> bytes:
    """Compresses parts as the blocks of one bz2 stream; each begins at the bit at which the one before it ends."""
    bits, length, combined = 0, 0, 0
    for part in filter(None, parts):
        packed = bz2.compress(part)
        (_, _), *_, (end, _) = found = marks(packed)
        assert len(found) == 2, "a part is one block"
        block = int.from_bytes(packed, "big") >> (8 * len(packed) - end) & (1 << end - 32) - 1  # without the header
        bits, length = bits << end - 32 | block, length + end - 32
        crc = block >> (end - 32 - 80) & 0xFFFFFFFF
        combined = (combined << 1 | combined >> 31) & 0xFFFFFFFF ^ crc
    bits, length = (bits << 48 | 0x177245385090) << 32 | combined, length + 80
    padding = -length % 8
    return b"BZh9" + (bits << padding).to_bytes((length + padding) // 8, "big")
