"""Frames of a part behind a semicolon, and phrases of the second clause that are none of its frames."""

from __future__ import annotations

import pytest

from rules.discofuse.frames import frame, shared_frame
from tests.rules.discofuse.helpers import parse

# "The mill burned {mark} in 1990 , the town fell and the bridge held ."
BEHIND = """
The|DT|det|2 mill|NN|nsubj|3 burned|VBD|{joined}||burn {mark} in|IN|prep|10 1990|CD|pobj|5|B-DATE ,|,|punct|10
the|DT|det|9 town|NN|nsubj|10 fell|VBD|{main}||fall and|CC|cc|10 the|DT|det|13 bridge|NN|nsubj|14
held|VBD|conj|10||hold .|.|punct|10
"""
# "In 1990 , the town fell and the bridge {phrase} held ."
BETWEEN = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 town|NN|nsubj|6 fell|VBD|ROOT|0||fall and|CC|cc|6
the|DT|det|9 bridge|NN|nsubj|{verb} {phrase} held|VBD|conj|6||hold .|.|punct|6
"""


def text_of(words) -> str:
    return " ".join(w.text for w in words)


def test_a_frame_may_open_the_part_behind_a_semicolon():
    tree = parse(BEHIND.format(joined="ccomp|10", mark=";|:|punct|10", main="ROOT|0"))
    assert text_of(frame(tree, 9)) == "in 1990 ,"
    assert text_of(shared_frame(tree, 9, 13, 10, own_subject=True)) == "in 1990 ,"


def test_a_frame_does_not_open_a_clause_behind_a_comma():
    tree = parse(BEHIND.format(joined="ccomp|10", mark=",|,|punct|10", main="ROOT|0"))
    assert frame(tree, 9) == ()


@pytest.mark.parametrize(
    ("phrase", "verb", "expected"),
    [
        ("", 10, "In 1990 ,"),
        ("in|IN|prep|12 turn|NN|pobj|10", 12, "In 1990 ,"),
        ("of|IN|prep|9 stone|NN|pobj|10", 12, "In 1990 ,"),
    ],
)
def test_a_phrase_behind_the_subject_is_no_other_frame(phrase, verb, expected):
    tree = parse(BETWEEN.format(phrase=phrase, verb=verb))
    assert text_of(shared_frame(tree, 5, verb - 1, 6, own_subject=True)) == expected


def test_a_time_behind_the_subject_is_still_the_clause_s_own():
    tree = parse(BETWEEN.format(phrase="in|IN|prep|12 1995|CD|pobj|10|B-DATE", verb=12))
    assert shared_frame(tree, 5, 11, 6, own_subject=True) == ()


def test_a_number_of_the_subject_is_no_frame():
    text = BETWEEN.replace("the|DT|det|9 bridge|NN", "three|CD|nummod|9 bridges|NNS")
    tree = parse(text.format(phrase="", verb=10))
    assert text_of(shared_frame(tree, 5, 9, 6, own_subject=True)) == "In 1990 ,"
