"""Jobs on rows: a dataset that a real job made is read again, and files of pairs are, by the real command."""

import gzip
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

import gistmill
from gistmill.core.manifest import Manifest
from gistmill.pipelines import cli
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import configure, job_options, sources_for, steps_of
from gistmill.published.dataset import Dataset
from gistmill.rules.recipes import RECIPES
from tests.commands import data_checksums, manifest
from tests.manifests import write_manifest
from tests.pair_lengths import PairLengths
from tests.transforms.sources.pairs.files import PAIRS, jsonl, write_forms

JOB = PairLengths.NAME
SENTENCES = [
    f"The {a} of the town was {b} by its mayor in spring."
    for a in ("bridge", "library", "market")
    for b in ("opened", "closed")
]


@pytest.fixture(autouse=True)
def recipe(monkeypatch):
    monkeypatch.setitem(RECIPES, JOB, PairLengths)


@pytest.fixture(scope="module")
def gaps(tmp_path_factory):
    """A published dataset."""
    folder = tmp_path_factory.mktemp("gaps")
    lines = [{"id": f"t{n}", "text": " ".join([f"Document {n} begins here.", *SENTENCES[n % 3 :]])} for n in range(150)]
    (folder / "texts.jsonl").write_bytes(jsonl(lines))
    gistmill.build(
        "gap-sentences",
        source="jsonl",
        input=folder / "texts.jsonl",
        output=folder / "gaps",
        splits=(60, 20, 20),
        deduplicate="none",
        shards=3,
    )
    return folder / "gaps"


def run(*arguments):
    """Runs the job in this process; returns its exit code."""
    return cli.main([JOB, *map(str, arguments)])


def succeed(output, *arguments):
    assert run(*arguments, "--output", output) == 0
    assert Dataset(output).validate() == []
    return output


def rows(folder, split, config="default"):
    return [r for f in sorted(Path(folder).glob(f"{config}/parquet/{split}-*")) for r in pq.read_table(f).to_pylist()]


def test_the_rows_come_back_with_a_new_column_in_their_splits(gaps, tmp_path, capsys):
    made = succeed(tmp_path / "out", "--input", gaps, "--splits", "0,0,1")
    assert "150 pairs read, 150 used, 0 rejected; 150 rows in default" in capsys.readouterr().out
    columns = [*(c for c in manifest(gaps)["columns"]["default"] if c["name"] != "input_words")]
    assert manifest(made)["columns"]["default"][:-1] == columns
    assert (
        manifest(made)["columns"]["default"][-1]["description"] == "words of the inputs"
    )  # in the place of the old one
    for split in ("train", "validation", "test"):
        before, after = rows(gaps, split), rows(made, split)
        assert after == before != []  # the old counts were the same


def test_the_manifest_names_the_shards_and_what_they_say_of_themselves(gaps, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(gaps, copy)
    of_gaps = Manifest.from_json(manifest(gaps))
    changed = {
        **manifest(gaps),
        "licence": "cc-by-4.0",
        "attribution": "By otters.",
        "models": [{"name": "m", "version": "1"}],
    }
    write_manifest(copy, Manifest.from_json(changed))
    made = manifest(succeed(tmp_path / "out", "--input", copy))
    assert (made["licence"], made["attribution"], made["models"]) == (
        "cc-by-4.0",
        "By otters.",
        [{"name": "m", "version": "1"}],
    )
    shards = {(f.path.rpartition("/")[2], f.bytes, f.sha256) for f in of_gaps.files if f.format == "parquet"}
    assert {(s["name"], s["size"], s["sha256"]) for s in made["sources"]} == shards and len(shards) == 9
    assert made["configuration"]["input"] == ["copy"] and "source" not in made["configuration"]
    card = (tmp_path / "out" / "README.md").read_text()
    assert "## Pairs" in card and "## Documents" not in card
    assert "<h3>Pairs</h3>" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.slow
def test_one_and_two_workers_give_the_same_bytes(gaps, tmp_path):
    one = succeed(tmp_path / "one", "--input", gaps)
    two = succeed(tmp_path / "two", "--input", gaps, "--workers", 2)
    assert data_checksums(one) == data_checksums(two)


@pytest.mark.slow
def test_every_form_of_a_file_gives_the_same_bytes(tmp_path):
    forms = write_forms(tmp_path)
    made = {}
    for name in ("x.jsonl", "x.tsv.zst", "x.parquet"):
        options = ("--splits", "60,20,20", "--range-bytes", 300)
        made[name] = data_checksums(succeed(tmp_path / "out" / name, "--input", forms[name], *options))
    assert len(made["x.jsonl"]) == 6 and made["x.jsonl"] == made["x.tsv.zst"] == made["x.parquet"]


def test_the_document_decides_about_the_split_of_a_row_that_brings_none(tmp_path):
    pairs = [{**PAIRS[n], "document_id": f"d{n % 10}"} for n in range(60)]
    (tmp_path / "x.jsonl").write_bytes(jsonl(pairs))
    made = succeed(tmp_path / "out", "--input", tmp_path / "x.jsonl", "--splits", "50,25,25")
    documents = {split: {r["document_id"] for r in rows(made, split)} for split in ("train", "validation", "test")}
    assert sum(map(len, documents.values())) == 10 and all(documents.values())


@pytest.mark.slow
def test_a_limit_and_a_truncated_file(tmp_path, capsys):
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(jsonl(PAIRS))[:-20])
    assert run("--input", tmp_path / "x.jsonl.gz", "--output", tmp_path / "out") == 1
    assert "is damaged at byte" in capsys.readouterr().err
    made = manifest(succeed(tmp_path / "out", "--input", tmp_path / "x.jsonl.gz", "--allow-truncated"))
    assert len(made["damage"]) == 1 and 0 < made["counts"]["documents"]["read"] <= 60
    made = manifest(succeed(tmp_path / "few", "--input", tmp_path / "x.jsonl.gz", "--limit", 5))
    assert made["counts"]["documents"] == {"read": 5, "used": 5} and made["sources"][0]["sha256"] is None


