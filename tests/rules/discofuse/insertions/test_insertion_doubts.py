"""Insertions and opening phrases that a reader may take otherwise, and the tense of appositions."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.insertions.left_behind import refers_inside
from tests.rules.discofuse import parses_doubts as p
from tests.rules.discofuse.helpers import accepted, changed, parse, rejections

RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"
CATAPHORA, FORWARD = "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestLeftBehind:
    @pytest.mark.parametrize("name", ["UNIVERSITY", "THEIR"])
    def test_a_word_for_a_noun_of_the_apposition_points_forward(self, name):
        assert rejections(getattr(p, name), APPOSITION) == ["UNRESOLVED_ANAPHOR"]

    def test_a_pronoun_for_a_noun_of_the_relative_clause_points_forward(self):
        assert rejections(p.IT, RELATIVE) == ["UNRESOLVED_ANAPHOR"]

    def test_an_it_that_means_nothing_does_not(self):
        text = changed(p.IT, ("proved|VBD|ccomp|9||prove the|", "rained|VBD|ccomp|9||rain the|"))
        assert accepted(text, RELATIVE)[0] == "Ada Lane said it rained the old rumour ."

    def test_what_the_apposition_takes_for_known_stands_in_an_earlier_text(self):
        assert accepted(p.KNOWN_UNIVERSITY, APPOSITION)[0] == "Ada Lane left the university in May ."
        text = changed(p.KNOWN_UNIVERSITY, ("the|DT|det|9", "an|DT|det|9"))
        assert rejections(text, APPOSITION) == ["UNRESOLVED_ANAPHOR"]

    def test_a_noun_that_explains_itself_does_not(self):
        text = changed(p.UNIVERSITY, ("in|IN|prep|10 May|", "in|IN|prep|13 May|"))
        assert accepted(text, APPOSITION)[0] == "Ada Lane left the old university in May ."

    def test_a_part_of_a_name_introduces_nothing(self):
        text = changed(p.UNIVERSITY, ("Leeds|NNPS|compound", "University|NNP|compound"))
        text = changed(text, (" University|NNP|pobj|6|I-ORG|University", " Council|NNP|pobj|6|I-ORG|Council"))
        assert accepted(text, APPOSITION)[0] == "Ada Lane left the old university in May ."

    def test_a_plural_before_the_insertion_may_be_meant(self):
        text = "Ada|NNP|poss|3|B-PERSON 's|POS|case|1 sons|NNS|nsubj|9||son ,|,|punct|3 readers|NNS|appos|3||reader "
        text += "of|IN|prep|5 books|NNS|pobj|6||book ,|,|punct|3 sold|VBD|ROOT|0||sell their|PRP$|poss|11 "
        text += "house|NN|dobj|9 .|.|punct|9"
        sentence = parse(text)
        assert not refers_inside(sentence, 3, 7, personal=True)
        assert refers_inside(parse(text.replace("sons|NNS|nsubj|9||son", "son|NN|nsubj|9")), 3, 7, personal=True)

    @pytest.mark.parametrize("personal", [True, False])
    def test_one_person_is_not_they_whatever_the_name_was_taken_for(self, personal):
        sentence = parse(
            changed(
                p.THEIR,
                ("Ada|NNP|compound|2|B-PERSON", "Ada|NNP|compound|2|B-ORG"),
                ("Lane|NNP|nsubj|11|I-PERSON", "Lane|NNP|nsubj|11|I-ORG"),
            )
        )
        assert refers_inside(sentence, 2, 9, personal=personal) == personal

    def test_a_man_among_two_is_left_to_the_reader(self):
        sentence = parse(changed(p.THEIR, ("their|", "his|")))
        assert not refers_inside(sentence, 2, 9, personal=True)


class TestNounOfAnApposition:
    def test_a_phrase_with_with_may_be_of_the_apposition(self):
        assert rejections(p.WITH, APPOSITION) == ["CLAUSE_CUT"]
        other = changed(p.WITH, ("with|IN", "after|IN"))
        assert accepted(other, APPOSITION)[1] == "The League was a group of old clubs ."


class TestTense:
    @pytest.mark.parametrize(
        ("name", "second"),
        [
            ("IRELAND", "Ireland is a nation of five million people ."),
            ("BRAIN", "The cortex is a part of the brain that lights up at night ."),
        ],
    )
    def test_what_lasts_is_in_the_present(self, name, second):
        assert accepted(getattr(p, name), APPOSITION)[1] == second

    @pytest.mark.parametrize(
        ("name", "edit", "verb"),
        [
            ("SOURCE", ("according|VBG", "due|VBG"), "Pravda was"),
            ("SOURCE", ("|B-ORG|Pravda", "|B-PERSON|Pravda"), "Pravda was"),
            ("FORMER", ("former|", "young|"), "Ada Lane was"),
            ("FORMER", ("said|VBD|ROOT|0||say", "left|VBD|ROOT|0||leave"), "Ada Lane was"),
            ("BRAIN", ("lights|VBZ|relcl|11||light", "lit|VBD|relcl|11||light"), "The cortex was"),
            ("BRAIN", ("part|", "map|"), "The cortex was"),  # the brain lights up, not its map
        ],
    )
    def test_the_rest_is_in_the_tense_of_its_clause(self, name, edit, verb):
        assert accepted(changed(getattr(p, name), edit), APPOSITION)[1].startswith(verb)

    def test_a_place_may_have_been_another_one_long_ago(self):
        plain = changed(p.IRELAND, ("is|VBZ|auxpass|3||be", "was|VBD|auxpass|3||be"))
        assert accepted(plain, APPOSITION)[1].startswith("Ireland is")
        assert accepted(changed(plain, ("1990|", "1890|")), APPOSITION)[1].startswith("Ireland was")
        assert rejections(changed(plain, ("a|DT|det|8", "the|DT|det|8")), APPOSITION) == ["VERB_FORM"]

    def test_the_former_judge_was_one_before_the_text(self):
        left = changed(p.FORMER, ("said|VBD|ROOT|0||say", "left|VBD|ROOT|0||leave"), ("a|DT|det|6", "the|DT|det|6"))
        assert rejections(left, APPOSITION) == ["VERB_FORM"]

    @pytest.mark.parametrize("name", ["HIRED", "ORBIT"])
    def test_what_may_have_ended_is_refused(self, name):
        assert rejections(getattr(p, name), APPOSITION) == ["VERB_FORM"]

    def test_a_question_under_the_present_leaves_the_tense_open(self):
        text = changed(p.IRELAND, ("a|DT|det|8", "the|DT|det|8"), ("1990|", "2010|"))
        assert rejections(text, APPOSITION) == ["VERB_FORM"]

    def test_what_they_are_whoever_hires_them_holds(self):
        text = changed(p.HIRED, ("the|DT|det|11", "a|DT|det|11"))
        assert accepted(text, APPOSITION)[1] == "Ada Lane is a head of the old mill ."
        text = changed(p.HIRED, ("hiring|VBG|pcomp|5||hire", "praising|VBG|pcomp|5||praise"))
        assert accepted(text, APPOSITION)[1] == "Ada Lane is the head of the old mill ."


class TestNounOfARelativeClause:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("SCIENCES", "AMBIGUOUS"),  # physics and chemistry are taught
            ("ELECTRON", "AMBIGUOUS"),
            ("LIMBS", "AMBIGUOUS"),
            ("FIRST_ONE", "AMBIGUOUS"),
            ("DOMAIN", "AMBIGUOUS"),
            ("CHALLENGE", "CLAUSAL_ANTECEDENT"),
            ("THOUGH", "CLAUSE_CUT"),
            ("SITE", "WRONG_SCOPE"),
        ],
    )
    def test_refused(self, name, reason):
        assert rejections(getattr(p, name), RELATIVE) == [reason]

    @pytest.mark.parametrize(
        ("name", "edits", "second"),
        [
            ("SCIENCES", [("natural|JJ|amod", "the|DT|det")], "The sciences are taught at the school ."),
            ("SCENARIO", [("likely|", "old|")], "The new mill is due for a repair ."),
            ("SCENARIO", [("a|DT|det|7", "the|DT|det|7")], "The new mill is due for a repair ."),
            ("MAY_BUILD", [("may|MD", "did|VBD")], "The new mill stands near the river ."),
            ("LIMBS", [("or|", "and|")], "Paired limbs , fins and legs may be lost later ."),
            ("SITE", [("site|NN", "water|NN")], "Water has long been used for burials ."),
        ],
    )
    def test_meant(self, name, edits, second):
        assert accepted(changed(getattr(p, name), *edits), RELATIVE)[1] == second

    def test_only_what_is_done_is_a_challenge(self):
        text = changed(
            p.CHALLENGE,
            (
                "I|PRP|nsubj|2 have|VBP|ROOT|0 to|TO|aux|4 think|VB|xcomp|2",
                "I|PRP|nsubj|4 have|VBP|aux|4 now|RB|advmod|4 thought|VBN|ROOT|0||think",
            ),
            (".|.|punct|2", ".|.|punct|4"),
        )
        assert rejections(text, RELATIVE) == ["CLAUSAL_ANTECEDENT"]
        assert accepted(changed(text, ("challenge|", "occupation|")), RELATIVE)[1] == "My career is a new occupation ."

    def test_an_agent_without_commas_is_meant(self):
        text = changed(p.QUEEN, (",|,|punct|5 played", "once|RB|advmod|7 played"))
        assert accepted(text, RELATIVE)[1] == "Ada Lane looked tired that night ."


class TestParticiple:
    def test_the_subject_of_with_is_not_the_main_one(self):
        assert accepted(p.LIGHTS, CATAPHORA)[0] == "The new machine ran at full speed ."


class TestForwardConnective:
    def test_a_pronoun_may_mean_the_owner_of_the_subject(self):
        assert rejections(p.SINCE_HE, FORWARD) == ["AMBIGUOUS"]
        assert accepted(changed(p.SINCE_HE, ("Lincoln|NNP", "Sarah|NNP")), FORWARD)[0] == "He entered the race in May ."

    @pytest.mark.parametrize("name", ["SINCE_WAR", "VIOLENCE"])
    def test_a_noun_phrase_is_not_a_clause(self, name):
        assert rejections(getattr(p, name), FORWARD) == ["NO_VERB"]

    def test_a_gerund_is_one(self):
        text = changed(
            p.VIOLENCE, ("growing|VBG|amod|5||grow violence|NN|pobj|3", "growing|VBG|pcomp|3||grow rice|NN|dobj|4")
        )
        assert accepted(text, FORWARD)[0] == "Several wars grow rice in the south ."
