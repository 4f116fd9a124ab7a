import bz2
import gzip
import itertools
import time
import tracemalloc
import zlib
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.slice import slice_path
from gistmill.core.records import Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import read_range
from tests.transforms.sources.wikipedia.exports import (
    HEAD,
    TAIL,
    export,
    gist,
    multistream,
    page,
    pages_per_stream,
    ranges_of,
    read_all,
    segments,
    write_kinds,
)

KINDS = ("plain", "single", "scanned", "pbzip2", "gzip", "members")
SMALL = WikipediaConfig(range_bytes=64)
BAD = "  <page>\n <title>Bad</title> <id>666</id> & </page>\n"
MIXED = [
    page(1),
    page(2, redirect="Page 1"),
    BAD,
    page(4, text="é" * 300),
    "  <page></page>\n",
    page(6, text=""),
    page(7, "Talk:X", ns=1),
    "  <page>\n    <title>Never closed</title>\n",
    page(9, text="{{disambig}}"),
    page(10),
]
PAGES_OF_MIXED = [
    "wikipedia-1",
    ReadReason.REDIRECT,
    ReadReason.BAD_XML,
    "wikipedia-4",
    ReadReason.BAD_PAGE,
    ReadReason.EMPTY_PAGE,
    None,  # of another namespace: only counted
    ReadReason.BAD_XML,
    ReadReason.DISAMBIGUATION,
    "wikipedia-10",
]
EXPECTED = [name for name in PAGES_OF_MIXED if name is not None]
relaxed = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def counted(places, config):
    """What the ends of ranges say, added up: documents emitted, and what else was counted."""
    ends = [list(read_range(place, config))[-1] for place in places]
    return sum(end.documents for end in ends), sum((Counter(end.counts) for end in ends), Counter())


def counts_of(pages):
    others = pages.count(None)
    return len(pages) - others, Counter(
        {"documents/read": others, "documents/rejected/NAMESPACE": others}
    ) if others else Counter()


def names(documents):
    return [one.id if isinstance(one, RawDocument) else one.reason for one in documents]


def test_a_bad_page_ends_neither_its_file_nor_its_range(tmp_path):
    for kind, path in write_kinds(tmp_path, export(MIXED), 2).items():
        for config in SMALL, WikipediaConfig():
            documents, damage = read_all(path, tmp_path, config)
            assert names(documents) == EXPECTED and not damage, kind


def test_pages_of_other_namespaces_are_counted_once_however_ranges_are_cut(tmp_path):
    talk = [page(100 + n, f"Talk:{n}", text="é" * 50 * n, ns=n % 3) for n in range(30)]
    pages = [*PAGES_OF_MIXED, *(None if n % 3 else f"wikipedia-{100 + n}" for n in range(30))]
    for kind, path in write_kinds(tmp_path, export([*MIXED, *talk]), 2).items():
        for size in 64, 700, None:
            config = WikipediaConfig(range_bytes=size)
            places = ranges_of(path, tmp_path, config)
            assert size is None or kind == "single" or len(places) > 3  # one stream as small as this is one block
            assert counted(places, config) == counts_of(pages), (kind, size)
            wanted = WikipediaConfig(range_bytes=size, namespaces=(0, 1, 2))
            assert counted(places, wanted) == (len(pages), Counter()), (kind, size)


@pytest.mark.slow
def test_the_slice_is_the_same_as_every_kind_of_file(tmp_path):
    data = bz2.decompress(slice_path().read_bytes())
    expected = read_all(slice_path(), tmp_path)
    assert len(expected[0]) + 1 == 206 == data.count(b"<page>") and not expected[1]
    assert Counter(one.reason.name for one in expected[0] if isinstance(one, Reject)) == {
        "REDIRECT": 99,
        "DISAMBIGUATION": 8,
    }
    assert counted(ranges_of(slice_path(), tmp_path), WikipediaConfig()) == counts_of([*expected[0], None])
    assert sum(isinstance(one, RawDocument) for one in expected[0]) == 98
    for kind, path in write_kinds(tmp_path / "kinds", data).items():
        documents, damage = read_all(path, tmp_path)
        assert gist(documents) == gist(expected[0]) and not damage, kind
        assert all(
            one.origin.metadata.url.startswith("https://en.wikipedia.org/wiki/")
            and one.origin.metadata.url.endswith(f"?oldid={one.origin.revision}")
            for one in documents
        )
        if kind == "plain":
            assert all(data[one.origin.offset :].startswith(b"<page>") for one in documents)


