"""Datasets in gs:// and s3://: the real command against real servers, with and without faults on the way."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import time

import pytest

from tests import commands
from tests.commands import COMMAND, data_checksums, gistmill, make, manifest
from tests.credentials import service_account
from tests.stores import BUCKET, S3, Fault, Gcs, faulty_proxy, gcs_server, s3_server

pytestmark = pytest.mark.waits

OPTIONS = "--splits 60,20,20 --coref none"


@pytest.fixture(scope="module", params=["gs", pytest.param("s3", marks=pytest.mark.long)])
def store(request, dump, tmp_path_factory):
    server, kind = (gcs_server, Gcs) if request.param == "gs" else (s3_server, S3)
    before = dict(os.environ)
    with service_account(tmp_path_factory.mktemp("account")) as account, server() as port:
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = str(account)
        made = kind(port)
        made.put("dumps/small.xml.bz2", dump.read_bytes())
        yield made
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def root(store):
    return f"{store.scheme}://{BUCKET}"


@pytest.fixture(scope="module")
def local(dump, tmp_path_factory):
    """The same dataset, made from and in folders."""
    folder = tmp_path_factory.mktemp("local") / "corpus"
    make(f"discofuse --input {dump} --output {folder} {OPTIONS}")
    return folder


def build(store, output: str, more: str = ""):
    root = f"{store.scheme}://{BUCKET}"
    job = f"discofuse --input {root}/dumps/small.xml.bz2 --output {root}/{output} {OPTIONS}"
    return gistmill(*job.split(), *store.options, *more.split())


def succeed(store, words: str):
    """Runs a command with the options for the store."""
    return commands.succeed(*words.split(), *store.options)


def fail(store, words: str):
    return gistmill(*words.split(), *store.options)


def checksums(content: dict) -> dict[str, str]:
    """By path below the prefix of the run."""
    return {
        f["path"].partition("/")[2]: f["sha256"] for f in content["files"] if f.get("format") in ("parquet", "tfrecord")
    }


def names_of(content: dict) -> list[str]:
    return sorted(f"sets/corpus/{path}" for path in [*(f["path"] for f in content["files"]), "manifest.json"])


def prefix_of(content: dict) -> str:
    return {f["path"].partition("/")[0] for f in content["files"] if "/" in f["path"]}.pop()


@pytest.mark.slow
def test_a_dataset_is_made_replaced_and_validated(store, root, local):
    place = f"{root}/sets/corpus"
    done = build(store, "sets/corpus")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    first = json.loads(store.get("sets/corpus/manifest.json"))
    assert checksums(first) == data_checksums(local)
    assert store.names("sets/") == names_of(first)
    for at_top in ("README.md", "croissant.json"):
        assert f"{prefix_of(first)}/full/parquet" in store.get(f"sets/corpus/{at_top}").decode()

    again = build(store, "sets/corpus")
    assert again.returncode == 2 and again.stderr.strip().endswith("use --overwrite to replace it")

    # now with the workspace in the store too, as on a cluster, and two workers
    replaced = build(store, "sets/corpus", f"--overwrite --temp-dir {root}/temp --workers 2")
    assert replaced.returncode == 0, replaced.stderr
    second = json.loads(store.get("sets/corpus/manifest.json"))
    assert checksums(second) == checksums(first) and prefix_of(second) != prefix_of(first)
    assert store.names("sets/") == names_of(second)
    assert store.names("temp/") == []

    succeed(store, f"validate {place}")
    difference = json.loads(succeed(store, f"diff {local} {place} --json").stdout)
    rows = sum(manifest(local)["counts"]["rows/full"].values())
    assert difference["content"]["rows"]["full"]["all"]["same"] == rows > 0
    assert difference["transfer"]["same_path"] >= sum(f["bytes"] for f in second["files"] if f.get("format")) > 0
    broken = f"sets/corpus/{next(f['path'] for f in second['files'] if f.get('format') == 'parquet')}"
    content = store.get(broken)
    store.put(broken, content[:-1])
    assert fail(store, f"validate {place}").returncode == 1
    store.put(broken, content)


def test_a_missing_bucket_is_one_line_at_the_start(store, root):
    bad = f"{store.scheme}://no-such-bucket/sets/never"
    for source, output in ((bad, f"{root}/sets/never"), (f"{root}/dumps/small.xml.bz2", bad)):
        done = fail(store, f"discofuse --input {source} --output {output} {OPTIONS}")
        assert done.returncode in (1, 2) and "Traceback" not in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1 and "no-such-bucket" in done.stderr
    assert store.names("sets/never") == []


@pytest.mark.slow
@pytest.mark.parametrize("where", ["input", "output"])
def test_missing_credentials_are_one_line_at_the_start(dump, tmp_path, where):
    places = {"input": str(dump), "output": str(tmp_path / "corpus")} | {where: f"s3://{BUCKET}/sets/never"}
    none = dict.fromkeys(("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"), str(tmp_path / "none"))
    kept = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    words = f"discofuse --input {places['input']} --output {places['output']} {OPTIONS}".split()
    environment = {**kept, **none, "AWS_EC2_METADATA_DISABLED": "true"}
    done = subprocess.run([*COMMAND, *words], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode in (1, 2)
    (line,) = done.stderr.strip().splitlines()
    assert "s3://" in line and "credentials" in line


def test_what_is_not_a_dataset_is_not_replaced(store):
    store.put("sets/notes/thesis.txt", b"years of work")
    done = build(store, "sets/notes", "--overwrite")
    assert done.returncode == 2 and "thesis.txt" in done.stderr
    assert store.get("sets/notes/thesis.txt") == b"years of work"


@pytest.mark.slow
def test_a_live_run_keeps_others_out_and_a_dead_one_does_not(store):
    lease = "sets/.held.gistmill-lease.json"
    held = {"run_id": "other", "pid": 7, "host": "elsewhere"}
    store.put(lease, json.dumps({**held, "renewed": time.time()}).encode())
    done = build(store, "sets/held", "--limit 1")
    assert done.returncode == 1 and "another run is writing" in done.stderr and "elsewhere" in done.stderr
    store.put(lease, json.dumps({**held, "renewed": time.time() - 301}).encode())
    assert build(store, "sets/held", "--limit 26").returncode == 0
    assert lease not in store.names("sets/")


@pytest.mark.slow
def test_faults_on_the_way_are_tried_again(store, local):
    seen: set[str] = set()

    def plan(method: str, path: str, number: int) -> str | None:
        """Every third kind of request fails once, in turn."""
        key = f"{method} {path.partition('?')[0].rpartition('/')[2][:20]}"
        if number % 3 or key in seen:
            return None
        seen.add(key)
        return (Fault.BUSY, Fault.CUT, Fault.SLOW)[len(seen) % 3]

    with faulty_proxy(store.port, plan) as (port, faults):
        done = _through(store, port, "sets/faulty")
    assert {f for f, _, _ in faults} == {Fault.BUSY, Fault.CUT, Fault.SLOW}
    assert done.returncode == 0, done.stderr
    assert checksums(json.loads(store.get("sets/faulty/manifest.json"))) == data_checksums(local)


@pytest.mark.long
def test_a_store_that_stays_away_leaves_nothing_published(store):
    def plan(method: str, path: str, number: int) -> str | None:
        return Fault.BUSY if "balanced" in path or "balanced" in path.replace("%2F", "/") else None

    with faulty_proxy(store.port, plan) as (port, faults):
        done = _through(store, port, "sets/away")
    assert faults and done.returncode == 1 and "Traceback" not in done.stderr
    assert "sets/away/manifest.json" not in store.names("sets/away")
    # the next run clears what this one had begun
    assert build(store, "sets/away").returncode == 0
    content = json.loads(store.get("sets/away/manifest.json"))
    assert len(store.names("sets/away/")) == len(content["files"]) + 1


def _through(store, port: int, output: str):
    """Builds through the proxy."""
    if store.scheme == "gs":
        before = os.environ["STORAGE_EMULATOR_HOST"]
        os.environ["STORAGE_EMULATOR_HOST"] = f"http://127.0.0.1:{port}"
        try:
            return build(store, output)
        finally:
            os.environ["STORAGE_EMULATOR_HOST"] = before
    direct = store.options
    store.options = tuple(o.replace(f":{store.port}", f":{port}") for o in direct)
    try:
        return build(store, output)
    finally:
        store.options = direct


@pytest.mark.long
def test_duplicates_and_test_sets_in_a_store(store, root):
    """Sketches, choices and n-grams lie in the workspace, which is in the store too."""
    story = [f"The mayor of town number {i} opened a bridge and thanked all the people there." for i in range(40)]
    texts = [
        " ".join(story),
        " - ".join(story),
        " ".join([*story[:-1], "Nobody else came."]),
        " ".join(story[::-1]),
        "Some thirteen words of a test set are in this sentence, so that it has to go.",
    ]
    lines = (json.dumps({"id": f"d{i}", "text": t}) for i, t in enumerate(texts))
    store.put("news/a.jsonl", "\n".join(lines).encode())
    store.put("news/test.txt.gz", gzip.compress(texts[4].encode()))
    job = f"lead-bias --source jsonl --input {root}/news/a.jsonl --temp-dir {root}/temp"
    first = f"--decontaminate {root}/news/test.txt.gz --min-overlap 0 --keep-signatures"
    succeed(store, f"{job} --output {root}/sets/news {first}")
    content = json.loads(store.get("sets/news/manifest.json"))
    (path,) = [f["path"] for f in content["files"] if f["path"].endswith(".jsonl.gz")]
    found = map(json.loads, gzip.decompress(store.get(f"sets/news/{path}")).splitlines())
    rejects = {r["id"]: (r["reason"], r["detail"]) for r in found}
    assert rejects["d1"] == ("EXACT_DUPLICATE", "d0 stays") and rejects["d2"] == ("NEAR_DUPLICATE", "d0 stays")
    assert rejects["d4"][0] == "CONTAMINATED" and "in test.txt.gz," in rejects["d4"][1] and "d0" not in rejects
    assert content["evaluation"][0]["texts"] == 1 and store.names("temp/") == []

    succeed(store, f"{job} --output {root}/sets/later --duplicates-against {root}/sets/news --allow-empty")
    content = json.loads(store.get("sets/later/manifest.json"))
    assert content["signatures"][0]["dataset"] == f"{root}/sets/news" and store.names("temp/") == []
    assert content["counts"]["documents/rejected"]["EXACT_DUPLICATE"] == 3
    assert content["counts"]["documents/rejected"]["NEAR_DUPLICATE"] == 2  # d2 and d3, which did not stay


@pytest.mark.slow
def test_rows_of_a_dataset_in_a_store_are_read_as_those_in_a_folder(store, root, gaps, tmp_path):
    place = f"{root}/sets/gaps"
    for file in gaps.rglob("*"):
        if file.is_file():
            store.put(f"sets/gaps/{file.relative_to(gaps).as_posix()}", file.read_bytes())
    make(f"curriculum --input {gaps} --output {tmp_path}/of-folder")
    succeed(store, f"curriculum --input {place}#default --output {tmp_path}/of-store")
    assert data_checksums(tmp_path / "of-store") == data_checksums(tmp_path / "of-folder") != {}
    names = {s["name"].rpartition("/")[0] for s in manifest(tmp_path / "of-store")["sources"]}
    assert names == {f"{place}/default/parquet"}
    failed = fail(store, f"curriculum --input {place}s --output {tmp_path}/none")
    assert failed.returncode == 2 and f"no input file matches '{place}s'" in failed.stderr


@pytest.mark.long
def test_annotations_in_a_store_are_read_and_reused(store, root, dump, tmp_path):
    place = f"{root}/sets/annotated"
    annotate = f"annotate --input {dump} {OPTIONS}"
    succeed(store, f"{annotate} --output {place}")
    make(f"{annotate} --output {tmp_path}/whole")
    succeed(store, f"{annotate} --output {tmp_path}/again --reuse {place}")
    entry = manifest(tmp_path / "again")["reuse"]
    assert data_checksums(tmp_path / "again") == data_checksums(tmp_path / "whole") != {}
    assert entry["dataset"] == place and entry["documents"]["parsed"] == entry["documents"]["revised"] == 0
    succeed(store, f"discofuse --source annotated --input {place} --output {tmp_path}/of-store")
    make(f"discofuse --source annotated --input {tmp_path}/whole --output {tmp_path}/of-folder")
    assert data_checksums(tmp_path / "of-store") == data_checksums(tmp_path / "of-folder") != {}
