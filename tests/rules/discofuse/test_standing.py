"""Halves that do not stand alone: inverted, listed, cut from a chain, or with words of the other half."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_standing as p
from tests.rules.discofuse.helpers import accepted, candidates, rejections
from tests.testing import mention

PREDICATE, CLAUSE, INNER = "SINGLE_VP_COORD", "SINGLE_S_COORD", "SINGLE_CONN_INNER"
RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"
PARTICIPLE, FRONTED = "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestInversion:
    def test_a_copula_before_its_subject(self):
        assert rejections(p.NOR_IS_IT, CLAUSE) == ["INVERSION"]

    def test_a_place_before_it(self):
        assert accepted(p.AND_NEARBY, CLAUSE) == ("The mill is old .", "Nearby is a small farm .")


class TestReports:
    TEXT = (
        "It|PRP|nsubj|2 helps|VBZ|ROOT|0||help ,|,|punct|5 she|PRP|nsubj|5 said|VBD|parataxis|2||say {}and|CC|cc|2 "
        "rain|NN|nsubj|9 is|VBZ|conj|2||be cheap|JJ|acomp|9 .|.|punct|2"
    )

    def test_one_at_the_joint_may_take_in_what_follows(self):
        assert rejections(self.TEXT.format(",|,|punct|5 "), CLAUSE) == ["NOT_ASSERTED"]

    def test_one_in_the_midst_of_the_first_part_too(self):
        text = self.TEXT.format(",|,|punct|5 farms|NNS|dobj|2||farm ").replace("|9", "|10")
        assert rejections(text, CLAUSE) == ["NOT_ASSERTED"]


class TestModifiers:
    TEXT = (
        "It|PRP|nsubj|2 has|VBZ|ROOT|0||have old|JJ|dobj|2 and|CC|cc|2 new|JJ|amod|6 {}|nsubjpass|8 are|VBP|auxpass|8||be "
        "sold|VBN|conj|2||sell .|.|punct|2"
    )

    def test_two_of_one_subject_are_not_parted(self):
        assert rejections(self.TEXT.format("cloth|NN"), CLAUSE) == ["NUMBER"]

    def test_one_of_a_subject_that_suits_its_verb(self):
        assert rejections(self.TEXT.format("cloths|NNS"), CLAUSE) == [None]


class TestDashes:
    def test_a_chain_behind_an_open_dash_has_another_subject(self):
        assert rejections(p.OPEN_DASH_CHAIN, PREDICATE) == ["WRONG_SCOPE"]

    def test_a_dash_before_a_conjunction_goes_on_with_the_same(self):
        assert rejections(p.DASH_AND, PREDICATE)[1:] == [None, None]


class TestRelativeClauses:
    def test_a_clause_taken_for_a_part_of_the_noun(self):
        assert rejections(p.THAT_EASE, RELATIVE) == ["WRONG_SCOPE"]
        assert accepted(p.THAT_HELP, RELATIVE)[1] == "Payments are carried out by banks ."

    def test_persons_before_a_name_rival_it(self):
        assert rejections(p.SONS_BY, RELATIVE) == ["AMBIGUOUS"]
        assert accepted(p.SONS_BY.replace("sons|NNS|dobj|3||son", "plan|NN|dobj|3"), RELATIVE)[1] == (
            "Emma lived in Leeds ."
        )

    def test_their_number_tells(self):
        lives = p.SONS_BY.replace("lived|VBD", "lives|VBZ")
        assert accepted(lives, RELATIVE)[1] == "Emma lives in Leeds ."

    def test_a_role_is_not_a_rival(self):
        told = p.SONS_BY.replace("sons|NNS|dobj|3||son by|IN", "wife|NN|dobj|3 of|IN").replace("who|", "whom|")
        assert "AMBIGUOUS" not in rejections(told, RELATIVE)


class TestApposition:
    def test_a_mix_is_of_the_kind_of_what_is_mixed(self):
        assert rejections(p.A_MIX, APPOSITION) == ["WRONG_SCOPE"]
        feelings = p.A_MIX.replace("farmers|NNS|pobj|9||farmer", "joy|NN|pobj|9").replace(
            "clerks|NNS|conj|10||clerk", "anger|NN|conj|10"
        )
        assert accepted(feelings, APPOSITION)[1] == "The reaction from the crowd was a mix of joy and anger ."

    def test_no_comma_is_left_before_what_is_told(self):
        assert accepted(p.TOLD_THAT, APPOSITION)[0] == "The office told the people on Weibo that the risks were low ."

    def test_one_is_left_before_a_clause_of_another_kind(self):
        because = p.TOLD_THAT.replace("that|IN|mark", "because|IN|mark").replace("|ccomp|", "|advcl|")
        assert accepted(because, APPOSITION)[0].startswith("The office told the people on Weibo , because")

    @pytest.mark.parametrize(("place", "be"), [("GPE", "was"), ("NORP", "were")])
    def test_a_place_is_one_whatever_its_ending(self, place, be):
        text = (
            f"He|PRP|nsubj|2 knew|VBD|ROOT|0||know Wales|NNPS|dobj|2|B-{place}|Wale ,|,|punct|3 a|DT|det|6 land|NN|appos|3 "
            "of|IN|prep|6 hills|NNS|pobj|7||hill .|.|punct|2"
        )
        assert accepted(text, APPOSITION)[1] == f"Wales {be} a land of hills ."

    def test_a_people_with_an_article_is_many(self):
        text = (
            "He|PRP|nsubj|2 met|VBD|ROOT|0||meet the|DT|det|4 Berbers|NNPS|dobj|2|B-NORP|Berber ,|,|punct|4 a|DT|det|7 "
            "people|NN|appos|4 of|IN|prep|7 the|DT|det|10 coast|NN|pobj|8 .|.|punct|2"
        )
        assert accepted(text, APPOSITION)[1] == "The Berbers were a people of the coast ."


class TestParticiples:
    def test_two_behind_having_need_two_verbs(self):
        assert rejections(p.HAVING_AND, PARTICIPLE) == ["SHARED_PART"]

    @pytest.mark.parametrize("tag", ["NN", "VBD"])
    def test_joined_to_something_else(self, tag):
        assert "SHARED_PART" not in rejections(p.HAVING_AND.replace("acting|VBG", f"acting|{tag}"), PARTICIPLE)

    def test_a_condition_is_not_asserted(self):
        assert rejections(p.ASSUMING, PARTICIPLE) == ["NOT_ASSERTED"]
        assert accepted(p.ASSUMING_ROLE, PARTICIPLE)[0] == "Ann assumed the role of the king ."

    @pytest.mark.parametrize(("verb", "preposition"), [("Judging", "from"), ("Adjusting", "for"), ("Talking", "of")])
    def test_what_the_author_does(self, verb, preposition):
        text = (
            f"{verb}|VBG|advcl|7 {preposition}|IN|prep|1 the|DT|det|4 price|NN|pobj|2 ,|,|punct|7 "
            "Ann|NNP|nsubj|7|B-PERSON sold|VBD|ROOT|0||sell the|DT|det|9 mill|NN|dobj|7 .|.|punct|7"
        )
        assert rejections(text, PARTICIPLE) == ["DANGLING_PARTICIPLE"]
        of_hers = text.replace(f"{preposition}|IN", "near|IN").replace(verb, "Walking")
        assert accepted(of_hers, PARTICIPLE)[0] == "Ann walked near the price ."

    def test_what_completes_a_list_is_not_who_made_it(self):
        assert rejections(p.ROUNDING_OUT, PARTICIPLE) == ["DANGLING_PARTICIPLE"]
        assert accepted(p.ROUNDING_OUT.replace("Rounding|", "Sending|"), PARTICIPLE)[0] == "Ada sent out the list ."


class TestAntecedents:
    def of_walsh(self, first: str) -> str:
        clusters = [[mention(0, 5, 6, "name"), mention(0, 7, 8, "pronoun"), mention(1, 0, 1, "pronoun")]]
        (made,) = candidates(first, p.WAS_ORDERED, clusters=clusters, conventions="extended")
        return made.incoherent_second_sentence

    def test_the_object_of_a_phrase_is_another_than_its_subject(self):
        assert self.of_walsh(p.SENT) == "He was ordered to attack ."

    def test_that_of_a_clause_with_a_subject_of_its_own_may_be_the_same(self):
        text = p.SENT.replace("a|DT|det|3 force|NN|dobj|1", "Ann|NNP|nsubj|1 home|RB|advmod|1")
        assert self.of_walsh(text) == "Walsh was ordered to attack ."

    def test_many_that_are_nearer(self):
        clusters = [[mention(0, 0, 2, "nominal"), mention(0, 11, 12, "pronoun", confidence=0.9)]]
        (made,) = [
            c
            for c in candidates(p.WHILE_MOST, clusters=clusters, conventions="extended")
            if c.discourse_type.name.startswith(INNER)
        ]
        assert made.incoherent_second_sentence == "Most have a garden if they are rich ."


class TestFrontedClause:
    TEXT = (
        "Although|IN|mark|3 trade|NN|nsubj|3 served|VBD|advcl|9||serve debts|NNS|dobj|3||debt ,|,|punct|9 "
        "{more}|NNS|{dep}|9 ,|,|punct|9 denial|NN|nsubj|9 failed|VBD|ccomp|12||fail :|:|punct|12 it|PRP|nsubj|12 "
        "hurt|VBD|ROOT|0 us|PRP|dobj|12 .|.|punct|12"
    )

    def test_a_list_goes_on_though_the_clause_is_not_the_last(self):
        assert rejections(self.TEXT.format(more="rights", dep="nsubj"), FRONTED) == ["CLAUSE_CUT"]

    def test_an_adverbial_does_not_list(self):
        assert rejections(self.TEXT.format(more="sometimes", dep="npadvmod"), FRONTED) == [None]


class TestWhoIsMeant:
    def test_a_person_is_not_a_place_of_the_phrase_before(self):
        assert rejections(p.FRIEND_AT, APPOSITION) == ["WRONG_SCOPE"]
        assert accepted(p.FRIEND_AT.replace("teacher", "city"), APPOSITION)[1] == "Leeds was a city ."

    def test_what_a_thing_is_called(self):
        assert rejections(p.CALLED, APPOSITION) == ["WRONG_SCOPE"]
        text = p.CALLED.replace("call|VBP|ROOT|0||call", "read|VBP|ROOT|0||read")
        assert accepted(text, APPOSITION)[1] == "The book is a guide ."

    def test_a_noun_without_a_place_in_the_clause(self):
        assert rejections(p.NO_ROLE, APPOSITION) == ["WRONG_SCOPE"]
        assert rejections(p.NO_ROLE.replace("club|NN|dep|2", "Club|NNP|dobj|2|B-ORG"), APPOSITION) == [None]


class TestSubordinateSentences:
    def test_nothing_but_a_clause_of_time(self):
        assert rejections(p.WHEN_AND, CLAUSE) == ["NO_VERB", "NO_VERB"]

    def test_an_adverb_of_time(self):
        assert rejections(p.WHEN_AND.replace("When|WRB", "Then|RB"), CLAUSE) == [None, None]


class TestTwoParticiples:
    def test_the_second_is_taken_for_a_noun(self):
        assert rejections(p.PRAYING_AND, PARTICIPLE) == ["SHARED_PART"]

    def test_a_noun_in_its_place(self):
        text = p.PRAYING_AND.replace("and|CC|cc|1 singing|NN|conj", "for|IN|prep|1 rain|NN|pobj")
        assert rejections(text, PARTICIPLE) == [None]
