"""Jobs on rows: a dataset that a real job made is read again, and files of pairs are, by the real command."""

import gzip
import json
import shutil

import pytest

import gistmill
from gistmill.core.manifest import Manifest
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import configure, job_options, options_for
from gistmill.published.dataset import Dataset
from gistmill.rules.recipes import RECIPES
from tests.commands import call, data_checksums, make, manifest, refusal, rejects, rows
from tests.manifests import write_manifest
from tests.pair_lengths import PairLengths
from tests.transforms.sources.pair_files import PAIRS, jsonl

JOB = PairLengths.NAME
SPLITS = ("train", "validation", "test")


@pytest.fixture(autouse=True)
def recipe(monkeypatch):
    monkeypatch.setitem(RECIPES, JOB, PairLengths)


@pytest.fixture
def copy(gaps, tmp_path):
    return shutil.copytree(gaps, tmp_path / "copy")


def made(output, arguments):
    done = make(f"{JOB} --input {arguments} --output {output}")
    assert Dataset(output).validate() == []
    return done.stdout


def refused(output, source, *, code=2):
    """The one line that is said of an input."""
    said = refusal(f"{JOB} --input {source} --output {output} --quiet", code=code)
    assert not output.exists()
    return said


def test_the_rows_come_back_with_a_new_column_in_their_splits(gaps, tmp_path):
    said = made(tmp_path / "out", f"{gaps} --splits 0,0,1")
    assert "150 pairs read, 150 used, 0 rejected; 150 rows in default" in said
    columns = [c for c in manifest(gaps)["columns"]["default"] if c["name"] != "input_words"]
    *kept, new = manifest(tmp_path / "out")["columns"]["default"]
    assert kept == columns and new["description"] == "words of the inputs"  # in the place of the old one
    for split in SPLITS:
        assert rows(tmp_path / "out", split=split) == rows(gaps, split=split) != []  # the old counts were the same


def test_the_manifest_names_the_shards_and_what_they_say_of_themselves(copy, tmp_path):
    said = {"licence": "cc-by-4.0", "attribution": "By otters.", "models": [{"name": "m", "version": "1"}]}
    of_gaps = Manifest.from_json({**manifest(copy), **said})
    write_manifest(copy, of_gaps)
    made(tmp_path / "out", copy)
    found = manifest(tmp_path / "out")
    assert {name: found[name] for name in said} == said
    shards = {(f.path.rpartition("/")[2], f.bytes, f.sha256) for f in of_gaps.files if f.format == "parquet"}
    assert {(s["name"], s["size"], s["sha256"]) for s in found["sources"]} == shards and len(shards) == 9
    assert found["configuration"]["input"] == ["copy"] and "source" not in found["configuration"]
    card = (tmp_path / "out" / "README.md").read_text()
    assert "## Pairs" in card and "## Documents" not in card
    assert "<h3>Pairs</h3>" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.slow
def test_two_workers_and_python_write_the_same_bytes(gaps, tmp_path):
    built = gistmill.build(JOB, input=gaps, output=tmp_path / "one")
    made(tmp_path / "two", f"{gaps} --workers 2")
    assert data_checksums(tmp_path / "one") == data_checksums(tmp_path / "two")
    assert built.num_rows("train") == Dataset(gaps).num_rows("train") > 0


def test_the_document_decides_about_the_split_of_a_row_that_brings_none(tmp_path):
    pairs = [{**PAIRS[n], "document_id": f"d{n % 10}"} for n in range(60)]
    (tmp_path / "x.jsonl").write_bytes(jsonl(pairs))
    made(tmp_path / "out", f"{tmp_path}/x.jsonl --splits 50,25,25")
    documents = {split: {r["document_id"] for r in rows(tmp_path / "out", split=split)} for split in SPLITS}
    assert sum(map(len, documents.values())) == 10 and all(documents.values())


@pytest.mark.slow
def test_a_limit_and_a_truncated_file(tmp_path):
    source = tmp_path / "x.jsonl.gz"
    source.write_bytes(gzip.compress(jsonl(PAIRS))[:-20])
    done = call(f"{JOB} --input {source} --output {tmp_path}/out")
    assert done.returncode == 1 and "is damaged at byte" in done.stderr and not (tmp_path / "out").exists()
    made(tmp_path / "out", f"{source} --allow-truncated")
    found = manifest(tmp_path / "out")
    assert len(found["damage"]) == 1 and 0 < found["counts"]["documents"]["read"] <= 60
    made(tmp_path / "few", f"{source} --limit 5")
    found = manifest(tmp_path / "few")
    assert found["counts"]["documents"] == {"read": 5, "used": 5} and found["sources"][0]["sha256"] is None


