"""Second predicates that may not be the main verb's, adverbs that are said of both, and frames of both."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_conjuncts as p
from tests.rules.discofuse.helpers import accepted, changed, rejections

PREDICATE, CLAUSE = "SINGLE_VP_COORD", "SINGLE_S_COORD"


class TestDoubt:
    @pytest.mark.parametrize("word", ["probably", "reportedly", "perhaps"])
    def test_an_adverb_of_doubt_is_said_of_both(self, word):
        assert rejections(changed(p.PROBABLY, ("probably", word)), PREDICATE) == ["NOT_ASSERTED"]

    def test_another_adverb_may_be_said_of_the_first_alone(self):
        assert (
            accepted(changed(p.PROBABLY, ("probably", "slowly")), PREDICATE)[1] == "The mill will move to the north ."
        )

    def test_a_doubt_about_the_second_stays_there(self):
        text = changed(p.PROBABLY, ("will|MD|aux|5 probably|RB|advmod|5", "will|MD|aux|5 slowly|RB|advmod|5"))
        text = changed(
            text,
            ("to|IN|prep|9 the|DT|det|12 north|NN|pobj|10", "perhaps|RB|advmod|9 north|RB|advmod|9 soon|RB|advmod|9"),
        )
        assert accepted(text, PREDICATE)[1] == "The mill will move perhaps north soon ."


class TestClauseBetween:
    def test_the_clause_before_may_take_the_verb_in(self):
        assert rejections(p.ONCE, PREDICATE) == ["WRONG_SCOPE"]

    @pytest.mark.parametrize(
        "change",
        [
            ("town|NN|pobj|9 and|CC|cc|2", "town|NN|pobj|9 ,|,|punct|2 and|CC|cc|2"),
            ("came|VBD|advcl|2||come", "come|VBP|advcl|2"),
        ],
    )
    def test_not_behind_a_comma_or_in_another_tense(self, change):
        text = changed(p.ONCE, change)
        if "||come" not in change[0]:
            text = changed(text, ("closed|VBD|conj|2||close the|DT|det|15", "closed|VBD|conj|2||close the|DT|det|16"))
            text = changed(text, ("bridge|NN|dobj|13", "bridge|NN|dobj|14"))
        assert accepted(text, PREDICATE)[1] == "They closed the bridge ."

    def test_a_place_holds_two_clauses_without_a_comma_too(self):
        assert rejections(p.PLACE, CLAUSE) == ["WRONG_SCOPE"]
        text = changed(p.PLACE, ("in|IN|prep|9 which|WDT|pobj|5", "that|WDT|dobj|9 once|RB|advmod|9"))
        assert accepted(text, CLAUSE)[1] == "Children learned to weave ."


class TestFrames:
    def test_an_agent_is_not_a_time(self):
        assert accepted(p.AGENT, PREDICATE)[1] == "In 1990 the mill was closed by the town ."
        text = changed(p.AGENT, ("by|IN|agent|11 the|DT|det|14 town|NN", "by|IN|prep|11 the|DT|det|14 spring|NN"))
        assert accepted(text, PREDICATE)[1] == "The mill was closed by the spring ."

    def test_what_there_is_none_of_stays_indefinite(self):
        assert accepted(p.WITHOUT, PREDICATE)[1] == "Without a word , the man closed the mill ."
        text = changed(p.WITHOUT, ("Without", "In"), ("word", "test"))
        assert accepted(text, PREDICATE)[1] == "In the test , the man closed the mill ."

    def test_another_is_that_one_the_second_time(self):
        text = changed(p.WITHOUT, ("Without", "In"), ("a|DT|det|3 word", "another|DT|det|3 town"))
        assert accepted(text, PREDICATE)[1] == "In that town , the man closed the mill ."

    def test_a_purpose_is_that_of_both(self):
        assert accepted(p.PURPOSE, PREDICATE)[1] == "To save the town , they must close the mill ."

    def test_a_source_is_not(self):
        assert accepted(p.SOURCE, PREDICATE)[1] == "The man sent a letter ."

    def test_a_time_without_a_preposition_is(self):
        assert accepted(p.YEAR, PREDICATE)[1] == "Year to date , the town built a bridge ."

    @pytest.mark.parametrize("word", ["some", "most"])
    def test_what_is_so_in_some_of_them_is_not_said_of_all(self, word):
        assert rejections(changed(p.PART, ("some", word)), CLAUSE) == ["SHARED_PART"]

    def test_a_clause_about_others_or_all_may_stand_alone(self):
        assert accepted(changed(p.PART, ("some", "the")), CLAUSE)[1] == "There is little work ."
        assert (
            accepted(changed(p.PART, ("little|JJ|amod|13", "other|JJ|amod|13")), CLAUSE)[1] == "There is other work ."
        )


class TestForms:
    def test_a_participle_before_a_comma_is_not_a_subject(self):
        assert rejections(p.USING, PREDICATE) == ["AMBIGUOUS"]

    def test_one_that_the_verb_follows_is(self):
        text = changed(p.USING, (",|,|punct|1 Lee|NNP|npadvmod|1|B-PERSON|Lee", "very|RB|advmod|6 so|RB|advmod|6"))
        assert accepted(text, PREDICATE)[1] == "Using the map closed it ."

    def test_the_parts_of_a_verb_stay_together(self):
        assert accepted(p.HYPHEN, PREDICATE)[1] == "In May it crash - landed on the mill ."

    def test_an_adverbial_before_the_verb_opens_the_sentence(self):
        text = changed(p.HYPHEN, ("crash|NN|npadvmod|11 -|HYPH|punct|11", "in|IN|prep|11 June|NNP|pobj|9|B-DATE|June"))
        assert accepted(text, PREDICATE)[1] == "In June it landed on the mill ."

    def test_both_goes_with_and(self):
        assert rejections(p.BOTH, PREDICATE) == ["DANGLING"]
        text = changed(
            p.BOTH,
            (
                "The|DT|det|2 mills|NNS|nsubj|4||mill both|DT|appos|2",
                "Both|DT|det|3 the|DT|det|3 mills|NNS|nsubj|4||mill",
            ),
        )
        assert accepted(text, PREDICATE)[1] == "Both the mills sold their cloth ."

    def test_what_things_are_called_may_be_a_passive(self):
        assert rejections(p.CALLED, PREDICATE) == ["SHARED_PART"]
        text = changed(p.CALLED, ("are|VBP|ROOT|0||be very|RB", "grew|VBD|ROOT|0||grow very|RB"))
        assert accepted(text, PREDICATE)[1] == "The mills considered the best ones in town ."


class TestInnerPredicate:
    def test_the_second_verb_goes_on_an_inner_clause(self):
        assert rejections(p.QUOTED, PREDICATE) == ["WRONG_SCOPE"]

    def test_a_clause_of_another_tense_ends_at_its_quotation(self):
        text = changed(p.QUOTED, ("was|VBD|advcl|2", "is|VBZ|advcl|2"))
        assert accepted(text, PREDICATE)[1] == "She wanted a nurse ."


class TestSharedAdverb:
    @pytest.mark.parametrize("word", ["often", "sometimes", "rarely"])
    def test_it_says_how_often_both_happen(self, word):
        assert rejections(changed(p.OFTEN, ("often", word)), PREDICATE) == ["NOT_ASSERTED"]

    def test_a_habit_stays_without_its_adverb(self):
        assert accepted(changed(p.OFTEN, ("often", "usually")), PREDICATE)[1] == "The miller stayed with his son ."

    @pytest.mark.parametrize(
        "change",
        [
            ("stayed|VBD|conj|4||stay with|IN|prep|9", "slowly|RB|advmod|10 stayed|VBD|conj|4||stay"),
            ("stayed|VBD|conj|4||stay with|IN|prep|9", "might|MD|aux|10 stay|VB|conj|4"),
            ("his|PRP$|poss|12 son|NN|pobj|10", "May|NNP|pobj|10|B-DATE|May 1990|CD|nummod|11|I-DATE|1990"),
        ],
    )
    def test_a_second_part_with_an_adverb_a_modal_or_a_date_tells_for_itself(self, change):
        assert "NOT_ASSERTED" not in rejections(changed(p.OFTEN, change), PREDICATE)

    def test_instead_is_not_an_adverb_of_its_own(self):
        text = changed(
            p.OFTEN,
            (
                "and|CC|cc|4 stayed|VBD|conj|4||stay with|IN|prep|9",
                "but|CC|cc|4 instead|RB|advmod|10 saw|VBD|conj|4||see",
            ),
            ("his|PRP$|poss|12 son|NN|pobj|10", "his|PRP$|poss|12 son|NN|dobj|10"),
        )
        assert rejections(text, PREDICATE) == ["NOT_ASSERTED"]


class TestNor:
    def test_the_negation_is_lost(self):
        assert rejections(p.NOR, PREDICATE) == ["SHARED_PART"]
