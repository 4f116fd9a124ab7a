"""A noun that comes back with "the" or "this", and what the fuller phrase before it need not say of it."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention

WE_SAW = "We|PRP|nsubj|2 saw|VBD|ROOT|0||see {} .|.|punct|2"
LINK = mention(0, 2, 5, "nominal")


def again(first: str, second: str, start: int, *, link=LINK) -> str:
    """The second sentence after the replacement of the two words from ``start``."""
    return second_of(first, second, link, mention(1, start, start + 2, "nominal", confidence=0.9))


class TestSome:
    @pytest.mark.parametrize(
        ("word", "some", "made"),
        [("Those", "some|DT", "Those"), ("These", "some|DT", "The"), ("Those", "two|CD", "The two")],
    )
    def test_those_are_told_from_others(self, word, some, made):
        label = "nummod" if some.endswith("CD") else "det"
        first = WE_SAW.format(f"{some}|{label}|4 mills|NNS|dobj|2||mill")
        second = f"{word}|DT|det|2 mills|NNS|nsubj|3||mill fell|VBD|ROOT|0||fall there|RB|advmod|3 .|.|punct|3"
        assert again(first, second, 0, link=mention(0, 2, 4, "nominal")) == f"{made} mills fell there ."


class TestKindsOfAntecedents:
    IT_FELL = "The|DT|det|2 {0}|{1}|nsubj|3||{2} fell|VBD|ROOT|0||fall there|RB|advmod|3 .|.|punct|3"

    @pytest.mark.parametrize(
        ("phrase", "made"),
        [
            ("the|DT|det|5 high|JJ|amod|5 tide|NN|dobj|2", "The high tide"),
            ("really|RB|advmod|2 high|JJ|amod|5 tide|NN|dobj|2", "The tide"),
            ("really|RB|advmod|2 Leeds|NNP|compound|5 tide|NN|dobj|2", "The Leeds tide"),
        ],
    )
    def test_a_mass_is_not_a_single_thing(self, phrase, made):
        link = mention(0, 2 if phrase.startswith("the") else 3, 5, "nominal")
        second = self.IT_FELL.format("tide", "NN", "tide")
        assert again(WE_SAW.format(phrase), second, 0, link=link) == f"{made} fell there ."

    def test_its_complement_makes_it_no_mass(self):
        phrase = "old|JJ|amod|4 mills|NNS|dobj|2||mill of|IN|prep|4 slate|NN|pobj|5"
        second = self.IT_FELL.format("mills", "NNS", "mill")
        made = again(WE_SAW.format(phrase), second, 0, link=mention(0, 2, 4, "nominal"))
        assert made == "The old mills of slate fell there ."

    def test_what_has_an_owner_gets_no_article(self):
        owned = "Ada|NNP|poss|5|B-PERSON 's|POS|case|3 mill|NN|dobj|2"
        second = self.IT_FELL.format("mill", "NN", "mill")
        assert again(WE_SAW.format(owned), second, 0) == "Ada 's mill fell there ."

    EXAMPLES = """
    We|PRP|nsubj|2 saw|VBD|ROOT|0||see sights|NNS|dobj|2||sight ,|,|punct|3 {0} as|IN|prep|3 the|DT|det|9 old|JJ|amod|9
    mill|NN|pobj|6 .|.|punct|2
    """

    @pytest.mark.parametrize(("such", "made"), [("such|JJ|amod|6", "The"), ("described|VBN|acl|3", "The old")])
    def test_an_example_is_not_what_is_spoken_of(self, such, made):
        second = self.IT_FELL.format("mill", "NN", "mill")
        assert (
            again(self.EXAMPLES.format(such), second, 0, link=mention(0, 6, 9, "nominal"))
            == f"{made} mill fell there ."
        )

    INTO = """
    We|PRP|nsubj|2 {0} it|PRP|dobj|2 into|IN|prep|2 {1}|DT|det|6 mill|NN|pobj|4 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("verb", "article", "made"),
        [("turned|VBD|ROOT|0||turn", "a", "This"), ("carried|VBD|ROOT|0||carry", "a", "The")],
    )
    def test_what_a_thing_is_made_into_is_said_of_it(self, verb, article, made):
        second = self.IT_FELL.format("mill", "NN", "mill").replace("The|", "This|")
        assert (
            again(self.INTO.format(verb, article), second, 0, link=mention(0, 4, 6, "nominal"))
            == f"{made} mill fell there ."
        )

    def test_there_is_one_world(self):
        first = WE_SAW.format("the|DT|det|5 toy|NN|compound|5 world|NN|dobj|2")
        assert again(first, self.IT_FELL.format("world", "NN", "world"), 0) == "The world fell there ."
        this = self.IT_FELL.format("world", "NN", "world").replace("The|", "This|")
        assert again(first, this, 0) == "The toy world fell there ."


class TestTheSameWords:
    THESE = "These|DT|det|2 mills|NNS|nsubj|3||mill fell|VBD|ROOT|0||fall there|RB|advmod|3 .|.|punct|3"
    THAT = "we|PRP|nsubj|6 owned|VBD|relcl|4||own"

    @pytest.mark.parametrize(
        ("opening", "behind", "made"),
        [
            ("the|DT|det|4", "there|RB|advmod|2", "The"),
            ("the|DT|det|4", THAT, "These"),  # "the mills" would be any mills
            ("two|CD|nummod|4", THAT, "The two"),
            ("those|DT|det|4", "there|RB|advmod|2", "These"),
        ],
    )
    def test_the_definite_has_to_say_as_much(self, opening, behind, made):
        first = WE_SAW.format(f"{opening} mills|NNS|dobj|2||mill {behind}")
        assert again(first, self.THESE, 0, link=mention(0, 2, 4, "nominal")) == f"{made} mills fell there ."

    @pytest.mark.parametrize(("opening", "made"), [("", "These"), ("some|DT|det|4", "The")])
    def test_a_bare_plural_is_none_in_particular(self, opening, made):
        noun = "mills|NNS|dobj|2||mill"
        first = WE_SAW.format(f"{opening} {noun}" if opening else f"{noun} there|RB|advmod|2")
        link = mention(0, 2, 4 if opening else 3, "nominal")
        assert again(first, self.THESE, 0, link=link) == f"{made} mills fell there ."
