"""Names with a comma inside are one name; lists, and names that only stand next to each other, are not."""

from __future__ import annotations

from gistmill.rules.coreference.names import whole_names
from gistmill.rules.coreference.scorer import ask
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.testing import parsed

CASES = by_heading(__file__)


def names(text: str) -> list[str]:
    """The names that are found in a sentence."""
    sentence = parsed(text)
    found = ask([sentence])[0]
    return [" ".join(t.text for t in sentence.tokens[m.start : m.end]) for m in found if m.kind == "name"]


ATHENS = (
    "Athens|NNP|npadvmod|4|B-GPE ,|,|punct|4 Georgia|NNP|nsubj|4|B-GPE is|VBZ|ROOT|0||be old|JJ|acomp|4 .|.|punct|4"
)


def test_a_name_is_whole():
    for text, name in (
        (ATHENS, "Athens , Georgia"),
        (
            parses.of("Sam Davis , Jr. sang ."),
            "Sam Davis , Jr.",
        ),
        ("Acme|NNP|nsubj|4|B-PERSON ,|,|punct|1 Inc.|NNP|appos|1 grew|VBD|ROOT|0 .|.|punct|4", "Acme , Inc."),
        (
            parses.of("He left Salem , Oregon , USA ."),
            "Salem , Oregon , USA",
        ),
        (
            "He|PRP|nsubj|2 left|VBD|ROOT|0 Washington|NNP|dobj|2|B-GPE ,|,|punct|3 D.C.|NNP|appos|3|B-GPE .|.|punct|2",
            "Washington , D.C.",
        ),
    ):
        assert names(text) == [name], text


def test_others_stay_apart():
    for text, there in CASES["others stay apart"]:
        assert names(text) == there, text


def test_the_head_is_that_of_the_first_part_in_the_place_of_the_whole():
    tokens = whole_names(parsed(ATHENS).tokens)
    assert [(t.dep, t.head) for t in tokens[:3]] == [("nsubj", 3), ("punct", 0), ("nmod", 0)]
    assert [t.entity for t in tokens[:3]] == ["B-GPE", "I-GPE", "I-GPE"]
    assert whole_names(tokens) == tokens
