"""Source ``warc``: records to documents and rejects, ranges, limits, identity."""

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.files.ranges import FileRange, SourceError
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource, read_range
from tests.samples import CRAWLS
from tests.transforms.sources.warc.warcs import (
    http,
    members,
    page,
    planned,
    read_bytes,
    read_file,
    record,
    uuid,
    zipped,
)

HTML = b"<html><body>Text</body></html>"


def read_one(tmp_path, block, **options):
    (element,), (end,) = read_bytes(tmp_path, members(record(7, block, **options)))
    assert end.documents == 1 and end.damage == ()
    return element


def test_a_page_becomes_a_document_with_its_lineage(tmp_path):
    documents, (end,) = read_bytes(tmp_path, members(record(0, b"software: x\r\n", kind=b"warcinfo"), page(1), page(2)))
    assert [type(d) for d in documents] == [RawDocument] * 2 and end.damage == ()
    second = documents[1]
    assert second.text == "<html><p>Page 2 </p></html>" and second.markup == "html" and second.origin.source == "warc"
    assert second.id.startswith(f"news-{uuid(2)}-") and second.origin.timestamp == "2020-01-10T08:00:00Z"
    assert second.origin.metadata.url == "https://example.org/2" and second.origin.metadata.record == uuid(2)
    assert second.origin.metadata.fetched == "2020-01-10T08:00:00Z"
    content = Path(second.origin.file).read_bytes()
    assert b"Page 2" in gzip.decompress(content[second.origin.offset :])
    assert b"Page 1" not in gzip.decompress(content[second.origin.offset :])
    assert end.counts == {"records/warcinfo": 1, "records/response": 2}


REJECTED = [
    (http(HTML, status=b"404 Not Found"), "HTTP_STATUS"),
    (http(HTML, status=b"301 Moved"), "HTTP_STATUS"),
    (http(HTML, status=b"2000 OK"), "HTTP_STATUS"),
    (http(b"\x89PNG", content_type=b"image/png"), "NOT_HTML"),
    (http(HTML, content_type=b"application/json, text/html"), "NOT_HTML"),
    (http(b'{"a": 1}', content_type=None), "NOT_HTML"),
    (http(b"<!---->" * 40 + b"x", content_type=None), "NOT_HTML"),
    (http(b"<!--" * 400, content_type=None), "NOT_HTML"),
    (http(b"<?xml" + b" " * 2000, content_type=None), "NOT_HTML"),
    (http(b""), "EMPTY_PAGE"),
    (http(b"    \x00    \r\n"), "EMPTY_PAGE"),
    (HTML, "BAD_RECORD"),
    (b"", "BAD_RECORD"),
    (b"HTTP/1.1 \xff\xff\r\n\r\nx", "BAD_RECORD"),
    (http(HTML, headers=[b"a" + b" " * 300_000]), "BAD_RECORD"),
    (b"HTTP/1.1 200 OK\n" + b"a\n" * 300_000 + b"\n" + HTML, "BAD_RECORD"),
    (http(gzip.compress(HTML * 9)[:40], headers=[b"Content-Encoding: gzip"]), "BAD_CODING"),
    (http(b"zz\r\nhello", headers=[b"Transfer-Encoding: chunked"]), "BAD_CODING"),
    (http(gzip.compress(bytes(17 << 20), 1), headers=[b"Content-Encoding: gzip"]), "TOO_LARGE"),
    (http(bytes(17 << 20)), "TOO_LARGE"),
]


def test_what_is_not_a_page_is_rejected_with_its_reason(tmp_path):
    for block, reason in REJECTED:
        element = read_one(tmp_path, block)
        assert isinstance(element, Reject) and element.reason.name == reason, block[:80]
        assert (element.stage, element.unit) == ("read", "document")
        assert element.id.startswith(f"news-{uuid(7)}-") and element.origin.range_key and element.origin.file