def test_rejects_are_counted_and_published(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(jsonl([*PAIRS[:3], b"no line", {"id": "e", "inputs": "", "targets": "T."}]))
    made(tmp_path / "out", f"{tmp_path}/x.jsonl")
    counts = manifest(tmp_path / "out")["counts"]
    assert counts["documents"] == {"read": 5, "used": 3}
    assert counts["documents/rejected"] == {"BAD_ROW": 1, "NO_TEXT": 1}
    found = {(r["id"][:2], r["reason"]) for r in rejects(tmp_path / "out")}
    assert found == {("e", "NO_TEXT"), ("x.", "BAD_ROW")}
    assert "the pair has no inputs or no targets" in (tmp_path / "out/report.html").read_text()


def test_ids_are_unique_over_all_inputs_and_their_columns_the_same(gaps, copy, tmp_path):
    done = call(f"{JOB} --input {gaps},{copy} --output {tmp_path}/out")
    assert done.returncode == 1 and "the id 't" in done.stderr and "Traceback" not in done.stderr
    (tmp_path / "x.jsonl").write_bytes(jsonl(PAIRS))
    assert "have different columns" in refused(tmp_path / "out", f"{gaps},{tmp_path}/x.jsonl")
    make(f"{JOB} --input {gaps},{gaps}/ --output {tmp_path}/out")  # one input that is named twice


def test_a_dataset_that_cannot_be_read_is_one_clear_line(copy, tmp_path):
    found = manifest(copy)
    files, columns = found["files"], found["columns"]["default"]
    text = {"name": "text", "type": "string", "description": ""}
    of_another_split = [{**f, "split": "dev"} if f.get("split") else f for f in files]
    for changes, message in [
        (
            {"files": [f for f in files if f.get("format") != "parquet"]},
            "contains tfrecord files, but rows are read from",
        ),
        ({"files": []}, "contains no rows in the configuration default"),
        ({"files": of_another_split}, "has an unknown split 'dev'; expected train, validation, test"),
        ({"columns": {"default": [text]}}, "columns.default has no column 'id'"),
        ({"columns": {"default": [*columns, {**text, "type": "map"}]}}, "unknown column type 'map'"),
    ]:
        (copy / "manifest.json").write_text(json.dumps({**found, **changes}))
        said = refused(tmp_path / "out", copy)
        assert message in said and str(copy) in said


def test_a_shard_that_differs_from_its_manifest_is_an_error(copy, tmp_path):
    shard = next(copy.glob("default/parquet/train-00001-*"))
    whole = shard.read_bytes()
    for content, code, message in [
        (whole[:-1], 2, "bytes long, but the manifest says"),
        (whole[:-1] + b"x", 1, "is not a Parquet file"),
        (
            whole[:20] + bytes([whole[20] ^ 1]) + whole[21:],
            1,
            "has changed: its SHA-256 differs from the one in its dataset's manifest",
        ),
    ]:
        shard.write_bytes(content)
        assert message in refused(tmp_path / "out", copy, code=code)
    shard.unlink()
    assert "which the manifest lists, is missing" in refused(tmp_path / "out", copy)


def test_the_job_has_no_options_of_documents(tmp_path):
    known = set(job_options(PairLengths))
    assert {"input", "limit", "id_field", "inputs_field", "targets_field", "splits", "range_bytes", "resume"} <= known
    assert not {"source", "deduplicate", "decontaminate", "keep_lists", "languages", "coref", "sentences"} & known
    assert options_for(PairLengths).steps == () and list(options_for(PairLengths).sources) == ["pairs"]
    for values, message in [
        ({"source": "jsonl"}, "unknown option 'source'"),
        ({"inputs_field": "a", "targets_field": "a"}, "inputs_field and targets_field must differ"),
    ]:
        with pytest.raises(ConfigError, match=message):
            configure(PairLengths, {"input": "x", "output": "y", **values})
    said = make(JOB, "--help").stdout
    assert "DIR#CONFIGURATION" in said and "--source" not in said


def test_a_recipe_may_refuse_the_columns(gaps, tmp_path, monkeypatch):
    def refuse(self, schema):
        raise ValueError(f"{schema.name} has no column of otters")

    monkeypatch.setattr(PairLengths, "take_schema", refuse)
    assert "the input rows: default has no column of otters" in refused(tmp_path / "out", gaps)
