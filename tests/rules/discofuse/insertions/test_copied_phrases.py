"""Antecedents of insertions that are not whole phrases, or would mean something else."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

RELATIVE = "SINGLE_RELATIVE"
SAW = (
    "We|PRP|nsubj|2 saw|VBD|ROOT|0||see {phrase} ,|,|punct|{at} which|WDT|nsubj|{verb} {fell}|relcl|{at}||fall "
    "there|RB|advmod|{verb} .|.|punct|2"
)


def saw(phrase: str, at: int, *, fell: str = "fell|VBD") -> str:
    return SAW.format(phrase=phrase, at=at, verb=5 + phrase.count(" ") + 1, fell=fell)


def test_a_date_behind_a_common_noun_tells_which():
    assert rejections(saw("the|DT|det|4 race|NN|dobj|2 in|IN|prep|4 1917|CD|pobj|5|B-DATE", 4), RELATIVE) == [None]


def test_a_noun_that_only_tells_how_much():
    text = saw("Upton|NNP|{dep}|2|B-FAC", 3)
    assert rejections(text.format(dep="npadvmod"), RELATIVE) == ["WRONG_SCOPE"]
    assert rejections(text.format(dep="dobj"), RELATIVE) == [None]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("4|CD|nummod|4 mills|NNS|dobj|2||mill", "The 4 mills fell there ."),
        ("4|CD|nummod|4 Germans|NNPS|dobj|2|B-NORP|German", "The 4 Germans fell there ."),
    ],
)
def test_a_numeral_gets_an_article(name, made):
    assert accepted(saw(name, 4), RELATIVE)[1] == made
