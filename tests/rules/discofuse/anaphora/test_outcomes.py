"""Pronouns that mean an outcome, a guess or a subject of their own sentence, and names that are not whole."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.noun_phrases import core, is_cut, with_article
from tests.rules.discofuse.helpers import parse, said
from tests.testing import mention


def pronoun(at: int):
    return mention(1, at, at + 1, "pronoun", confidence=0.97)


class TestNames:
    def test_a_slash_cuts_one(self):
        tree = parse("The|DT|det|3 A6X/|NNP|compound|3 A2|NNP|nsubj|4 fell|VBD|ROOT|0 .|.|punct|4")
        assert is_cut(core(tree, 2))
        whole = parse("The|DT|det|3 A6X|NNP|compound|3 A2|NNP|nsubj|4 fell|VBD|ROOT|0 .|.|punct|4")
        assert not is_cut(core(whole, 2))

    ROADS = "We|PRP|nsubj|2 sang|VBD|ROOT|0 {old}|JJ|amod|4 {roads}|NN|dobj|2 .|.|punct|2"

    def test_a_title_gets_no_article(self):
        for old, roads, made in (("Old", "Road", "Old Road"), ("old", "road", "the old road")):
            tree = parse(self.ROADS.format(old=old, roads=roads))
            assert " ".join(w.text for w in with_article(core(tree, 3))) == made, old

    def test_a_numbered_title_gets_none_either(self):
        for number, made in (("451|CD|nummod|1", "Mill 451"), ("451|CD|dep|3", "The mill")):
            tree = parse(f"Mill|NN|nsubj|3 {number} fell|VBD|ROOT|0 .|.|punct|3")
            assert " ".join(w.text for w in with_article(core(tree, 0))) == made, number

    def test_at_the_beginning_a_capital_tells_nothing(self):
        tree = parse("Old|JJ|amod|2 Road|NN|nsubj|3 fell|VBD|ROOT|0 .|.|punct|3")
        assert " ".join(w.text for w in with_article(core(tree, 1))).lower() == "the old road"

    def test_one_word_may_be_a_noun(self):
        tree = parse("Here|RB|advmod|3 Roads|NNS|nsubj|3||road fell|VBD|ROOT|0 .|.|punct|3")
        assert " ".join(w.text for w in with_article(core(tree, 1))).lower() == "the roads"


class TestCutPhrases:
    PRINT = "They|PRP|nsubj|2 came|VBD|ROOT|0 to|TO|{label}|2 print|NN|compound|5 cards|NNS|dobj|2||card .|.|punct|2"

    def test_a_verb_that_was_taken_for_a_noun(self):
        for label, made in (("aux", ""), ("prep", "print cards")):
            assert said(self.PRINT.format(label=label), 3, 5) == made, label

    DEATHS = "It|PRP|nsubj|2 caused|VBD|ROOT|0 200|CD|nummod|4|B-CARDINAL deaths|NNS|dobj|2||death {per}|IN|prep|4 year|NN|pobj|5"

    def test_of_a_rate_there_are_no_certain_ones(self):
        for per, made in (("per", ""), ("each", ""), ("every", ""), ("by", "the 200 deaths")):
            assert said(self.DEATHS.format(per=per), 2, 4) == made, per
