"""The sheet of the split audit: what is drawn, what is judged, and how it is written."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import split_audit
from rules.dataset import ConfigSchema
from rules.discofuse.config import DiscoFuseConfig
from rules.discofuse.reasons import DiscoFuseReason
from rules.discofuse.recipe import COLUMNS
from tests.manifests import made_manifest, shard, write_manifest
from transforms.models import load_model
from transforms.sinks.tfrecord import TfrecordWriter

GOOD = "The old mill was sold to the council in 1901 ."
FRAGMENT = "Sold to the council of the town in 1901 ."


def row(number: int, kind: str, second: str = GOOD) -> dict[str, object]:
    values: dict[str, object] = {c.name: {"float64": 0.0, "int64": 0}.get(c.type, "") for c in COLUMNS}
    return values | {
        "id": f"d-{number:03d}",
        "discourse_type": kind,
        "connective_string": ", and",
        "inputs": "A.\tB.",
        "targets": "A\nand B.",
        "incoherent_first_sentence": GOOD,
        "incoherent_second_sentence": second,
    }


ROWS = [row(i, "PAIR_NONE") for i in range(30)] + [row(30 + i, "SINGLE_RELATIVE", FRAGMENT) for i in range(3)]


def dataset(folder, form: str):
    path = folder / "full" / form / "train-00000-of-00001"
    path.parent.mkdir(parents=True)
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        writer = TfrecordWriter(
            path.open("wb"), ConfigSchema(name="full", columns=COLUMNS, tsv_columns=(), description="")
        )
        for values in ROWS:
            writer.add(list(values.values()), 100)
        writer.close()
    files = (shard(folder, path.relative_to(folder).as_posix(), rows=len(ROWS)),)
    write_manifest(folder, made_manifest(files=files))
    return folder


@pytest.mark.parametrize("form", ["parquet", "tfrecord"])
def test_rows_are_read(tmp_path, form):
    found = list(split_audit.rows_of(dataset(tmp_path, form), "full"))
    assert [r["id"] for r in found] == [r["id"] for r in ROWS]
    assert found[-1]["incoherent_second_sentence"] == FRAGMENT


def test_what_is_no_dataset_is_said(tmp_path):
    with pytest.raises(ValueError, match="not a dataset"):
        list(split_audit.rows_of(tmp_path, "full"))
    with pytest.raises(ValueError, match="'balanced'"):
        list(split_audit.rows_of(dataset(tmp_path, "parquet"), "balanced"))


class TestDraw:
    def test_types_get_even_shares_and_what_one_lacks_goes_to_others(self):
        drawn = split_audit.draw(ROWS, n=12, seed="1")
        assert Counter(r["discourse_type"] for r in drawn) == {"PAIR_NONE": 9, "SINGLE_RELATIVE": 3}

    def test_the_seed_decides_and_order_does_not(self):
        def ids(rows, seed):
            return [r["id"] for r in split_audit.draw(rows, n=12, seed=seed)]

        assert ids(ROWS, "1") == ids(ROWS[::-1], "1") != ids(ROWS, "2")

    def test_more_than_there_are(self):
        assert len(split_audit.draw(ROWS, n=1000, seed="1")) == len(ROWS)
        assert split_audit.draw([], n=10, seed="1") == []


def test_a_fresh_parse_finds_the_fragment():
    found = split_audit.audit(ROWS[-2:], load_model(), DiscoFuseConfig())
    assert all(
        a.checks[0] is None and a.checks[1] in (DiscoFuseReason.NO_VERB, DiscoFuseReason.NO_SUBJECT) for a in found
    )
    assert found[0].failed.startswith("second: NO_")
    assert split_audit.summary(found) == {
        "n": 2,
        "passed": 0,
        "share_passed": 0.0,
        "per_type": {"SINGLE_RELATIVE": 2},
        "failed": {found[0].checks[1].name: 2},
    }


@pytest.mark.parametrize("suffix", ["tsv", "md"])
def test_the_command(tmp_path, suffix):
    folder, out = dataset(tmp_path / "data", "parquet"), tmp_path / f"sheet.{suffix}"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.split_audit", "--dataset", folder, "--n", "6", "--out", out],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    assert (figures["n"], figures["passed"]) == (6, 3)
    text = out.read_text()
    if suffix == "tsv":
        lines = list(csv.DictReader(text.splitlines(), delimiter="\t"))
        assert len(lines) == 6 and lines[0]["original"] == "A and B." and lines[0]["second"] == GOOD
        assert all(line["understandable"] == line["grammatical"] == "" for line in lines)
    else:
        assert text.count("\n- original: A and B.\n") == 6 and text.count("- checks: second: NO_") == 3


@pytest.mark.parametrize("more", [("--n", "0"), ("--out", "sheet.pdf"), ("--config", "tiny")])
def test_a_wrong_command_line(tmp_path, more, capsys):
    with pytest.raises(SystemExit) as stop:
        split_audit.main(["--dataset", str(dataset(tmp_path, "parquet")), *more])
    assert stop.value.code == 2 and more[1] in capsys.readouterr().err
