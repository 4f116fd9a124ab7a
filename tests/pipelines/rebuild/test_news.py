"""News by the month: `gistmill rebuild` with a crawl, on a server of our own that has months of small WARC files."""

import pytest

from gistmill.pipelines.rebuild import rebuild as module
from tests.commands import manifest
from tests.pipelines.rebuild.corpora import rebuilt, remains, served
from tests.pipelines.rebuild.crawls import AUGUST, OCTOBER, SEPTEMBER, month_files, names, used, write_news
from tests.pipelines.rebuild.mirror import Mirror, serve

pytestmark = pytest.mark.slow


@pytest.fixture
def server():
    with serve(Mirror()) as mirror:
        mirror.files |= month_files("2026-08", AUGUST)
        yield mirror


def test_a_month_becomes_a_version_of_its_name(server, tmp_path):
    write_news(tmp_path, server.url, months="2026-08")
    code, told, err = rebuilt(tmp_path)
    assert code == 0, err
    assert told["version"] == "202608-1" and told["dumps"] == {"cc-news": "202608"}
    corpus = tmp_path / "corpus"
    made = manifest(served(corpus) / "gaps")
    assert used(made) == 12 and names(s["name"] for s in made["sources"]) == sorted(AUGUST)
    (crawl,) = made["crawls"]
    assert (crawl["crawl"], crawl["month"], crawl["files"]) == ("cc-news", "2026-08", 3)
    assert crawl["url"] == f"{server.url}/crawl-data/CC-NEWS/2026/08/warc.paths.gz"
    assert remains(corpus) == []
    assert rebuilt(tmp_path)[0] == 3


def reasons(made):
    return made["counts"].get("documents/rejected", {})


def test_an_article_of_an_older_month_does_not_come_again(server, tmp_path):
    write_news(tmp_path, server.url, months="2026-08")
    assert rebuilt(tmp_path)[0] == 0
    server.files |= month_files("2026-09", SEPTEMBER)
    write_news(tmp_path, server.url, months="2026-09")
    code, told, err = rebuilt(tmp_path)
    assert code == 0 and told["version"] == "202609-1", err
    made = manifest(served(tmp_path / "corpus") / "gaps")
    assert used(made) == 6 and reasons(made) == {"EXACT_DUPLICATE": 6}
    assert {s["dataset"] for s in made["signatures"]} == {"2026-08"}
    assert rebuilt(tmp_path)[0] == 3


@pytest.mark.long
def test_signatures_outlive_the_versions_that_they_are_of(server, tmp_path):
    server.files |= month_files("2026-09", SEPTEMBER) | month_files("2026-10", OCTOBER)
    for month in ("2026-08", "2026-09", "2026-10"):
        write_news(tmp_path, server.url, months=month, changes={"retention": {"versions": 1}})
        code, _told, err = rebuilt(tmp_path)
        assert code == 0, err
    corpus = tmp_path / "corpus"
    assert [p.name for p in (corpus / "versions").iterdir()] == ["202610-1"]
    made = manifest(served(corpus) / "gaps")
    assert used(made) == 4 and reasons(made) == {"EXACT_DUPLICATE": 8}
    kept = corpus / "signatures/datasets/gaps"
    assert sorted(p.name for p in kept.iterdir()) == ["2026-08", "2026-09", "2026-10"]


@pytest.mark.long
def test_annotations_are_compared_with_older_months_once_for_all_datasets(server, tmp_path):
    server.files |= month_files("2026-09", SEPTEMBER)
    common = {"splits": [1, 0, 0], "formats": ["parquet"], "annotated": True}
    recipes = {
        "gaps": {"recipe": "gap-sentences", **common},
        "leads": {"recipe": "gap-sentences", "selection": "lead", **common},
    }
    for month in ("2026-08", "2026-09"):
        write_news(tmp_path, server.url, months=month, coref="none", changes={"recipes": recipes})
        code, _told, err = rebuilt(tmp_path)
        assert code == 0, err
    corpus = tmp_path / "corpus"
    for name in recipes:
        made = manifest(served(corpus) / name)
        assert used(made) == 6 and [c["month"] for c in made["crawls"]] == ["2026-09"]
    assert [p.name for p in sorted((corpus / "signatures/annotated/news").iterdir())] == ["2026-08", "2026-09"]
    assert not (corpus / "signatures/datasets").exists()


