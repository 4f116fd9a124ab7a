"""The job `curriculum`: ranks, buckets and samples of datasets and of files of pairs, by the real command."""

import random
from importlib.metadata import version
from pathlib import Path

import pytest

from gistmill.published.dataset import Dataset
from gistmill.rules.curriculum.recipe import bucket_of, buckets_for
from gistmill.rules.curriculum.scores import ORDERS, ComplexityConfig, PairScorer, random_value
from gistmill.transforms.layout import WorkspaceLayout
from tests.cases import by_heading
from tests.commands import (
    call,
    data_checksums,
    killed,
    leftovers,
    make,
    manifest,
    refusal,
    rejects,
    rows,
    write_jsonl,
)

CASES = by_heading(__file__)

PAIRS = 240
WORDS = "river bridge mayor school market old young builds opened walked saw quickly never green".split()
MEASURES = {"length": "input_words", "reduction": "reduction", "complexity": "complexity"}
COUNTS = ("deletions", "additions", "reorderings", "substitutions")


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
    return write_jsonl(path, lines)


@pytest.fixture(scope="module")
def job(pairs):
    """The job on all pairs, which are read in several ranges; without its output."""
    return f"curriculum --input {pairs} --range-bytes 4000 --splits 60,20,20"


@pytest.fixture(scope="module")
def ordered(job, pairs):
    make(f"{job} --output {pairs.parent}/ordered")
    return pairs.parent / "ordered"


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
    assert [reject["reason"] for reject in rejects(ordered)] == ["NO_TEXT"]
    for split in ("train", "validation", "test"):
        found = rows(ordered, split=split)
        assert len(found) == counts["rows/default"][split] > 10
        check_order(found)
    assert Dataset(ordered).validate() == []


def test_a_published_dataset_keeps_its_splits_and_columns(ordered, tmp_path):
    make(f"curriculum --input {ordered} --output {tmp_path}/again --seed 4 --splits 0,0,1")
    assert manifest(tmp_path / "again")["columns"] == manifest(ordered)["columns"]

    def without_chance(found):
        return [{k: v for k, v in r.items() if k not in ("rank_random", "bucket_random")} for r in found]

    for split in ("train", "validation", "test"):
        before, after = rows(ordered, split=split), rows(tmp_path / "again", split=split)
        assert without_chance(before) == without_chance(after)
        check_order(after, seed=4)


def test_samples_are_nested_configurations(ordered, tmp_path):
    output = tmp_path / "few"
    make(f"curriculum --input {ordered} --output {output} --sample 5,20 --subsets 2 --seed 7")
    assert list(manifest(output)["columns"]) == [f"sample-{n}-seed-{s}" for s in (7, 8) for n in (20, 5)]
    validation = [row["id"] for row in rows(ordered, split="validation")]
    for seed in (7, 8):
        small, large = (rows(output, f"sample-{n}-seed-{seed}", "train") for n in (5, 20))
        assert {r["id"] for r in small} < {r["id"] for r in large} < {r["id"] for r in rows(ordered, split="train")}
        assert (len(small), len(large)) == (5, 20)
        of_validation = rows(output, f"sample-5-seed-{seed}", "validation")
        assert [row["id"] for row in of_validation] == validation
        for found in (small, large, of_validation):
            check_order(found, seed=seed)
    assert rows(output, "sample-20-seed-7", "test") == []
    counts = manifest(output)["counts"]
    assert counts["documents"]["read"] == counts["documents"]["used"] + counts["documents/rejected"]["NOT_SAMPLED"]
    assert Dataset(output).validate() == []


@pytest.mark.slow
def test_a_sample_larger_than_the_split_is_one_clear_line(job, tmp_path):
    done = call(f"{job} --output {tmp_path}/out --sample 1000")
    assert done.returncode == 1 and "Traceback" not in done.stderr and not (tmp_path / "out").exists()
    assert "--sample 1000: the training split contains only" in done.stderr


