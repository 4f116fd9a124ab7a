"""Months of a crawl: which are asked for, and what their lists may say."""

import gzip
from datetime import UTC, datetime

import pytest

from gistmill.core.options import OptionError
from gistmill.pipelines.rebuild.crawls import CrawlConfig, CrawlError, find_months
from gistmill.pipelines.web import WebError, session
from tests.pipelines.rebuild.crawls import month_files
from tests.pipelines.rebuild.mirror import Mirror, serve

NOW = datetime(2026, 11, 3, tzinfo=UTC)
FILES = {"b.warc.gz": b"b", "a.warc.gz": b"a"}


@pytest.fixture
def server():
    with serve(Mirror()) as mirror:
        yield mirror


def found(server, months, *, now=NOW):
    said = []
    config = CrawlConfig(crawl="cc-news", base=server.url, months=months)
    with session(tries=1) as web:
        return find_months(web, config, now=now, say=said.append), said


def test_months_are_one_a_list_or_a_range():
    for given, months in [
        ("2026-09", ("2026-09",)),
        ("2025-11..2026-02", ("2025-11", "2025-12", "2026-01", "2026-02")),
        ("2026-09, 2026-07", ("2026-07", "2026-09")),
        (["2026-07..2026-08", "2026-08"], ("2026-07", "2026-08")),
        ("newest", ("newest",)),
    ]:
        config = CrawlConfig(crawl="cc-news", months=given)
        assert config.months == months == CrawlConfig.from_values(config.to_values()).months


def test_wrong_options_are_told_with_the_remedy():
    for values, message in [
        ({"months": "2026-13"}, "expected months such as 2026-09"),
        ({"months": "2026-09..2026-07"}, "ends after 2026-09, not '2026-09..2026-07'"),
        ({"months": "newest, 2026-07"}, "expected months"),
        ({"months": []}, "expected months"),
        ({"months": 202609}, "expected months such as 2026-09 or 2026-07..2026-09, or newest, not 202609"),
        ({"crawl": "cc-new"}, "did you mean cc-news"),
        ({"base": "ftp://example.org"}, "expected a URL such as https://data.commoncrawl.org"),
        ({"base": "s3://"}, "expected a URL"),
        ({"connections": 0}, "expected a whole number"),
    ]:
        with pytest.raises(OptionError, match=message.replace(".", r"\.")):
            CrawlConfig(**{"crawl": "cc-news", **values})


def test_a_password_of_a_base_is_not_told():
    with pytest.raises(OptionError) as told:
        CrawlConfig(crawl="cc-news", base="https://me:secret@a b")
    assert "secret" not in str(told.value)


def test_files_come_in_the_order_of_the_list_and_each_once(server):
    server.files |= month_files("2026-09", FILES)
    path = "crawl-data/CC-NEWS/2026/09/warc.paths.gz"
    server.files[path] = gzip.compress(gzip.decompress(server.files[path]) * 2)
    ((month,), said) = found(server, "2026-09")
    assert month.files == ("b.warc.gz", "a.warc.gz") and month.entry.files == 2 and said == []
    assert month.folder == f"{server.url}/crawl-data/CC-NEWS/2026/09"


def test_how_a_list_is_packed_changes_nothing(server):
    server.files |= month_files("2026-09", FILES)
    path = "crawl-data/CC-NEWS/2026/09/warc.paths.gz"
    ((one,), _) = found(server, "2026-09")
    server.files[path] = gzip.compress(gzip.decompress(server.files[path]), 1, mtime=9)
    assert found(server, "2026-09")[0] == (one,)
    server.files[path] = gzip.decompress(server.files[path])
    assert found(server, "2026-09")[0] == (one,)


def test_the_newest_month_is_over_and_has_a_list(server):
    for month in ("2026-08", "2026-09", "2026-11"):
        server.files |= month_files(month, FILES)
    ((month,), said) = found(server, "newest")
    assert month.entry.month == "2026-09" and said == ["cc-news has no list of 2026-10"]
    ((month,), _) = found(server, "newest", now=datetime(2026, 12, 1, tzinfo=UTC))
    assert month.entry.month == "2026-11"


def test_a_month_that_is_not_over_is_told(server):
    server.files |= month_files("2026-11", FILES)
    (_, said) = found(server, "2026-11")
    assert said == ["2026-11 is not over: its list grows, and a later rebuild makes another version"]


def test_an_older_month_is_not_taken_for_the_newest_where_the_server_does_not_answer(server):
    server.files |= month_files("2026-08", FILES)
    server.plan = lambda path, number: 503 if "2026/10" in path else None
    with pytest.raises(WebError, match="HTTP status 503"):
        found(server, "newest")


def test_a_list_of_something_else_is_refused(server):
    for content, message in [
        (b"crawl-data/CC-NEWS/2026/09/../../../x.warc.gz\n", "which is not a WARC file of this month"),
        (b"crawl-data/CC-NEWS/2026/08/x.warc.gz\n", "which is not a WARC file of this month"),
        (b"crawl-data/CC-NEWS/2026/09/.x.warc.gz\n", "which is not a WARC file of this month"),
        (b"crawl-data/CC-NEWS/2026/09/x.html\n", "which is not a WARC file of this month"),
        (b"/etc/passwd\n", "which is not a WARC file of this month"),
        (b"", "lists no file"),
        (gzip.compress(b"crawl-data/CC-NEWS/2026/09/x.warc.gz\n")[:-9], "cut off"),
        (b"\xff\xfe", "is not a listing"),
    ]:
        server.files["crawl-data/CC-NEWS/2026/09/warc.paths.gz"] = content
        with pytest.raises(CrawlError, match=message):
            found(server, "2026-09")


def test_a_month_without_a_list_is_told(server):
    with pytest.raises(CrawlError, match="cc-news has no list of 2026-09: http.*/2026/09/warc.paths.gz"):
        found(server, "2026-09")
    with pytest.raises(CrawlError, match="cc-news has no list of any of the last 12 months"):
        found(server, "newest")
