"""``gistmill estimate`` by the real command, on small inputs."""

import bz2
import dataclasses
import json
import os
import random
import signal
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from benchmarks.slice import slice_path
from gistmill.core.sampling import chances, draw
from gistmill.pipelines.cli import main
from gistmill.pipelines.estimate.sample import EstimateConfig, try_sample
from gistmill.pipelines.job import configure
from gistmill.rules.recipes import RECIPES
from tests.commands import COMMAND, gistmill
from tests.dumps import export, of_namespace, page_id, small_pages

EXAMPLE = Path(__file__).parents[3] / "deploy" / "prices.example.yaml"
NOUNS = "otter river stone market engine letter garden window captain harvest".split()
JOB = ("gap-sentences", "--source", "jsonl", "--deduplicate", "none", "--languages", "any", "--formats", "parquet")


def written(path, *, documents):
    """Documents of 1 to 30 sentences; those under three are rejected."""
    chance = random.Random(7)
    with open(path, "w", encoding="utf-8") as lines:
        for number in range(documents):
            sentences = [
                f"The {chance.choice(NOUNS)} saw the {chance.choice(NOUNS)} near {chance.choice(NOUNS)} {n} today."
                for n in range(chance.randint(1, 30))
            ]
            lines.write(json.dumps({"id": str(number), "title": "T", "text": " ".join(sentences)}) + "\n")
    return path


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    return written(tmp_path_factory.mktemp("texts") / "texts.jsonl", documents=600)


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
    rows = sum(counts["rows/default"].values())
    found = estimated(capsys, *JOB, "--input", texts, "--output", tmp_path / "not-there", "--sample-share", 0.2)
    value, low, high = found["rows"]["default"]
    assert value == pytest.approx(rows, rel=0.1) and low <= rows <= high < 1.4 * rows
    assert found["counts"]["documents/read"] == [600, 600, 600] and found["looked"]
    rejected = sum(counts["documents/rejected"].values())
    assert rejected and found["counts"]["documents/used"][0] == pytest.approx(600 - rejected, rel=0.15)
    assert found["dataset_bytes"][0] > 50_000
    assert 10 < found["ranges_sampled"] < found["ranges"] and found["share_sampled"] == pytest.approx(0.2, abs=0.03)
    assert found["memory_bytes"] > 50_000_000 and found["work_seconds"][0] > 0
    assert not (tmp_path / "not-there").exists() and not os.listdir(scratch)


@pytest.mark.slow
def test_the_seed_decides_the_sample_and_a_sample_of_all_is_exact(texts, capsys):
    job = (*JOB, "--input", texts, "--limit", 60)
    ten = [estimated(capsys, *job, "--sample-ranges", 10, "--sample-seed", seed)["counts"] for seed in (3, 3, 4)]
    assert ten[0] == ten[1] != ten[2]
    whole = estimated(capsys, *job, "--sample-ranges", 1000)
    assert all(value == low == high for value, low, high in whole["rows"].values())
    assert (
        whole["ranges"] == whole["ranges_sampled"] and "All ranges were read: counts are exact." in whole["assumptions"]
    )


@pytest.mark.slow
def test_pages_of_other_namespaces_count_as_read(tmp_path, capsys):
    chosen = [p for page in small_pages() for p in (page, of_namespace(page, 1, 1_000_000 + page_id(page)))]
    (tmp_path / "all.xml").write_bytes(export(chosen))
    found = estimated(capsys, "articles", "--input", tmp_path / "all.xml", "--sample-ranges", 20)
    assert found["looked"] and found["ranges_sampled"] < found["ranges"]
    assert found["counts"]["documents/read"] == [len(chosen)] * 3


@pytest.mark.slow
def test_rows_that_are_left_out_do_not_count(texts, capsys):
    found = estimated(
        capsys, *JOB, "--input", texts, "--limit", 100, "--rows", "20,0,0", "--look-bytes", 0, "--sample-ranges", 40
    )
    assert found["rows"]["default"] == [20, 20, 20] and not found["looked"]
    assert found["counts"]["rows/default/train"][0] > 20
    assert any("--rows" in line for line in found["assumptions"])


