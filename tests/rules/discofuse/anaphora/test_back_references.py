"""What ties a second sentence to the first: such a pair is not a PAIR_NONE."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import outcome
from tests.testing import mention

MILL = "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0 in|IN|prep|3 May|NNP|pobj|4|B-DATE .|.|punct|3"


def label(second: str, *clusters, first: str = MILL, **config) -> tuple[str, str | None]:
    """The type and the reason of a pair."""
    return outcome(first, second, clusters=clusters, **{"conventions": "extended", **config})[::3]


NONE = ("PAIR_NONE", None)
BACK = ("PAIR_NONE", "UNRESOLVED_ANAPHOR")


class TestPronouns:
    @pytest.mark.parametrize("word", ["It|PRP", "He|PRP", "They|PRP"])
    def test_open_subject_refers_back(self, word):
        sold = "Walsh|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0 the|DT|det|4 mill|NN|dobj|2 .|.|punct|2"
        assert label(f"{word}|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2", first=sold) == BACK

    @pytest.mark.parametrize("word", ["I|PRP", "We|PRP", "You|PRP"])
    def test_first_and_second_person_do_not(self, word):
        assert label(f"{word}|nsubj|2 left|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2") == NONE

    def test_explained_by_the_second_sentence(self):
        text = (
            "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 early|RB|advmod|4 .|.|punct|2"
        )
        assert label(text) == NONE
        inside = [mention(1, 0, 1, "name"), mention(1, 2, 3, "pronoun", confidence=0.9)]
        assert label(text, inside) == NONE

    def test_a_doubtful_link_explains_nothing(self):
        text = "In|IN|prep|4 Bath|NNP|pobj|1|B-GPE it|PRP|nsubj|4 grew|VBD|ROOT|0 fast|RB|advmod|4 .|.|punct|4"
        inside = [mention(1, 1, 2, "name"), mention(1, 2, 3, "pronoun", confidence=0.3)]
        assert label(text, inside) == BACK
        assert label(text, [inside[0], mention(1, 2, 3, "pronoun", confidence=0.9)]) == NONE

    def test_object_is_not_its_own_subject(self):
        text = "Walsh|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0 him|PRP|dobj|2 again|RB|advmod|2 .|.|punct|2"
        assert label(text) == BACK
        assert label(text.replace("him|PRP", "himself|PRP")) == NONE

    def test_empty_pronoun(self):
        text = (
            "It|PRP|nsubj|2 is|VBZ|ROOT|0||be clear|JJ|acomp|2 that|IN|mark|6 Walsh|NNP|nsubj|6|B-PERSON "
            "left|VBD|ccomp|2 .|.|punct|2"
        )
        assert label(text) == NONE

    def test_it_without_a_link_is_open_and_its_subject_may_own_it(self):
        text = "Algeria|NNP|nsubj|2|B-GPE said|VBD|ROOT|0 it|PRP|nsubj|4 left|VBD|ccomp|2 early|RB|advmod|4 .|.|punct|2"
        assert label(text) == BACK
        text = "Algeria|NNP|nsubj|2|B-GPE lost|VBD|ROOT|0 its|PRP$|poss|5 own|JJ|amod|5 ships|NNS|dobj|2 .|.|punct|2"
        assert label(text) == NONE

    def test_released_conventions_call_it_none(self):
        text = "They|PRP|nsubj|2 closed|VBD|ROOT|0 later|RB|advmod|2 .|.|punct|2"
        first = MILL.replace("The|DT|det|2 mill|NN|nsubj|3", "All|DT|det|2 they|PRP|nsubj|3")
        assert label(text, first=first, conventions="released") == NONE


class TestDemonstratives:
    @pytest.mark.parametrize(
        "text",
        [
            "This|DT|nsubj|2 was|VBD|ROOT|0 a|DT|det|4 loss|NN|attr|2 .|.|punct|2",
            "This|DT|det|2 loss|NN|nsubj|3 hurt|VBD|ROOT|0 Walsh|NNP|dobj|3|B-PERSON .|.|punct|3",
            "Walsh|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0 the|DT|det|4 former|JJ|dobj|2 .|.|punct|2",
        ],
    )
    def test_refers_back(self, text):
        assert label(text) == BACK

    @pytest.mark.parametrize(
        "text",
        [
            "Those|DT|nsubj|4 who|WP|nsubj|3 left|VBD|relcl|1 lost|VBD|ROOT|0 much|JJ|dobj|4 .|.|punct|4",
            "Walsh|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 this|DT|det|4|B-DATE year|NN|npadvmod|2|I-DATE .|.|punct|2",
            "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 that|IN|mark|5 Brown|NNP|nsubj|5|B-PERSON left|VBD|ccomp|2 "
            ".|.|punct|2",
        ],
    )
    def test_explains_itself(self, text):
        assert label(text) == NONE


class TestNouns:
    SECOND = "The|DT|det|2 {}|NN|nsubj|3 fell|VBD|ROOT|0 down|RP|prt|3 .|.|punct|3"

    def link(self, confidence: float):
        return [mention(0, 0, 2, "nominal"), mention(1, 0, 2, "nominal", confidence=confidence)]

    def test_another_noun_for_the_same_thing(self):
        assert label(self.SECOND.format("building"), self.link(0.6)) == BACK

    def test_the_noun_itself(self):
        assert label(self.SECOND.format("mill"), self.link(0.6)) == NONE

    def test_without_a_link(self):
        assert label(self.SECOND.format("building")) == NONE
