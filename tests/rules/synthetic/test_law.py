"""The law of synthetic rows, on rows written by hand, and which outputs solve a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.row_invariants import LAWS, invariants_of
from gistmill.rules.synthetic import law
from gistmill.rules.synthetic.interpreter import LanguageError
from gistmill.rules.synthetic.law import COLUMNS, problem, solves

MASK = "<extra_id_0>"
WORDS = [f"w{n}" for n in range(400)]


def row(task, inputs, targets, **more):
    return {"inputs": inputs, "targets": targets, "task": task, "tasks": [], **more}


def masked(task="mdg", start=5, length=110, **changes):
    """A document of one long sentence, whose run has masks at every even place and a foreign word first."""
    words = WORDS[:300]
    run = ["zz", *(MASK if n % 2 else word for n, word in enumerate(words[start + 1 : start + length]))]
    head, tail = " ".join(words[:start]) + " ", " " + " ".join(words[start + length :]) + " ."
    hidden = " ".join(words[start : start + length])
    targets = f"{head}{hidden}{tail}" if task == "mdg" else hidden
    given = {"mask_start": start, "mask_length": length, "before": len(head), "after": len(tail)}
    return row(task, f"{head}{' '.join(run)}{tail}", targets, **{**given, **changes})


ORDER = row("sr", "b . c c . a .", "a . b . c c .", permutation=[2, 0, 1])
NUMBERS = row("sr-adjusted", "b . c c . a .", "2 0 1", permutation=[2, 0, 1])
OVERLAPPING = row("mdg", f"x a b {MASK} a b .", "x a b .", mask_length=100, before=5, after=5)
HALVES = row("nsg", "a b . c", "d . e")


def test_a_row_that_keeps_the_law():
    for kept in [
        ORDER,
        NUMBERS,
        row("sr", "a .", "a .", permutation=[0]),
        HALVES,
        row("nsg", "a b", ". e ."),
        row("nsg", " ".join(["a"] * 512), " ".join(["a"] * 256)),
        masked(),
        masked("mdg-adjusted"),
    ]:
        assert problem(kept) is None, kept


def test_a_row_that_breaks_it():
    for kept, change, said in [
        (ORDER, {"permutation": [2, 0]}, "the permutation is not one of the 3 sentences"),
        (ORDER, {"permutation": [2, 0, 0]}, "the permutation is not one of the 3 sentences"),
        (ORDER, {"permutation": [3, 1, 2]}, "the permutation is not one of the 3 sentences"),
        (ORDER, {"permutation": None}, "the permutation is not one of the 3 sentences"),
        (ORDER, {"permutation": [2, 0, None]}, "the permutation is not one of the 3 sentences"),
        (ORDER, {"permutation": [1, 2, 0]}, "the permutation does not make the targets"),
        (ORDER, {"targets": "a . b . c ."}, "the permutation does not make the targets"),
        (ORDER, {"inputs": "b . c __d3__keyword_1__ . a ."}, "contains keywords"),
        (ORDER, {"inputs": "b . c c . a"}, "does not end with a sentence"),
        (ORDER, {"inputs": f"{'a ' * 562}."}, "has 563 words; the limit is 562 tokens"),
        (NUMBERS, {"targets": "1 2 0"}, "the permutation does not make the targets"),
        (NUMBERS, {"tasks": ["sr"]}, "the tasks of sr-adjusted are sr"),
        (HALVES, {"targets": ""}, "the targets have 0 words"),
        (HALVES, {"inputs": "a " * 513}, "the inputs have 513 words"),
        (HALVES, {"targets": "a " * 257}, "the targets have 257 words"),
        (HALVES, {"inputs": "a  b"}, "is not one line"),
        (HALVES, {"inputs": "a . ."}, "has a sentence without words"),
        (masked(), {"mask_length": 99}, "the run has 54 masks, and its length is 99"),
        (masked(), {"mask_length": 256}, "and its length is 256"),
        (masked(), {"before": None}, "before and after are not characters"),
        (masked(), {"before": -1}, "before and after are not characters"),
        (masked(), {"after": 10**6}, "before and after are not characters"),
        (masked(), {"targets": "a b ."}, "the targets are not the inputs outside"),
        (masked(), {"targets": masked()["targets"][:-2] + " x ."}, "the targets are not the inputs outside"),
        (masked(), {"targets": "x " + masked()["targets"]}, "the targets are not the inputs outside"),
        (OVERLAPPING, {}, "the targets are not the inputs outside"),
        (masked(), {"targets": masked()["inputs"]}, f"contains {MASK}, which is not a word"),
        (masked("mdg-adjusted"), {"targets": "a . ."}, "has a sentence without words"),
        (masked("mdg-adjusted"), {"targets": f"a {MASK}"}, f"contains {MASK}, which is not a word"),
        (masked(), {"inputs": masked()["targets"]}, "nothing in the run is masked"),
    ]:
        found = problem({**kept, **change})
        assert found is not None and said in found, kept


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=2, max_size=8), st.randoms())
def test_any_permutation_restores(sentences, chance):
    original = [" ".join([*words, "."]) for words in sentences]
    order = list(range(len(original)))
    chance.shuffle(order)
    inputs = [""] * len(order)
    for sentence, place in zip(original, order, strict=True):
        inputs[place] = sentence
    kept = row("sr", " ".join(inputs), " ".join(original), permutation=order)
    assert problem(kept) is None
    assert problem({**kept, "targets": " ".join([*original[1:], original[0] + " x ."])}) is not None


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


def test_a_document_that_keeps_the_law_or_breaks_it():
    for row, change, said in [
        (ROW, {}, None),
        (ENSEMBLE, {}, None),
        (ROW, {"targets": "cd ef ."}, "copy-kwd-one-sentence says 'ab __d3__keyword_1__ .', and there is 'cd ef .'"),
        (ROW, {"targets": "ab __d3__keyword_1__ . "}, "after the last summary there is ''"),
        (ROW, {"inputs": "ab cd ."}, "the document has 0 keywords of copy-kwd-one-sentence, not 1"),
        (ROW, {"tasks": []}, "the tasks of copy-kwd-one-sentence are none"),
        (ROW, {"tasks": ["check-keyword"]}, "the tasks of copy-kwd-one-sentence are check-keyword"),
        (ROW, {"task": "copy", "tasks": ["copy"]}, "the document has the unknown task 'copy'"),
        (ROW, {"tasks": None}, "are not texts, or that of tasks is not a list"),
        (ROW, {"inputs": None}, "are not texts, or that of tasks is not a list"),
        (ENSEMBLE, {"tasks": THREE[:2]}, "a row of the ensemble has 3 tasks, not 2"),
        (ENSEMBLE, {"tasks": [*THREE[:2], THREE[0]]}, "the document has no task, or one twice"),
        (ENSEMBLE, {"tasks": [*THREE[:2], None]}, "has the unknown task None"),
        (ENSEMBLE, {"tasks": THREE[::-1]}, "copy-last-sentence says 'cd ef .', and there is 'ab __d18__"),
    ]:
        found = problem({**row, **change})
        assert found is said is None or (said in found and "\n" not in found), row


def test_what_solves_a_row():
    assert solves(ROW, " ab  __d3__keyword_1__ .\n") and not solves(ROW, "ab __d3__keyword_1__ . cd ef .")
    assert solves(ENSEMBLE, ENSEMBLE["targets"].replace("0_2", "0_0")) and not solves(ENSEMBLE, ROW["targets"])
    step = {"inputs": "cd . ab .", "targets": "ab . cd .", "tasks": []}
    assert solves(step, "ab . cd .\n") and not solves(step, "cd . ab .")
    with pytest.raises(LanguageError, match="has 0 keywords"):
        solves({**ROW, "inputs": "ab ."}, "ab .")


def test_laws_are_for_the_rows_that_have_their_columns():
    (found,) = invariants_of(["id", *COLUMNS])
    assert found[0].problem is law.problem and set(COLUMNS) <= set(found[1])
    assert not list(invariants_of(["id", "inputs", "targets", "task"]))
    assert len(LAWS) == len({entry.columns for entry in LAWS})
