"""What a second part has of its own beside the frame of the first, and frames that are not its own."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted

PREDICATE, CLAUSE = "SINGLE_VP_COORD", "SINGLE_S_COORD"


class TestTimesOfItsOwn:
    """ "In 1990 , Lee sold land and worked {phrase} ." """

    TEXT = """
    In|IN|prep|5 1990|CD|pobj|1|B-DATE ,|,|punct|5 Lee|NNP|nsubj|5|B-PERSON sold|VBD|ROOT|0||sell land|NN|dobj|5
    and|CC|cc|5 worked|VBD|conj|5||work {} .|.|punct|5
    """

    @pytest.mark.parametrize(
        "phrase",
        [
            "as|IN|prep|8 clerk|NN|pobj|9",
            "by|IN|prep|8 choice|NN|pobj|9",
            "by|IN|prep|8 weaving|VBG|pcomp|9||weave",
        ],
    )
    def test_a_role_and_a_means_are_none(self, phrase):
        assert accepted(self.TEXT.format(phrase), PREDICATE)[1].startswith("In 1990 , Lee worked")

    @pytest.mark.parametrize(
        "phrase",
        [
            "as|IN|mark|11 he|PRP|nsubj|11 aged|VBD|advcl|8||age",
            "by|IN|prep|8 night|NN|pobj|9",
            "there|RB|advmod|8 by|IN|prep|8 the|DT|det|12 end|NN|pobj|10",
            "shortly|RB|advmod|8",
        ],
    )
    def test_a_time_is_one(self, phrase):
        assert accepted(self.TEXT.format(phrase), PREDICATE)[1].startswith("Lee worked")


class TestBeginnings:
    FIRST = """
    In|IN|prep|7 the|DT|det|4 {0} season|NN|pobj|1 ,|,|punct|7 Lee|NNP|nsubj|7|B-PERSON sold|VBD|ROOT|0||sell
    land|NN|dobj|7 and|CC|cc|7 worked|VBD|conj|7||work there|RB|advmod|10 .|.|punct|7
    """
    AT_THE_END = """
    At|IN|prep|9 the|DT|det|3 {0}|NN|pobj|1 {1} the|DT|det|6 season|NN|{2} ,|,|punct|9 Lee|NNP|nsubj|9|B-PERSON
    sold|VBD|ROOT|0||sell land|NN|dobj|9 and|CC|cc|9 worked|VBD|conj|9||work there|RB|advmod|12 .|.|punct|9
    """

    @pytest.mark.parametrize("word", ["first|JJ|amod|4", "old|JJ|amod|4"])
    def test_the_first_of_them_is_a_time_of_both(self, word):
        made = accepted(self.FIRST.format(word), PREDICATE)[1]
        assert made == f"In the {word.split('|')[0]} season , Lee worked there ."

    def test_the_end_of_a_time_is_one_too(self):
        made = accepted(self.AT_THE_END.format("end", "of|IN|prep|3", "pobj|4"), PREDICATE)[1]
        assert made == "At the end of the season , Lee worked there ."

    def test_a_beginning_is_none(self):
        text = self.AT_THE_END.format("beginning", "of|IN|prep|3", "pobj|4")
        assert accepted(text, PREDICATE)[1] == "Lee worked there ."


class TestUpToATime:
    TEXT = """
    {0}|IN|prep|5 1990|CD|pobj|1|B-DATE ,|,|punct|5 Lee|NNP|nsubj|5|B-PERSON sold|VBD|ROOT|0||sell land|NN|dobj|5
    {1}|CC|cc|5 worked|VBD|conj|5||work there|RB|advmod|8 .|.|punct|5
    """

    @pytest.mark.parametrize(("preposition", "cc"), [("Before", "and"), ("In", "but")])
    def test_what_goes_on_was_so_then(self, preposition, cc):
        made = accepted(self.TEXT.format(preposition, cc), PREDICATE)[1]
        assert made == f"{preposition} 1990 , Lee worked there ."

    def test_what_changed_was_not(self):
        assert accepted(self.TEXT.format("Before", "but"), PREDICATE)[1] == "Lee worked there ."


class TestCommas:
    """ "In {} Lee sold land and worked there ." """

    TEXT = """
    In|IN|prep|{0} {1} Lee|NNP|nsubj|{0}|B-PERSON sold|VBD|ROOT|0||sell land|NN|dobj|{0} and|CC|cc|{0}
    worked|VBD|conj|{0}||work there|RB|advmod|{2} .|.|punct|{0}
    """

    def test_a_long_frame_gets_one(self):
        text = self.TEXT.format(7, "the|DT|det|5 long|JJ|amod|5 cold|JJ|amod|5 winter|NN|pobj|1", 10)
        assert accepted(text, PREDICATE)[1] == "In the long cold winter , Lee worked there ."

    def test_a_short_one_of_time_does_not(self):
        assert accepted(self.TEXT.format(4, "1990|CD|pobj|1|B-DATE", 7), PREDICATE)[1] == "In 1990 Lee worked there ."
