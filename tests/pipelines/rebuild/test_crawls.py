"""Months of a crawl: which are asked for, what their lists may say, and their files, which come whole or not at all."""

import gzip
import json
from datetime import UTC, datetime

import pytest

from gistmill.core.options import OptionError
from gistmill.pipelines.rebuild import download
from gistmill.pipelines.rebuild.crawls import CrawlConfig, CrawlError, bring, find_months
from gistmill.pipelines.rebuild.download import DownloadError
from gistmill.pipelines.rebuild.rebuild import tidy
from gistmill.pipelines.web import WebError, session
from tests.cases import by_heading
from tests.pipelines.rebuild.crawls import AUGUST, month_files
from tests.pipelines.rebuild.mirror import Mirror, serve

CASES = by_heading(__file__)

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


def test_wrong_options_are_told_with_the_remedy_and_without_a_password():
    for values, message in CASES["wrong options"]:
        with pytest.raises(OptionError, match=message.replace(".", r"\.")):
            CrawlConfig(**{"crawl": "cc-news", **values})
    with pytest.raises(OptionError) as told:
        CrawlConfig(crawl="cc-news", base="https://me:secret@a b")
    assert "secret" not in str(told.value)


def test_files_come_in_the_order_of_the_list_and_each_once_however_it_is_packed(server):
    server.files |= month_files("2026-09", FILES)
    path = "crawl-data/CC-NEWS/2026/09/warc.paths.gz"
    server.files[path] = gzip.compress(gzip.decompress(server.files[path]) * 2)
    ((month,), said) = found(server, "2026-09")
    assert month.files == ("b.warc.gz", "a.warc.gz") and month.entry.files == 2 and said == []
    assert month.folder == f"{server.url}/crawl-data/CC-NEWS/2026/09"
    listed = gzip.decompress(server.files[path])
    for content in (gzip.compress(listed, 1, mtime=9), listed):
        server.files[path] = content
        assert found(server, "2026-09")[0] == (month,)


def test_the_newest_month_is_over_and_has_a_list_and_one_that_is_not_over_is_told(server):
    for month in ("2026-08", "2026-09", "2026-11"):
        server.files |= month_files(month, FILES)
    ((month,), said) = found(server, "newest")
    assert month.entry.month == "2026-09" and said == ["cc-news has no list for 2026-10"]
    ((month,), _) = found(server, "newest", now=datetime(2026, 12, 1, tzinfo=UTC))
    assert month.entry.month == "2026-11"
    (_, said) = found(server, "2026-11")
    assert said == ["2026-11 is not over, so its list may grow and a later rebuild will make another version"]


def test_a_list_of_something_else_is_refused(server):
    for content, message in [
        (b"crawl-data/CC-NEWS/2026/09/../../../x.warc.gz\n", "which is not a WARC file from this month"),
        (b"crawl-data/CC-NEWS/2026/08/x.warc.gz\n", "which is not a WARC file from this month"),
        (b"crawl-data/CC-NEWS/2026/09/.x.warc.gz\n", "which is not a WARC file from this month"),
        (b"crawl-data/CC-NEWS/2026/09/x.html\n", "which is not a WARC file from this month"),
        (b"/etc/passwd\n", "which is not a WARC file from this month"),
        (b"", "lists no file"),
        (gzip.compress(b"crawl-data/CC-NEWS/2026/09/x.warc.gz\n")[:-9], "truncated"),
        (b"\xff\xfe", "is not a file listing"),
    ]:
        server.files["crawl-data/CC-NEWS/2026/09/warc.paths.gz"] = content
        with pytest.raises(CrawlError, match=message):
            found(server, "2026-09")


def test_a_month_without_a_list_is_told_and_none_is_the_newest_where_the_server_does_not_answer(server):
    with pytest.raises(CrawlError, match="cc-news has no list for 2026-09: http.*/2026/09/warc.paths.gz"):
        found(server, "2026-09")
    with pytest.raises(CrawlError, match="cc-news has no list for any of the last 12 months"):
        found(server, "newest")
    server.files |= month_files("2026-08", FILES)
    server.plan = lambda path, number: 503 if "2026/10" in path else None
    with pytest.raises(WebError, match="HTTP status 503"):
        found(server, "newest")


FIRST, SECOND, THIRD = AUGUST


@pytest.fixture
def august():
    with serve(Mirror()) as mirror:
        mirror.files |= month_files("2026-08", AUGUST)
        yield mirror


@pytest.fixture
def call(august, tmp_path):
    """Brings August; returns the names that the jobs get, and the lines for a person."""

    def run(limit=None):
        said = []
        config = CrawlConfig(crawl="cc-news", base=august.url, months="2026-08", connections=2)
        with session() as web:
            months = find_months(web, config, now=datetime(2026, 10, 1, tzinfo=UTC))
        august.requests.clear()
        bring(months, tmp_path / "news.paths", config=config, limit=limit, say=said.append)
        return (tmp_path / "news.paths").read_text().splitlines(), said

    run.folder = tmp_path / "cc-news" / "2026-08"
    return run


