"""Appositions by the time of their text and by their place, and clauses of purpose."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_said as p
from tests.rules.discofuse.helpers import accepted, changed, rejections

APPOSITION, INNER = "SINGLE_APPOSITION", "SINGLE_CONN_INNER"
IS, WAS = "Lee is a judge of the court .", "Lee was a judge of the court ."


class TestTextTime:
    def test_a_time_counted_from_the_text_s_own(self):
        assert accepted(p.LAST_WEEK, APPOSITION)[1] == IS

    @pytest.mark.parametrize(
        "changes",
        [
            [("Last|JJ|amod|2|B-DATE", "That|DT|det|2|B-DATE")],
            [("met|VBD|ROOT|0||meet", "buried|VBD|ROOT|0||bury")],  # the end of what he was
            [("week|NN", "year|NN")],
        ],
    )
    def test_another_time_or_an_end(self, changes):
        assert accepted(changed(p.LAST_WEEK, *changes), APPOSITION)[1] == WAS

    def test_land_and_water_stay_what_they_are(self):
        assert accepted(p.GOBI, APPOSITION)[1] == "The Gobi is a desert in Asia ."
        built = changed(p.GOBI, ("desert|NN", "camp|NN"))
        assert accepted(built, APPOSITION)[1] == "The Gobi was a camp in Asia ."


class TestPlacesOfAppositions:
    def test_a_predicate_is_said_of_the_subject(self):
        assert rejections(p.POET, APPOSITION) == ["WRONG_SCOPE"]

    def test_a_predicate_that_names_somebody(self):
        assert rejections(changed(p.POET, ("poet|NN", "Poe|NNP")), APPOSITION) == [None]

    def test_a_participle_may_go_on_the_clause_inside(self):
        assert rejections(p.SAYING, APPOSITION) == ["CLAUSE_CUT"]
        text = changed(p.SAYING, ("He|PRP|nsubj|2", "Bo|NNP|dobj|2|B-PERSON"), ("Lee|NNP|dobj|2", "Lee|NNP|nsubj|2"))
        assert "CLAUSE_CUT" not in rejections(text, APPOSITION)


class TestPurposes:
    def test_what_is_to_be_done_has_a_purpose(self):
        text = p.LOCK.format(you="Please|UH|intj|2 ", tag="VB", door=4, lock=2, comes=9)
        assert rejections(text, INNER) == ["NOT_ASSERTED"]

    def test_what_is_done_has_a_result(self):
        text = p.LOCK.format(you="They|PRP|nsubj|2 ", tag="VBP", door=4, lock=2, comes=9)
        assert accepted(text, INNER)[1] == "Nobody comes here ."