DECODED = [
    (http(HTML), HTML.decode()),
    (http(HTML, status=b"200"), HTML.decode()),
    (http(HTML, content_type=b"Application/XHTML+XML ; charset=utf-8"), HTML.decode()),
    (http(b"\r\n<!DOCTYPE html>\n<html>x", content_type=None), "\n<!DOCTYPE html>\n<html>x"),
    (http(b"6\r\n<html>\r\n1\r\nx\r\n0\r\n\r\n", headers=[b"Transfer-Encoding: chunked"]), "<html>x"),
    (http(b"<!-- a --> <!----><!--\n--><html>x", content_type=None), "<!-- a --> <!----><!--\n--><html>x"),
    (http(b'<?xml version="1"?>\n<!-- a --><html>', content_type=None), '<?xml version="1"?>\n<!-- a --><html>'),
    (http(HTML, headers=[b"a" + b" " * 30_000, b"Content-Encoding : identity"]), HTML.decode()),
    (http(HTML, headers=[b"Transfer-Encoding: chunked", b"content-encoding: gzip"]), HTML.decode()),
    (http(gzip.compress(HTML), headers=[b"Content-Encoding: gzip"]), HTML.decode()),
    (b"HTTP/1.0 200 OK\nContent-Type: text/html\n\n<html>bare", "<html>bare"),
    (http("<html>é</html>".encode("utf-16"), content_type=b"text/html"), "<html>é</html>"),
    (http("<html>é</html>".encode("latin-1"), content_type=b"text/html; charset=iso-8859-1"), "<html>é</html>"),
    (http(b"<html>a\x00b\x00</html>"), "<html>ab</html>"),
    (b"http/1.1 200 ok\r\nCONTENT-TYPE: text/html\r\n\r\n<html>lower", "<html>lower"),
    (b"HTTP/1.1  200 OK\r\nContent-Type: text/html\r\n\r\n<html>spaces", "<html>spaces"),
    (b"\r\nHTTP/2 200\r\ncontent-type : text/html\r\n\r\n<html>late", "<html>late"),
    (
        b"HTTP/1.1 200 OK\r\nnonsense\r\nContent-Type: text/html;\r\n charset=iso-8859-1\r\n\r\n<html>\xe9</html>",
        "<html>é</html>",
    ),
]


def test_pages_are_decoded(tmp_path):
    for block, text in DECODED:
        element = read_one(tmp_path, block)
        assert isinstance(element, RawDocument) and element.text == text, block[:80]


def test_the_names_of_a_record_may_be_in_any_case(tmp_path):
    head, block = page(7).split(b"\r\n\r\n", 1)
    lower = re.sub(rb"(?m)^[A-Za-z-]+:", lambda name: name.group().lower(), head)
    lower = lower.replace(b"application/http", b"Application/HTTP")
    (element,), _ = read_bytes(tmp_path, lower + b"\r\n\r\n" + block)
    (usual,), _ = read_bytes(tmp_path, page(7))
    assert element == usual
    bare = head.replace(b"Content-Type: application/http; msgtype=response\r\n", b"").replace(b"\r\n", b"\n")
    (element,), _ = read_bytes(tmp_path, bare + b"\n\n" + block)
    assert element == usual


def test_other_records_are_counted_and_are_not_documents(tmp_path):
    for name in "request", "metadata", "revisit", "resource", "conversion", "unknown":
        kind = b"made-up" if name == "unknown" else name.encode()
        documents, (end,) = read_bytes(tmp_path, members(record(1, http(HTML), kind=kind), page(2)))
        assert len(documents) == end.documents == 1
        assert end.counts == {f"records/{name}": 1, "records/response": 1}


def test_a_response_that_is_not_http_is_rejected(tmp_path):
    dns = record(1, b"20200101 1.2.3.4").replace(b"application/http; msgtype=response", b"text/dns")
    (element,), _ = read_bytes(tmp_path, members(dns))
    assert element.reason.name == "BAD_RECORD"


def test_truncated_and_lying_records_are_rejected_and_truncation_is_damage(tmp_path):
    lying = page(2, length=900)
    elements, (end,) = read_bytes(tmp_path, members(page(1), lying, page(3)) + zipped(page(4, "x" * 900))[:-30])
    assert [getattr(e, "reason", None) and e.reason.name for e in elements] == [None, "BAD_RECORD", None, "BAD_RECORD"]
    assert end.documents == 4 and len(end.damage) == 1 and "cut off" in end.damage[0].message
    assert elements[1].id.startswith(f"news-{uuid(2)}") and "Content-Length is 900" in elements[1].detail


def test_garbage_has_its_place_as_id(tmp_path):
    (_first, second), _ = read_bytes(tmp_path, page(1) + b"garbage\r\n")
    assert second.reason.name == "BAD_RECORD" and second.id == f"{second.origin.file}#{len(page(1))}"


def test_a_page_without_an_id_gets_one_from_its_place(tmp_path):
    for made in page(1, record_id=False), page(1).replace(b"urn:uuid:", b"urn:other:"):
        (one, two), _ = read_bytes(tmp_path, members(made, made))
        assert one.id != two.id and one.id.startswith("news-") and one.origin.metadata.record == ""
        again, _ = read_bytes(tmp_path, members(made, made))
        assert [e.id for e in again] == [one.id, two.id]


