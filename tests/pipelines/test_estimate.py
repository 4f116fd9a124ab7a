"""``gistmill estimate`` by the real command, on small inputs."""

import bz2
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

import pytest

from gistmill.core.options import options_of
from gistmill.pipelines.cli import main
from gistmill.pipelines.estimate import EstimateConfig, draw, processor_seconds
from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.files.ranges import FileRange
from tests.cases import by_heading
from tests.commands import COMMAND
from tests.dumps import export, small_pages

CASES = by_heading(__file__)

NOUNS = "otter river stone market engine letter garden window captain harvest".split()
JOB = ("gap-sentences", "--source", "jsonl", "--deduplicate", "none", "--languages", "any", "--formats", "parquet")
FINE = ("--range-bytes", 4_000)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """600 documents of 1 to 30 sentences; those under three are rejected."""
    chance, path = random.Random(7), tmp_path_factory.mktemp("texts") / "texts.jsonl"
    with open(path, "w", encoding="utf-8") as lines:
        for number in range(600):
            nouns = [chance.choices(NOUNS, k=3) for _ in range(chance.randint(1, 30))]
            text = " ".join(f"The {a} saw the {b} near {c} {n} today." for n, (a, b, c) in enumerate(nouns))
            lines.write(json.dumps({"id": str(number), "title": "T", "text": text}) + "\n")
    return path


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Where temporary files go; empty after the command."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def estimated(capsys, *arguments):
    assert main(["estimate", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_a_sample_says_what_the_whole_has(texts, scratch, tmp_path, capsys):
    full = tmp_path / "full"
    assert main([*JOB, "--input", str(texts), "--output", str(full)]) == 0
    capsys.readouterr()
    counts = json.loads((full / "manifest.json").read_text())["counts"]
    found = estimated(capsys, *JOB, "--input", texts, *FINE, "--output", tmp_path / "not-there", "--price", 3.6)
    assert found["rows"]["default"] == pytest.approx(sum(counts["rows/default"].values()), rel=0.15)
    assert found["counts"]["documents/read"] == pytest.approx(600, rel=0.15)
    assert found["counts"]["documents/used"] < found["counts"]["documents/read"]
    assert found["ranges_sampled"] == 20 < found["ranges"] and 0.05 < found["share_sampled"] < 0.5
    assert found["dataset_bytes"] > 50_000 and found["memory_bytes"] > 50_000_000
    assert found["cpu_seconds"] > 0 and found["price"] == pytest.approx(found["cpu_seconds"] / 1000)
    assert not (tmp_path / "not-there").exists() and not os.listdir(scratch)


@pytest.mark.slow
def test_the_seed_decides_the_sample_and_a_sample_of_all_is_exact(texts, capsys):
    job = (*JOB, "--input", texts, "--limit", 60, *FINE)
    five = [estimated(capsys, *job, "--sample-ranges", 5, "--sample-seed", seed)["counts"] for seed in (3, 3, 4)]
    assert five[0] == five[1] != five[2]
    whole = estimated(capsys, *job, "--sample-ranges", 1000)
    assert whole["ranges"] == whole["ranges_sampled"] > 5 and whole["share_sampled"] == 1
    assert whole["counts"]["documents/read"] == 60
    assert "All ranges were read: counts are exact." in whole["assumptions"]


@pytest.mark.slow
def test_rows_that_are_left_out_do_not_count(texts, capsys):
    job = (*JOB, "--input", texts, "--limit", 100)
    whole, cut = estimated(capsys, *job), estimated(capsys, *job, "--rows", "20,0,0")
    assert cut["rows"]["default"] == 20 < cut["counts"]["rows/default/train"]
    assert cut["dataset_bytes"] < whole["dataset_bytes"] / 2


@pytest.mark.slow
def test_rows_are_sampled_as_documents_are(tmp_path, capsys):
    lines = [{"id": str(n), "inputs": f"{n} otters . they swim .", "targets": "otters swim ."} for n in range(300)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = estimated(capsys, "curriculum", "--input", tmp_path / "pairs.jsonl", "--range-bytes", 1_000)
    assert found["rows"]["default"] == pytest.approx(300, rel=0.05)
    assert found["ranges_sampled"] < found["ranges"]


@pytest.mark.slow
def test_a_table_says_rows_price_and_time_for_numbers_of_workers(tmp_path, capsys):
    dump = tmp_path / "small.xml.bz2"
    dump.write_bytes(bz2.compress(export(small_pages())))
    job = ["gap-sentences", "--config", "gap-sentences", "--input", str(dump), "--runner", "FlinkRunner"]
    assert main(["estimate", *job, "--for-workers", "1,64", "--price", "0.5"]) == 0
    shown = capsys.readouterr()
    names = [re.split("  +", line.strip())[0] for line in shown.out.splitlines()]
    wanted = ["rows of default", "documents read", "dataset", "processor time", "time with 64 workers", "price"]
    assert [name for name in names if name in wanted] == wanted
    assert shown.err.count("gistmill estimate: reading ") == 1 and "Traceback" not in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    CASES["wrong command lines"],
)
def test_a_wrong_command_line_is_one_line_and_code_2(arguments, said, capsys):
    assert main(["estimate", *arguments]) == 2
    shown = capsys.readouterr().err.strip()
    assert said in shown and "\n" not in shown


def test_no_option_of_a_job_has_the_name_of_one_of_the_estimate():
    own = {o.name for o in options_of(EstimateConfig)}
    assert not any(own & set(job_options(recipe)) for recipe in RECIPES.values())


def test_an_input_that_is_not_a_dump_is_code_2(tmp_path, capsys, scratch):
    (tmp_path / "dump.xml").write_text("not XML at all")
    assert main(["estimate", "discofuse", "--input", str(tmp_path / "dump.xml")]) == 2
    assert "dump.xml" in capsys.readouterr().err and not os.listdir(scratch)


@pytest.mark.slow
def test_a_damaged_input_is_code_1_unless_that_is_allowed(tmp_path, scratch, capsys):
    packed = bz2.compress(export(small_pages()[:12]))
    (tmp_path / "cut.xml.bz2").write_bytes(packed[: len(packed) * 2 // 3])
    job = ["estimate", "gap-sentences", "--input", str(tmp_path / "cut.xml.bz2")]
    assert main(job) == 1
    shown = capsys.readouterr().err
    assert "--allow-truncated" in shown and "Traceback" not in shown and not os.listdir(scratch)
    assert main([*job, "--allow-truncated"]) == 0


@pytest.mark.slow
@pytest.mark.waits
def test_a_signal_leaves_nothing_behind(texts, scratch):
    words = [*COMMAND, "estimate", *JOB, "--input", str(texts)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stderr:
            if "estimate: reading " in line:
                running.send_signal(signal.SIGTERM)
                break
        rest = running.stderr.read()
    assert running.returncode == 128 + signal.SIGTERM and "stopped by SIGTERM" in rest and not os.listdir(scratch)


def test_children_count_while_they_run_and_when_they_have_ended():
    before = processor_seconds()
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        child.stdout.readline()
        assert processor_seconds() - before >= 0.4
    finally:
        child.communicate(b"\n")
    assert processor_seconds() - before >= 0.4


def test_the_seed_decides_which_ranges_are_drawn():
    ranges = [FileRange(key=f"{n:05d}", size=1, file="f", path="f", kind="plain", start=n, end=n + 1) for n in range(9)]
    drawn = {seed: draw(ranges, 4, seed=seed) for seed in (1, 2)}
    assert drawn[1] == draw(ranges[::-1], 4, seed=1) != drawn[2]
    assert all(len(set(chosen)) == 4 for chosen in drawn.values())
    assert {place.key for place in draw(ranges, 99, seed=1)} == {place.key for place in ranges}
