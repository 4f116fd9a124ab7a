"""Names said in full: with what follows "of", with their article, and not a piece of a longer one."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import said


class TestComplements:
    ROLL = """
    We|PRP|nsubj|2 read|VBD|ROOT|0||read the|DT|det|4 Roll|NNP|dobj|2|{entity} of|IN|prep|4 {noun}
    there|RB|advmod|2 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("noun", "made"),
        [
            ("Honour|NNP|pobj|5", "the Roll of Honour"),
            ("the|DT|det|7 Dead|NNP|pobj|5", "the Roll of the Dead"),
            ("honour|NN|pobj|5", "the Roll"),
        ],
    )
    def test_a_name_goes_on_behind_of(self, noun, made):
        assert said(self.ROLL.format(entity="", noun=noun), 2, 4, "name") == made

    def test_that_of_a_person_or_country_does_not(self):
        first = "Ada|NNP|nsubj|4|{0} of|IN|prep|1 Leeds|NNP|pobj|2|B-GPE left|VBD|ROOT|0||leave .|.|punct|4"
        assert said(first.format("B-ORG"), 0, 1, "name") == "Ada of Leeds"
        assert said(first.format("B-PERSON"), 0, 1, "name") == "Ada"
        assert said(first.format("B-GPE"), 0, 1, "name") == "Ada"


class TestArticles:
    NAMED = """
    {noun}|NNP|nsubj|4|B-ORG of|IN|prep|1|I-ORG Leeds|NNP|pobj|2|I-ORG won|VBD|ROOT|0||win there|RB|advmod|4
    .|.|punct|4
    """

    @pytest.mark.parametrize(("noun", "made"), [("University", "the University of Leeds"), ("Acme", "Acme of Leeds")])
    def test_an_institution_has_one(self, noun, made):
        assert said(self.NAMED.format(noun=noun), 0, 3, "name", head=0) == made

    def test_one_that_it_has_is_enough(self):
        first = """
        The|DT|det|2 University|NNP|nsubj|5 of|IN|prep|2 Leeds|NNP|pobj|3 won|VBD|ROOT|0||win .|.|punct|5
        """
        assert said(first, 0, 4, "name", head=1) == "The University of Leeds"


class TestTitles:
    OFFICE = """
    During|IN|prep|8 work|NN|pobj|1 as|IN|prep|2 Envoy|NNP|pobj|3|{entity} to|IN|prep|4 Chad|NNP|pobj|5|B-GPE ,|,|punct|8
    came|VBD|ROOT|0||come rain|NN|nsubj|8 .|.|punct|8
    """

    def test_an_office_is_not_a_name(self):
        assert said(self.OFFICE.format(entity="").replace("Envoy", "Ambassador"), 3, 4, "name") == ""

    def test_a_name_may_stand_there(self):
        assert said(self.OFFICE.format(entity=""), 3, 4, "name") == "Envoy"


class TestPieces:
    GAME = """
    A|DT|det|2 Legend|NNP|nsubj|6 {of}|IN|prep|2 Gorda|NNP|compound|5 game|NN|pobj|3 opened|VBD|ROOT|0||open
    .|.|punct|6
    """

    @pytest.mark.parametrize(("of", "made"), [("of", ""), ("for", "Gorda game")])
    def test_a_noun_behind_a_name_that_goes_on(self, of, made):
        assert said(self.GAME.format(of=of), 3, 5) == made

    LEAVING = "{}|NNP|compound|2|B-{} Lane|NNP|nsubj|3|I-{} grew|VBD|ROOT|0||grow .|.|punct|3"

    @pytest.mark.parametrize(
        ("first", "kind", "made"),
        [
            ("Leaving", "PERSON", ""),
            ("Leaving", "ORG", "Leaving Lane"),
            ("Sterling", "PERSON", "Sterling Lane"),
        ],
    )
    def test_a_participle_is_not_a_person_s_name(self, first, kind, made):
        assert said(self.LEAVING.format(first, kind, kind), 0, 2, "name") == made
