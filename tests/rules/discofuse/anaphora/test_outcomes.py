"""Pronouns that mean an outcome, a guess or a subject of their own sentence, and names that are not whole."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.cut_phrases import is_cut
from gistmill.rules.discofuse.nouns.noun_phrases import core, with_article
from tests.rules.discofuse.helpers import parse, rejections, said, second_of
from tests.testing import mention

FLEET = "The|DT|det|2 {noun}|NN|nsubj|3 {came}|VBD|ROOT|0||come there|RB|advmod|3 .|.|punct|3"


def pronoun(at: int):
    return mention(1, at, at + 1, "pronoun", confidence=0.97)


class TestHappenings:
    RESULTED = "It|PRP|{label}|2 {verb}|VBD|ROOT|0||{lemma} in|IN|prep|2 loss|NN|pobj|3 there|RB|advmod|2 .|.|punct|2"

    def made(self, noun="fleet", verb="resulted", lemma="result", label="nsubj"):
        second = self.RESULTED.format(verb=verb, lemma=lemma, label=label)
        made = second_of(FLEET.format(noun=noun, came="came"), second, mention(0, 0, 2, "nominal"), pronoun(0))
        return made.split(" " + verb)[0]

    def test_no_body_results_in_anything(self):
        assert self.made() == "It"

    def test_an_event_does(self):
        assert self.made(noun="storm") == "The storm"

    def test_a_body_does_other_things(self):
        assert self.made(verb="ended", lemma="end") == "The fleet"

    @pytest.mark.parametrize(
        ("opening", "made"),
        [
            ("If|IN|mark|2 correct|JJ|advcl|{v}", "it"),
            ("If|IN|mark|2 old|JJ|advcl|{v}", "the fleet"),
            ("So|RB|advmod|2 correct|JJ|advcl|{v}", "the fleet"),
        ],
    )
    def test_what_may_be_correct_is_what_was_said(self, opening, made):
        rest = "it|PRP|nsubj|5 sank|VBD|ROOT|0||sink there|RB|advmod|5 again|RB|advmod|5 .|.|punct|5"
        second = f"{opening.format(v=5)} ,|,|punct|5 {rest}"
        text = second_of(FLEET.format(noun="fleet", came="came"), second, mention(0, 0, 2, "nominal"), pronoun(3))
        assert text.split(" , ")[1].split(" sank")[0] == made

    @pytest.mark.parametrize(("noun", "made"), [("route", "It"), ("firm", "Acme")])
    def test_no_firm_is_a_route(self, noun, made):
        first = "Acme|NNP|nsubj|2|B-ORG grew|VBD|ROOT|0||grow there|RB|advmod|2 .|.|punct|2"
        second = f"It|PRP|nsubj|2 is|VBZ|ROOT|0||be the|DT|det|5 best|JJS|amod|5 {noun}|NN|attr|2 there|RB|advmod|2 .|.|punct|2"
        assert second_of(first, second, mention(0, 0, 1, "name"), pronoun(0)).split(" is")[0] == made


class TestOwnSubjects:
    FIRST = "{}|NNP|nsubj|2|B-{} came|VBD|ROOT|0||come there|RB|advmod|2 .|.|punct|2"
    CRUISER = """
    The|DT|det|2 {noun}|NN|nsubj|3 lost|VBD|ROOT|0||lose {her}|PRP$|poss|5 guns|NNS|dobj|3||gun there|RB|advmod|3 .|.|punct|3
    """

    @pytest.mark.parametrize(
        ("noun", "her", "kept"), [("cruiser", "her", True), ("storm", "her", False), ("cruiser", "his", False)]
    )
    def test_a_ship_may_be_she(self, noun, her, kept):
        first = self.FIRST.format("Robert" if her == "his" else "Ada", "PERSON")
        second = second_of(first, self.CRUISER.format(noun=noun, her=her), mention(0, 0, 1, "name"), pronoun(3))
        assert (f" {her} " in second) == kept

    AGED = """
    The|DT|det|5 32|CD|nummod|4 {dash} year|NN|{label}|{old} {old_word}|JJ|nsubj|{sold} sold|VBD|ROOT|0||sell
    his|PRP$|poss|{tools} tools|NNS|dobj|{sold}||tool there|RB|advmod|{sold} .|.|punct|{sold}
    """

    @pytest.mark.parametrize(("word", "kept"), [("old", True), ("strong", False)])
    def test_somebody_by_age_without_a_second_hyphen(self, word, kept):
        text = self.AGED.format(dash="", label="npadvmod", old=4, old_word=word, sold=5, tools=7)
        text = text.replace("det|5", "det|4").replace("nummod|4", "nummod|3")
        second = second_of(self.FIRST.format("Lee", "PERSON"), text, mention(0, 0, 1, "name"), pronoun(5))
        assert (" his " in second) == kept


class TestNames:
    def test_a_slash_cuts_one(self):
        tree = parse("The|DT|det|3 A6X/|NNP|compound|3 A2|NNP|nsubj|4 fell|VBD|ROOT|0 .|.|punct|4")
        assert is_cut(tree, core(tree, 2), 2)
        whole = parse("The|DT|det|3 A6X|NNP|compound|3 A2|NNP|nsubj|4 fell|VBD|ROOT|0 .|.|punct|4")
        assert not is_cut(whole, core(whole, 2), 2)

    MIXTURE = """
    A|DT|det|2 mixture|NN|nsubj|8 of|IN|prep|2 tin|NN|pobj|3 and|CC|cc|4 copper|NN|conj|4 {nitrate}|{tag}|{dep}|2
    fell|VBD|ROOT|0 .|.|punct|8
    """

    @pytest.mark.parametrize(
        ("nitrate", "tag", "dep", "cut"),
        [
            ("nitrate", "JJ", "amod", True),
            ("soluble", "JJ", "amod", False),
            ("nitrate", "NN", "appos", False),
            ("nitrate", "JJ", "advmod", False),
        ],
    )
    def test_a_noun_that_was_taken_for_an_adjective_is_lost(self, nitrate, tag, dep, cut):
        tree = parse(self.MIXTURE.format(nitrate=nitrate, tag=tag, dep=dep))
        assert is_cut(tree, core(tree, 1, end=6), 1) == cut

    ROADS = "We|PRP|nsubj|2 sang|VBD|ROOT|0 {old}|JJ|amod|4 {roads}|NN|dobj|2 .|.|punct|2"

    @pytest.mark.parametrize(("old", "roads", "made"), [("Old", "Road", "Old Road"), ("old", "road", "the old road")])
    def test_a_title_gets_no_article(self, old, roads, made):
        tree = parse(self.ROADS.format(old=old, roads=roads))
        assert " ".join(w.text for w in with_article(core(tree, 3))) == made

    @pytest.mark.parametrize(("number", "made"), [("451|CD|nummod|1", "Mill 451"), ("451|CD|dep|3", "The mill")])
    def test_a_numbered_title_gets_none_either(self, number, made):
        tree = parse(f"Mill|NN|nsubj|3 {number} fell|VBD|ROOT|0 .|.|punct|3")
        assert " ".join(w.text for w in with_article(core(tree, 0))) == made

    def test_at_the_beginning_a_capital_tells_nothing(self):
        tree = parse("Old|JJ|amod|2 Road|NN|nsubj|3 fell|VBD|ROOT|0 .|.|punct|3")
        assert " ".join(w.text for w in with_article(core(tree, 1))).lower() == "the old road"

    def test_one_word_may_be_a_noun(self):
        tree = parse("Here|RB|advmod|3 Roads|NNS|nsubj|3||road fell|VBD|ROOT|0 .|.|punct|3")
        assert " ".join(w.text for w in with_article(core(tree, 1))).lower() == "the roads"


class TestCutPhrases:
    PRINT = "They|PRP|nsubj|2 came|VBD|ROOT|0 to|TO|{label}|2 print|NN|compound|5 cards|NNS|dobj|2||card .|.|punct|2"

    @pytest.mark.parametrize(("label", "made"), [("aux", ""), ("prep", "print cards")])
    def test_a_verb_that_was_taken_for_a_noun(self, label, made):
        assert said(self.PRINT.format(label=label), 3, 5) == made

    DEATHS = "It|PRP|nsubj|2 caused|VBD|ROOT|0 200|CD|nummod|4|B-CARDINAL deaths|NNS|dobj|2||death {per}|IN|prep|4 year|NN|pobj|5"

    @pytest.mark.parametrize(("per", "made"), [("per", ""), ("each", ""), ("every", ""), ("by", "the 200 deaths")])
    def test_of_a_rate_there_are_no_certain_ones(self, per, made):
        assert said(self.DEATHS.format(per=per), 2, 4) == made


class TestSubjectsBehindParticiples:
    HELPING = """
    In|IN|prep|{v} addition|NN|pobj|1 to|IN|prep|2 helping|VBG|pcomp|3||help Bea|NNP|dobj|4|B-PERSON ,|,|punct|{v} {rest}
    fell|VBD|ROOT|0||fall down|RB|advmod|{v} there|RB|advmod|{v} .|.|punct|{v}
    """

    def made(self, rest: str, verb: int):
        return rejections(self.HELPING.format(rest=rest.format(v=verb), v=verb), "SINGLE_CONN_START")

    def test_it_is_the_first_one(self):
        assert self.made("the|DT|det|8 mill|NN|nsubj|{v}", 9) == [None]

    def test_not_one_behind_a_semicolon(self):
        rest = "soft|JJ|dep|{v} sells|VBZ|ccomp|{v}||sell ;|:|punct|{v} the|DT|det|11 mill|NN|nsubj|{v}"
        assert self.made(rest, 12) == ["NO_SUBJECT"]

    def test_nor_one_in_a_quotation(self):
        assert self.made('"|``|punct|{v} it|PRP|nsubj|{v}', 9) == ["NO_SUBJECT"]