def test_all_files_come_and_are_listed_and_asked_for_once(august, call):
    listed, _said = call()
    assert listed == [f"cc-news/2026-08/{name}" for name in AUGUST]
    assert {p.name: p.read_bytes() for p in call.folder.glob("*.gz")} == dict(AUGUST)
    known = json.loads((call.folder / "files.json").read_text())
    assert known[FIRST] == {"size": len(AUGUST[FIRST]), "tag": '"one"', "documents": 4}
    assert call()[0] == listed and august.requests == []


def test_a_part_of_an_earlier_process_is_used_unless_the_file_has_changed(august, call):
    call()
    (call.folder / SECOND).rename(call.folder / f"{SECOND}.part")
    with (call.folder / f"{SECOND}.part").open("ab") as part:
        part.truncate(100)
    call()
    assert august.asked(SECOND) == ["bytes=100-"] and (call.folder / SECOND).read_bytes() == AUGUST[SECOND]
    (call.folder / SECOND).unlink()
    (call.folder / f"{SECOND}.part").write_bytes(b"of another file")
    august.tag = '"two"'
    call()
    assert august.asked(SECOND) == [""] and (call.folder / SECOND).read_bytes() == AUGUST[SECOND]


def test_a_file_that_came_damaged_comes_again(august, call):
    """Bytes that are wrong at the right length: gzip's checksums tell."""
    broken = bytearray(AUGUST[SECOND])
    broken[len(broken) // 2] ^= 255
    august.files[f"crawl-data/CC-NEWS/2026/08/{SECOND}"] = bytes(broken)
    seen = []

    def mend(path, number):
        if path.endswith(SECOND):
            seen.append(path)
            if len(seen) == 3:  # HEAD, GET, and then
                august.files[path] = AUGUST[SECOND]

    august.plan = mend
    _, said = call()
    assert any(line.startswith(f"{SECOND}: ") and line.endswith("downloading it again") for line in said), said
    assert not any("on the server" in line for line in said)
    assert (call.folder / SECOND).read_bytes() == AUGUST[SECOND]


def test_a_file_that_is_damaged_where_it_comes_from_stays_and_is_told(august, call):
    broken = AUGUST[SECOND][:-20]
    august.files[f"crawl-data/CC-NEWS/2026/08/{SECOND}"] = broken
    listed, said = call()
    assert len(listed) == 3 and (call.folder / SECOND).read_bytes() == broken
    assert any(f"{SECOND} is damaged on the server: the gzip member" in line for line in said), said
    assert len(august.asked(SECOND)) == 2
    assert call()[1] == []


def test_what_is_no_warc_file_is_refused(august, call):
    august.files[f"crawl-data/CC-NEWS/2026/08/{THIRD}"] = b"<html>Sign in to the hotel's network</html>"
    with pytest.raises(DownloadError, match=f"{THIRD}: not a WARC file"):
        call()
    assert not (call.folder / THIRD).exists()
    august.files[f"crawl-data/CC-NEWS/2026/08/{THIRD}"] = AUGUST[THIRD]
    august.tag = '"two"'
    assert len(call()[0]) == 3


def test_a_file_that_the_list_names_and_nobody_has_is_told(august, call):
    del august.files[f"crawl-data/CC-NEWS/2026/08/{THIRD}"]
    with pytest.raises(WebError, match=f"{THIRD}: HTTP status 404"):
        call()


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (4, 1), (5, 2), (1000, 3)])
def test_a_limit_takes_the_first_files_that_hold_as_many_documents(august, call, limit, count):
    listed, _ = call(limit)
    assert listed == [f"cc-news/2026-08/{name}" for name in list(AUGUST)[:count]]
    assert len(august.requests) == count


def test_no_room_is_told_before_anything_comes(august, call, monkeypatch):
    free = download.shutil.disk_usage(call.folder.parent.parent)._replace(free=sum(map(len, AUGUST.values())) - 1)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda place: free)
    with pytest.raises(DownloadError, match="bytes needed, .* free"):
        call()
    assert august.requests == []


@pytest.mark.parametrize(
    ("keep", "left"), [(0, []), (1, ["2026-07", "2026-09"]), (2, ["2026-07", "2026-08", "2026-09"])]
)
def test_months_that_were_read_last_stay_and_the_newest(tmp_path, keep, left):
    for month in ("2026-06", "2026-07", "2026-08", "2026-09"):
        (tmp_path / "cc-news" / month).mkdir(parents=True)
    (tmp_path / "news.paths").write_text("")
    tidy(tmp_path, {("cc-news", "2026-07")}, keep=keep)
    assert sorted(p.name for p in (tmp_path / "cc-news").iterdir()) == left
    assert (tmp_path / "news.paths").exists()
