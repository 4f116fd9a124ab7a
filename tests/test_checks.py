"""The table of checks: what counts as one, that recording changes nothing, and what comes when one is taken out."""

from __future__ import annotations

import ast
import csv
import inspect
import json
import re
import signal
import subprocess
import sys
import textwrap

import pytest

import gistmill
from benchmarks import check_calls, check_effects, check_sites, checks
from benchmarks.check_effects import Effect, Made, Recorder, replaced
from benchmarks.check_sites import Source, code_without, of_source, recorded
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.splitter import Splitter

CONFIG = DiscoFuseConfig()
# the last has a clause that a report covers, which is refused
TEXT = (
    "Ada Grey, a painter from Rome, sold the old mill in 1901. She moved to Paris and she opened a school there. "
    "The school was old, but the pupils were happy with it. However, the council closed the school in 1910. "
    "Lee said that the mill, which stood in a field, was old and the council had bought it."
)


def bad_number(n: int, odd: bool = False) -> bool:
    if n < 0 or n > 100:
        return True
    if n == 50:
        return True
    for k in range(n):
        if k == 7:
            break
    return odd or n == 13


def found_number(n: int) -> int | None:
    if n < 0:
        return None
    return n


def source(function, kind="bool"):
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    return Source("numbers", f"numbers.{function.__name__}", function, tree, kind)


def by_text(function):
    return {check.text: check for check in of_source(source(function)) if check.kind == "way"}


@pytest.fixture(scope="module")
def document():
    return gistmill.recipes.annotate(TEXT, title="Ada Grey")


@pytest.fixture(scope="module")
def units(document):
    return list(check_effects.units([document], CONFIG))


def test_ways_are_operands_and_statements_below_an_if():
    assert list(by_text(bad_number)) == [
        "n < 0",
        "n > 100",
        "if n == 50: return True",
        "if k == 7: break",
        "odd",
        "n == 13",
    ]


def test_a_function_is_a_check_by_what_it_returns():
    assert [check_sites.kind_of(r) for r in ("bool", "Reason | None", "int | None", "int", "")] == [
        "bool",
        "reason",
        "found",
        "",
        "",
    ]


def test_a_function_that_is_taken_out_answers_no():
    whole = of_source(source(bad_number))[0]
    with replaced(code_without([whole])):
        assert bad_number(-1) is False and bad_number(50, odd=True) is False
    assert bad_number(-1) and bad_number(50, odd=True)
    with replaced(code_without([of_source(source(found_number, "found"))[0]])):
        assert found_number(3) is None
    assert found_number(3) == 3


@pytest.mark.parametrize(
    ("way", "spared", "still"),
    [("n < 0", -1, 101), ("if n == 50: return True", 50, -1), ("n == 13", 13, 50)],
)
def test_a_way_that_is_taken_out_no_longer_decides(way, spared, still):
    with replaced(code_without([by_text(bad_number)[way]])):
        assert not bad_number(spared)
        assert bad_number(still)
    assert bad_number(spared)


def test_several_ways_are_taken_out_at_once():
    found = by_text(bad_number)
    with replaced(code_without([found["n < 0"], found["n == 13"]])):
        assert not bad_number(-1) and not bad_number(13) and bad_number(50)


def test_code_comes_back_after_an_error():
    before = bad_number.__code__
    with pytest.raises(RuntimeError), replaced(code_without([of_source(source(bad_number))[0]])):
        raise RuntimeError
    assert bad_number.__code__ is before


def test_recorded_code_reports_what_decides():
    told = []
    bad_number.__globals__[check_sites.RECORD] = lambda name, answer: told.append((name, answer)) or answer
    with replaced([(bad_number, recorded(source(bad_number)))]):
        assert bad_number(50) and bad_number(3, odd=True) and not bad_number(3)
    decided = [name for name, answer in told if answer]
    assert decided == ["numbers.bad_number:3", "numbers.bad_number:5"]


def test_rows_that_come_change_and_go_are_told_apart():
    a, b, c = (Made("PAIR_CONN", "but", text, "B .") for text in "ABC")
    effect = Effect()
    assert effect.add(frozenset({a}), frozenset({a, b})) == {b}
    assert effect.add(frozenset({a}), frozenset({b})) == frozenset()
    assert effect.add(frozenset({a, b}), frozenset({c})) == frozenset()
    effect.add(frozenset({a}), None)
    assert (effect.gained, effect.changed, effect.lost, effect.broken) == (1, 2, 1, 1)
    assert Effect().is_none and not effect.is_none


