"""Every document is at the offset that its origin has, in a range of its own or a small one."""

from __future__ import annotations

import bz2
import gzip
import json

import pytest

from gistmill.core.records import RangeEnd
from gistmill.transforms.sources.jsonl.source import JsonlConfig, JsonlSource
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from tests.dumps import export, small_pages, write_multistream
from tests.transforms.sources.warc.warcs import members, page


def documents(source, ranges):
    read = source.reader()
    return [d for place in ranges if hasattr(place, "key") for d in read(place) if not isinstance(d, RangeEnd)]


def check_all(source, workspace, most):
    """All documents are where they say, with at most so many others."""
    every = documents(source, source.planner(str(workspace))(source.files))
    assert len(every) > 3
    for document in every:
        place = source.range_at(source.files[0], document.origin.offset)
        here = documents(source, [place])
        assert document.id in {d.id for d in here} and len(here) <= most


def test_pages_of_a_plain_dump(tmp_path):
    path = tmp_path / "small.xml"
    path.write_bytes(export(small_pages()))
    check_all(WikipediaSource.open([str(path)], WikipediaConfig()), tmp_path, 1)


def test_streams_of_a_multistream_dump(tmp_path):
    path = write_multistream(tmp_path / "small-multistream.xml.bz2", small_pages(), pages_per_stream=4, index=False)
    source = WikipediaSource.open([str(path)], WikipediaConfig())
    check_all(source, tmp_path, 4)
    assert source.range_at(source.files[0], 1) is None and source.range_at(source.files[0], 10**9) is None


@pytest.mark.parametrize("compress", [bz2.compress, gzip.compress])
def test_a_single_stream_has_no_such_ranges(compress, tmp_path):
    path = tmp_path / "small.xml.z"
    path.write_bytes(compress(export(small_pages())))
    source = WikipediaSource.open([str(path)], WikipediaConfig())
    for document in documents(source, source.planner(str(tmp_path))(source.files)):
        assert source.range_at(source.files[0], document.origin.offset) is None


@pytest.mark.parametrize("form", ["plain", "gzip"])
def test_records_of_a_crawl(form, tmp_path):
    path = tmp_path / "crawl.warc"
    records = [page(number, "text " * number) for number in range(9)]
    path.write_bytes(members(*records) if form == "gzip" else b"".join(records))
    check_all(WarcSource.open([str(path)], WarcConfig()), tmp_path, 1)


def test_lines(tmp_path):
    lines = [json.dumps({"id": f"n{n}", "text": "x" * n}) for n in range(1, 9)]
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    check_all(JsonlSource.open([str(path)], JsonlConfig()), tmp_path, 1)
    packed = tmp_path / "lines.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    source = JsonlSource.open([str(packed)], JsonlConfig())
    assert source.range_at(source.files[0], 0) is None
