"""Every document is at the offset that its origin has, in a range of its own or a small one."""

from __future__ import annotations

import gzip
import json

from gistmill.core.records import RangeEnd
from gistmill.transforms.sources.documents import DocumentsConfig, JsonlSource
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from tests.dumps import export, small_pages, write_multistream
from tests.transforms.sources.warc.warcs import members, page
from tests.transforms.sources.wikipedia.exports import one_stream, segments


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


def test_blocks_of_a_single_stream(tmp_path):
    data, path = export(small_pages()), tmp_path / "small.xml.bz2"
    path.write_bytes(one_stream(segments(data, range(20_000, len(data), 20_000))))
    source = WikipediaSource.open([str(path)], WikipediaConfig())
    check_all(source, tmp_path, 30)
    assert len({d.origin.offset for d in documents(source, source.planner(str(tmp_path))(source.files))}) > 3
    assert source.range_at(source.files[0], 1) is None and source.range_at(source.files[0], 10**9) is None


def test_records_of_a_crawl(tmp_path):
    path = tmp_path / "crawl.warc"
    records = [page(number, "text " * number) for number in range(9)]
    for content in members(*records), b"".join(records):
        path.write_bytes(content)
        check_all(WarcSource.open([str(path)], WarcConfig()), tmp_path, 1)


def test_lines(tmp_path):
    lines = [json.dumps({"id": f"n{n}", "text": "x" * n}) for n in range(1, 9)]
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    check_all(JsonlSource.open([str(path)], DocumentsConfig()), tmp_path, 1)


def test_gzip_files_have_no_such_ranges(tmp_path):
    path = tmp_path / "packed"
    for content, kind, config in (
        (export(small_pages()), WikipediaSource, WikipediaConfig),
        (b'{"text": "x"}\n', JsonlSource, DocumentsConfig),
    ):
        path.write_bytes(gzip.compress(content))
        source = kind.open([str(path)], config())
        for document in documents(source, source.planner(str(tmp_path))(source.files)):
            assert source.range_at(source.files[0], document.origin.offset) is None