def test_the_same_record_twice_keeps_ids_unique_and_no_folder_is_in_them(tmp_path):
    paths = [tmp_path / name for name in ("a/x.warc.gz", "b/x.warc.gz", "b/y.warc.gz")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(members(page(1), page(1)))
    config = WarcConfig(shared=frozenset(["x.warc.gz"]))
    assert WarcSource.open([str(p) for p in paths], WarcConfig()).config.shared == config.shared
    elements = [e for p in planned(paths, config) if isinstance(p, FileRange) for e in read_range(p, config)]
    ids = [e.id for e in elements if isinstance(e, RawDocument)]
    assert len(ids) == len(set(ids)) == 6
    one, two = ([e.id for e in read_file(path)[0]] for path in paths[:2])
    assert one == two


@given(st.integers(1, 4000), st.booleans(), st.integers(1, 30))
def test_ranges_and_limits_change_nothing(tmp_path_factory, size, compressed, limit):
    records = [page(n, "word " * (n % 7 * 20)) if n % 5 else record(n, b"a: b", kind=b"request") for n in range(1, 26)]
    path = tmp_path_factory.mktemp("w") / "x.warc"
    path.write_bytes(members(*records) if compressed else b"".join(records))

    def plain(elements):
        return [(e.id, e.text, e.origin.offset) for e in elements]

    whole, _ = read_file(path, config=WarcConfig(range_bytes=1 << 30))
    parts, ends = read_file(path, config=WarcConfig(range_bytes=size))
    assert plain(parts) == plain(whole) and len(whole) == 20
    assert sum(e.documents for e in ends) == 20
    assert sum((Counter(e.counts) for e in ends), Counter()) == {"records/response": 20, "records/request": 5}
    first, _ = read_file(path, config=WarcConfig(range_bytes=size), limit=limit)
    assert plain(first) == plain(whole)[:limit]


def test_small_ranges_are_made_and_one_member_is_one_range(tmp_path):
    path = tmp_path / "x.warc"
    records = [page(n, "word " * 200) for n in range(40)]
    for content, wanted in ((members(*records), True), (b"".join(records), True), (zipped(b"".join(records)), False)):
        path.write_bytes(content)
        places = [p for p in planned([path], WarcConfig(range_bytes=1000)) if isinstance(p, FileRange)]
        assert (len(places) > 5) == wanted and len({p.key for p in places}) == len(places)
        assert places[0].start == 0 and places[-1].end == len(content) and places[-1].last


def test_a_limit_counts_over_files(tmp_path):
    paths = [tmp_path / f"{n}.warc.gz" for n in range(3)]
    for path in paths:
        path.write_bytes(members(page(1), page(2), record(3, http(HTML, status=b"500 Oops"))))
    config = WarcConfig(limit=5)
    made = planned(paths, config)
    ends = [e for p in made if isinstance(p, FileRange) for e in read_range(p, config) if isinstance(e, RangeEnd)]
    assert sum(e.documents for e in ends) == 5 and len(ends) == 2
    assert [p.sha256 for p in made if not isinstance(p, FileRange)] == [None, None]


def test_what_is_not_a_warc_is_refused_by_name(tmp_path):
    wikipedia = "; it looks like a MediaWiki export; did you mean --source wikipedia\\?"
    for content, looks in (
        (b"\x89PNG\r\n\x1a\n" + bytes(2000), ""),
        (b"<html>", "; it looks like HTML"),
        (zipped(b"<mediawiki>"), wikipedia),
        (b"WARK/1.0", "; it looks like plain text; did you mean --source text\\?"),
    ):
        (tmp_path / "bad.warc.gz").write_bytes(content)
        with pytest.raises(SourceError, match=f"bad.warc.gz: not a WARC file .*{looks}$"):
            WarcSource.open([str(tmp_path / "bad.warc.gz")], WarcConfig())
        with pytest.raises(SourceError, match="not a WARC file"):
            planned([tmp_path / "bad.warc.gz"], WarcConfig())
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    with pytest.raises(ValueError, match="is empty"):
        WarcSource.open([str(tmp_path / "empty.warc.gz")], WarcConfig())


def test_a_file_cut_off_at_once_is_damage(tmp_path):
    elements, ends = read_bytes(tmp_path, members(page(1))[:15])
    assert elements == [] and len(ends[0].damage) == 1


@pytest.mark.parametrize("crawl", CRAWLS)
def test_the_pages_of_a_crawl_are_all_accounted_for(crawl):
    elements, ends = read_file(crawl.path)
    used = [e for e in elements if isinstance(e, RawDocument)]
    assert len(used) + sum(isinstance(e, Reject) for e in elements) == sum(e.documents for e in ends) == crawl.pages
    assert len({e.id for e in elements}) == crawl.pages
    assert sum((Counter(e.counts) for e in ends), Counter()) == {"records/warcinfo": 1, "records/response": crawl.pages}
    assert all(e.origin.metadata.url.startswith("http") and e.origin.metadata.record for e in used)
    assert not any("\x00" in e.text for e in used)
