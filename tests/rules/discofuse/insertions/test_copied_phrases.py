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


def test_a_word_cut_at_its_hyphen():
    text = saw("so|RB|advmod|5 -|HYPH|punct|5 called|JJ|amod|6 mills|NNS|dobj|2||mill", 6)
    assert rejections(text, RELATIVE) == ["WRONG_SCOPE"]
    assert accepted(saw("so|RB|advmod|4 called|JJ|amod|5 mills|NNS|dobj|2||mill", 5), RELATIVE)


def test_a_name_cut_at_its_comma():
    phrase = "the|DT|det|4 Dover|NNP|dobj|2|B-GPE ,|,|punct|4 Kent|{tag}|{dep}|8 Market|NNP|compound|8 Area|NNP|conj|4"
    assert rejections(saw(phrase.format(tag="NNP", dep="compound"), 8, fell="falls|VBZ"), RELATIVE) == ["WRONG_SCOPE"]


@pytest.mark.parametrize(
    ("when", "reasons"), [("1917|CD|pobj|4|B-DATE", ["WRONG_SCOPE"]), ("rain|NN|pobj|4", ["AMBIGUOUS"])]
)
def test_a_date_behind_a_name_is_the_clause_s(when, reasons):
    assert rejections(saw(f"Upton|NNP|dobj|2|B-FAC in|IN|prep|3 {when}", 3), RELATIVE) == reasons


def test_a_date_behind_a_common_noun_tells_which():
    assert rejections(saw("the|DT|det|4 race|NN|dobj|2 in|IN|prep|4 1917|CD|pobj|5|B-DATE", 4), RELATIVE) == [None]


def test_a_noun_that_only_tells_how_much():
    text = saw("Upton|NNP|{dep}|2|B-FAC", 3)
    assert rejections(text.format(dep="npadvmod"), RELATIVE) == ["WRONG_SCOPE"]
    assert rejections(text.format(dep="dobj"), RELATIVE) == [None]


@pytest.mark.parametrize("word", ["some|DT|det|5", "five|CD|nummod|5"])
def test_some_would_be_all(word):
    found = rejections(saw(f"{word} old|JJ|amod|5 mills|NNS|dobj|2||mill", 5), RELATIVE)
    assert found == (["WRONG_SCOPE"] if word.startswith("some") else [None])


def test_one_or_more_are_not_a_number():
    phrase = "{one} {or_} more|JJR|{dep} mills|NNS|dobj|2||mill"
    text = saw(phrase.format(one="one|CD|nummod|6", or_="or|CC|cc|3", dep="conj|3"), 6)
    assert rejections(text, RELATIVE) == ["WRONG_SCOPE"]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("4|CD|nummod|4 mills|NNS|dobj|2||mill", "The 4 mills fell there ."),
        ("4|CD|nummod|4 Germans|NNPS|dobj|2|B-NORP|German", "The 4 Germans fell there ."),
    ],
)
def test_a_numeral_gets_an_article(name, made):
    assert accepted(saw(name, 4), RELATIVE)[1] == made
