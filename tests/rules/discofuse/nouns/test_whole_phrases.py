"""Whether a copied phrase is a whole one, also where an article was put before it."""

import pytest

from gistmill.rules.discofuse.nouns.noun_phrases import core, definite
from gistmill.rules.discofuse.nouns.whole_phrases import names_again
from tests.rules.discofuse.helpers import parse


class TestArticleOfThePhrase:
    """An article that was put before the phrase has no place in the sentence."""

    PLAIN = """
    The|DT|det|2 mill|NN|nsubj|3 had|VBD|ROOT|0||have two|CD|nummod|5 wheels|NNS|dobj|3||wheel ,|,|punct|5
    which|WDT|nsubj|8 ran|VBD|relcl|5||run fast|RB|advmod|8 .|.|punct|3
    """
    BRACKET_BEFORE = """
    The|DT|det|2 mill|NN|nsubj|6 (|-LRB-|punct|4 old|JJ|amod|2 )|-RRB-|punct|4 had|VBD|ROOT|0||have two|CD|nummod|8
    wheels|NNS|dobj|6||wheel ,|,|punct|8 which|WDT|nsubj|11 ran|VBD|relcl|8||run fast|RB|advmod|11 .|.|punct|6
    """

    @pytest.mark.parametrize("determiner", ["the|DT|det", "two|CD|nummod"])
    @pytest.mark.parametrize("conjunction", ["and", "or"])
    def test_another_name_for_the_noun_before(self, determiner, conjunction):
        tree = parse(f"""
        They|PRP|nsubj|2 saw|VBD|ROOT|0||see a|DT|det|4 clerk|NN|dobj|2 {conjunction}|CC|cc|4 {determiner}|7
        men|NNS|conj|4||man .|.|punct|2
        """)
        assert names_again(tree, definite(core(tree, 6)), 6) is (conjunction == "and")


class TestInfinitive:
    @pytest.mark.parametrize(("first", "whole"), [("To|TO|aux|2", False), ("All|DT|det|3", True)])
    def test_a_verb_taken_for_a_noun(self, first, whole):
        tree = parse(f"""
        {first} export|NN|compound|3 cloth|NN|nsubj|4 costs|VBZ|ROOT|0||cost much|RB|advmod|4 .|.|punct|4
        """)
        assert names_again(tree, tuple(w for w in core(tree, 2) if w.position > 0), 2) is whole
