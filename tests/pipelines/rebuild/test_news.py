"""News by the month: `gistmill rebuild` with a crawl, on a server of our own that has months of small WARC files."""

import json
from datetime import UTC, datetime

import pytest

from tests.commands import manifest
from tests.pipelines.rebuild.corpora import rebuilt, remains, served
from tests.pipelines.rebuild.crawls import AUGUST, SEPTEMBER, month_files, names, used, write_news
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
