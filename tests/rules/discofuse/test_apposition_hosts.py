"""Nouns that an apposition is hardly to: farther ones, such as are called something, pieces of phrases."""

from __future__ import annotations

import pytest

from rules.discofuse.apposition_hosts import is_hardly_to
from rules.discofuse.apposition_sense import names_many
from rules.discofuse.apposition_tense import is_past
from rules.discofuse.noun_phrases import core
from rules.discofuse.references import nouns_above
from rules.discofuse.whole_phrases import names_again
from tests.rules.discofuse.helpers import parse
from tests.rules.discofuse.test_extended import rejections

APPOSITION = "SINGLE_APPOSITION"


class TestPlaces:
    PICTURE = """
    We|PRP|nsubj|2 saw|VBD|ROOT|0||see a|DT|det|4 {noun}|NN|dobj|2 of|IN|prep|4 {upton}|pobj|5 ,|,|punct|4 a|DT|det|9
    {place}|NN|appos|4 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("noun", "upton", "place", "hardly"),
        [
            ("picture", "Upton|NNP", "village", True),
            ("picture", "Upton|NNP", "gift", False),
            ("picture", "hills|NNS", "village", False),
            ("suburb", "Upton|NNP", "village", False),
        ],
    )
    def test_a_picture_is_no_village(self, noun, upton, place, hardly):
        assert is_hardly_to(parse(self.PICTURE.format(noun=noun, upton=upton, place=place)), 3, 8, 6) == hardly

    def test_a_name_may_be_one(self):
        text = self.PICTURE.format(noun="Ringwood", upton="Upton|NNP", place="village").replace("wood|NN|", "wood|NNP|")
        assert not is_hardly_to(parse(text), 3, 8, 6)

    def test_the_command_refuses_it(self):
        text = self.PICTURE.format(noun="picture", upton="Upton|NNP", place="village")
        assert rejections(text, APPOSITION) == ["AMBIGUOUS"]


class TestNames:
    CALLED = """
    They|PRP|nsubj|2 refer|VBP|ROOT|0 to|IN|prep|2 Lee|NNP|pobj|3|B-PERSON {as_}|IN|prep|{on} Fox|NNP|pobj|5 ,|,|punct|4
    a|DT|det|9 name|NN|appos|4 .|.|punct|2
    """

    @pytest.mark.parametrize(("as_", "on", "hardly"), [("as", 4, True), ("of", 4, False), ("as", 2, False)])
    def test_what_it_is_called_is_meant(self, as_, on, hardly):
        assert is_hardly_to(parse(self.CALLED.format(as_=as_, on=on)), 3, 8, 6) == hardly

    def test_what_is_called_so_behind_it_is_not(self):
        text = """
        They|PRP|nsubj|2 met|VBD|ROOT|0 Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 a|DT|det|6 man|NN|appos|3 as|IN|prep|3
        clerk|NN|pobj|7 .|.|punct|2
        """
        assert not is_hardly_to(parse(text), 2, 5, 3)

    SONGS = """
    the|DT|det|2 song|NN|ROOT|0 ,|,|punct|2 {ross} Moments|NNP|appos|2 and|CC|cc|6 {lamar} Euphoria|NNP|conj|6
    """

    @pytest.mark.parametrize(
        ("lamar", "tag", "many"),
        [("Lamar|NNP|poss|9 's|POS|case|8", "NNP", True), ("old|JJ|amod|9 new|JJ|amod|9", "NNP", False)],
    )
    def test_two_owners_have_two(self, lamar, tag, many):
        text = self.SONGS.format(ross="Ross|NNP|poss|6 's|POS|case|4", lamar=lamar).replace(
            "appos|2 and", "appos|2 and"
        )
        text = text.replace("Lamar|NNP|poss|9", "Lamar|NNP|poss|10").replace("amod|9", "amod|10")
        assert names_many(parse(text), 5, 1) == many


class TestWholePhrases:
    COAL = "They|PRP|nsubj|2 live|VBP|ROOT|0 {by}|IN|prep|2 {the} {mining}|{tag}|compound|6 coal|NN|pobj|3 .|.|punct|2"

    @pytest.mark.parametrize(
        ("by", "the", "mining", "whole"),
        [
            ("by", "now|RB|dep|2", "mining", False),
            ("of", "now|RB|dep|2", "mining", True),
            ("by", "now|RB|dep|2", "Mining", True),
            ("by", "now|RB|dep|2", "brown", True),
        ],
    )
    def test_a_gerund_is_no_part_of_its_object(self, by, the, mining, whole):
        text = self.COAL.format(by=by, the="", mining=mining, tag="NN").replace("compound|6", "compound|5")
        tree = parse(text)
        assert names_again(tree, core(tree, 4), 4) == whole

    def test_an_article_tells_a_noun(self):
        text = self.COAL.format(by="by", the="the|DT|det|6", mining="mining", tag="NN")
        tree = parse(text)
        assert names_again(tree, core(tree, 5), 5)

    @pytest.mark.parametrize(("opening", "closing", "whole"), [("[", "]", False), ("|", "|", True)])
    def test_without_its_brackets_a_name_is_another(self, opening, closing, whole):
        marks = {"[": ("[|-LRB-|punct|6", "]|-RRB-|punct|6"), "|": ("-|HYPH|punct|6", "-|HYPH|punct|6")}[opening]
        tree = parse(f"the|DT|det|6 Upton|NNP|compound|6 {marks[0]} V|NNP|nmod|6 {marks[1]} mill|NN|ROOT|0")
        assert names_again(tree, core(tree, 5), 5) == whole


class TestRivals:
    def test_what_two_places_belong_to(self):
        text = """
        It|PRP|nsubj|2 hurt|VBD|ROOT|0 men|NNS|dobj|2||man both|CC|preconj|5 in|IN|prep|3 Leeds|NNP|pobj|5|B-GPE
        and|CC|cc|5 {around}|{tag}|conj|5 Kent|NNP|pobj|8|B-GPE .|.|punct|2
        """
        assert nouns_above(parse(text.format(around="around", tag="IN")), 8) == [2]


class TestTense:
    WORKS = """
    It|PRP|nsubj|2 {shows} works|NNS|dobj|2||work of|IN|prep|3 {lee}|pobj|4|{kind} ,|,|punct|5 a|DT|det|8 painter|NN|appos|5
    who|WP|nsubj|10 {left} in|IN|prep|10 {year}|CD|pobj|11|B-DATE .|.|punct|2
    """

    def past(self, *, left="left|VBD|relcl|8||leave", year="1830", lee="Lee|NNP", kind="B-PERSON"):
        shows = "shows|VBZ|ROOT|0||show"
        return is_past(parse(self.WORKS.format(shows=shows, left=left, year=year, lee=lee, kind=kind)), 4, 7)

    def test_who_lived_long_ago_was_one(self):
        assert self.past()

    @pytest.mark.parametrize(
        "changed",
        [{"left": "leaves|VBZ|relcl|8||leave"}, {"year": "2013"}, {"lee": "mill|NN", "kind": ""}],
    )
    def test_others_may_be(self, changed):
        assert not self.past(**changed)

    INDEX = """
    The|DT|det|2 Ixo|NNP|nsubj|7|B-ORG ,|,|punct|2 a|DT|det|5 {noun}|NN|appos|2 ,|,|punct|2 fell|VBD|ROOT|0||fall
    sharply|RB|advmod|7 there|RB|advmod|7 .|.|punct|7
    """

    @pytest.mark.parametrize(("noun", "reasons"), [("gauge", ["VERB_FORM"]), ("stallion", [None])])
    def test_an_index_goes_on(self, noun, reasons):
        assert rejections(self.INDEX.format(noun=noun), APPOSITION) == reasons


class TestEnd:
    STORY = """
    It|PRP|nsubj|2 tells|VBZ|ROOT|0||tell about|IN|prep|2 Lee|NNP|pobj|3|B-PERSON ,|,|punct|4 a|DT|det|7 clerk|NN|appos|4
    {who} ,|,|punct|4 {adverb} quitting|{tag}|advcl|2||quit mills|NNS|dobj|{at}||mill .|.|punct|2
    """
    WHO = "who|WP|nsubj|9 loses|VBZ|relcl|7||lose faith|NN|dobj|9"
    IN_LEEDS = "in|IN|prep|7 old|JJ|amod|10 Leeds|NNP|pobj|8"

    def made(self, who=WHO, adverb="finally|RB|advmod|13", tag="VBG"):
        at = 13 if adverb else 12
        text = self.STORY.format(who=who, adverb=adverb, tag=tag, at=at)
        return rejections(text, APPOSITION)

    @pytest.mark.parametrize("adverb", ["finally|RB|advmod|13", ""])
    def test_a_participle_goes_on_with_the_clause(self, adverb):
        assert self.made(adverb=adverb) == ["CLAUSE_CUT"]

    def test_without_a_clause_it_does_not(self):
        assert self.made(who=self.IN_LEEDS) == [None]