def test_rejects_are_counted_and_published(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(jsonl([*PAIRS[:3], b"no line", {"id": "e", "inputs": "", "targets": "T."}]))
    made = succeed(tmp_path / "out", "--input", tmp_path / "x.jsonl")
    assert manifest(made)["counts"]["documents"] == {"read": 5, "used": 3}
    assert manifest(made)["counts"]["documents/rejected"] == {"BAD_ROW": 1, "NO_TEXT": 1}
    lines = gzip.decompress((made / "rejects/part-00000-of-00001.jsonl.gz").read_bytes()).splitlines()
    assert {(r["id"][:2], r["reason"]) for r in map(json.loads, lines)} == {("e", "NO_TEXT"), ("x.", "BAD_ROW")}
    assert "the pair has no inputs or no targets" in (made / "report.html").read_text()


@pytest.mark.slow
def test_several_datasets_and_configurations(tmp_path, capsys):
    options = {"tasks": "nsg,sr", "documents": 30, "splits": (60, 20, 20)}
    steps = gistmill.build("synthetic", output=tmp_path / "steps", **options)
    first, second = steps.configs[:2]
    made = succeed(tmp_path / "one", "--input", f"{tmp_path}/steps#{second}")
    assert list(manifest(made)["columns"]) == [second]
    assert list(manifest(succeed(tmp_path / "default", "--input", tmp_path / "steps"))["columns"]) == [first]
    capsys.readouterr()
    assert run("--input", f"{tmp_path}/steps#other", "--output", tmp_path / "x") == 2
    assert f"has no configuration 'other'; it has {', '.join(steps.configs)}" in capsys.readouterr().err


def test_ids_are_unique_over_all_inputs(gaps, tmp_path, capsys):
    shutil.copytree(gaps, tmp_path / "copy")
    assert run("--input", f"{gaps},{tmp_path}/copy", "--output", tmp_path / "out") == 1
    error = capsys.readouterr().err
    assert "the id 't" in error and "Traceback" not in error and not (tmp_path / "out").exists()
    assert run("--input", f"{gaps},{gaps}/", "--output", tmp_path / "out") == 0  # one input that is named twice


def _without_parquet(folder):
    return {**manifest(folder), "files": [f for f in manifest(folder)["files"] if f.get("format") != "parquet"]}


def _without_rows(folder):
    return {**manifest(folder), "files": []}


def _of_another_split(folder):
    return {
        **manifest(folder),
        "files": [{**f, "split": "dev"} if f.get("split") else f for f in manifest(folder)["files"]],
    }


def _of_no_pairs(folder):
    return {**manifest(folder), "columns": {"default": [{"name": "text", "type": "string", "description": ""}]}}


def _of_unknown_types(folder):
    columns = [*manifest(folder)["columns"]["default"], {"name": "x", "type": "map", "description": ""}]
    return {**manifest(folder), "columns": {"default": columns}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without_parquet, "has files in tfrecord, and rows are read from Parquet files"),
        (_without_rows, "has no rows in the configuration default"),
        (_of_another_split, "has a split 'dev'; splits are train, validation, test"),
        (_of_no_pairs, "columns.default has no column 'id'"),
        (_of_unknown_types, "unknown column type 'map'"),
    ],
)
def test_a_dataset_that_cannot_be_read_is_one_clear_line(gaps, tmp_path, capsys, change, message):
    shutil.copytree(gaps, tmp_path / "copy")
    (tmp_path / "copy" / "manifest.json").write_text(json.dumps(change(gaps)))
    assert run("--input", tmp_path / "copy", "--output", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and str(tmp_path / "copy") in error


def _shorter(data):
    return data[:-1]


def _without_footer(data):
    return data[:-1] + b"x"


def _with_another_byte(data):
    return data[:20] + bytes([data[20] ^ 1]) + data[21:]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (_shorter, 2, "bytes, and the manifest says"),
        (None, 2, "is missing, which the manifest names"),
        (_without_footer, 1, "is not a Parquet file"),
        (_with_another_byte, 1, "has changed: its bytes are not those of the manifest"),
    ],
)
def test_a_shard_that_differs_from_its_manifest_is_an_error(gaps, tmp_path, capsys, change, code, message):
    shutil.copytree(gaps, tmp_path / "copy")
    shard = next((tmp_path / "copy").glob("default/parquet/train-00001-*"))
    if change is None:
        shard.unlink()
    else:
        shard.write_bytes(change(shard.read_bytes()))
    assert run("--input", tmp_path / "copy", "--output", tmp_path / "out") == code
    error = capsys.readouterr().err
    assert message in error and "Traceback" not in error and not (tmp_path / "out").exists()


