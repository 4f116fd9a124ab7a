import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.edits import EditsError, from_column, to_column, trace
from gistmill.rules.fusion.texts import fuse, gaps_by_rule, printed, spacing
from tests.cases import by_heading

CASES = by_heading(__file__)


def fused(text, first, second, *column):
    first, second = first.split(), second.split()
    return fuse(text, first, second, from_column(column, len(first), len(second)))


def test_spaces_of_a_text():
    found = printed("It's a test-case.", "It 's a test - case .".split())
    assert [space for _, space in found] == [False, True, True, False, False, False, False]
    assert [word for word, _ in found] == "It 's a test - case .".split()
    assert printed("", []) == []


def test_typographic_marks_of_a_text():
    found = printed("“It’s…” 1914–18—no", '" It \'s ... " 1914-18 -- no'.split())
    assert [word for word, _ in found] == "“ It ’s … ” 1914–18 — no".split()
    fusion = fused(
        "“He’d won.” He left—it.", '" He \'d won . "', "He left -- it .", "4 delete", "6 before , but", "6 lower"
    )
    assert fusion == "“He’d won”, but he left—it."


def test_a_text_of_other_tokens_is_refused():
    for text, tokens in [("a b", "a c"), ("a b", "a"), ("a", "a b"), ("a  b", "a b"), (" a", "a"), ("a\tb", "a b")]:
        with pytest.raises(EditsError):
            printed(text, tokens.split())


def test_spaces_by_rule():
    for text, first, second, column, fusion in CASES["spaces by rule"]:
        assert fused(text, first, second, *column) == fusion, text


def test_a_mark_stands_where_the_rule_errs():
    column = ["2 delete", "3 before - but", "3 lower"]
    assert fused("He won. He left.", "He won .", "He left .", *column) == "He won - but he left."
    assert fused("He won. He left.", "He won .", "He left .", *column, "join 2", "join 3") == "He won-but he left."
    assert fused("He won. He left.", "He won .", "He left .", "space 2") == "He won . He left."
    with pytest.raises(EditsError, match="no word 6"):
        fused("He won. He left.", "He won .", "He left .", "join 6")
    with pytest.raises(EditsError, match="second edit"):
        from_column(["join 2", "space 2"], 3, 3)


WORDS = st.lists(st.sampled_from(["a", "B", ".", ",", '"', "'", "(", ")", "-", "'s", "he"]), max_size=7)


@given(st.data(), WORDS, WORDS, WORDS)
def test_any_text_can_be_written(data, first, second, target):
    def some(words):
        return data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))

    def text(words, flags):
        return "".join(f"{word} " if flag else word for word, flag in zip(words, flags)).rstrip()

    flags = [*some(first)[:-1], *[True] * bool(first), *some(second)]
    wanted = [False, *some(target)][: len(target)]
    edits = align(first, second, target)
    by_rule = gaps_by_rule(trace(first, second, edits), flags, len(first))
    edits = dataclasses.replace(edits, spacing=spacing(by_rule, wanted))
    assert from_column(to_column(edits), len(first), len(second)) == edits
    assert fuse(text([*first, *second], flags), first, second, edits) == text(target, [*wanted[1:], False])