@pytest.mark.slow
@pytest.mark.waits
def test_a_run_that_died_in_the_second_pass_is_resumed_to_the_same_bytes(job, ordered, tmp_path):
    job += f" --output {tmp_path}/out --resume"
    killed(job, when=lambda: len(list(tmp_path.glob(".*.gistmill-*/ranges/0*.json"))) >= 2)
    (workspace,) = tmp_path.glob(".*.gistmill-*")
    assert not Path(WorkspaceLayout(str(workspace)).results).exists()
    assert "resuming" in make(job).stderr
    assert data_checksums(tmp_path / "out") == data_checksums(ordered)
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_rows_of_another_language_are_measured_by_its_words(tmp_path):
    text = (
        "Der Otter schwimmt im Fluss und frisst Fische. Die Bücherei in der Hauptstraße hat geöffnet. Es regnet viel."
    )
    source = write_jsonl(tmp_path / "in.jsonl", [{"id": "a", "text": f"{text} Der Fluss in der Stadt ist lang."}])
    make(f"gap-sentences --source jsonl --language de --input {source} --output {tmp_path}/gaps --splits 100,0,0")
    make(f"curriculum --input {tmp_path}/gaps --output {tmp_path}/ordered")
    for folder in ("gaps", "ordered"):
        assert manifest(tmp_path / folder)["language"] == {"code": "de", "rules": "own"}
        assert manifest(tmp_path / folder)["counts"]["words"] == {f"de, icu4py {version('icu4py')}": 1}
    (row,) = rows(tmp_path / "ordered")
    measured = PairScorer(ComplexityConfig()).measure(row["inputs"], row["targets"], language="de")
    as_english = PairScorer(ComplexityConfig()).measure(row["inputs"], row["targets"])
    assert (row["complexity"], row["deletions"]) == (measured.complexity, measured.counts.deletions)
    assert measured.complexity != as_english.complexity


@pytest.fixture
def place(tmp_path):
    """A folder with a file of pairs and some files of stop words."""
    nepal = {"id": "a", "inputs": "The quake of Nepal had killed heroes, don't forget", "targets": "Quake kills a hero"}
    group = {"id": "c", "inputs": "Koirala’s group — the non-profit — helps", "targets": "Koirala helps"}
    write_jsonl(tmp_path / "pairs.jsonl", [nepal, {"id": "b", "inputs": "", "targets": "Nepal"}, group])
    lists = {"own": b"Quake\ndon't\n", "two": b"the\nof a\n", "empty": b"\n", "latin": b"caf\xe9\n", "nul": b"\0\n"}
    for name, content in lists.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_counts_and_complexity_are_published_as_the_options_say(place):
    options = "--stop-words own --weights 0.5,0,0.25,0.25 --counts printed"
    make(f"curriculum --input pairs.jsonl --output out --splits 1,0,0 {options}", cwd=place)
    config = ComplexityConfig(stop_words="own", weights=(0.5, 0, 0.25, 0.25), counts="printed")
    scorer = PairScorer(config, stop_words={"quake", "dont"})
    found = {row["id"]: row for row in rows(place / "out")}
    assert found.keys() == {"a", "c"}  # there is nothing to count in an empty input
    for row in found.values():
        measures = scorer.measure(row["inputs"], row["targets"])
        assert [row[name] for name in COUNTS] == [getattr(measures.counts, name) for name in COUNTS]
        for name in ("complexity", "input_words", "reduction"):
            assert row[name] == getattr(measures, name)
    assert manifest(place / "out")["versions"]["stopwordsiso"] == "0.7.1"


def test_wrong_options_of_complexity_are_one_line(place):
    for arguments, said in CASES["wrong options of complexity"]:
        assert said in refusal(f"curriculum --input pairs.jsonl --output out {arguments}", cwd=place)
        assert not (place / "out").exists()
