"""A noun that comes back with "the" or "this", and what the fuller phrase before it need not say of it."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.repeated_nouns import has_namesake
from tests.rules.discofuse.helpers import parse, second_of
from tests.testing import mention

WE_SAW = "We|PRP|nsubj|2 saw|VBD|ROOT|0||see {} .|.|punct|2"
AN_OLD_MILL = WE_SAW.format("an|DT|det|5 old|JJ|amod|5 mill|NN|dobj|2")
OLD_MILLS = WE_SAW.format("{}|{} old|JJ|amod|5 mills|NNS|dobj|2||mill")
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

    TOPPED = """
    It|PRP|nsubj|2 topped|VBD|ROOT|0||top the|DT|det|4 chart|NN|dobj|2 {in_}|IN|prep|{on} {norway} .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("in_", "on", "norway", "made"),
        [
            ("in", 2, "Norway|NNP|pobj|5|B-GPE", "the chart"),
            ("in", 4, "Norway|NNP|pobj|5|B-GPE", "the chart"),
            ("in", 2, "May|NNP|pobj|5|B-DATE", "the old chart"),
            ("for", 2, "Norway|NNP|pobj|5|B-GPE", "the old chart"),
        ],
    )
    def test_a_country_has_its_own(self, in_, on, norway, made):
        first = WE_SAW.format("the|DT|det|5 old|JJ|amod|5 chart|NN|dobj|2")
        assert again(first, self.TOPPED.format(in_=in_, on=on, norway=norway), 2).startswith(f"It topped {made} ")

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


class TestWhatTellsThemApart:
    MILL = "The|DT|det|2 mill|NN|nsubj|{0} {1} fell|VBD|ROOT|0||fall .|.|punct|{0}"

    @pytest.mark.parametrize(
        ("behind", "verb", "made"),
        [
            ("in|IN|prep|2 Leeds|NNP|pobj|3", 5, "The"),  # in front of its verb it can only be the noun's
            ("here|RB|advmod|4", 4, "The old"),
            ("about|RB|advmod|2|B-QUANTITY 3|CD|nummod|5|I-QUANTITY miles|NNS|npadvmod|6|I-QUANTITY north|RB|advmod|2",
             7, "The"),
        ],
    )  # fmt: skip
    def test_a_place_behind_a_subject(self, behind, verb, made):
        second = self.MILL.format(verb, behind)
        assert again(AN_OLD_MILL, second, 0).startswith(f"{made} mill")

    ATE = (
        "They|PRP|nsubj|2 left|VBD|ROOT|0||leave the|DT|det|4 mill|NN|dobj|2 {0}|IN|prep|4 Leeds|NNP|pobj|5 .|.|punct|2"
    )

    @pytest.mark.parametrize(("preposition", "made"), [("near", "the mill"), ("in", "the old mill")])
    def test_a_place_behind_an_object(self, preposition, made):
        assert again(AN_OLD_MILL, self.ATE.format(preposition), 2) == f"They left {made} {preposition} Leeds ."


class TestParts:
    SOLD = "{0} these|DT|det|4 mills|NNS|pobj|2||mill burned|VBD|ROOT|0||burn .|.|punct|5"

    @pytest.mark.parametrize(
        ("part", "made"), [("All|DT|nsubj|5 of|IN|prep|1", False), ("Some|DT|nsubj|5 of|IN|prep|1", True)]
    )
    def test_all_are_more_than_those_of_one_phrase(self, part, made):
        made_of = again(OLD_MILLS.format("the", "DT|det|5"), self.SOLD.format(part), 2)
        assert ("the old mills" in made_of) is made

    @pytest.mark.parametrize(
        ("part", "whole", "made"),
        [
            ("90", "70", False),
            ("1,000", "70", False),
            ("20", "70", True),
            ("two", "three", True),
            ("dozens", "70", True),
        ],
    )
    def test_a_part_is_less_than_the_whole(self, part, whole, made):
        second = self.SOLD.format(f"{part}|CD|nsubj|5 of|IN|prep|1").replace("these", "the")
        made_of = again(OLD_MILLS.format(whole, "CD|nummod|5"), second, 2)
        assert (f"the {whole} old mills" in made_of) is made


class TestTimesAndDeeds:
    RAIN = """
    Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall {preposition}|IN|prep|2 this|DT|det|5 {noun}|NN|pobj|3 .|.|punct|2
    """

    @pytest.mark.parametrize(("noun", "made"), [("period", "this"), ("valley", "the wet")])
    def test_during_this_period_is_when_it_was(self, noun, made):
        first = WE_SAW.format(f"the|DT|det|5 wet|JJ|amod|5 {noun}|NN|dobj|2")
        assert again(first, self.RAIN.format(preposition="in", noun=noun), 3) == f"Rain fell in {made} {noun} ."

    @pytest.mark.parametrize(("verb", "made"), [("painted", "the wall"), ("saw", "the painted wall")])
    def test_what_is_painted_was_not_painted_yet(self, verb, made):
        first = WE_SAW.format("a|DT|det|5 painted|VBN|amod|5 wall|NN|dobj|2")
        lemma = {"painted": "paint", "saw": "see"}[verb]
        second = (
            f"They|PRP|nsubj|2 {verb}|VBD|ROOT|0||{lemma} the|DT|det|4 wall|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
        )
        assert again(first, second, 2) == f"They {verb} {made} there ."


class TestNamesakes:
    """ "We saw an old mill ." and "The new {} fell and the mill stood ." """

    SECOND = """
    The|DT|det|3 new|JJ|amod|3 {0} fell|VBD|ROOT|0||fall and|CC|cc|4 the|DT|det|7 mill|NN|nsubj|8 stood|VBD|conj|4||stand
    .|.|punct|4
    """

    def test_another_of_its_name_before_it_may_be_meant(self):
        assert again(AN_OLD_MILL, self.SECOND.format("mill|NN|nsubj|4"), 5) == "The new mill fell and the mill stood ."

    def test_another_noun_is_not(self):
        made = again(AN_OLD_MILL, self.SECOND.format("roof|NN|nsubj|4"), 5)
        assert made == "The new roof fell and the old mill stood ."

    def test_nor_one_of_the_same(self):
        second = parse(self.SECOND.format("mill|NN|nsubj|4"))
        other, again = mention(1, 0, 3, "nominal"), mention(1, 5, 7, "nominal")
        assert has_namesake(second, again, [again])
        assert not has_namesake(second, again, [other, again])
