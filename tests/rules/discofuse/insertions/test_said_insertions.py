"""Appositions by the time of their text and by their place; relative clauses, participles and reasons that say less
than they seem to."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_said as p
from tests.rules.discofuse.helpers import accepted, changed, rejections

RELATIVE, APPOSITION, INNER = "SINGLE_RELATIVE", "SINGLE_APPOSITION", "SINGLE_CONN_INNER"
CATAPHORA = "SINGLE_CATAPHORA"
IS, WAS = "Lee is a judge of the court .", "Lee was a judge of the court ."


class TestTextTime:
    def test_who_says_what_is_so_is_what_he_is_called(self):
        assert accepted(p.SAID, APPOSITION)[1] == IS

    @pytest.mark.parametrize(
        "change",
        [
            ("is|VBZ|ccomp", "was|VBD|ccomp"),  # the report went into the past with its author
            ("said|VBD|ROOT|0||say", "wrote|VBD|ROOT|0||write"),  # an old book says it too
            ("The|DT|det|2", "My|PRP$|poss|2"),  # the speaker's own words
        ],
    )
    def test_who_said_what_was_so(self, change):
        assert accepted(changed(p.SAID, change), APPOSITION)[1] == WAS

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
    def test_a_phrase_begins_at_no_hyphen(self):
        assert rejections(p.EX_MAYOR, APPOSITION) == ["WRONG_SCOPE"]
        assert rejections(changed(p.EX_MAYOR, ("-|HYPH|punct|6", "the|DT|det|6")), APPOSITION) == [None]

    def test_a_predicate_is_said_of_the_subject(self):
        assert rejections(p.POET, APPOSITION) == ["WRONG_SCOPE"]

    def test_a_predicate_that_names_somebody(self):
        assert rejections(changed(p.POET, ("poet|NN", "Poe|NNP")), APPOSITION) == [None]

    def test_a_verb_of_saying_was_read_as_a_noun(self):
        assert rejections(p.STATES.format(paper="NN", states="states", lemma="state"), APPOSITION) == ["CLAUSE_CUT"]
        assert "CLAUSE_CUT" not in rejections(p.STATES.format(paper="NN", states="wheels", lemma="wheel"), APPOSITION)

    def test_what_a_thing_is_like_may_not_be_meant(self):
        assert rejections(p.LIKE.format(the="the"), APPOSITION) == ["AMBIGUOUS"]
        name = changed(p.LIKE.format(the="the"), ("tower|NN|pobj|4", "Tower|NNP|pobj|4|B-FAC"))
        assert rejections(name, APPOSITION) == [None]
        beside = changed(p.LIKE.format(the="the"), ("like|IN", "behind|IN"))
        assert rejections(beside, APPOSITION) == [None]

    def test_nobody_is_his_own_child(self):
        assert rejections(p.GUESTS.format(own="their"), APPOSITION) == ["LIST"]
        assert rejections(p.GUESTS.format(own="our"), APPOSITION) == [None]

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


class TestParticiples:
    def test_a_means_of_what_can_be_done(self):
        assert rejections(p.LEVER, CATAPHORA) == ["NOT_ASSERTED"]
        text = changed(p.LEVER, ("can|MD|aux|7 lift|VB", "then|RB|advmod|7 lifts|VBZ"))
        assert accepted(text, CATAPHORA)[0] == "Ann uses a lever ."


class TestInnerConnectives:
    def test_a_deed_before_the_first_clause_may_be_before_both(self):
        assert rejections(p.COMING_HOME, INNER) == ["SHARED_PART"]

    def test_a_deed_is_not_a_frame_of_a_reason(self):
        text = changed(p.COMING_HOME, ("whereas|IN", "because|IN"))
        assert accepted(text, INNER)[1] == "Bea wrote books ."

    def test_a_cause_in_place_of_a_denied_one(self):
        assert "NOT_ASSERTED" in rejections(p.NOT_BECAUSE, INNER)

    def test_a_second_cause(self):
        text = changed(p.NOT_BECAUSE, ("not|RB|neg|3", "now|RB|advmod|3"))
        assert "NOT_ASSERTED" not in rejections(text, INNER)


class TestRelativeClauses:
    def test_one_of_several_is_meant_and_not_what_tells_it_apart(self):
        assert rejections(p.THE_ONE, RELATIVE) == ["AMBIGUOUS"]

    def test_a_person_tells_nothing_apart(self):
        text = changed(
            p.THE_ONE,
            ("Leeds|NNP|pobj|5|B-GPE", "Ann|NNP|pobj|5|B-PERSON"),
            ("which|WDT", "who|WP"),
            ("from|IN", "of|IN"),
        )
        assert rejections(text, RELATIVE) == [None]

    def test_the_end_of_what_somebody_says(self):
        assert rejections(p.BURNED, RELATIVE) == ["NOT_ASSERTED"]

    def test_the_author_adds_it_behind_a_subject(self):
        assert accepted(p.CAME_HOME, RELATIVE)[1] == "Lee was ill ."