def effect_of(check, at):
    effect = Effect()
    found = next(c for c in check_sites.checks() if c.id == check)
    check_effects.without([found], at, CONFIG, effect, keep=1)
    return effect


def test_recording_counts_and_leaves_the_rows_as_they_are(units):
    effects = {check.id: Effect() for check in check_sites.checks()}
    fired = Recorder(check_sites.sources(), effects).record(units, Splitter(CONFIG))
    assert sum(len(unit.rows) for unit in units) >= 6
    assert effects["splitter._problem_of_end"].asked > effects["splitter._problem_of_end"].fires == 0
    assert effects["verdicts.balanced"].asked == effects["verdicts.balanced"].fires > 0
    assert [("coordination.conjunct_problems.problem_of_conjunct" in names) for names in fired].count(True) == 1
    assert [check_effects.judge(unit, Splitter(CONFIG)) for unit in units] == [unit.rows for unit in units]


def test_a_row_comes_without_the_one_check_that_refuses_it(units):
    effect = effect_of("coordination.conjunct_problems.problem_of_conjunct", units)
    assert (effect.gained, effect.changed, effect.lost, effect.broken) == (1, 0, 0, 0)
    assert effect.role == "refuses"
    (unit, row), *_ = effect.examples
    assert row.first.startswith("Lee said that") and len(unit.parses) == 1


def test_rows_go_without_a_check_that_lets_them_pass(units):
    effect = effect_of("verdicts.ends_as_sentence", units)
    assert effect.lost == sum(len(unit.rows) for unit in units)
    assert (effect.gained, effect.role, effect.examples) == (0, "lets pass", [])


def test_a_check_that_refuses_nothing_has_no_effect(units):
    assert effect_of("verdicts._dangles", units).role == "none"


def test_a_loop_without_an_end_is_given_up(units, monkeypatch):
    def endless(*_, **__):
        while True:
            pass

    monkeypatch.setattr(check_effects, "_LONGEST", 0.05)
    monkeypatch.setattr(check_effects, "judge", endless)
    effect = effect_of("verdicts.balanced", units)
    assert effect.broken == 2 < len(units)


def test_a_check_without_which_the_rules_fail_is_counted_as_broken(units):
    effect = effect_of("pair_connective._initial:1", units)
    assert effect.broken and effect.role == "needed" and not effect.is_none


def test_callers_are_found_across_modules_and_useless_helpers_with_them(tmp_path):
    (tmp_path / "a.py").write_text(
        "from gistmill.rules.discofuse.b import helper\n"
        "def check(n):\n    return helper(n) and _own(n)\n"
        "def _own(n):\n    return _deep(n)\n"
        "def _deep(n):\n    return n\n"
        "TABLE = (check,)\n"
    )
    (tmp_path / "b.py").write_text(
        "from gistmill.rules.discofuse import a as other\n"
        "def helper(n):\n    return n\ndef user(n):\n    return helper(n) or other.check(n)\n"
    )
    named = check_calls.calls(tmp_path)
    assert named["b.helper"] == {"a.check", "b.user"}
    assert named["a.check"] == {"a.", "b.user"}
    assert named["b.user"] == frozenset()
    assert check_calls.useless({"a.check"}, named) == {"a._own", "a._deep"}
    assert check_calls.useless({"b.user"}, named) == set()  # b.helper has another caller


def test_every_function_of_the_rules_has_a_caller_but_the_public_ones():
    named = check_calls.calls()
    alone = [name for name, at in named.items() if not at]
    assert not [name for name in alone if name.rpartition(".")[2].startswith("_") and not name.endswith("__")]


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


def test_the_command_writes_a_table_and_rows(annotated, tmp_path):
    table, rows = tmp_path / "checks.csv", tmp_path / "rows.jsonl"
    assert checks.main([str(annotated), "--output", str(table), "--rows", str(rows), "--words", "1"]) == 0
    first, *lines = table.read_text().splitlines()
    assert first.startswith("# python -m benchmarks.checks, conventions extended, annotated: 1 documents, ")
    found = {line["check"]: line for line in csv.DictReader(lines)}
    assert found["splitter._problem_of_end"]["callers"] == "1"
    assert found.keys() == {check.id for check in check_sites.checks()}
    assert all(line["check"] == "" or line["first"] for line in map(json.loads, rows.read_text().splitlines()))


def test_a_folder_without_a_dataset_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        checks.main([str(tmp_path), "--output", str(tmp_path / "checks.csv")])
    assert ended.value.code == 2
    assert "not a dataset" in capsys.readouterr().err