@pytest.mark.slow
def test_rows_are_sampled_as_documents_are(tmp_path, capsys):
    lines = [{"id": str(n), "inputs": f"{n} otters . they swim .", "targets": "otters swim ."} for n in range(300)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = estimated(capsys, "curriculum", "--input", tmp_path / "pairs.jsonl", "--sample-share", 0.2)
    assert found["rows"]["default"] == pytest.approx([300, 300, 300], rel=0.05)
    assert found["counts"]["documents/read"][0] == 300 and found["ranges_sampled"] < found["ranges"]


def test_a_table_says_time_and_price_for_machines_runners_and_workers(tmp_path):
    dump = tmp_path / "small.xml.bz2"
    dump.write_bytes(bz2.compress(export(small_pages())))
    job = ("gap-sentences", "--config", "gap-sentences", "--input", dump, "--sample-share", "0.5")
    done = gistmill("estimate", *job, "--for-workers", "1,64", "--prices", EXAMPLE, "--runner", "FlinkRunner")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[:3] for line in lines if "x" in line] == [
        ["1", "1", "x"],
        ["64", "8", "x"],
        ["1", "1", "x"],
        ["64", "1", "x"],
    ]
    assert "price EUR" in done.stdout and "rows of default" in done.stdout
    assert done.stderr.count("ranges are read") == 1 and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the job first"),
        (["--input", "x"], "name the job first"),
        (["discofus", "--input", "x"], "unknown job 'discofus'"),
        (["discofuse", "--input", "/no/such/file.xml"], "no input file matches"),
        (["discofuse"], "--input is required"),
        (["discofuse", "--input", "x", "--sample-share", "2"], "--sample-share: expected"),
        (["discofuse", "--input", "x", "--sample-shares", "0.2"], "unknown option --sample-shares"),
        (["discofuse", "--input", "x", "--sample-share", "0.2", "--sample-ranges", "3"], "not both"),
        (["discofuse", "--input", "x", "--machine", "large"], "--prices"),
        (["discofuse", "--input", "x", "--prices", str(EXAMPLE), "--machine", "lage"], "large"),
        (["discofuse", "--input", "x", "--temp-dir", "/no/such/folder"], "--temp-dir"),
        (["synthetic", "--tasks", "sr"], "nothing to sample"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_code_2(arguments, said, capsys):
    assert main(["estimate", *arguments]) == 2
    shown = capsys.readouterr().err.strip()
    assert said in shown and "\n" not in shown


def test_an_input_that_is_not_a_dump_is_code_2(tmp_path, capsys, scratch):
    (tmp_path / "dump.xml").write_text("not XML at all")
    assert main(["estimate", "discofuse", "--input", str(tmp_path / "dump.xml")]) == 2
    assert "dump.xml" in capsys.readouterr().err and not os.listdir(scratch)


@pytest.mark.slow
def test_a_damaged_input_is_code_1_unless_that_is_allowed(tmp_path, scratch, capsys):
    packed = bz2.compress(export(small_pages()[:12]))
    (tmp_path / "cut.xml.bz2").write_bytes(packed[: len(packed) * 2 // 3])
    job = ["estimate", "gap-sentences", "--input", str(tmp_path / "cut.xml.bz2"), "--sample-ranges", "1000"]
    assert main(job) == 1
    shown = capsys.readouterr().err
    assert "--allow-truncated" in shown and "Traceback" not in shown and not os.listdir(scratch)
    assert main([*job, "--allow-truncated"]) == 0


@pytest.mark.slow
@pytest.mark.waits
def test_a_signal_leaves_nothing_behind(texts, scratch):
    words = [*COMMAND, "estimate", *JOB, "--input", str(texts), "--sample-ranges", "1000"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stderr:
            if "ranges are read" in line:
                running.send_signal(signal.SIGTERM)
                break
        rest = running.stderr.read()
    assert running.returncode == 128 + signal.SIGTERM and "stopped by SIGTERM" in rest and not os.listdir(scratch)


def test_help_explains_the_options(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["estimate", "--help"])
    shown = capsys.readouterr().out
    assert ended.value.code == 0 and "--sample-share" in shown and "gistmill estimate discofuse" in shown


@pytest.mark.long
def test_a_tenth_of_the_slice_says_the_rows_of_all_of_it(tmp_path):
    """One trial over all ranges says what each range gives, so that none of 200 samples has to be run."""
    dump = tmp_path / "slice.xml"
    dump.write_bytes(bz2.decompress(slice_path().read_bytes()))  # plain XML is cut finer than blocks of bz2
    config = configure(RECIPES["discofuse"], {"input": str(dump), "output": "none"})
    trial = try_sample(config, EstimateConfig(sample_ranges=1 << 40, look_bytes=1 << 40), beam=[])
    rows = np.array(
        [sum(n for name, n in r.counts.items() if name.startswith("rows/full/")) for r in trial.ranges], np.float64
    )
    sizes, of_rows = trial.drawn.sample.sizes.tolist(), trial.drawn.of_rows
    chance, near, held = chances(sizes, share=0.1), 0, 0
    for seed in range(200):
        drawn = draw(sizes, chance, seed=seed)
        made = dataclasses.replace(of_rows, sizes=of_rows.sizes[drawn], chance=chance[drawn]).estimate(rows[drawn])
        near += abs(made.value / rows.sum() - 1) < 0.1
        held += made.low <= rows.sum() <= made.high
    assert near >= 180 and held >= 180
