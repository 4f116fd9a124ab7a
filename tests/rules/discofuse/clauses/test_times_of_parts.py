"""What a second part has of its own, a time or a passive, and what it takes over from the first."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted

PREDICATE, CLAUSE = "SINGLE_VP_COORD", "SINGLE_S_COORD"


class TestTimesInsideOtherPhrases:
    """ "In 1990 , Lee left town and {predicate} ." """

    TEXT = """
    In|IN|prep|5 1990|CD|pobj|1|B-DATE ,|,|punct|5 Lee|NNP|nsubj|5|B-PERSON left|VBD|ROOT|0||leave town|NN|dobj|5
    and|CC|cc|5 {} .|.|punct|5
    """
    SENTENCED = "was|VBD|auxpass|9||be sentenced|VBN|conj|5||sentence to|IN|prep|9 one|CD|nummod|12|B-DATE year|NN|pobj|10|I-DATE"
    FELL = """
    sold|VBD|conj|5||sell the|DT|det|10 mill|NN|dobj|8 ,|,|punct|10 which|WDT|nsubj|13 fell|VBD|relcl|10||fall
    in|IN|prep|13 May|NNP|pobj|14|B-DATE
    """

    def test_a_measure_is_not_a_time_of_its_own(self):
        assert accepted(self.TEXT.format(self.SENTENCED), PREDICATE)[1] == "In 1990 , Lee was sentenced to one year ."

    def test_nor_is_what_tells_more_of_a_noun(self):
        show = "hosted|VBD|conj|5||host a|DT|det|11 morning|NN|compound|11|B-TIME show|NN|dobj|8"
        assert accepted(self.TEXT.format(show), PREDICATE)[1] == "In 1990 , Lee hosted a morning show ."

    def test_nor_is_that_of_a_relative_clause(self):
        made = accepted(self.TEXT.format(self.FELL), PREDICATE)[1]
        assert made == "In 1990 , Lee sold the mill , which fell in May ."

    @pytest.mark.parametrize(
        "time",
        [
            "in|IN|prep|8 May|NNP|pobj|9|B-DATE",
            "in|IN|prep|8 winter|NN|pobj|9 of|IN|prep|10 1991|CD|pobj|11|B-DATE",
        ],
    )
    def test_a_date_is(self, time):
        assert accepted(self.TEXT.format(f"worked|VBD|conj|5||work {time}"), PREDICATE)[1].startswith("Lee worked")

    def test_so_is_a_noun_that_opens_the_clause(self):
        text = self.TEXT.format("every|DT|det|9 year|NN|npadvmod|11 Ada|NNP|nsubj|11|B-PERSON worked|VBD|conj|5||work")
        assert accepted(text, CLAUSE)[1] == "Every year Ada worked ."


def test_a_verb_without_a_passive_has_no_share_in_one():
    text = """
    Lee|NNP|nsubjpass|3|B-PERSON was|VBD|auxpass|3||be born|VBN|ROOT|0||bear in|IN|prep|3 Rome|NNP|pobj|4|B-GPE
    and|CC|cc|3 {} there|RB|advmod|7 .|.|punct|3
    """
    for tag in ("VBD", "VBN"):
        assert accepted(text.format(f"graduated|{tag}|conj|3||graduate"), PREDICATE)[1] == "Lee graduated there ."
    assert accepted(text.format("raised|VBN|conj|3||raise"), PREDICATE)[1] == "Lee was raised there ."


def test_a_title_is_said_again_in_its_quotes():
    text = """
    {0} Sorry|NNP|nsubj|4 {0} came|VBD|ROOT|0||come first|RB|advmod|4 and|CC|cc|4 won|VBD|conj|4||win two|CD|nummod|9
    prizes|NNS|dobj|7||prize .|.|punct|4
    """
    assert accepted(text.format('"|``|punct|4'), PREDICATE)[1] == '" Sorry " won two prizes .'
