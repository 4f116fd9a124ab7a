"""Simple sentences, the edits that fuse them, and scripts that do not fit."""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.rules.documents import natural_text
from gistmill.rules.fusion.edits import EditsError
from gistmill.rules.propositions import recipe
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.propositions.helpers import whole

CASES = by_heading(__file__)

SENTENCES = [("Ada left.", ["Ada", "left", "."]), ("She won.", ["She", "won", "."]), ("It fell.", ["It", "fell", "."])]
AND = ["fuse 0", "2 delete", "3 before , and", "3 lower"]

_numbers = st.sampled_from(["0", "1", "2", "5", "6", "7", "12", "-1", "01", "1.5", "", "x", "²", "9" * 9, "9" * 30])
_edits = st.one_of(
    st.builds("fuse {}".format, _numbers),
    st.builds("move {}".format, _numbers),
    st.builds(
        "{} {}".format, _numbers, st.sampled_from(["delete", "lower", "upper", "erase", "replace he", "replace"])
    ),
    st.builds("{} before {}".format, _numbers, st.sampled_from([", but", "", " ", "a  b", "\\and", "\\", "\0"])),
    st.builds("{} {}".format, st.sampled_from(["space", "join"]), _numbers),
    st.text(max_size=12),
)


def test_the_edits_of_one_split():
    found = whole(parses.DOUGLAS)
    values = recipe.values(found)
    assert values["simple_sentences"] == [
        "Melvyn Douglas originally was signed to play Sam Bailey.",
        "The role ultimately went to Walter Pidgeon.",
    ]
    assert values["inputs"] == natural_text(found.parse.sentence.tokens)
    assert values["edits"][0] == "fuse 0" and values["operations"] == ["SPLIT SINGLE_S_COORD , but"]
    assert values["tokens"][0] == "Melvyn Douglas originally was signed to play Sam Bailey ."


def test_a_connective_at_the_head_stays_in_the_simple_sentence():
    text = parses.of("However , the mill closed in May , and the farm burned in June .")
    values = recipe.values(whole(text))
    assert values["simple_sentences"] == ["However, the mill closed in May.", "The farm burned in June."]
    assert values["inputs"].startswith("However, the mill closed in May, and the farm")
    found = whole("Otters|NNS|nsubj|2||otter live|VBP|ROOT|0 there|RB|advmod|2 .|.|punct|2")
    assert recipe.simple_sentences(found) == [found] and recipe.column(found) == []


def test_three_sentences_become_one():
    script = [*AND, "fuse 0", "6 delete", "7 before , but", "7 lower"]
    assert recipe.fuse(SENTENCES, script) == "Ada left, and she won, but it fell."
    script = ["fuse 1", "2 delete", "3 before and", "3 lower", "fuse 0", "2 delete", "3 before , but", "3 lower"]
    assert recipe.fuse(SENTENCES, script) == "Ada left, but she won and it fell."
    assert recipe.fuse(SENTENCES[:2], ["fuse 0"]) == "Ada left. She won."
    assert recipe.fuse(SENTENCES[:1], []) == "Ada left."


def test_edits_that_do_not_fit_are_named():
    for script, message in CASES["edits that do not fit are named"]:
        with pytest.raises(EditsError, match=message):
            recipe.fuse(SENTENCES, script)
    with pytest.raises(EditsError, match="does not continue"):
        recipe.fuse([SENTENCES[0], ("He won.", ["She", "won", "."])], AND)


@given(st.lists(_edits, max_size=6), st.integers(0, 3))
@example(["fuse 0", *[f"{k} delete" for k in range(6)]], 2)
@example(["fuse 0", *[f"{k} delete" for k in range(6)], "fuse 0"], 3)
@example(["fuse 0", "2 delete", "3 before \\", "fuse 0", "3 lower"], 3)
def test_a_script_gives_a_text_or_an_error_of_edits(script, size):
    with contextlib.suppress(EditsError):
        assert isinstance(recipe.fuse(SENTENCES[:size], script), str)


@given(st.lists(st.tuples(st.text(max_size=8), st.lists(st.text(max_size=4), max_size=4)), max_size=3), st.data())
def test_sentences_of_any_kind_give_a_text_or_an_error_of_edits(sentences, data):
    script = [
        "fuse 0",
        *data.draw(st.lists(_edits, max_size=3)),
        *data.draw(st.sampled_from([[], ["fuse 0", "0 lower"]])),
    ]
    with contextlib.suppress(EditsError):
        assert isinstance(recipe.fuse(sentences, script), str)