def test_an_input_without_a_manifest_is_named(tmp_path, capsys):
    assert run("--input", tmp_path, "--output", tmp_path / "out") == 2
    assert "is a folder without manifest.json" in capsys.readouterr().err
    (tmp_path / "manifest.json").write_text("{")
    assert run("--input", tmp_path, "--output", tmp_path / "out") == 2
    assert "manifest.json is not JSON: Expecting property name" in capsys.readouterr().err


@pytest.mark.slow
def test_a_file_without_rows_is_a_dataset_without_rows(tmp_path):
    (tmp_path / "a.tsv").write_text("id\tinputs\ttargets\n")
    assert run("--input", f"{tmp_path}/a.tsv", "--output", tmp_path / "out", "--allow-empty") == 0


def test_inputs_of_different_columns_are_not_a_dataset(gaps, tmp_path, capsys):
    (tmp_path / "x.jsonl").write_bytes(jsonl(PAIRS))
    assert run("--input", f"{gaps},{tmp_path}/x.jsonl", "--output", tmp_path / "out") == 2
    assert "have different columns" in capsys.readouterr().err


def test_the_job_has_no_options_of_documents(tmp_path, capsys):
    known = job_options(PairLengths)
    assert {"input", "limit", "id_field", "inputs_field", "targets_field", "splits", "range_bytes", "resume"} <= set(
        known
    )
    assert not {"source", "deduplicate", "decontaminate", "keep_lists", "languages", "coref", "sentences"} & set(known)
    assert steps_of(PairLengths) == () and list(sources_for(PairLengths)) == ["pairs"]
    with pytest.raises(ConfigError, match="unknown option 'source'"):
        configure(PairLengths, {"input": "x", "output": "y", "source": "jsonl"})
    with pytest.raises(ConfigError, match="inputs_field and targets_field have to differ"):
        configure(PairLengths, {"input": "x", "output": "y", "inputs_field": "a", "targets_field": "a"})
    assert run("--input", "x", "--output", "y", "--id-field", "key", "--print-config") == 0
    printed = capsys.readouterr().out
    (tmp_path / "c.yaml").write_text(printed)
    assert run("--config", tmp_path / "c.yaml", "--print-config") == 0
    assert capsys.readouterr().out == printed and yaml.safe_load(printed)["id_field"] == "key"
    with pytest.raises(SystemExit):
        run("--help")
    assert "DIR#CONFIGURATION" in (text := capsys.readouterr().out) and "--source" not in text


@pytest.mark.slow
def test_python_builds_the_same(gaps, tmp_path):
    built = gistmill.build(JOB, input=gaps, output=tmp_path / "built")
    assert data_checksums(tmp_path / "built") == data_checksums(succeed(tmp_path / "out", "--input", gaps))
    assert built.num_rows("train") == Dataset(gaps).num_rows("train") > 0


def test_a_recipe_may_refuse_the_columns(gaps, tmp_path, monkeypatch, capsys):
    def refuse(self, schema):
        raise ValueError(f"{schema.name} has no column of otters")

    monkeypatch.setattr(PairLengths, "take_schema", refuse)
    assert run("--input", gaps, "--output", tmp_path / "out") == 2
    assert "the rows of the input: default has no column of otters" in capsys.readouterr().err
