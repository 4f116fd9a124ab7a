"""Halves that do not stand alone: inverted, listed, cut from a chain, or with words of the other half."""

from __future__ import annotations

import pytest

from tests.rules.discofuse import parses_standing as p
from tests.rules.discofuse.test_extended import accepted, rejections

PREDICATE, CLAUSE = "SINGLE_VP_COORD", "SINGLE_S_COORD"
RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"
PARTICIPLE, FRONTED = "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestInversion:
    def test_a_copula_before_its_subject(self):
        assert rejections(p.NOR_IS_IT, CLAUSE) == ["INVERSION"]

    def test_a_place_before_it(self):
        assert accepted(p.AND_NEARBY, CLAUSE) == ("The mill is old .", "Nearby is a small farm .")


class TestDashes:
    def test_a_chain_behind_an_open_dash_has_another_subject(self):
        assert rejections(p.OPEN_DASH_CHAIN, PREDICATE) == ["WRONG_SCOPE"]

    def test_a_dash_before_a_conjunction_goes_on_with_the_same(self):
        assert rejections(p.DASH_AND, PREDICATE)[1:] == [None, None]


class TestRelativeClauses:
    def test_one_of_two_that_have_one_each(self):
        assert "LIST" in rejections(p.TWO_CLAUSES, RELATIVE)

    def test_the_only_one_of_two(self):
        assert accepted(p.ONE_CLAUSE, RELATIVE)[0] == "The towns have the Reds and the Blues ."

    def test_a_clause_taken_for_a_part_of_the_noun(self):
        assert rejections(p.THAT_EASE, RELATIVE) == ["WRONG_SCOPE"]
        assert accepted(p.THAT_HELP, RELATIVE)[1] == "Payments are carried out by banks ."


class TestApposition:
    def test_no_comma_is_left_before_what_is_told(self):
        assert accepted(p.TOLD_THAT, APPOSITION)[0] == "The office told the people on Weibo that the risks were low ."

    def test_one_is_left_before_a_clause_of_another_kind(self):
        because = p.TOLD_THAT.replace("that|IN|mark", "because|IN|mark").replace("|ccomp|", "|advcl|")
        assert accepted(because, APPOSITION)[0].startswith("The office told the people on Weibo , because")


class TestParticiples:
    def test_two_behind_having_need_two_verbs(self):
        assert rejections(p.HAVING_AND, PARTICIPLE) == ["SHARED_PART"]

    @pytest.mark.parametrize("tag", ["NN", "VBD"])
    def test_joined_to_something_else(self, tag):
        assert "SHARED_PART" not in rejections(p.HAVING_AND.replace("acting|VBG", f"acting|{tag}"), PARTICIPLE)


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
