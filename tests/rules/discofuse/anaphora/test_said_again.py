"""Phrases of an antecedent that are cut, or say too much, where they are said again."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention

# "Lee sold {the} {poor} mill ." "Fox {painted} the mill ."
SOLD_OF = """
Lee|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0||sell parts|NNS|dobj|2 of|IN|prep|3 {the}|DT|det|7 {adjective}|7 mill|NN|pobj|4
.|.|punct|2
"""
PAINTED = "Fox|NNP|nsubj|2|B-PERSON painted|VBD|ROOT|0||paint the|DT|det|4 mill|NN|dobj|2 then|RB|advmod|2 .|.|punct|2"
FELL = "The|DT|det|2 mill|NN|nsubj|3 fell|VBD|ROOT|0||fall there|RB|advmod|3 .|.|punct|3"


@pytest.mark.parametrize(
    ("the", "adjective", "again"),
    [
        ("the", "poor|JJ|amod", False),
        ("a", "poor|JJ|amod", True),
        ("the", "first|JJ|amod", True),
        ("the", "oldest|JJS|amod", True),
        ("the", "Swiss|JJ|amod", True),
        ("the", "water|NN|compound", True),
    ],
)
def test_a_passing_description_does_not_come_back(the, adjective, again):
    links = (mention(0, 4, 7, "nominal"), mention(1, 2, 4, "nominal", confidence=0.9))
    made = second_of(SOLD_OF.format(the=the, adjective=adjective), PAINTED, *links)
    word = adjective.split("|")[0]
    assert made == f"Fox painted the {word + ' ' if again else ''}mill then ."


def test_a_subject_is_the_one_just_named():
    links = (mention(0, 4, 7, "nominal"), mention(1, 0, 2, "nominal", confidence=0.9))
    made = second_of(SOLD_OF.format(the="the", adjective="poor|JJ|amod"), FELL, *links)
    assert made == "The poor mill fell there ."
