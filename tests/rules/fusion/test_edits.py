import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.edits import (
    DELETE,
    KEEP,
    LOWER,
    UPPER,
    Edits,
    EditsError,
    from_column,
    order,
    realise,
    to_column,
)
from gistmill.rules.fusion.texts import COLUMNS, problem
from gistmill.rules.lineage import fusing
from tests.cases import by_heading

CASES = by_heading(__file__)

FIRST = "Zeitler lost the match ."
SECOND = "Zeitler was tired ."
TOKENS = st.lists(st.text(min_size=1, max_size=6).filter(lambda token: " " not in token), max_size=8)


def fused(first, second, *column):
    first, second = first.split(), second.split()
    return " ".join(realise(first, second, from_column(column, len(first), len(second))))


def test_each_edit():
    assert fused("A b .", "c D .") == "A b . c D ."
    for column, fusion in CASES["each edit"]:
        assert fused(FIRST, SECOND, *column) == fusion, column


def test_capitals_at_the_start_of_a_sentence():
    for first, second, column, fusion in CASES["capitals at the start of a sentence"]:
        assert fused(first, second, *column) == fusion, first


def test_the_open_form_is_for_people():
    edits = Edits(1, (KEEP, DELETE, LOWER, UPPER, "REPLACE:he"), ("", "", ", but", "", "", "."))
    column = ["move 1", "1 delete", "2 before , but", "2 lower", "3 upper", "4 replace he", "5 before ."]
    assert to_column(edits) == column
    assert from_column(column, 2, 3) == from_column(column[::-1], 2, 3) == edits


def test_order_of_the_tokens():
    assert order(2, 3, None) == [0, 1, 2, 3, 4]
    assert order(2, 3, 1) == [0, 2, 3, 4, 1]
    assert order(2, 3, 0) == [2, 3, 4, 0, 1]


def test_a_malformed_edit_is_named():
    for edit in CASES["a malformed edit is named"]:
        with pytest.raises(EditsError) as error:
            from_column([edit], 5, 4)
        assert repr(edit) in str(error.value) and "\n" not in str(error.value), edit


def test_nothing_is_said_twice():
    for column in CASES["nothing is said twice"]:
        with pytest.raises(EditsError, match="is a second"):
            from_column(column, 5, 4)


def test_edits_of_other_sentences_are_refused():
    for edits in [
        Edits(None, (KEEP,), ("", "")),
        Edits(None, (KEEP, KEEP), ("", "")),
        Edits(1, (KEEP, KEEP), ("", "", "")),
        Edits(-1, (KEEP, KEEP), ("", "", "")),
        Edits(None, (KEEP, "SWAP"), ("", "", "")),
        Edits(None, (KEEP, "REPLACE:"), ("", "", "")),
    ]:
        with pytest.raises(EditsError):
            realise(["a"], ["b"], edits)


WORDS = st.text(min_size=1, max_size=5).filter(lambda word: " " not in word)
OPERATIONS = st.one_of(st.sampled_from([KEEP, LOWER, UPPER, DELETE]), WORDS.map("REPLACE:{}".format))
PHRASES = st.one_of(st.just(""), st.lists(WORDS, min_size=1, max_size=3).map(" ".join))


@st.composite
def some_edits(draw):
    n, m = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    move = draw(st.one_of(st.none(), st.integers(0, n - 1))) if n else None
    operations = draw(st.lists(OPERATIONS, min_size=n + m, max_size=n + m))
    phrases = draw(st.lists(PHRASES, min_size=n + m + 1, max_size=n + m + 1))
    return n, m, Edits(move, tuple(operations), tuple(phrases))


@given(some_edits())
def test_the_column_says_all_of_the_edits(made):
    n, m, edits = made
    assert from_column(to_column(edits), n, m) == edits


@given(st.lists(st.text(max_size=12), max_size=4), st.integers(0, 4), st.integers(0, 4))
def test_a_column_is_read_or_refused(column, n, m):
    try:
        edits = from_column(column, n, m)
    except EditsError:
        return
    assert sorted(to_column(edits)) == sorted(column)


@given(TOKENS, TOKENS, TOKENS)
def test_any_target_can_be_written(first, second, target):
    n, m = len(first), len(second)
    words = " ".join("\\" + word for word in target)
    assert realise(first, second, Edits(None, (DELETE,) * (n + m), ("",) * (n + m) + (words,))) == target


def test_the_edits_one_after_the_other():
    steps = fusing(FIRST, SECOND, ["4 delete", "5 before because", "5 replace he", "join 3"])
    assert [(s.name, s.detail) for s in steps] == [
        ("DELETE", "'.'"),
        ("WRITE", "'because' before 'Zeitler'"),
        ("REPLACE", "'Zeitler' by 'he'"),
    ]
    assert steps[0].before == (FIRST, SECOND)
    assert [s.before for s in steps[1:]] == [s.after for s in steps[:-1]]
    assert steps[-1].after == ("Zeitler lost the match because he was tired .",)


def test_steps_of_moves_and_of_the_end():
    steps = fusing(FIRST, SECOND, ["move 0", "9 before really", "5 lower"])
    assert [(s.name, s.detail) for s in steps] == [
        ("MOVE", "the second sentence before 'Zeitler'"),
        ("WRITE", "'really' before the end"),
        ("LOWER", "'Zeitler'"),
    ]
    assert steps[0].after == ("Zeitler was tired . Zeitler lost the match .",)
    assert fusing(FIRST, SECOND, []) == ()
    with pytest.raises(EditsError):
        fusing(FIRST, SECOND, ["99 delete"])


ROW, PAIR, MARKED = CASES["row"], CASES["pair"], CASES["marked"]


def test_a_row_that_keeps_the_law():
    for row in [ROW, PAIR, MARKED]:
        assert set(row) == set(COLUMNS) and problem(row) is None, row


def test_a_row_that_breaks_it():
    for change, said in [
        *CASES["a row that breaks the law"],
        ({"edits": None}, "the value of edits is not a list of strings"),
        ({"edits": ["2 delete", None]}, "the value of edits is not a list of strings"),
        ({"inputs": None}, "the value of inputs is not a string"),
    ]:
        assert said in problem({**ROW, **change}), change
    assert problem({**MARKED, "targets": "He’d won -- but he left—it."}) == "the edits do not produce the natural text"
    assert problem({**MARKED, "coherent_first_sentence": "He 'd won , but he left -- it ."}) is not None