def test_the_last_page_of_a_dump_is_never_lost(tmp_path):
    for tail in TAIL, "</mediawiki>", "\n\n</mediawiki>\n \n":
        data = (HEAD + page(1) + page(2) + page(3).rstrip() + tail).encode()
        for kind, path in write_kinds(tmp_path / "k", data, 2).items():
            assert names(read_all(path, tmp_path, SMALL)[0]) == [f"wikipedia-{n}" for n in (1, 2, 3)], kind


@relaxed
@given(st.data())
def test_any_cutting_into_streams_and_any_grouping_into_ranges_give_the_same_pages(tmp_path, data):
    content = export(MIXED)
    cuts = data.draw(st.lists(st.integers(0, len(content)), max_size=25))
    target = data.draw(st.sampled_from([10, 60, 150, 400, 1000, 10_000]))
    path = tmp_path / "a.bz2"
    path.write_bytes(multistream(segments(content, cuts)))
    documents, damage = read_all(path, tmp_path / str(time.monotonic_ns()), WikipediaConfig(range_bytes=target))
    assert names(documents) == EXPECTED and not damage
    assert len({(one.origin.file, one.origin.offset, one.id) for one in documents}) == len(documents)


@relaxed
@given(st.integers(1, 500))
def test_any_size_of_plain_ranges_gives_the_same_pages(tmp_path, size):
    path = tmp_path / "a.xml"
    path.write_bytes(export(MIXED))
    documents, damage = read_all(path, tmp_path, WikipediaConfig(range_bytes=size))
    assert names(documents) == EXPECTED and not damage


# Truncation: all pages that the tools of the format can still decompress, and the cut reported.

PAGES = [page(number, text=f"Page {number} " * 20) for number in range(1, 13)]
WHOLE = export(PAGES)


def text_of(content):
    """What bz2 or zlib alone can decompress of a file, stream by stream."""
    if content[:2] == b"\x1f\x8b":
        return zlib.decompressobj(31).decompress(content)
    text = b""
    while content[:3] == b"BZh":
        decompressor = bz2.BZ2Decompressor()
        text += decompressor.decompress(content)
        content = decompressor.unused_data
    return text


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder, and what the kinds of a dump hold."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, {kind: path.read_bytes() for kind, path in write_kinds(folder, WHOLE, 3).items()}


@pytest.mark.parametrize("kind", ["plain", "single", "scanned", "gzip"])
@relaxed
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_truncated_file_gives_every_whole_page_and_reports_the_cut(whole, kind, share):
    folder, contents = whole
    content = contents[kind]
    shortest, longest = (4 if kind != "plain" else 1), (len(content) if kind != "plain" else WHOLE.rindex(b">"))
    content = content[: max(shortest, int(share * longest))]
    path = folder / "a.xml"
    path.write_bytes(content)
    text = content if kind == "plain" else text_of(content)
    for config in SMALL, WikipediaConfig():
        documents, damage = read_all(path, folder / str(time.monotonic_ns()), config)
        assert [one.id for one in documents] == [f"wikipedia-{n + 1}" for n in range(text.count(b"</page>"))]
        assert damage and all(one.file == str(path) and one.message for one in damage)


def test_a_file_cut_between_two_streams_is_truncated_too(tmp_path):
    parts = pages_per_stream(WHOLE, 3)
    for count in range(1, len(parts)):
        path = tmp_path / "a.bz2"
        path.write_bytes(multistream(parts[:count]))
        documents, damage = read_all(path, tmp_path / str(count), SMALL)
        assert len(documents) == 3 * (count - 1)
        assert len(damage) == 1 and damage[0].message.startswith("the file ends without </mediawiki>")


def test_a_damaged_stream_costs_its_own_pages_and_is_reported_once(tmp_path):
    streams = [bz2.compress(part) for part in pages_per_stream(WHOLE, 3)]
    streams[2] = streams[2][:80] + bytes(byte ^ 0x55 for byte in streams[2][80:90]) + streams[2][90:]
    path = tmp_path / "a.bz2"
    path.write_bytes(b"".join(streams))
    for config in SMALL, WikipediaConfig():
        documents, damage = read_all(path, tmp_path, config)
        assert [one.id for one in documents] == [f"wikipedia-{number}" for number in (1, 2, 3, 7, 8, 9, 10, 11, 12)]
        assert [one.offset for one in damage] == [len(streams[0] + streams[1])]


