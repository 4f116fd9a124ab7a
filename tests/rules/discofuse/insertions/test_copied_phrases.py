"""Phrases that a split copies, and the nouns above them."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.noun_phrases import core
from gistmill.rules.discofuse.nouns.references import nouns_above
from gistmill.rules.discofuse.nouns.whole_phrases import names_again
from tests.rules.discofuse.helpers import parse


class TestWholePhrases:
    @pytest.mark.parametrize(("opening", "closing", "whole"), [("[", "]", False), ("|", "|", True)])
    def test_without_its_brackets_a_name_is_another(self, opening, closing, whole):
        marks = {"[": ("[|-LRB-|punct|6", "]|-RRB-|punct|6"), "|": ("-|HYPH|punct|6", "-|HYPH|punct|6")}[opening]
        tree = parse(f"the|DT|det|6 Upton|NNP|compound|6 {marks[0]} V|NNP|nmod|6 {marks[1]} mill|NN|ROOT|0")
        assert names_again(tree, core(tree, 5), 5) == whole


class TestAdverbs:
    ALE = """
    {usually}|{tag}|{dep}|2|B-PERSON Ale|NNP|nsubj|6|I-PERSON ,|,|punct|2 a|DT|det|5 drink|NN|appos|2 {gap}
    sells|VBZ|ROOT|0||sell well|RB|advmod|6 there|RB|advmod|6 .|.|punct|6
    """

    @pytest.mark.parametrize(
        ("usually", "tag", "whole"), [("Traditionally", "RB", False), ("Early", "JJ", True), ("Ever", "RB", True)]
    )
    def test_one_that_opens_the_sentence_is_none_of_the_name(self, usually, tag, whole):
        text = self.ALE.format(usually=usually, tag=tag, dep="compound", gap="")
        tree = parse(text)
        assert names_again(tree, core(tree, 1), 1) == whole

    def test_inside_the_sentence_it_may_be(self):
        tree = parse("We|PRP|nsubj|2 met|VBD|ROOT|0 Lately|RB|compound|4|B-PERSON Lee|NNP|dobj|2|I-PERSON .|.|punct|2")
        assert names_again(tree, core(tree, 3), 3)


class TestRivals:
    def test_what_two_places_belong_to(self):
        text = """
        It|PRP|nsubj|2 hurt|VBD|ROOT|0 men|NNS|dobj|2||man both|CC|preconj|5 in|IN|prep|3 Leeds|NNP|pobj|5|B-GPE
        and|CC|cc|5 {around}|{tag}|conj|5 Kent|NNP|pobj|8|B-GPE .|.|punct|2
        """
        assert nouns_above(parse(text.format(around="around", tag="IN")), 8) == [2]
