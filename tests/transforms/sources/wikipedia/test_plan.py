import bz2
import hashlib
import logging
import random

import pytest

from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.plan import plan_files
from tests.transforms.sources.wikipedia.exports import (
    export,
    index_lines,
    multistream,
    page,
    pages_per_stream,
    ranges_of,
    segments,
    write_kinds,
)

DATA = export(page(number, text=f"{number} " * 100) for number in range(1, 201))
NOISE = export(page(number, text=random.Random(number).randbytes(1500).hex()) for number in range(1, 700))
DEFAULT = WikipediaConfig()
SMALL = WikipediaConfig(range_bytes=1)
DUMP, INDEX = "x-pages-articles-multistream.xml.bz2", "x-pages-articles-multistream-index.txt.bz2"


def plan(path, workspace, config=DEFAULT):
    workspace.mkdir(exist_ok=True)
    return list(plan_files(expand_inputs(str(path)), workspace=str(workspace), config=config))


def test_ranges_cover_the_file_in_order_and_their_keys_sort(tmp_path):
    for kind, path in write_kinds(tmp_path, DATA).items():
        for config in SMALL, WikipediaConfig():
            ranges = ranges_of(path, tmp_path / "work", config)
            assert [place.end for place in ranges[:-1]] == [place.start for place in ranges[1:]], kind
            assert ranges[0].start == 0 and [place.last for place in ranges] == [False] * (len(ranges) - 1) + [True]
            keys = [place.key for place in ranges]
            assert keys == sorted(set(keys)) and all(place.size > 0 for place in ranges)
            assert ranges == ranges_of(path, tmp_path / "work", config), "planning again gives the same"


def test_the_source_record_holds_size_checksum_and_kind(tmp_path):
    kinds = {"plain": "plain", "single": "bz2", "scanned": "bz2-multistream", "gzip": "gzip"}
    paths = write_kinds(tmp_path, DATA)
    for kind, expected in kinds.items():
        content = paths[kind].read_bytes()
        for limit, checksum in (None, hashlib.sha256(content).hexdigest()), (9, None):
            (one,) = plan(paths[kind], tmp_path / "work", WikipediaConfig(limit=limit))
            assert (one.source.path, one.source.size, one.source.sha256) == (str(paths[kind]), len(content), checksum)
            assert one.source.kind == (expected if checksum else expected.partition("-")[0])


def test_small_inputs_still_make_many_ranges(tmp_path):
    for kind, path in write_kinds(tmp_path, NOISE).items():
        if kind != "pbzip2":  # 20 streams
            assert 20 <= len(ranges_of(path, tmp_path / "work")) <= 50, kind


def test_several_streams_make_one_range(tmp_path):
    path = tmp_path / "a.bz2"
    path.write_bytes(multistream(pages_per_stream(DATA, 1)))
    size = path.stat().st_size
    ranges = ranges_of(path, tmp_path, WikipediaConfig(range_bytes=size // 10))
    assert 8 <= len(ranges) <= 10 and {place.kind for place in ranges} == {"bz2"}


def test_with_and_without_index_the_ranges_of_pages_are_alike(tmp_path):
    paths = write_kinds(tmp_path, DATA)
    scanned, indexed = (ranges_of(paths[kind], tmp_path, SMALL) for kind in ("scanned", "indexed"))
    assert [place.start for place in scanned] == [place.start for place in indexed] and len(indexed) == 21


def test_the_index_decides_where_the_file_is_cut(tmp_path):
    path = write_kinds(tmp_path, DATA)["indexed"]
    lines = index_lines(pages_per_stream(DATA, 10)).splitlines(keepends=True)
    (tmp_path / INDEX).write_bytes(bz2.compress("".join(lines[100:]).encode()))
    assert len(ranges_of(path, tmp_path, SMALL)) == 11


@pytest.mark.parametrize("wrong", ["shifted", "beyond", "other", "garbage"])
def test_an_index_that_does_not_fit_is_ignored_with_a_warning(tmp_path, caplog, wrong):
    path = write_kinds(tmp_path, DATA)["indexed"]
    lines = index_lines(pages_per_stream(DATA, 10)).splitlines()
    contents = {
        "shifted": [f"{int(line.split(':')[0]) + 1}:1:t" for line in lines],
        "beyond": [*lines, f"{path.stat().st_size + 9}:1:t"],
        "other": ["7:1:t", "900:1:t"],
        "garbage": ["<html>"],
    }
    (tmp_path / INDEX).write_bytes(bz2.compress("\n".join(contents[wrong]).encode()))
    with caplog.at_level(logging.WARNING):
        ranges = ranges_of(path, tmp_path, SMALL)
    assert "does not fit" in caplog.text and INDEX.partition("-index")[0] in caplog.text and len(ranges) == 21


def test_one_stream_far_larger_than_the_others_is_spooled(tmp_path):
    path = tmp_path / "a.bz2"
    path.write_bytes(multistream([NOISE[:500], NOISE[500:]]))
    assert {place.kind for place in ranges_of(path, tmp_path)} == {"chunk"}


def test_the_last_range_holds_the_end_of_the_export_whole(tmp_path):
    parts = segments(DATA, [*range(0, len(DATA) - 100, len(DATA) // 20), *range(len(DATA) - 99, len(DATA))])
    path = tmp_path / "a.bz2"
    path.write_bytes(multistream(parts))
    ranges = ranges_of(path, tmp_path, SMALL)
    text = bz2.decompress(path.read_bytes()[ranges[-1].start :])
    assert ranges[-1].kind == "bz2" and ranges[-1].last and len(text) == 64 and DATA.endswith(text)


@pytest.mark.parametrize("kind", ["plain", "single", "scanned", "indexed", "pbzip2", "gzip", "members"])
def test_an_input_that_is_not_an_export_fails_the_planning_by_name(tmp_path, kind):
    path = write_kinds(tmp_path, b"<html>" + DATA)[kind]
    with pytest.raises(SourceError, match=path.name):
        ranges_of(path, tmp_path)


def test_stream_headers_across_blocks_of_the_scan_are_found(tmp_path, monkeypatch):
    path = write_kinds(tmp_path, DATA)["scanned"]
    expected = ranges_of(path, tmp_path, SMALL)
    for size in 7, 10, 64:
        monkeypatch.setattr("gistmill.transforms.sources.wikipedia.plan._SCAN_BLOCK", size)
        assert ranges_of(path, tmp_path, SMALL) == expected
