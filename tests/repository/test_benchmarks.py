"""The benchmarks run, and end in a line of JSON. Their figures are not asserted: machines are noisy."""

import bz2
import gzip
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
    assert made["amounts"]["pages"] == 8 and made["stub_words"] == 11 * 20


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


@pytest.mark.slow
def test_articles_of_web_pages_are_measured_on_each_set(tmp_path):
    prose = [f"The mayor opened bridge number {n} on Tuesday, and said that it was built for good." for n in range(9)]
    page = f"<html><body><article>{''.join(f'<p>{p}</p>' for p in prose)}</article><p>Share</p></body></html>"
    packed, url, snippets = (
        gzip.compress(page.encode()),
        "https://a.example/x",
        {"with": prose[:2], "without": ["Share"]},
    )
    gold = {"url": url, "ground_truth": {"main_content": "\n\n".join(prose), **snippets}}
    for path, data in {
        "dev/ground-truth/1.json": json.dumps(gold).encode(),
        "dev/html/1.html.gz": packed,
        "ground-truth.json": json.dumps({"1": {"url": url, "articleBody": "\n".join(prose)}}).encode(),
        "html/1.html.gz": packed,
        "tests/evaldata.json": json.dumps({url: {"file": "x.html", **snippets}}).encode(),
        "tests/cache/x.html": page.encode(),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    for name in ("wcxb", "zyte", "trafilatura"):
        figures = run("extraction", "--set", name, "--data", tmp_path)
        assert figures["whole article"]["F1"] == figures["prose"]["F1"] == 1, name
    figures = run("extraction", "--set", "wcxb", "--data", tmp_path, "--rules")
    assert figures["without none"]["F1"] == figures["without credits"]["F1"] == 1
