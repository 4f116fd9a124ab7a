"""A month of news from an object store, into a corpus on this machine and into one in the store."""

import json
import os

import pytest

from tests.commands import data_checksums, gistmill, manifest
from tests.pipelines.rebuild.corpora import remains, served
from tests.pipelines.rebuild.crawls import AUGUST, SEPTEMBER, month_files, used, write_news
from tests.pipelines.rebuild.mirror import Mirror, serve
from tests.stores import BUCKET, S3, s3_server

pytestmark = [pytest.mark.long, pytest.mark.waits]

MONTHS = {"2026-08": AUGUST, "2026-09": SEPTEMBER}


@pytest.fixture(scope="module")
def store():
    before = dict(os.environ)
    with s3_server() as port:
        made = S3(port)
        for month, files in MONTHS.items():
            for name, data in month_files(month, files, prefix="mirror/").items():
                made.put(name, data)
        yield made
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def rebuild(store, tmp_path):
    """Rebuilds a corpus of the crawl in the store; returns the code, the JSON and the lines for a person."""

    def run(months, **changes):
        runner = {"runner": {"beam": list(store.options)}}
        write_news(tmp_path, f"s3://{BUCKET}/mirror", months=months, changes={**runner, **changes})
        done = gistmill("rebuild", "c.yaml", cwd=tmp_path)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, json.loads(done.stdout), done.stderr

    return run


def test_a_store_gives_the_rows_that_a_server_gives(rebuild, tmp_path):
    for month in MONTHS:
        code, _told, err = rebuild(month)
        assert code == 0, err
    corpus = tmp_path / "corpus"
    version = served(corpus) / "gaps"
    assert used(manifest(version)) == 6 and remains(corpus) == []
    (crawl,) = manifest(version)["crawls"]
    assert crawl["url"] == f"s3://{BUCKET}/mirror/crawl-data/CC-NEWS/2026/09/warc.paths.gz"

    other = tmp_path / "other"
    other.mkdir()
    with serve(Mirror()) as server:
        for month, files in MONTHS.items():
            server.files |= month_files(month, files)
            write_news(other, server.url, months=month)
            assert gistmill("rebuild", "c.yaml", cwd=other).returncode == 0
    assert data_checksums(served(other / "corpus") / "gaps") == data_checksums(version) != {}


def test_a_download_from_a_store_goes_on_where_it_was(rebuild, tmp_path):
    name, data = next(iter(AUGUST.items()))
    assert rebuild("2026-08")[0] == 0
    folder = tmp_path / "corpus/state/crawls/cc-news/2026-08"
    (folder / name).unlink()
    begin = bytearray(data[:-30])
    begin[4] ^= 1  # of the time in gzip's header, which no checksum covers: it tells whose bytes these are
    (folder / f"{name}.part").write_bytes(begin)
    code, _told, err = rebuild("2026-08", recipes={"leads": {"recipe": "gap-sentences", "selection": "lead"}})
    assert code == 0, err
    assert (folder / name).read_bytes() == bytes(begin) + data[-30:]


def test_a_month_that_a_store_has_not_is_told(rebuild):
    code, _told, err = rebuild("2026-07")
    assert code == 1 and f"cc-news has no list of 2026-07: s3://{BUCKET}/mirror/crawl-data/CC-NEWS/2026/07" in err


def test_signatures_of_a_corpus_in_a_store_are_kept_there(store, rebuild, tmp_path):
    common = {"splits": [1, 0, 0], "formats": ["parquet"]}
    places = {
        "publish": f"s3://{BUCKET}/corpus",
        "work": str(tmp_path / "work"),
        "recipes": {
            "gaps": {"recipe": "gap-sentences", **common},
            "parsed": {"recipe": "gap-sentences", "annotated": True, **common},
        },
    }
    for month in MONTHS:
        code, _told, err = rebuild(month, **places)
        assert code == 0, err
    kept = {"/".join(name.split("/")[2:5]) for name in store.names("corpus/signatures/")}
    assert kept == {f"{stage}/{month}" for stage in ("datasets/gaps", "annotated/news") for month in MONTHS}
    for name in ("gaps", "parsed"):
        made = json.loads(store.get(f"corpus/versions/202609-1/{name}/manifest.json"))
        assert used(made) == 6
