"""What the parts of a sentence belong to: a second predicate, a phrase behind an insertion, a frame, a participle."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_attachment as p
from tests.rules.discofuse.helpers import accepted, found, parse, rejections

PREDICATE, CLAUSE, INNER = "SINGLE_VP_COORD", "SINGLE_S_COORD", "SINGLE_CONN_INNER"
RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"
PARTICIPLE, FRONTED = "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestSecondPredicate:
    def test_behind_a_report_each_of_a_chain_may_be_of_the_one_reported(self):
        assert rejections(p.SAID_CAME, PREDICATE) == ["WRONG_SCOPE", "WRONG_SCOPE"]

    def test_behind_a_report_a_chain_of_the_past_stands_if_the_report_is_present(self):
        text = p.SAID_CAME.replace("came|VBD", "comes|VBZ").replace("in|RP|prt", "home|RB|advmod")
        assert rejections(text, PREDICATE) == [None, None]

    def test_behind_an_open_dash_it_belongs_to_what_is_there(self):
        assert rejections(p.CLOSED_DASH.replace("--|:|punct|3", ",|,|punct|3"), PREDICATE) == ["WRONG_SCOPE"]

    def test_behind_a_closed_dash_it_is_the_subject_s(self):
        assert accepted(p.CLOSED_DASH, PREDICATE)[1] == "The town bought a new bridge ."

    def test_behind_a_semicolon_it_is_of_another_sentence(self):
        text = p.CLOSED_DASH.replace("--|:|punct|5", ";|:|punct|5")
        assert rejections(text, PREDICATE) == ["WRONG_SCOPE"]

    def test_behind_a_noun_and_was_a_form_of_the_past_may_be_one(self):
        assert rejections(p.PLAYER_SIGNED, PREDICATE) == ["SHARED_PART"]

    def test_with_an_agent_it_is_passive(self):
        assert accepted(p.RUIN_VISITED, PREDICATE)[1] == "The tower was visited by many painters ."

    def test_a_form_that_is_not_a_past_is_passive(self):
        text = p.PLAYER_SIGNED.replace("signed|VBN|conj|2||sign", "taken|VBN|conj|2||take")
        assert accepted(text, PREDICATE)[1] == "Ann was taken with Leeds in May ."

    def test_the_verb_right_before_shares_the_object(self):
        assert None not in rejections(p.EDITED_PUBLISHED, PREDICATE)

    def test_so_is_left_over(self):
        assert rejections(p.AND_SO, CLAUSE) == ["DANGLING"]
        assert accepted(p.AND_SO.replace("so|RB", "then|RB"), CLAUSE)[1] == "The mill then was unable to grind corn ."

    def test_a_participle_goes_on_with_the_one_before(self):
        assert rejections(p.STAGED_REOPENED, PREDICATE) == ["WRONG_SCOPE"]

    def test_behind_a_clause_that_stands_behind_brackets_it_may_be_of_that(self):
        assert rejections(p.BRACKETED_CLERK, CLAUSE) == ["WRONG_SCOPE"]

    def test_a_name_in_an_adverbial_may_be_its_subject(self):
        assert rejections(p.REVENGE, PREDICATE) == ["VERB_FORM"]
        assert accepted(p.IN_MAY, PREDICATE)[1] == "In May Kim shot a film in the hall ."

    def test_a_noun_is_not_a_predicate(self):
        assert rejections(p.COURTESY, PREDICATE) == ["VERB_FORM"]
        text = p.COURTESY.replace("courtesy|VBD", "islamized|VBD")
        assert "VERB_FORM" not in rejections(text, PREDICATE)  # in no table, but a past tense by its form

    def test_in_another_tense_it_may_be_of_the_clause_before(self):
        assert rejections(p.THAT_SAVED, PREDICATE) == ["WRONG_SCOPE"]
        text = p.THAT_SAVED.replace("hides|VBZ|conj|2||hide", "hid|VBD|conj|2||hide")
        assert accepted(text, PREDICATE)[1] == "She hid her face in the day ."

    def test_an_object_of_both_is_behind_a_comma(self):
        assert rejections(p.HEAD_OF, CLAUSE) == ["SHARED_PART"]

    def test_respectively_needs_two_lists(self):
        assert rejections(p.LAMP_RESPECTIVELY, PREDICATE) == ["SHARED_PART"]
        assert accepted(p.ADA_RESPECTIVELY, PREDICATE)[1] == "Ada and Leo originally meant ox and house respectively ."

    def test_a_verb_that_was_taken_for_a_noun_is_not_a_subject(self):
        assert rejections(p.STUMBLES, CLAUSE) == ["NUMBER"]
        text = p.STUMBLES.replace("has|VBZ|aux", "have|VBP|aux")
        assert accepted(text, CLAUSE)[1].startswith("Stumbles into a closet")


class TestInnerConnective:
    def test_so_much_so(self):
        assert rejections(p.SO_MUCH_SO, INNER) == ["DANGLING"]
        assert accepted(p.SO_THAT, INNER)[1] == "It was printed in May ."

    def test_a_predicate_behind_a_comma_may_be_of_either_clause(self):
        assert rejections(p.BECAUSE_AND_WENT, INNER) == ["SHARED_PART"]

    def test_without_the_comma_it_is_the_clause_s(self):
        assert accepted(p.BECAUSE_AND_NEEDED, INNER)[1] == "Ben was ill and needed help ."

    def test_the_same_connective_again_would_stay(self):
        assert rejections(p.BECAUSE_BECAUSE, INNER) == ["SHARED_PART", "DANGLING"]

    def test_a_contrast_stands_in_the_frame_of_the_first_clause(self):
        assert accepted(p.ODD_YEARS, INNER)[1] == "In odd years , the show is held in York ."

    def test_a_reason_does_not(self):
        text = p.ODD_YEARS.replace("while|IN", "because|IN")
        assert accepted(text, INNER)[1] == "The show is held in York ."

    def test_a_contrast_with_the_frame_does_not(self):
        assert accepted(p.MANY_TOWNS, INNER)[1] == "Others hold it in halls ."


class TestInsertion:
    def test_the_comma_of_one_of_two_stays(self):
        assert accepted(p.HER_MOTHER, RELATIVE)[0] == (
            "Ada was born to her father , a painter Leo Kim , and her mother Bea ."
        )

    def test_the_comma_of_the_phrase_around_it_stays(self):
        assert accepted(p.LED_BY, APPOSITION) == (
            "A group of painters in Rome , led by Ada Grey , has opened a school .",
            "Ada Grey is a sculptor .",
        )

    def test_the_comma_of_a_list_that_goes_on_does_not(self):
        clerk = p.TWO_DIRECTORS.replace("who|WP|nsubj|22", "a|DT|det|22").replace("left|VBD|relcl", "clerk|NN|appos")
        first, _ = accepted(clerk, RELATIVE)
        assert first.startswith("The firm hired two directors , Leo Kim and Ada Grey")

    def test_a_cleft_sentence_needs_its_clause(self):
        assert rejections(p.IT_WAS_LEO, APPOSITION) == ["CLAUSE_CUT"]
        text = p.IT_WAS_LEO.replace("It|PRP", "He|PRP")
        assert accepted(text, APPOSITION)[0] == "He was Leo Kim ."

    def test_a_title_with_a_verb_is_not_cut(self):
        assert rejections(p.IS_MAGIC, APPOSITION) == ["WRONG_SCOPE"]
        text = p.IS_MAGIC.replace(":|:", ",|,")
        assert rejections(text, APPOSITION) == [None]

    def test_a_verb_behind_it_may_be_of_the_clause(self):
        assert rejections(p.LIKED_PAID, RELATIVE) == ["CLAUSE_CUT"]

    @pytest.mark.parametrize("name", ["BUT_NOT", "WHETHER"])
    def test_what_goes_on_is_of_the_clause(self, name):
        assert rejections(getattr(p, name), RELATIVE) == ["CLAUSE_CUT"]

    def test_an_extent_keeps_its_comma(self):
        assert accepted(p.TAKWIN, APPOSITION)[0] == "The goal was Takwin , up to the human body ."

    def test_the_first_of_two_is_not_what_both_are(self):
        assert rejections(p.FIRST_HAVING_PASSED, APPOSITION) == ["WRONG_SCOPE"]

    def test_a_group_that_is_called_by_its_persons_is_many(self):
        assert (
            accepted(p.MOUNTAIN_BOYS, APPOSITION)[1] == "The Green Mountain Boys were a group of soldiers led by Kim ."
        )
        text = p.MOUNTAIN_BOYS.replace("group|NN", "play|NN")
        assert accepted(text, APPOSITION)[1].startswith("The Green Mountain Boys is a play")

    @pytest.mark.parametrize("name", ["CAST_AS", "SERVANT_AS"])
    def test_a_role_may_be_of_the_clause_or_of_both(self, name):
        assert rejections(getattr(p, name), APPOSITION) == ["CLAUSE_CUT"]

    def test_another_preposition_is_of_the_apposition(self):
        assert (
            accepted(p.CAST_AS.replace("as|IN", "from|IN"), APPOSITION)[1]
            == "Ada Grey was a young dancer from the queen ."
        )

    def test_a_semicolon_ends_more_than_the_clause(self):
        assert rejections(p.SCHOOLS, RELATIVE) == ["CLAUSE_CUT"]

    def test_a_title_keeps_its_article(self):
        assert accepted(p.AN_ENGLISH_MASS, RELATIVE)[1] == "An English Mass had its premiere in Leeds ."
        text = p.AN_ENGLISH_MASS.replace("An|DT", "an|DT")
        assert accepted(text, RELATIVE)[1] == "The English Mass had its premiere in Leeds ."

    def test_the_number_of_a_title_is_none(self):
        assert rejections(p.ONE_LAST_DANCE, RELATIVE) == ["WRONG_SCOPE"]
        text = p.ONE_LAST_DANCE.replace("One|CD", "one|CD").replace("B-CARDINAL", "")
        assert accepted(text, RELATIVE)[1] == "The Last Dance starred Leo Kim ."

    def test_the_second_part_of_a_title_is_not_a_book(self):
        assert rejections(p.FAR_LAND, RELATIVE) == ["WRONG_SCOPE"]

    def test_how_many_there_are_is_not_said_again(self):
        assert rejections(p.MANY_LAMPS, RELATIVE) == ["WRONG_SCOPE"]


class TestFrame:
    def test_of_the_past_is_definite_again(self):
        assert accepted(p.TEST_RAN, PREDICATE)[1] == "In the test , the mill made a noise ."

    def test_of_anything_stays_indefinite(self):
        assert accepted(p.TEST_RUNS, PREDICATE)[1] == "In a test , the mill makes a noise ."

    def test_that_is_a_condition_holds_for_both(self):
        assert accepted(p.ONCE_THEY_LEFT, CLAUSE)[1] == "Once they left the hall , the mayor sang ."


class TestParticiple:
    @pytest.mark.parametrize(
        "name",
        [
            "STEMMING",  # an event is the source
            "BELIEVING",  # those who did it believed
            "COUNTING",  # whoever counts
            "TURNING",  # each of many
        ],
    )
    def test_is_not_the_subject_s(self, name):
        assert rejections(getattr(p, name), PARTICIPLE) == ["DANGLING_PARTICIPLE"]

    def test_of_belief_is_the_subject_s_of_an_active_clause(self):
        text = p.BELIEVING.replace("nsubjpass", "nsubj").replace("was|VBD|auxpass|11", "had|VBD|aux|11")
        assert accepted(text, PARTICIPLE)[0] == "She believed the mark to be a sign ."

    def test_an_adjective_is_none(self):
        assert rejections(p.UNWILLING, PARTICIPLE) == []
        assert (
            accepted(p.UNWILLING.replace("Unwilling|VBG", "Wanting|VBG"), PARTICIPLE)[0]
            == "Ada wanted to sell the mill ."
        )

    def test_a_name_behind_the_comma_is_of_the_phrase(self):
        assert rejections(p.FAN_OF_TOWERS, PARTICIPLE) == ["LIST"]
        text = p.FAN_OF_TOWERS.replace("York|NNP|npadvmod|17|B-GPE|York", "there|RB|advmod|17")
        assert accepted(text, PARTICIPLE)[1] == "There , I was glad about the plan ."

    def test_is_the_subject_itself(self):
        assert rejections(p.HUNTING, PARTICIPLE) == ["LIST"]

    def test_tells_of_the_past_where_the_clause_does_by_its_infinitive(self):
        assert accepted(p.HAVING_SEEN, PARTICIPLE)[0] == "Grey had seen the plans ."
        assert parse(p.HAVING_SEEN).tells_of_past(6)
        assert not parse(p.HAVING_SEEN.replace("have|VB|aux|10", "be|VB|auxpass|10")).tells_of_past(6)

    def test_of_an_addition_is_past_with_a_perfect(self):
        assert accepted(p.HAS_SUNG, FRONTED)[0] == "Grey wrote many songs ."
        assert accepted(p.SINGS, FRONTED)[0] == "Grey writes many songs ."


def test_clauses_that_only_a_comma_joins_are_a_list():
    text = (
        "Ann|NNP|nsubj|2 is|VBZ|ROOT|0||be the|DT|det|4 head|NN|attr|2 ,|,|punct|4 Ben|NNP|appos|4 "
        "became|VBD|{}|2||become a|DT|det|9 clerk|NN|attr|7 ,|,|punct|2 and|CC|cc|2 Kim|NNP|nsubj|13 "
        "left|VBD|conj|2||leave the|DT|det|15 firm|NN|dobj|13 .|.|punct|2"
    )
    assert rejections(text.format("ccomp"), CLAUSE) == ["LIST"]
    assert [f[3] for f in found(text.format("relcl")) if f[0] == CLAUSE] == [None]
