"""The job `curriculum`: ranks, buckets and samples of datasets and of files of pairs, by the real command."""

import gzip
import json
import os
import random
import signal
import statistics
import subprocess
import time
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from gistmill.pipelines import cli
from gistmill.published.dataset import Dataset
from gistmill.rules.curriculum.buckets import bucket_of, buckets_for
from gistmill.rules.curriculum.scores import ORDERS, ComplexityConfig, PairScorer, random_value
from gistmill.transforms.layout import WorkspaceLayout
from tests.commands import COMMAND, data_checksums, leftovers, make, manifest
from tests.pipelines.test_articles import WIKI
from tests.samples import PAIR_FILES

PAIRS = 240
WORDS = "river bridge mayor school market old young builds opened walked saw quickly never green".split()
MEASURES = {"length": "input_words", "reduction": "reduction", "complexity": "complexity"}
SPLITS = ("--splits", "60,20,20")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Texts that are often of the same length, with ids in several scripts; one pair has no summary."""
    path, chance = tmp_path_factory.mktemp("pairs") / "pairs.jsonl", random.Random(1)
    lines = []
    for number in range(PAIRS):
        text = [chance.choice(WORDS) for _ in range(chance.randint(5, 9))]
        summary = [chance.choice([*text, *WORDS[:4]]) for _ in range(chance.randint(1, 5))]
        row_id = f"{chance.choice(['a', 'B', 'é', '日本', '𝔘', '10', '9'])}-{number}"
        line = {"id": row_id, "document_id": f"d{number // 2}", "inputs": " ".join(text), "targets": " ".join(summary)}
        lines.append({**line, "targets": ""} if number == 7 else line)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def ordered(pairs, tmp_path_factory):
    """The dataset of all pairs, which were read in several ranges."""
    output = tmp_path_factory.mktemp("data") / "ordered"
    assert run("--input", pairs, "--output", output, "--range-bytes", "4000", *SPLITS) == 0
    return output


def run(*arguments):
    """Runs the job in this process; returns its exit code."""
    return cli.main(["curriculum", *map(str, arguments)])


def rows(folder, config="default", split="train"):
    files = sorted(Path(folder).glob(f"{config}/parquet/{split}-*"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def rejected(folder):
    with gzip.open(folder / "rejects/part-00000-of-00001.jsonl.gz", "rt", encoding="utf-8") as file:
        return {reject["id"]: reject["reason"] for reject in map(json.loads, file)}


def check_order(found, seed=1, buckets=None):
    """Ranks and buckets are those of a plain sort of the rows, which are sorted by id."""
    ids = [row["id"].encode() for row in found]
    assert ids == sorted(ids)
    for order in ORDERS:
        key = {row["id"]: random_value(row["id"], seed=seed) for row in found}
        if order in MEASURES:
            key = {row["id"]: row[MEASURES[order]] for row in found}
        plain = sorted(found, key=lambda row: (key[row["id"]], row["id"].encode()))
        assert [row[f"rank_{order}"] for row in plain] == list(range(len(found)))
        many = buckets_for(len(found), buckets)
        assert [row[f"bucket_{order}"] for row in plain] == [bucket_of(n, len(found), many) for n in range(len(found))]


def test_ranks_are_those_of_a_plain_sort(ordered):
    counts = manifest(ordered)["counts"]
    assert counts["documents"] == {"read": PAIRS, "used": PAIRS - 1}
    assert list(rejected(ordered).values()) == ["NO_TEXT"]
    for split in ("train", "validation", "test"):
        found = rows(ordered, split=split)
        assert len(found) == counts["rows/default"][split] > 10
        check_order(found)
    assert Dataset(ordered).validate() == []


@pytest.mark.parametrize("file", PAIR_FILES)
@pytest.mark.slow
def test_ranks_of_articles_are_those_of_a_plain_sort(tmp_path, file):
    fields = ("--inputs-field", "document", "--targets-field", "summary")
    assert run("--input", file, *fields, "--output", tmp_path / "out", "--splits", "1,0,0", "--buckets", "4") == 0
    found = rows(tmp_path / "out")
    assert len(found) == len(file.read_text(encoding="utf-8").splitlines())
    check_order(found, buckets=4)
    (operations,) = json.loads((tmp_path / "out/stats.json").read_text())["figures"].values()
    _, mine = operations
    for name in ("deletions", "reorderings", "substitutions", "additions"):
        assert mine[name] == pytest.approx(statistics.mean(row[name] for row in found), abs=0.05)


def test_a_published_dataset_keeps_its_splits_and_columns(ordered, tmp_path):
    assert run("--input", ordered, "--output", tmp_path / "again", "--seed", "4", "--splits", "0,0,1") == 0
    assert manifest(tmp_path / "again")["columns"] == manifest(ordered)["columns"]
    chance = {f"{kind}_random" for kind in ("rank", "bucket")}
    for split in ("train", "validation", "test"):
        before, after = rows(ordered, split=split), rows(tmp_path / "again", split=split)
        assert [{k: v for k, v in r.items() if k not in chance} for r in before] == [
            {k: v for k, v in r.items() if k not in chance} for r in after
        ]
        check_order(after, seed=4)


def test_samples_are_nested_configurations(ordered, tmp_path):
    output = tmp_path / "few"
    assert run("--input", ordered, "--output", output, "--sample", "5,20", "--subsets", "2", "--seed", "7") == 0
    assert list(manifest(output)["columns"]) == [f"sample-{n}-seed-{s}" for s in (7, 8) for n in (20, 5)]
    validation = [row["id"] for row in rows(ordered, split="validation")]
    for seed in (7, 8):
        small, large = (rows(output, f"sample-{n}-seed-{seed}") for n in (5, 20))
        assert {r["id"] for r in small} < {r["id"] for r in large} < {r["id"] for r in rows(ordered)}
        assert (len(small), len(large)) == (5, 20)
        for found in (small, large):
            check_order(found, seed=seed)
        found = rows(output, f"sample-5-seed-{seed}", "validation")
        assert [row["id"] for row in found] == validation
        check_order(found, seed=seed)
    assert rows(output, "sample-20-seed-7", "test") == []
    counts = manifest(output)["counts"]
    assert counts["documents"]["read"] == counts["documents"]["used"] + counts["documents/rejected"]["NOT_SAMPLED"]
    assert Dataset(output).validate() == []


def test_stratified_samples(ordered, tmp_path, capsys):
    options = ("--input", ordered, "--sample", "12", "--formats", "parquet")
    assert run(*options, "--sample-by", "input_words", "--output", tmp_path / "by") == 0
    found = [row["input_words"] for row in rows(tmp_path / "by", "sample-12-seed-1")]
    all_words = [row["input_words"] for row in rows(ordered)]
    for words in set(all_words):
        assert abs(found.count(words) - 12 * all_words.count(words) / len(all_words)) < 2
    capsys.readouterr()
    assert run(*options, "--sample-by", "reduction", "--output", tmp_path / "no") == 2
    assert "--sample-by reduction: there is no such column to stratify by, only id" in capsys.readouterr().err


@pytest.mark.slow
def test_a_sample_larger_than_the_split_is_one_clear_line(pairs, tmp_path, capsys):
    assert run("--input", pairs, "--output", tmp_path / "out", "--sample", "1000", *SPLITS) == 1
    error = capsys.readouterr().err
    assert "--sample 1000: the training split has only" in error and "Traceback" not in error
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [pytest.param((), marks=pytest.mark.long), ("--sample", "5,20", "--subsets", "2", "--sample-by", "document_id")],
)
def test_two_workers_give_the_same_bytes(pairs, tmp_path, options):
    arguments = ("curriculum", "--input", pairs, "--range-bytes", "4000", *SPLITS, *options)
    make(*arguments, "--output", tmp_path / "one")
    make(*arguments, "--output", tmp_path / "two", "--workers", "2")
    assert data_checksums(tmp_path / "two") == data_checksums(tmp_path / "one")
    assert rejected(tmp_path / "two") == rejected(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.parametrize("folder", [pytest.param("sketches", marks=pytest.mark.long), "ranges"])
@pytest.mark.waits
def test_a_dead_run_is_resumed_to_the_same_bytes(pairs, ordered, tmp_path, folder):
    """Killed amid the first pass, and amid the second."""
    arguments = ("curriculum", "--input", pairs, "--output", tmp_path / "out", "--range-bytes", "4000", *SPLITS)
    process = subprocess.Popen([*COMMAND, *map(str, (*arguments, "--resume"))], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 300
    while not len(list(tmp_path.glob(f".*.gistmill-*/{folder}/0*.json"))) >= 2:
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (workspace,) = tmp_path.glob(".*.gistmill-*")
    assert not Path(WorkspaceLayout(str(workspace)).results).exists()
    assert "resuming" in make(*arguments, "--resume").stderr
    assert data_checksums(tmp_path / "out") == data_checksums(ordered)
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_rows_of_a_wikipedia_are_measured_by_the_words_of_its_language(tmp_path):
    first = (
        "Der Otter schwimmt im Fluss und frisst Fische. Die Bücherei in der Hauptstraße hat geöffnet. Es regnet viel."
    )
    page = {"code": "de", "main": "Hauptseite", "file": "Datei", "title": "Otter", "heading": "Mehr", "first": first}
    (tmp_path / "wiki.xml").write_text(WIKI.format(**page, second="Der Fluss in der Stadt ist lang."), encoding="utf-8")
    make("gap-sentences", "--input", tmp_path / "wiki.xml", "--output", tmp_path / "gaps", "--splits", "100,0,0")
    assert run("--input", tmp_path / "gaps", "--output", tmp_path / "ordered") == 0
    for folder in ("gaps", "ordered"):
        assert manifest(tmp_path / folder)["counts"]["words"] == {f"de, icu4py {version('icu4py')}": 1}
    (row,) = rows(tmp_path / "ordered")
    measured = PairScorer(ComplexityConfig()).measure(row["inputs"], row["targets"], language="de")
    as_english = PairScorer(ComplexityConfig()).measure(row["inputs"], row["targets"])
    assert (row["complexity"], row["deletions"]) == (measured.complexity, measured.counts.deletions)
    assert measured.complexity != as_english.complexity