@pytest.mark.long
def test_months_of_one_version_are_one_input(server, tmp_path):
    server.files |= month_files("2026-09", SEPTEMBER)
    write_news(tmp_path, server.url, months="2026-08..2026-09")
    code, told, err = rebuilt(tmp_path)
    assert code == 0 and told["version"] == "202609-1", err
    made = manifest(served(tmp_path / "corpus") / "gaps")
    assert used(made) == 18 and [c["month"] for c in made["crawls"]] == ["2026-08", "2026-09"]
    kept = tmp_path / "corpus/signatures/datasets/gaps"
    assert [p.name for p in kept.iterdir()] == ["2026-08..2026-09"]
    # the months of this version are not older than themselves
    write_news(tmp_path, server.url, months=["2026-09"])
    code, told, err = rebuilt(tmp_path)
    assert code == 0 and used(manifest(served(tmp_path / "corpus") / "gaps")) == 12


@pytest.mark.long
def test_a_list_that_grew_makes_another_version(server, tmp_path):
    first = dict(list(AUGUST.items())[:2])
    server.files |= month_files("2026-08", first)
    write_news(tmp_path, server.url, months="2026-08")
    assert rebuilt(tmp_path)[1]["version"] == "202608-1"
    server.files |= month_files("2026-08", AUGUST)
    server.requests.clear()
    code, told, err = rebuilt(tmp_path)
    assert code == 0 and told["version"] == "202608-2", err
    corpus = tmp_path / "corpus"
    assert used(manifest(served(corpus) / "gaps")) == 12
    assert [path for path, _ in server.requests if "00001.warc" in path or "00002.warc" in path] == []
    lists = [manifest(corpus / "versions" / v / "gaps")["crawls"][0] for v in ("202608-1", "202608-2")]
    assert [c["files"] for c in lists] == [2, 3] and lists[0]["sha256"] != lists[1]["sha256"]


def test_files_stay_as_retention_says(server, tmp_path):
    server.files |= month_files("2026-09", SEPTEMBER)
    crawls = tmp_path / "corpus/state/crawls/cc-news"
    for month in ("2026-08", "2026-09"):
        write_news(tmp_path, server.url, months=month)
        assert rebuilt(tmp_path)[0] == 0
        assert [p.name for p in crawls.iterdir()] == [month]
    write_news(tmp_path, server.url, months="2026-09", keep_lists=True, changes={"retention": {"dumps": 0}})
    assert rebuilt(tmp_path)[0] == 0
    assert list(crawls.iterdir()) == [] and rebuilt(tmp_path)[0] == 3


def test_another_threshold_is_told_before_anything_is_downloaded(server, tmp_path):
    server.files |= month_files("2026-09", SEPTEMBER)
    write_news(tmp_path, server.url, months="2026-08")
    assert rebuilt(tmp_path)[0] == 0
    write_news(tmp_path, server.url, months="2026-09", duplicate_threshold=0.6)
    server.requests.clear()
    code, _told, err = rebuilt(tmp_path)
    assert code == 2 and "signatures for another --duplicate-threshold" in err and "signatures/datasets/gaps" in err
    assert names(path for path, _ in server.requests) == ["warc.paths.gz"]


class Crash(BaseException):
    """As a power cut: nothing is cleaned up."""


def test_a_crash_before_signatures_are_kept_lets_no_copy_through_in_the_next_month(server, tmp_path, monkeypatch):
    def crash(found, kept):
        raise Crash

    write_news(tmp_path, server.url, months="2026-08")
    monkeypatch.setattr(module, "keep", crash)
    with pytest.raises(Crash):
        rebuilt(tmp_path)
    monkeypatch.undo()
    server.files |= month_files("2026-09", SEPTEMBER)
    write_news(tmp_path, server.url, months="2026-09")
    code, _told, err = rebuilt(tmp_path)
    assert code == 0 and used(manifest(served(tmp_path / "corpus") / "gaps")) == 6, err
    assert remains(tmp_path / "corpus") == []
