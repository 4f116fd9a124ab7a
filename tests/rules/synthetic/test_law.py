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
        (ORDER, {"permutation": [2, 0]}, "permutation must be a permutation of the 3 sentences"),
        (ORDER, {"permutation": [2, 0, 0]}, "permutation must be a permutation of the 3 sentences"),
        (ORDER, {"permutation": [3, 1, 2]}, "permutation must be a permutation of the 3 sentences"),
        (ORDER, {"permutation": None}, "permutation must be a permutation of the 3 sentences"),
        (ORDER, {"permutation": [2, 0, None]}, "permutation must be a permutation of the 3 sentences"),
        (ORDER, {"permutation": [1, 2, 0]}, "the targets do not match the inputs"),
        (ORDER, {"targets": "a . b . c ."}, "the targets do not match the inputs"),
        (ORDER, {"inputs": "b . c __d3__keyword_1__ . a ."}, "contains keywords"),
        (ORDER, {"inputs": "b . c c . a"}, "does not end with a sentence"),
        (ORDER, {"inputs": f"{'a ' * 562}."}, "has 563 words; the limit is 562 tokens"),
        (NUMBERS, {"targets": "1 2 0"}, "the targets do not match the inputs"),
        (NUMBERS, {"tasks": ["sr"]}, "invalid tasks for sr-adjusted: sr"),
        (HALVES, {"targets": ""}, "the targets have 0 words"),
        (HALVES, {"inputs": "a " * 513}, "the inputs have 513 words"),
        (HALVES, {"targets": "a " * 257}, "the targets have 257 words"),
        (HALVES, {"inputs": "a  b"}, "is not one line"),
        (HALVES, {"inputs": "a . ."}, "has a sentence without words"),
        (masked(), {"mask_length": 99}, "the run contains 54 masks, but mask_length is 99"),
        (masked(), {"mask_length": 256}, "but mask_length is 256"),
        (masked(), {"before": None}, "before and after must be numbers of characters"),
        (masked(), {"before": -1}, "before and after must be numbers of characters"),
        (masked(), {"after": 10**6}, "before and after must be numbers of characters"),
        (masked(), {"targets": "a b ."}, "the targets differ from the inputs outside"),
        (masked(), {"targets": masked()["targets"][:-2] + " x ."}, "the targets differ from the inputs outside"),
        (masked(), {"targets": "x " + masked()["targets"]}, "the targets differ from the inputs outside"),
        (OVERLAPPING, {}, "the targets differ from the inputs outside"),
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
        (ROW, {"targets": "cd ef ."}, "copy-kwd-one-sentence requires 'ab __d3__keyword_1__ .', not 'cd ef .'"),
        (ROW, {"targets": "ab __d3__keyword_1__ . "}, "text after the last summary: ''"),
        (ROW, {"inputs": "ab cd ."}, "the document contains 0 keywords of copy-kwd-one-sentence, not 1"),
        (ROW, {"tasks": []}, "invalid tasks for copy-kwd-one-sentence: none"),
        (ROW, {"tasks": ["check-keyword"]}, "invalid tasks for copy-kwd-one-sentence: check-keyword"),
        (ROW, {"task": "copy", "tasks": ["copy"]}, "the document has the unknown task 'copy'"),
        (ROW, {"tasks": None}, "must be strings, and tasks must be a list"),
        (ROW, {"inputs": None}, "must be strings, and tasks must be a list"),
        (ENSEMBLE, {"tasks": THREE[:2]}, "an ensemble row must have 3 tasks, not 2"),
        (ENSEMBLE, {"tasks": [*THREE[:2], THREE[0]]}, "the document has no tasks, or the same task twice"),
        (ENSEMBLE, {"tasks": [*THREE[:2], None]}, "has the unknown task None"),
        (ENSEMBLE, {"tasks": THREE[::-1]}, "copy-last-sentence requires 'cd ef .', not 'ab __d18__"),
    ]:
        found = problem({**row, **change})
        assert found is said is None or (said in found and "\n" not in found), row


def test_what_solves_a_row():
    assert solves(ROW, " ab  __d3__keyword_1__ .\n") and not solves(ROW, "ab __d3__keyword_1__ . cd ef .")
    assert solves(ENSEMBLE, ENSEMBLE["targets"].replace("0_2", "0_0")) and not solves(ENSEMBLE, ROW["targets"])
    step = {"inputs": "cd . ab .", "targets": "ab . cd .", "tasks": []}
    assert solves(step, "ab . cd .\n") and not solves(step, "cd . ab .")
    with pytest.raises(LanguageError, match="contains 0 keywords"):
        solves({**ROW, "inputs": "ab ."}, "ab .")


def test_laws_are_for_the_rows_that_have_their_columns():
    (found,) = invariants_of(["id", *COLUMNS])
    assert found[0].problem is law.problem and set(COLUMNS) <= set(found[1])
    assert not list(invariants_of(["id", "inputs", "targets", "task"]))
    assert len(LAWS) == len({entry.columns for entry in LAWS})
