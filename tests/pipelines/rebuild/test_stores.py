"""A corpus in an object store: versions, pointer, what is taken over, the lease, and the way back; and a crawl in one."""

import json
import os
import time

import pytest

from tests.commands import data_checksums, gistmill, manifest
from tests.credentials import service_account
from tests.pipelines.rebuild.corpora import remains, served, write_corpus, write_texts
from tests.pipelines.rebuild.crawls import AUGUST, SEPTEMBER, month_files, used, write_news
from tests.pipelines.rebuild.mirror import Mirror, serve
from tests.stores import BUCKET, S3, Gcs, gcs_server, s3_server

pytestmark = [pytest.mark.long, pytest.mark.waits]


@pytest.fixture(scope="module", params=[pytest.param("gs", marks=pytest.mark.long), "s3"])
def store(request, tmp_path_factory):
    server, kind = (gcs_server, Gcs) if request.param == "gs" else (s3_server, S3)
    before = dict(os.environ)
    with service_account(tmp_path_factory.mktemp("account")) as account, server() as port:
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = str(account)
        yield kind(port)
    os.environ.clear()
    os.environ.update(before)


def test_a_corpus_lives_in_a_store(store, tmp_path):
    root = "english/corpus"

    def rebuild(*arguments, ratio=0.3):
        options = {"splits": [1, 0, 0], "formats": ["parquet"]}
        write_corpus(
            tmp_path,
            publish=f"{store.scheme}://{BUCKET}/{root}",
            work=str(tmp_path / "work"),
            recipes={
                "gaps": {"recipe": "gap-sentences", "gap_ratio": ratio, **options},
                "leads": {"recipe": "gap-sentences", "selection": "lead", **options},
            },
            runner={"beam": list(store.options)},
            retention={"versions": 2},
        )
        done = gistmill("rebuild", "c.yaml", *arguments, cwd=tmp_path)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, json.loads(done.stdout), done.stderr

    def latest():
        return json.loads(store.get(f"{root}/latest.json"))["version"]

    write_texts(tmp_path / "texts.jsonl", 6)
    code, first, err = rebuild()
    assert (code, latest()) == (0, first["version"]), err
    assert rebuild()[0] == 3

    code, second, err = rebuild(ratio=0.5)
    assert code == 0 and {s["name"]: s["how"] for s in second["stages"]} == {"gaps": "built", "leads": "taken over"}
    assert latest() == second["version"]
    place = f"{store.scheme}://{BUCKET}/{root}/versions/{second['version']}/leads"
    assert gistmill("validate", place, *store.options).returncode == 0

    code, third, err = rebuild(ratio=0.7)
    assert code == 0 and third["removed"] == [first["version"]]
    assert not store.names(f"{root}/versions/{first['version']}/")
    assert rebuild("--rollback")[0] == 0 and latest() == second["version"]

    state = {name.rpartition("/")[2] for name in store.names(f"{root}/state/")}
    assert state == set()  # no plan, no lease; the work is on this machine
    store.put(f"{root}/state/lease.json", json.dumps({"run_id": "other", "renewed": 0, "host": "a", "pid": 1}).encode())
    assert rebuild(ratio=0.7)[0] == 3  # a lease of a dead process

    held = {"run_id": "other", "renewed": time.time(), "host": "elsewhere", "pid": 1}
    store.put(f"{root}/state/lease.json", json.dumps(held).encode())
    code, _, err = rebuild(ratio=0.7)
    assert code == 1 and "process 1 on elsewhere" in err


def test_a_dump_needs_a_folder_of_this_machine(tmp_path):
    write_corpus(tmp_path, publish="gs://b/c", sources={"texts": {"wiki": "enwiki", "contact": "me@example.org"}})
    done = gistmill("rebuild", "c.yaml", cwd=tmp_path)
    assert done.returncode == 2 and "`work` must be a folder on this machine" in done.stderr


MONTHS = {"2026-08": AUGUST, "2026-09": SEPTEMBER}


@pytest.fixture
def news(store, tmp_path):
    """Rebuilds a corpus of a crawl in the store; returns the code, the JSON and the lines for a person."""
    for month, files in MONTHS.items():
        for name, data in month_files(month, files, prefix="mirror/").items():
            store.put(name, data)

    def run(months, **changes):
        runner = {"runner": {"beam": list(store.options)}}
        base = f"{store.scheme}://{BUCKET}/mirror"
        write_news(tmp_path, base, months=months, changes={**runner, **changes})
        done = gistmill("rebuild", "c.yaml", cwd=tmp_path)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, json.loads(done.stdout), done.stderr

    return run


def test_a_crawl_in_a_store_gives_the_rows_that_a_server_gives_and_goes_on_where_it_was(store, news, tmp_path):
    for month in MONTHS:
        code, _told, err = news(month)
        assert code == 0, err
    corpus, other = tmp_path / "corpus", tmp_path / "other"
    version = served(corpus) / "gaps"
    assert used(manifest(version)) == 6 and remains(corpus) == []
    (crawl,) = manifest(version)["crawls"]
    assert crawl["url"] == f"{store.scheme}://{BUCKET}/mirror/crawl-data/CC-NEWS/2026/09/warc.paths.gz"
    other.mkdir()
    with serve(Mirror()) as server:
        for month, files in MONTHS.items():
            server.files |= month_files(month, files)
            write_news(other, server.url, months=month)
            assert gistmill("rebuild", "c.yaml", cwd=other).returncode == 0
    assert data_checksums(served(other / "corpus") / "gaps") == data_checksums(version) != {}
    code, _told, err = news("2026-07")
    assert code == 1 and f"cc-news has no list for 2026-07: {store.scheme}://{BUCKET}/mirror/crawl-data" in err
    name, data = next(iter(SEPTEMBER.items()))
    folder = corpus / "state/crawls/cc-news/2026-09"
    (folder / name).unlink()
    begin = bytearray(data[:-30])
    begin[4] ^= 1  # of the time in gzip's header, which no checksum covers: it tells whose bytes these are
    (folder / f"{name}.part").write_bytes(begin)
    code, _told, err = news("2026-09", recipes={"leads": {"recipe": "gap-sentences", "selection": "lead"}})
    assert code == 0 and (folder / name).read_bytes() == bytes(begin) + data[-30:], err


def test_signatures_of_a_corpus_in_a_store_are_kept_there(store, news, tmp_path):
    common = {"recipe": "gap-sentences", "splits": [1, 0, 0], "formats": ["parquet"]}
    recipes = {"gaps": common, "parsed": {**common, "annotated": True}}
    for month in MONTHS:
        places = {"publish": f"{store.scheme}://{BUCKET}/corpus", "work": str(tmp_path / "work")}
        code, _told, err = news(month, recipes=recipes, **places)
        assert code == 0, err
    kept = {"/".join(name.split("/")[2:5]) for name in store.names("corpus/signatures/")}
    assert kept == {f"{stage}/{month}" for stage in ("datasets/gaps", "annotated/news") for month in MONTHS}
    for name in recipes:
        assert used(json.loads(store.get(f"corpus/versions/202609-1/{name}/manifest.json"))) == 6