def test_a_page_that_goes_on_into_a_damaged_stream_is_not_given(tmp_path):
    streams = [bz2.compress(part) for part in segments(WHOLE, (1000, 2000, 3000))]
    streams[1] = streams[1][:100] + b"\xff" * 20 + streams[1][120:]
    path = tmp_path / "a.bz2"
    path.write_bytes(b"".join(streams))
    for config in SMALL, WikipediaConfig():
        documents, damage = read_all(path, tmp_path, config)
        inside = WHOLE[:1000].count(b"</page>"), WHOLE[:2000].count(b"<page>")
        assert [one.id for one in documents] == [
            f"wikipedia-{n}" for n in range(1, 13) if n <= inside[0] or n > inside[1]
        ]
        assert {one.offset for one in damage} == {len(streams[0])}


# Hostile files


def test_a_huge_page_is_rejected_and_what_follows_is_read(tmp_path):
    config = WikipediaConfig(max_page_bytes=20_000, range_bytes=2000)
    data = export([page(1), page(2, text="x" * 300_000), page(3)])
    for kind, path in write_kinds(tmp_path, data, 1).items():
        documents, damage = read_all(path, tmp_path, config)
        assert names(documents) == ["wikipedia-1", ReadReason.TOO_LARGE, "wikipedia-3"] and not damage, kind
        assert (documents[1].id, documents[1].origin.title) == ("wikipedia-2", "Page 2")


def test_a_bomb_is_refused_in_flat_memory(tmp_path):
    path, packer = tmp_path / "bomb.bz2", bz2.BZ2Compressor(9)
    bomb = b"".join([*(packer.compress(b"\0" * (1 << 22)) for _ in range(10)), packer.flush()])
    config = WikipediaConfig(max_page_bytes=1 << 20, max_gap_bytes=1 << 24)
    for before in HEAD, HEAD + page(1) + "<page>":
        path.write_bytes(bz2.compress(before.encode()) + bomb)
        assert path.stat().st_size < 2000
        tracemalloc.start()
        try:
            with pytest.raises(SourceError, match="bomb.bz2"):
                read_all(path, tmp_path, config)
            assert tracemalloc.get_traced_memory()[1] < 30 << 20
        finally:
            tracemalloc.stop()


def test_a_bomb_of_tiny_pages_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("gistmill.transforms.sources.files.streams._ALWAYS_ALLOWED", 1 << 17)
    path = tmp_path / "bomb.bz2"
    path.write_bytes(multistream([HEAD.encode(), *[b"<page/>" * 20_000] * 4, TAIL.encode()]))
    with pytest.raises(SourceError, match="bomb.bz2"):
        read_all(path, tmp_path)


def test_every_version_of_the_schema_is_read(tmp_path):
    path = tmp_path / "a.xml"
    for version in b"0.3", b"0.10", b"0.11":
        path.write_bytes(export(PAGES).replace(b"0.10", version))
        assert len(read_all(path, tmp_path)[0]) == 12


def test_exports_joined_end_to_end_are_read_as_one(tmp_path):
    path = tmp_path / "a.bz2"
    path.write_bytes(bz2.compress(export([page(1)])) + bz2.compress(export([page(2)])))
    assert names(read_all(path, tmp_path)[0]) == ["wikipedia-1", "wikipedia-2"]


# Limit


def test_a_limit_gives_the_first_pages_of_the_first_files(tmp_path):
    both = [write_kinds(tmp_path / name, export(MIXED), 2) for name in "ab"]
    for kind, limit in itertools.product(KINDS, (1, 2, 5, 9, 10, 11, 15, 20, 25)):
        paths, pages = f"{both[0][kind]},{both[1][kind]}", (2 * PAGES_OF_MIXED)[:limit]
        for config in WikipediaConfig(limit=limit, range_bytes=64), WikipediaConfig(limit=limit):
            documents, damage = read_all(paths, tmp_path, config)
            assert names(documents) == [name for name in pages if name is not None] and not damage, (kind, limit)
            assert counted(ranges_of(paths, tmp_path, config), config) == counts_of(pages), (kind, limit)


def test_a_limit_reads_no_damage_behind_it_and_counts_no_page_that_is_cut(tmp_path):
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(WHOLE[: WHOLE.index(b"<id>6</id>")]))
    assert read_all(path, tmp_path, WikipediaConfig(limit=5))[1] == []
    whole = tmp_path / "b.xml"
    whole.write_bytes(WHOLE)
    documents, damage = read_all(f"{path},{whole}", tmp_path, WikipediaConfig(limit=8))
    assert [one.id for one in documents] == [f"wikipedia-{n}" for n in (1, 2, 3, 4, 5, 1, 2, 3)] and len(damage) == 1
