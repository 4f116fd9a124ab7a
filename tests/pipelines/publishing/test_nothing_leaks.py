"""No file of a published dataset names a folder of the machine that made it, or a secret of its user."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pyarrow.parquet as pq
import pytest

from gistmill.core.records import Damage
from gistmill.pipelines.errors import ResumeError
from gistmill.pipelines.job import configure
from gistmill.pipelines.reporting.manifest import RunInfo, manifest
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.results import Results
from tests.commands import make, rejects, write_jsonl
from tests.commands import manifest as read_manifest
from tests.pipelines.publishing.made import locked
from tests.transforms.sinks.made import SCHEMA

TELLING = "home-of-jdoe"
SENTENCE = "The {0} council of the northern province met on its {0} day to speak about roads, bridges and the old mill."
PROFILE = "sentences: 1\nmin_oracle: 0\nmax_oracle: 100\nmin_document_words: 5\n"


def article(number: int) -> str:
    return " ".join(SENTENCE.format(f"n{number}x{i}") for i in range(6))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """A dataset from two inputs of one name with a bad line, a test set, a profile and a cut-off input, every one of them
    in a folder with a telling name; rows, rejects and damage come from each."""
    home = tmp_path_factory.mktemp("leak") / TELLING
    for part, numbers in (("a", range(12)), ("b", range(12, 24))):
        (home / part).mkdir(parents=True)
        write_jsonl(home / part / "news.jsonl", [{"text": article(n), "title": f"T{n}"} for n in numbers])
        with (home / part / "news.jsonl").open("a") as file:
            file.write("{broken\n")
    cut = "".join(json.dumps({"text": article(n)}) + "\n" for n in range(30, 40)).encode()
    (home / "cut.jsonl.gz").write_bytes(gzip.compress(cut)[:-30])
    (home / "test.txt").write_text(SENTENCE.format("n3x0") + "\n", encoding="utf-8")
    (home / "mine.yaml").write_text(PROFILE, encoding="utf-8")
    make(
        f"wikitransfer --source jsonl --input '{home}/*/news.jsonl,{home}/cut.jsonl.gz' --profile {home}/mine.yaml",
        f"--allow-truncated --decontaminate {home}/test.txt --deduplicate none --splits 60,20,20 --temp-dir {home}",
        f"--formats parquet,tfrecord,tsv --output {home}/out --s3_access_key_id=open --s3_secret_access_key=very-secret",
    )
    return home / "out"


def texts(folder):
    """Every file as it is, and what it holds where it is compressed."""
    for path in (p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes()
        yield path, data
        if path.suffix == ".gz":
            yield path, gzip.decompress(data)
        if path.suffix == ".parquet":
            yield path, repr((pq.read_table(path).to_pylist(), pq.read_metadata(path).metadata)).encode()


def test_no_file_names_the_folder_or_a_secret(dataset):
    found = list(texts(dataset))
    assert {p.name for p, _ in found} >= {"README.md", "manifest.json", "stats.json", "report.html"}
    assert {p.suffix for p, _ in found} >= {".gz", ".parquet", ".tsv"}
    for word in (TELLING, "very-secret"):
        assert [str(p) for p, data in found if word.encode() in data] == []


def test_what_is_told_is_the_name_and_the_card_lists_names_sizes_and_checksums(dataset):
    content = read_manifest(dataset)
    one, two, three = content["sources"]  # sorted by kind and path
    assert [s["name"] for s in (one, two, three)] == ["news.jsonl", "news.jsonl", "cut.jsonl.gz"]
    assert one["sha256"] != two["sha256"] and one["size"] < two["size"]
    assert [d["file"] for d in content["damage"]] == ["cut.jsonl.gz"]
    assert content["configuration"]["input"] == ["news.jsonl", "cut.jsonl.gz"]
    assert content["configuration"]["decontaminate"] == ["test.txt"]
    assert content["configuration"]["output"] == "out" and "temp_dir" not in content["configuration"]
    assert [e["name"] for e in content["evaluation"]] == ["test.txt"]
    by_reason = {r["reason"]: r for r in rejects(dataset)}
    assert by_reason["BAD_LINE"]["id"] == f"news.jsonl#{by_reason['BAD_LINE']['offset']}"
    assert by_reason["BAD_LINE"]["file"] == "news.jsonl" and " in test.txt, " in by_reason["CONTAMINATED"]["detail"]

    card = (dataset / "README.md").read_text(encoding="utf-8")
    for source in read_manifest(dataset)["sources"]:
        assert f"| `{source['name']}` | {source['size']:,} | `{source['sha256']}` |" in card
    assert "The input `cut.jsonl.gz` is damaged at byte " in card


def test_urls_stay_whole_and_their_passwords_do_not():
    asked = {"input": ("s3://key:very-secret@bucket/*.gz",), "output": "gs://bucket/out", "temp_dir": "/home/jdoe"}
    run = RunInfo(
        recipe="discofuse",
        title="",
        description="",
        config=configure(RECIPES["discofuse"], asked).to_public_values(),
        code_version="",
        versions={},
        runner="",
        start=datetime(2026, 1, 1, tzinfo=UTC),
        models=[
            {"name": "/home/jdoe/model", "weights": "/home/jdoe/weights"},
            {"name": "x", "weights": "biu-nlp/f-coref"},
        ],
    )
    source = {"path": "s3://key:very-secret@bucket/a.gz", "size": 1, "sha256": "00", "kind": "plain"}
    results = Results((), {}, (Damage("s3://key:very-secret@bucket/a.gz", 1, "cut"),), (source,))
    made = manifest(results, run=run, schema=SCHEMA, files=(), end=run.start)
    assert made.configuration["input"] == ["s3://bucket/*.gz"] and made.configuration["output"] == "gs://bucket/out"
    assert "temp_dir" not in made.configuration
    assert [s.name for s in made.sources] == [d.file for d in made.damage] == ["s3://bucket/a.gz"]
    assert [(m.name, m.weights) for m in made.models] == [("model", "weights"), ("x", "biu-nlp/f-coref")]


def test_a_resumed_run_still_tells_inputs_of_one_name_apart(tmp_path):
    """The fingerprint, which is not published, has the whole paths."""
    inputs = {"files": {"/home/a/x.xml": [1, 2]}}
    left = locked(tmp_path / "out", fingerprint=inputs)
    (left.root / "sketches").mkdir()
    (left.root / "sketches" / "x.json").write_text("{}")
    left.drop(keep=True)
    with pytest.raises(ResumeError, match="/home/a/x.xml was "):
        locked(tmp_path / "out", fingerprint={"files": {"/home/b/x.xml": [1, 2]}}, resume=True)
