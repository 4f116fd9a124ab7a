"""Names with a comma inside are one name; lists, and names that only stand next to each other, are not."""

from __future__ import annotations

import pytest

from gistmill.rules.coreference.names import whole_names
from gistmill.rules.coreference.sieve import ask
from tests.testing import parsed


def names(text: str) -> list[str]:
    """The names that are found in a sentence."""
    sentence = parsed(text)
    found = ask([sentence])[0]
    return [" ".join(t.text for t in sentence.tokens[m.start : m.end]) for m in found if m.kind == "name"]


ATHENS = (
    "Athens|NNP|npadvmod|4|B-GPE ,|,|punct|4 Georgia|NNP|nsubj|4|B-GPE is|VBZ|ROOT|0||be old|JJ|acomp|4 .|.|punct|4"
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ATHENS, "Athens , Georgia"),
        (
            "Sam|NNP|compound|2|B-PERSON Davis|NNP|nsubj|5|I-PERSON ,|,|punct|5 Jr.|NNP|nsubj|5|B-PERSON "
            "sang|VBD|ROOT|0 .|.|punct|5",
            "Sam Davis , Jr.",
        ),
        ("Acme|NNP|nsubj|4|B-PERSON ,|,|punct|1 Inc.|NNP|appos|1 grew|VBD|ROOT|0 .|.|punct|4", "Acme , Inc."),
        (
            "He|PRP|nsubj|2 left|VBD|ROOT|0 Salem|NNP|dobj|2|B-ORG ,|,|punct|3 Oregon|NNP|appos|3|B-GPE ,|,|punct|3 "
            "USA|NNP|appos|3|B-GPE .|.|punct|2",
            "Salem , Oregon , USA",
        ),
        (
            "He|PRP|nsubj|2 left|VBD|ROOT|0 Washington|NNP|dobj|2|B-GPE ,|,|punct|3 D.C.|NNP|appos|3|B-GPE .|.|punct|2",
            "Washington , D.C.",
        ),
    ],
)
def test_a_name_is_whole(text, name):
    assert names(text) == [name]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        (
            "Rome|NNP|nsubj|6|B-GPE ,|,|punct|1 France|NNP|conj|1|B-GPE and|CC|cc|3 Bonn|NNP|conj|3|B-GPE "
            "fell|VBD|ROOT|0 .|.|punct|6",
            ["Rome", "France", "Bonn"],
        ),
        (
            "In|IN|prep|5 Athens|NNP|pobj|1|B-GPE ,|,|punct|5 Georgia|NNP|nsubj|5|B-GPE won|VBD|ROOT|0 .|.|punct|5",
            ["Athens", "Georgia"],
        ),
        ("Oregon|NNP|nsubj|4|B-GPE ,|,|punct|1 Ohio|NNP|conj|1|B-GPE fell|VBD|ROOT|0 .|.|punct|4", ["Oregon", "Ohio"]),
        (
            "Ann|NNP|compound|2|B-PERSON Lee|NNP|nsubj|5|I-PERSON ,|,|punct|2 Virginia|NNP|conj|2|B-PERSON "
            "left|VBD|ROOT|0 .|.|punct|5",
            ["Ann Lee", "Virginia"],
        ),
        ("Anna|NNP|nsubj|4|B-PERSON ,|,|punct|1 Queen|NNP|appos|1 left|VBD|ROOT|0 .|.|punct|4", ["Anna", "Queen"]),
    ],
)
def test_others_stay_apart(text, there):
    assert names(text) == there


def test_the_head_is_that_of_the_first_part_in_the_place_of_the_whole():
    tokens = whole_names(parsed(ATHENS).tokens)
    assert [(t.dep, t.head) for t in tokens[:3]] == [("nsubj", 3), ("punct", 0), ("nmod", 0)]
    assert [t.entity for t in tokens[:3]] == ["B-GPE", "I-GPE", "I-GPE"]
    assert whole_names(tokens) == tokens
