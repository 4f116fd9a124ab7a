"""Openings that limit a sentence, which a second part loses, and those that it can do without."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

PREDICATE, CLAUSE, INNER = "SINGLE_VP_COORD", "SINGLE_S_COORD", "SINGLE_CONN_INNER"

# "{opening} , mills {grind} corn , {and} {they} {sell} it ." The verb of the first part is word 6.
OPENINGS = {
    "usually": "Most|RBS|advmod|2 usually|RB|advmod|6 ,|,|punct|6",
    "of the total": "Of|IN|prep|6 total|NN|pobj|1 ,|,|punct|6",
    "sadly": "Very|RB|advmod|2 sadly|RB|advmod|6 ,|,|punct|6",
    "despite": "Despite|IN|prep|6 rain|NN|pobj|1 ,|,|punct|6",
    "in total": "In|IN|prep|6 total|NN|pobj|1 ,|,|punct|6",
    "each year": "Each|DT|det|2|B-DATE year|NN|npadvmod|6|I-DATE ,|,|punct|6",
    "as of May": "As|IN|prep|6 of|IN|prep|1 May|NNP|pobj|2|B-DATE",
    "as a rule": "As|IN|prep|6 a|DT|det|3 rule|NN|pobj|1",
    "next door": "Next|JJ|amod|2 door|NN|npadvmod|6 ,|,|punct|6",
    "early in": "Early|RB|advmod|6 in|IN|prep|1 May|NNP|pobj|2|B-DATE",
}
TEXT = """
{opening} the|DT|det|5 mill|NN|nsubj|6 {first} corn|NN|dobj|6 ,|,|punct|6 {cc}|CC|cc|6 {subject} shop|NN|nsubj|12
{second} it|PRP|dobj|12 {end} .|.|punct|6
"""
GRINDS, SELLS = "grinds|VBZ|ROOT|0||grind", "sells|VBZ|conj|6||sell"
GROUND, SOLD = "ground|VBD|ROOT|0||grind", "sold|VBD|conj|6||sell"
WELL = "well|RB|advmod|12"


def reasons(opening, *, cc="and", first=GRINDS, second=SELLS, subject="the|DT|det|11", end=WELL):
    text = TEXT.format(opening=OPENINGS[opening], first=first, cc=cc, subject=subject, second=second, end=end)
    return rejections(text, CLAUSE)


@pytest.mark.parametrize("opening", ["usually", "of the total", "early in"])
def test_what_limits_both_is_not_lost(opening):
    assert reasons(opening) == ["SHARED_PART"]


@pytest.mark.parametrize("opening", ["sadly", "despite", "in total", "next door"])
def test_what_limits_nothing_may_be(opening):
    assert reasons(opening) == [None]


def test_behind_but_what_is_so_now_is_limited_and_what_was_so_is_not():
    for opening in ("usually", "each year", "as of May"):
        assert reasons(opening, cc="but") == ["SHARED_PART"]
    assert reasons("as a rule", cc="but") == [None]
    assert reasons("usually", cc="but", first=GROUND, second=SOLD) == [None]


def test_another_tense_or_a_time_of_its_own_needs_none():
    assert reasons("usually", second=SOLD) == [None]
    assert reasons("usually", end="today|NN|npadvmod|12|B-DATE") == [None]


def test_others_are_in_contrast_to_it():
    assert reasons("usually", subject="other|JJ|amod|11") == [None]


CLAUSES = """
{0} it|PRP|nsubj|3 {1} ,|,|punct|6 Lee|NNP|nsubj|6|B-PERSON {2} corn|NN|dobj|6 and|CC|cc|6 {3} bread|NN|dobj|9
.|.|punct|6
"""
BAKES, BAKED = "bakes|VBZ|conj|6||bake", "baked|VBD|conj|6||bake"


@pytest.mark.parametrize(
    ("mark", "verb", "reason"),
    [
        ("Until|IN|mark|3", "rained|VBD|advcl|6||rain", "SHARED_PART"),
        ("Had|VBD|aux|3||have", "rained|VBN|advcl|6||rain", "SHARED_PART"),
        ("Although|IN|mark|3", "rained|VBD|advcl|6||rain", None),
        ("Until|IN|mark|3", "rains|VBZ|advcl|6||rain", None),
    ],
)
def test_a_clause_that_says_when_or_whether_limits_a_second_predicate(mark, verb, reason):
    assert rejections(CLAUSES.format(mark, verb, GROUND, BAKED), PREDICATE) == [reason]


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
