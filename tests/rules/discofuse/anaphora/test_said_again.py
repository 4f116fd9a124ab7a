"""Phrases of an antecedent that are cut, or say too much, where they are said again."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention

IT = mention(1, 0, 1, "pronoun", confidence=0.9)

IS, WAS = "is|VBZ|ROOT|0||be", "was|VBD|ROOT|0||be"
RAN = "It|PRP|nsubj|2 ran|VBD|ROOT|0||run through|IN|prep|2 Leeds|NNP|pobj|3|B-GPE .|.|punct|2"
HAS_RUN = RAN.replace("ran|VBD|ROOT|0||run", "ran|VBN|ROOT|0||run").replace("nsubj|2", "nsubj|3 has|VBZ|aux|3||have")
HAS_RUN = HAS_RUN.replace("prep|2", "prep|3").replace("pobj|3", "pobj|4").replace("punct|2", "punct|3")


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


# "Ix K {'} {an} ' came there ."
QUOTED = """
Ix|NNP|compound|2|B-PERSON Kan|NNP|nsubj|6|I-PERSON '|{tag}|punct|4 Ek|NNP|appos|2 '|''|punct|4 came|VBD|ROOT|0||come
there|RB|advmod|6 .|.|punct|6
"""
HE = "He|PRP|nsubj|2 left|VBD|ROOT|0||leave tools|NNS|dobj|2 there|RB|advmod|2 .|.|punct|2"
