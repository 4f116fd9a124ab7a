"""The table of checks: that recording changes nothing, and what comes when one is taken out."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys

import pytest

import gistmill
from benchmarks import check_effects, checks
from benchmarks.check_effects import Effect, Made
from benchmarks.check_tables import tables, with_predicates, without
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.splitter import Splitter

CONFIG = DiscoFuseConfig()
ALONE = "clause.shared-auxiliary"
TEXT = (
    "Ada Grey, a painter from Rome, sold the old mill in 1901. She moved to Paris and she opened a school there. "
    "The school was old, but the pupils were happy with it. However, the council closed the school in 1910. "
    "The old mill was sold and the whole old family displaced."
)


@pytest.fixture(scope="module")
def units():
    return list(check_effects.units([gistmill.recipes.annotate(TEXT, title="Ada Grey")], CONFIG))


def test_rows_that_come_change_and_go_are_told_apart():
    a, b, c = (Made("PAIR_CONN", "but", text, "B .") for text in "ABC")
    effect = Effect()
    assert effect.add(frozenset({a}), frozenset({a, b})) == {b}
    assert effect.add(frozenset({a}), frozenset({b})) == frozenset()
    assert effect.add(frozenset({a, b}), frozenset({c})) == frozenset()
    assert (effect.alone, effect.changed, effect.lost) == (1, 2, 1)


def test_recording_counts_and_leaves_the_rows_as_they_are(units):
    effects = {check.id: Effect() for table in tables() for check in table.checks}
    held = check_effects.record(units, CONFIG, effects)
    assert sum(len(unit.rows) for unit in units) >= 6
    assert effects[ALONE].asked > effects[ALONE].refuses == 1
    assert [ALONE in ids for ids in held].count(True) == 1
    assert [check_effects.judge(unit, Splitter(CONFIG)) for unit in units] == [unit.rows for unit in units]


def test_a_row_comes_without_the_one_check_that_refuses_it(units):
    effect = Effect()
    check_effects.take_out(ALONE, units, CONFIG, effect, keep=1)
    assert (effect.alone, effect.changed, effect.lost) == (1, 0, 0)
    (unit, row), *_ = effect.examples
    assert row.second.startswith("The whole old family") and len(unit.parses) == 1


def test_the_predicates_come_back_after_an_error():
    before = tables()
    with pytest.raises(RuntimeError), without(ALONE):
        assert tables() != before
        raise RuntimeError
    assert tables() == before


def test_each_check_is_in_one_table_and_can_be_given_an_answer(units):
    with with_predicates(lambda check: lambda parse, match: True):
        made = [check_effects.judge(unit, Splitter(CONFIG)) for unit in units]
    assert sum(map(len, made)) < sum(len(unit.rows) for unit in units)


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    """A dataset of three documents of `gistmill annotate`."""
    folder = tmp_path_factory.mktemp("checks")
    lines = [
        json.dumps({"id": f"ada-{n}", "title": "Ada Grey", "text": TEXT.replace("1901", str(1901 + n))}) + "\n"
        for n in range(3)
    ]
    (folder / "texts.jsonl").write_text("".join(lines))
    command = [sys.executable, "-m", "gistmill", "annotate", "--source", "jsonl", "--quiet", "--deduplicate", "none"]
    command += ["--input", str(folder / "texts.jsonl"), "--output", str(folder / "annotated")]
    subprocess.run(command, check=True)
    return folder / "annotated"


def test_documents_are_taken_whole_until_there_are_enough_words(annotated):
    one = checks.read([annotated], most=1)
    three = checks.read([annotated], most=10_000)
    assert len(one) == 1 and len(three) == 3
    assert one[0].id == three[0].id
    assert checks.words(one[0]) == len(re.findall(r"\w+", TEXT))


def test_the_table_holds_what_was_measured_before_an_interrupt(annotated, tmp_path, monkeypatch):
    measure = checks.Measured.measure

    def interrupted(self, documents):
        signal.raise_signal(signal.SIGINT)
        measure(self, documents)

    monkeypatch.setattr(checks, "_WORDS_AT_ONCE", 1)
    monkeypatch.setattr(checks.Measured, "measure", interrupted)
    table = tmp_path / "checks.csv"
    assert checks.main([str(annotated), "--output", str(table)]) == 0
    assert ": 1 documents, " in table.read_text().splitlines()[0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_command_writes_a_table_rows_and_a_page(annotated, tmp_path):
    table, rows, page = tmp_path / "checks.csv", tmp_path / "rows.jsonl", tmp_path / "checks.md"
    given = [str(annotated), "--output", str(table), "--rows", str(rows), "--page", str(page), "--words", "1"]
    assert checks.main(given) == 0
    first, *lines = table.read_text().splitlines()
    assert first.startswith("# python -m benchmarks.checks, conventions extended, annotated: 1 documents, ")
    found = {line["check"]: line for line in csv.DictReader(lines)}
    assert found[ALONE]["alone"] == "1"
    assert found.keys() == {check.id for table in tables() for check in table.checks}
    written = list(map(json.loads, rows.read_text().splitlines()))
    assert any(line["check"] == ALONE for line in written) and all(line["first"] for line in written)
    assert f"| `{ALONE}` | `SHARED_PART` |" in page.read_text()


def test_a_folder_without_a_dataset_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        checks.main([str(tmp_path), "--output", str(tmp_path / "checks.csv")])
    assert ended.value.code == 2
    assert "not a dataset" in capsys.readouterr().err
