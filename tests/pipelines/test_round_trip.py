"""Augmentation by round-trip translation, from pairs to a published dataset."""

import os
import signal
import subprocess

import pytest

import gistmill
from gistmill.transforms.translation.opening import Cache
from tests.cases import by_heading
from tests.commands import COMMAND, call, data_checksums, manifest, refusal, rows, write_jsonl
from tests.transforms.translation import fakes

CASES = by_heading(__file__)

FAKE = "tests.transforms.translation.fakes"
SENTENCES = ["Otters swim in rivers.", "The mayor opened the bridge.", "Dr. No sold it.", "Frogs hide.", "Nobody came."]


def pairs(folder, count=10):
    def inputs(n):
        return " ".join([f"Number {n} begins.", SENTENCES[n % 5], SENTENCES[(n + 1) % 5]])

    made = [{"id": f"r{n:03}", "inputs": inputs(n), "targets": SENTENCES[n % 5]} for n in range(count)]
    return write_jsonl(folder / "pairs.jsonl", made)


def build(folder, name="out", count=10, **options):
    """Augments pairs; returns the folder of the dataset."""
    source = folder / "pairs.jsonl"
    if not source.exists():
        pairs(folder, count)
    options = {"translator": fakes.backwards, "splits": (1, 0, 0), "beams": 2, "input": source, **options}
    options = {key: value for key, value in options.items() if value is not None}
    gistmill.build("augment", method="round-trip", output=folder / name, **options)
    return folder / name


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The file in which the translator writes what it was asked for."""
    monkeypatch.setenv("TRANSLATIONS_LOG", str(tmp_path / "asked"))
    return tmp_path / "asked"


@pytest.mark.slow
def test_one_and_two_workers_write_the_same_bytes(tmp_path):
    lines = pairs(tmp_path, 90).read_text("utf-8").splitlines(keepends=True)
    for part in range(3):
        (tmp_path / f"part-{part}.jsonl").write_text("".join(lines[part::3]), encoding="utf-8")
    options = {"input": tmp_path / "part-*.jsonl", "pivots": ("de",)}
    one = build(tmp_path, "one", **options)
    two = build(tmp_path, "two", **options, translation_cache=tmp_path / "cache", workers=2)
    assert data_checksums(one) == data_checksums(two)
    assert manifest(one)["counts"]["copies"] == {"read": 360, "used": 360}
    assert Cache.begin(str(tmp_path / "cache")).known > 90  # both workers wrote


@pytest.mark.slow
@pytest.mark.waits
def test_what_a_killed_run_translated_is_not_paid_for_again(tmp_path):
    log, cache = tmp_path / "asked", tmp_path / "cache"
    arguments = ["augment", "--method", "round-trip", "--input", pairs(tmp_path), "--output", tmp_path / "out"]
    arguments += ["--translator", f"{FAKE}:backwards", "--translation-cache", cache, "--beams", 2, "--splits", "1,0,0"]
    environment = {**os.environ, "TRANSLATIONS_LOG": str(log)}
    command = [*COMMAND, *map(str, arguments)]
    killed = subprocess.run(command, env={**environment, "TRANSLATIONS_KILL": "40"}, capture_output=True)
    assert killed.returncode in (-signal.SIGKILL, 1) and not (tmp_path / "out" / "manifest.json").exists()
    before = log.read_text().splitlines()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = log.read_text().splitlines()[len(before) :]
    assert before and not set(before) & set(after)
    assert data_checksums(tmp_path / "out") == data_checksums(build(tmp_path, "fresh", pivots=("de", "ru")))


def test_only_train_is_augmented(tmp_path):
    dataset = build(tmp_path, count=60, splits=(60, 20, 20))
    for split in ("validation", "test"):
        found = rows(dataset, split=split)
        assert found and all(not r["parent_id"] for r in found)
    train = rows(dataset, split="train")
    assert len(train) == 9 * sum(not r["parent_id"] for r in train)
    assert {r["parent_id"] for r in train} - {""} <= {r["id"] for r in train}


def test_copies_that_are_equal_to_their_original_are_dropped_and_counted(tmp_path):
    dataset = build(tmp_path, translator=fakes.echo)
    assert len(rows(dataset)) == 10
    counts = manifest(dataset)["counts"]
    assert counts["copies"] == {"read": 80} and counts["copies/rejected"] == {"UNCHANGED": 80}
    column = build(tmp_path, "column", translator=fakes.echo, augmented_as="column")
    assert all(r["augmented_inputs"] == r["inputs"] and not r["operation"] for r in rows(column))


def test_as_a_column_every_pair_has_one_paraphrase_of_its_inputs(tmp_path, asked):
    dataset = build(tmp_path, count=60, beams=10, augmented_as="column", splits=(60, 20, 20))
    train, validation = (rows(dataset, split=split) for split in ("train", "validation"))
    assert len(rows(dataset)) == 60
    for row in train:
        pivot, there, back = row["variant"].split("-")
        assert row["augmented_inputs"].endswith(f" {there[::-1]}{pivot[::-1]} en{back}")
        assert row["augmented_inputs"].startswith(row["inputs"].split(".")[0])
        assert row["operation"] == f"round-trip {pivot}" and row["seed"] == 1
    assert all((r["augmented_inputs"], r["variant"]) == ("", "") for r in validation)
    assert manifest(dataset)["counts"]["copies"] == {"read": len(train), "used": len(train)}
    assert len(asked.read_text().splitlines()) < 60 * 3 * 2  # one way back for each sentence, not ten
    assert "parent_id" not in train[0]


def test_what_cannot_be_used_is_one_line_before_anything_begins(tmp_path):
    job = f"augment --input {pairs(tmp_path)} --output {tmp_path}/out"
    for given, problem in CASES["what cannot be used is one line"]:
        assert problem in refusal(job, "--method round-trip", given.format(FAKE=FAKE))
    for given in ("--translator a:b", "--beams 3", "--translation-cache cache"):
        name = given.split()[0].lstrip("-").replace("-", "_")
        assert f"{name}: has no effect without method round-trip" in refusal(job, given)
    assert [p.name for p in tmp_path.iterdir()] == ["pairs.jsonl"]


def test_a_translator_that_fails_on_the_way_is_one_line_and_publishes_nothing(tmp_path):
    job = f"augment --method round-trip --input {pairs(tmp_path)} --output {tmp_path}/out"
    done = call(job, "--translator", f"{FAKE}:broken")
    assert done.returncode == 1 and "Traceback" not in done.stderr and not (tmp_path / "out").exists()
    assert "the translator returned 1 hypotheses for a sentence instead of 10" in done.stderr.splitlines()[-1]
