"""bz2 dumps are read alike wherever their blocks, their pages and their ranges begin, and whatever is damaged."""

from __future__ import annotations

import bz2
import random
from pathlib import Path

import pytest

from gistmill.core.records import Damage, RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.files.bz2_blocks import marks
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import read_range
from tests.transforms.sources.wikipedia.exports import (
    export,
    gist,
    multistream,
    one_stream,
    page,
    ranges_of,
    read_all,
    segments,
)

FILES, PAGES, BLOCKS = 26, 40, 40
PACK = {"one stream": one_stream, "a stream a block": multistream}


def drawn(draw: random.Random) -> tuple[bytes, list[int]]:
    """An export whose pages have any length, and where blocks begin in it, often inside a tag."""
    data = export(page(n, text="x" * draw.choice((0, 3, 90, draw.randrange(3000)))) for n in range(1, PAGES + 1))
    tags = [at for at in range(len(data)) if data.startswith((b"<page>", b"</page>", b"</mediawiki>"), at)]
    near = [draw.choice(tags) + draw.randrange(9) for _ in range(BLOCKS // 2)]
    return data, sorted({*near, *(draw.randrange(1, len(data)) for _ in range(BLOCKS - len(near)))})


def ranges_at(path: Path, cuts: list[int]) -> list[FileRange]:
    """The ranges that begin at any bytes of a file."""
    size = path.stat().st_size
    one, *_ = ranges_of(path, path.parent, WikipediaConfig(range_bytes=10**9))
    fields = {name: getattr(one, name) for name in ("file", "path", "kind", "base", "namespaces")}
    return [
        FileRange(key=f"{start:09d}", size=1, start=start, end=end, last=end == size, **fields)
        for start, end in zip([0, *cuts], [*cuts, size], strict=True)
    ]


def read(ranges: list[FileRange]) -> tuple[list[RawDocument | Reject], list[Damage]]:
    found: list[RawDocument | Reject] = []
    damage: list[Damage] = []
    for place in ranges:
        for one in read_range(place, WikipediaConfig()):
            if isinstance(one, RangeEnd):
                damage += one.damage
            else:
                found.append(one)
    return found, damage


@pytest.mark.slow
@pytest.mark.parametrize("form", PACK)
def test_a_thousand_blocks_and_pages_begin_anywhere_and_every_page_is_read_once(form: str, tmp_path: Path) -> None:
    draw, blocks, pages = random.Random(form), 0, 0
    for number in range(FILES):
        data, cuts = drawn(draw)
        path = tmp_path / f"{number}.bz2"
        path.write_bytes(PACK[form](segments(data, cuts)))
        assert bz2.decompress(path.read_bytes()) == data
        *_, tail, _, _, _, _ = marks(path.read_bytes())  # the end tag is in the last range
        begins = sorted(draw.sample(range(1, tail[0] // 8), draw.randrange(12)))
        documents, damage = read(ranges_at(path, begins))
        assert [d.id for d in documents] == [f"wikipedia-{n}" for n in range(1, PAGES + 1)] and not damage
        assert len({(d.origin.offset, d.id) for d in documents}) == PAGES
        blocks, pages = blocks + sum(is_block for _, is_block in marks(path.read_bytes())), pages + len(documents)
    assert blocks > 1000 and pages > 1000


def damaged(data: bytes, draw: random.Random) -> bytes:
    """A file with a flipped bit, zeros or other bytes somewhere, or one that ends too early."""
    at, size = draw.randrange(20, len(data) - 20), draw.choice((1, 9, 300))
    return {
        "bit": data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :],
        "zeros": data[:at] + bytes(size) + data[at + size :],
        "noise": data[:at] + draw.randbytes(size) + data[at + size :],
        "more": data[:at] + draw.randbytes(size) + data[at:],
        "cut": data[:at],
        "sparse": data[:at] + bytes(5000),
    }[draw.choice(("bit", "zeros", "noise", "more", "cut", "sparse"))]


@pytest.mark.slow
@pytest.mark.parametrize("form", PACK)
def test_what_is_damaged_is_told_once_and_costs_the_same_however_the_file_is_cut(form: str, tmp_path: Path) -> None:
    draw = random.Random(form)
    for number in range(60):
        data, cuts = drawn(draw)
        path = tmp_path / f"{number}.bz2"
        path.write_bytes(damaged(PACK[form](segments(data, cuts)), draw))
        whole, told = read_all(path, tmp_path, WikipediaConfig(range_bytes=10**9))
        parts, again = read_all(path, tmp_path, WikipediaConfig(range_bytes=draw.randrange(50, 3000)))
        assert gist(parts) == gist(whole)
        assert told or len(whole) == PAGES  # what is no text, such as the checksum of a stream, may go unnoticed
        assert sorted(again, key=lambda d: d.offset) == sorted(told, key=lambda d: d.offset)
        assert {d.id for d in whole} <= {f"wikipedia-{n}" for n in range(1, PAGES + 1)}


def test_names_of_the_wiki_are_known_in_every_range(tmp_path: Path) -> None:
    site = b"<siteinfo><base>https://xx.wikipedia.org/wiki/Main</base><namespaces>"
    site += b'<namespace key="6">Bild</namespace></namespaces></siteinfo>'
    data = export(page(n, text="x" * 500) for n in range(1, 50)).replace(b"  <siteinfo>", site + b"  <siteinfo>")
    path = tmp_path / "a.bz2"
    path.write_bytes(one_stream(segments(data, range(1000, len(data), 1000))))
    documents, _ = read_all(path, tmp_path, WikipediaConfig(range_bytes=300))
    assert len({d.origin.range_key for d in documents}) > 5
    for one in documents:
        assert isinstance(one, RawDocument) and one.namespaces == ((6, "Bild"),)
        assert one.origin.metadata.url.startswith("https://xx.wikipedia.org/")
