"""The law of synthetic rows, and which outputs solve a row."""

import pytest

from gistmill.rules.row_invariants import LAWS, laws_of
from gistmill.rules.synthetic import making
from gistmill.rules.synthetic.interpreter import LanguageError
from gistmill.rules.synthetic.making import COLUMNS, fault, solves

ROW = {
    "inputs": "ab __d3__keyword_1__ . cd ef .",
    "targets": "ab __d3__keyword_1__ .",
    "task": "copy-kwd-one-sentence",
    "tasks": ["copy-kwd-one-sentence"],
}
THREE = ["paraphrase-words", "check-keyword", "copy-last-sentence"]
ENSEMBLE = {
    "inputs": "ab __d18__src_0__ . cd ef .",
    "targets": "ab __d18__target_0_2__ . the special word was not found . cd ef .",
    "task": "ensemble",
    "tasks": THREE,
}


def test_a_row_that_keeps_the_law():
    for row in [ROW, ENSEMBLE]:
        assert set(row) == set(COLUMNS) and fault(row) is None, row


def test_a_row_that_breaks_it():
    for row, change, said in [
        (ROW, {"targets": "cd ef ."}, "copy-kwd-one-sentence says 'ab __d3__keyword_1__ .', and there is 'cd ef .'"),
        (ROW, {"targets": "ab __d3__keyword_1__ . "}, "after the last summary there is ''"),
        (ROW, {"inputs": "ab cd ."}, "the document has 0 keywords of copy-kwd-one-sentence, not 1"),
        (ROW, {"tasks": []}, "the tasks of copy-kwd-one-sentence are none"),
        (ROW, {"tasks": ["check-keyword"]}, "the tasks of copy-kwd-one-sentence are check-keyword"),
        (ROW, {"task": "copy", "tasks": ["copy"]}, "the document is of the unknown task 'copy'"),
        (ROW, {"tasks": None}, "are not texts, or that of tasks is not a list"),
        (ROW, {"inputs": None}, "are not texts, or that of tasks is not a list"),
        (ENSEMBLE, {"tasks": THREE[:2]}, "a row of the ensemble has 3 tasks, not 2"),
        (ENSEMBLE, {"tasks": [*THREE[:2], THREE[0]]}, "the document is of no task, or of one twice"),
        (ENSEMBLE, {"tasks": [*THREE[:2], None]}, "is of the unknown task None"),
        (ENSEMBLE, {"tasks": THREE[::-1]}, "copy-last-sentence says 'cd ef .', and there is 'ab __d18__"),
    ]:
        found = fault({**row, **change})
        assert found is not None and said in found and "\n" not in found, row


def test_what_solves_a_row():
    assert solves(ROW, " ab  __d3__keyword_1__ .\n") and not solves(ROW, "ab __d3__keyword_1__ . cd ef .")
    assert solves(ENSEMBLE, ENSEMBLE["targets"].replace("0_2", "0_0")) and not solves(ENSEMBLE, ROW["targets"])
    step = {"inputs": "cd . ab .", "targets": "ab . cd .", "tasks": []}
    assert solves(step, "ab . cd .\n") and not solves(step, "cd . ab .")
    with pytest.raises(LanguageError, match="has 0 keywords"):
        solves({**ROW, "inputs": "ab ."}, "ab .")


def test_laws_are_for_the_rows_that_have_their_columns():
    (found,) = laws_of(["id", *COLUMNS])
    assert found[0].fault is making.fault and set(COLUMNS) <= set(found[1])
    assert not list(laws_of(["id", "inputs", "targets", "task"]))
    assert len(LAWS) == len({entry.columns for entry in LAWS})
