import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.edits import EditsError, from_column, to_column, trace
from gistmill.rules.fusion.texts import fuse, gaps_by_rule, printed, spacing


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
    for text, first, second, column, fusion in [
        (
            "He won. He left.",
            "He won .",
            "He left .",
            ["2 delete", "3 before , but", "3 lower"],
            "He won, but he left.",
        ),
        ("He won. He left.", "He won .", "He left .", ["3 before however ,"], "He won. However, He left."),
        (
            "He won. Bob's dog left.",
            "He won .",
            "Bob 's dog left .",
            ["3 replace his", "4 delete"],
            "He won. His dog left.",
        ),
        (
            "A (b) won. Pro-Bob men left.",
            "A ( b ) won .",
            "Pro - Bob men left .",
            ["8 replace him"],
            "A (b) won. Pro-him men left.",
        ),
        (
            'He said "no". He left.',
            'He said " no " .',
            "He left .",
            ["5 delete", "6 before and", "6 lower"],
            'He said "no" and he left.',
        ),
        (
            'He said no. "A" left.',
            "He said no .",
            '" A " left .',
            ["4 before however ,"],
            'He said no. However, "A" left.',
        ),
        (
            "He said no. 'A' left.",
            "He said no .",
            "' A ' left .",
            ["4 before however ,"],
            "He said no. However, 'A' left.",
        ),
        (
            "He left. He is old.",
            "He left .",
            "He is old .",
            ["3 delete", "4 delete", "5 before (", "6 before )"],
            "He left. (Old).",
        ),
        ("He left. A b won.", "He left .", "A b won .", ["move 1", "5 delete", "6 delete", "2 delete"], "He A b left"),
        (
            "A pre-war car won. It left.",
            "A pre - war car won .",
            "It left .",
            ["2 delete"],
            "A prewar car won. It left.",
        ),
        (
            'He saw "x y". He is z.',
            'He saw " x y " .',
            "He is z .",
            ["move 4", "7 delete", "8 delete", "10 delete"],
            'He saw "x z y".',
        ),
    ]:
        assert fused(text, first, second, *column) == fusion, text


def test_a_mark_stands_where_the_rule_errs():
    column = ["2 delete", "3 before - but", "3 lower"]
    assert fused("He won. He left.", "He won .", "He left .", *column) == "He won - but he left."
    assert fused("He won. He left.", "He won .", "He left .", *column, "join 2", "join 3") == "He won-but he left."
    assert fused("He won. He left.", "He won .", "He left .", "space 2") == "He won . He left."


def test_a_mark_behind_the_fusion_is_refused():
    with pytest.raises(EditsError, match="no word 6"):
        fused("He won. He left.", "He won .", "He left .", "join 6")


def test_a_space_is_marked_once():
    with pytest.raises(EditsError, match="second word"):
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
