"""The benchmarks run, and end in a line of JSON. Their figures are not asserted: machines are noisy."""

import bz2
import json
import subprocess
import sys

import pytest

from benchmarks.measuring import watch
from tests.dumps import export, small_pages


def run(module, *arguments, code=0):
    """The last line of a benchmark; it has to end with the code, where one is given."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{module}", *map(str, arguments)], capture_output=True, text=True
    )
    assert code in (None, done.returncode), done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """An export of short articles."""
    path = tmp_path_factory.mktemp("export") / "small.xml.bz2"
    path.write_bytes(bz2.compress(export(small_pages())))
    return path


def test_the_disk_at_its_peak(tmp_path):
    code = "import os, sys, time; f = open('big', 'wb'); f.write(bytes(5_000_000)); f.flush(); time.sleep(0.5); os.unlink('big')"
    assert (
        watch([sys.executable, "-c", f"import os; os.chdir({str(tmp_path)!r}); {code}"], folder=tmp_path).peak_disk
        == 5_000_000
    )


@pytest.mark.slow
def test_the_stages_are_measured(small):
    rows = run("pipeline", "--input", small, "--documents", 3, "--rounds", 1)
    language = ["annotate", "annotate, plain way", "coreference", "rules", "annotate to rows"]
    assert [r["stage"] for r in rows] == ["read", "clean", *language]
    assert all(r["rate"] > 0 for r in rows)


@pytest.mark.long
def test_whole_commands_are_measured():
    made = run("commands", "--pages", 8, "--stubs", 20, "--jobs", "annotate,gap-sentences")
    assert [r["job"] for r in made["rows"]] == ["annotate", "gap-sentences"]
    assert all(r["start_seconds"] > 0.5 and r["peak_bytes"] > 1e8 and r["disk_bytes"] > 0 for r in made["rows"])
    assert made["amounts"]["pages"] == 8 and made["stub_words"] == 11 * 20 and made["stock_seconds"] > 0


@pytest.mark.slow
def test_the_speed_of_recipes_is_measured():
    rows = run("recipes", "--rounds", 1, "--documents", 50, "--only", "s")["rows"]
    names = {row["recipe"] for row in rows}
    assert {"gap-sentences, whole", "lead-bias, 660 words", "synthetic ensemble", "augment, the parse"} <= names
    assert {"propositions, the parse", "propositions, the statements"} <= names
    assert all(row["per_second"] > 0 for row in rows)
    assert {row["unit"] for row in rows if row["in_beam"]} == {"articles", "documents"}


@pytest.mark.long
def test_the_speed_of_two_workers_is_measured(small):
    rows = run("scaling", "--input", small)["rows"]
    assert [row["workers"] for row in rows] == [1, 2]
    assert all(row["start_cpu_seconds"] > 0.5 for row in rows)
