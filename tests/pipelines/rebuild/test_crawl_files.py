"""Files of a crawl: they come whole or not at all, go on where they were, and are read through as they come."""

import json
from datetime import UTC, datetime

import pytest

from gistmill.pipelines.rebuild import crawl_files
from gistmill.pipelines.rebuild.crawl_files import bring, listing_of, tidy
from gistmill.pipelines.rebuild.crawls import CrawlConfig, find_months
from gistmill.pipelines.rebuild.download import DownloadError
from gistmill.pipelines.web import WebError, session
from tests.pipelines.rebuild.crawls import AUGUST, month_files
from tests.pipelines.rebuild.mirror import Mirror, serve

FIRST, SECOND, THIRD = AUGUST


@pytest.fixture
def server():
    with serve(Mirror()) as mirror:
        mirror.files |= month_files("2026-08", AUGUST)
        yield mirror


@pytest.fixture
def call(server, tmp_path):
    """Brings August; returns the names that the jobs get, and the lines for a person."""

    def run(limit=None):
        said = []
        config = CrawlConfig(crawl="cc-news", base=server.url, months="2026-08", connections=2)
        with session() as web:
            months = find_months(web, config, now=datetime(2026, 10, 1, tzinfo=UTC))
        server.requests.clear()
        bring(months, tmp_path, source="news", config=config, limit=limit, say=said.append)
        return listing_of(tmp_path, "news").read_text().splitlines(), said

    run.folder = tmp_path / "cc-news" / "2026-08"
    return run


def test_all_files_come_and_are_listed(call):
    listed, _said = call()
    assert listed == [f"cc-news/2026-08/{name}" for name in AUGUST]
    assert {p.name: p.read_bytes() for p in call.folder.glob("*.gz")} == dict(AUGUST)
    known = json.loads((call.folder / "files.json").read_text())
    assert known[FIRST] == {"size": len(AUGUST[FIRST]), "tag": '"one"', "documents": 4}


def test_files_that_are_there_are_asked_for_no_more(server, call):
    first = call()
    assert call()[0] == first[0] and server.requests == []


def test_a_broken_download_goes_on_where_it_was(server, call):
    server.plan = lambda path, number: "cut" if path.endswith(SECOND) and server.asked(SECOND) == [""] else None
    call()
    assert server.asked(SECOND) == ["", f"bytes={len(AUGUST[SECOND]) // 2}-"]
    assert (call.folder / SECOND).read_bytes() == AUGUST[SECOND]


def test_a_part_of_an_earlier_process_is_used(server, call):
    call()
    (call.folder / SECOND).rename(call.folder / f"{SECOND}.part")
    with (call.folder / f"{SECOND}.part").open("ab") as part:
        part.truncate(100)
    call()
    assert server.asked(SECOND) == ["bytes=100-"] and (call.folder / SECOND).read_bytes() == AUGUST[SECOND]


def test_a_part_of_a_file_that_changed_meanwhile_is_not(server, call):
    call()
    (call.folder / SECOND).unlink()
    (call.folder / f"{SECOND}.part").write_bytes(b"of another file")
    server.tag = '"two"'
    call()
    assert server.asked(SECOND) == [""] and (call.folder / SECOND).read_bytes() == AUGUST[SECOND]


def test_a_file_that_came_damaged_comes_again(server, call):
    """Bytes that are wrong at the right length: gzip's checksums tell."""
    broken = bytearray(AUGUST[SECOND])
    broken[len(broken) // 2] ^= 255
    server.files[f"crawl-data/CC-NEWS/2026/08/{SECOND}"] = bytes(broken)
    seen = []

    def mend(path, number):
        if path.endswith(SECOND):
            seen.append(path)
            if len(seen) == 3:  # HEAD, GET, and then
                server.files[path] = AUGUST[SECOND]

    server.plan = mend
    _, said = call()
    assert any(line.startswith(f"{SECOND}: ") and line.endswith("it is downloaded again") for line in said), said
    assert not any("where it comes from" in line for line in said)
    assert (call.folder / SECOND).read_bytes() == AUGUST[SECOND]


def test_a_file_that_is_damaged_where_it_comes_from_stays_and_is_told(server, call):
    broken = AUGUST[SECOND][:-20]
    server.files[f"crawl-data/CC-NEWS/2026/08/{SECOND}"] = broken
    listed, said = call()
    assert len(listed) == 3 and (call.folder / SECOND).read_bytes() == broken
    assert any(f"{SECOND} is damaged where it comes from: the gzip member" in line for line in said), said
    assert len(server.asked(SECOND)) == 2
    assert call()[1] == []


def test_what_is_no_warc_file_is_refused(server, call):
    server.files[f"crawl-data/CC-NEWS/2026/08/{THIRD}"] = b"<html>Sign in to the hotel's network</html>"
    with pytest.raises(DownloadError, match=f"{THIRD}: not a WARC file"):
        call()
    assert not (call.folder / THIRD).exists()
    server.files[f"crawl-data/CC-NEWS/2026/08/{THIRD}"] = AUGUST[THIRD]
    server.tag = '"two"'
    assert len(call()[0]) == 3


def test_a_file_that_the_list_names_and_nobody_has_is_told(server, call):
    del server.files[f"crawl-data/CC-NEWS/2026/08/{THIRD}"]
    with pytest.raises(WebError, match=f"{THIRD}: HTTP status 404"):
        call()


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (4, 1), (5, 2), (1000, 3)])
def test_a_limit_takes_the_first_files_that_hold_as_many_documents(server, call, limit, count):
    listed, _ = call(limit)
    assert listed == [f"cc-news/2026-08/{name}" for name in list(AUGUST)[:count]]
    assert len(server.requests) == count


def test_no_room_is_told_before_anything_comes(server, call, monkeypatch):
    free = crawl_files.shutil.disk_usage(call.folder.parent.parent)._replace(free=sum(map(len, AUGUST.values())) - 1)
    monkeypatch.setattr(crawl_files.shutil, "disk_usage", lambda place: free)
    with pytest.raises(DownloadError, match="bytes are to come, and .* are free"):
        call()
    assert server.requests == []


@pytest.mark.parametrize(
    ("keep", "left"), [(0, []), (1, ["2026-07", "2026-09"]), (2, ["2026-07", "2026-08", "2026-09"])]
)
def test_months_that_were_read_last_stay_and_the_newest(server, tmp_path, keep, left):
    for month in ("2026-06", "2026-07", "2026-08", "2026-09"):
        (tmp_path / "cc-news" / month).mkdir(parents=True)
    (tmp_path / "news.paths").write_text("")
    server.files |= month_files("2026-07", AUGUST)
    with session() as web:
        config = CrawlConfig(crawl="cc-news", base=server.url, months="2026-07")
        months = find_months(web, config, now=datetime(2026, 10, 1, tzinfo=UTC))
    tidy(tmp_path, months, keep=keep)
    assert sorted(p.name for p in (tmp_path / "cc-news").iterdir()) == left
    assert (tmp_path / "news.paths").exists()
