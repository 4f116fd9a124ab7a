"""Nouns that an apposition is hardly to: farther ones, such as are called something, pieces of phrases."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.insertions.apposition_hosts import is_hardly_to
from gistmill.rules.discofuse.insertions.apposition_sense import names_many
from gistmill.rules.discofuse.insertions.apposition_tense import is_past
from gistmill.rules.discofuse.nouns.noun_phrases import core
from gistmill.rules.discofuse.nouns.references import nouns_above
from gistmill.rules.discofuse.nouns.whole_phrases import names_again
from tests.rules.discofuse.helpers import parse, rejections

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
    def test_a_picture_is_not_a_village(self, noun, upton, place, hardly):
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

    PUCK = """
    They|PRP|nsubjpass|3 are|VBP|auxpass|3 called|VBN|ROOT|0 {a} puck|NN|oprd|3 ,|,|punct|{puck} an|DT|det|{word}
    {noun}|NN|appos|{puck} .|.|punct|3
    """

    @pytest.mark.parametrize(
        ("a", "noun", "hardly"), [("a|DT|det|5", "word", 1), ("", "word", 0), ("a|DT|det|5", "imp", 0)]
    )
    def test_a_word_has_no_article(self, a, noun, hardly):
        puck = 5 if a else 4
        text = self.PUCK.format(a=a, noun=noun, puck=puck, word=puck + 3)
        assert is_hardly_to(parse(text), puck - 1, puck + 2, puck) == hardly

    KIN = """
    He|PRP|nsubj|2 met|VBD|ROOT|0 a|DT|det|4 {brother}|NN|dobj|2 {of}|IN|prep|4 {lee}|pobj|5 ,|,|punct|4 the|DT|det|9
    driver|NN|appos|4 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("brother", "of", "lee", "hardly"),
        [
            ("brother", "of", "Lee|NNP", True),
            ("master", "of", "Lee|NNP", False),
            ("brother", "from", "Lee|NNP", False),
            ("brother", "of", "men|NNS", False),
        ],
    )
    def test_the_one_or_his_kin(self, brother, of, lee, hardly):
        assert is_hardly_to(parse(self.KIN.format(brother=brother, of=of, lee=lee)), 3, 8, 6) == hardly

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


class TestLists:
    MANUAL = """
    It|PRP|nsubj|2 has|VBZ|ROOT|0||have {a}|DT|det|4 manual|NN|dobj|2 ,|,|punct|4 {an}|DT|det|7 guide|NN|appos|4 and|CC|cc|7
    some|DT|det|10 tests|NNS|conj|7||test .|.|punct|2
    """

    @pytest.mark.parametrize(("a", "an", "listed"), [("a", "a", True), ("the", "a", False), ("a", "the", False)])
    def test_two_indefinite_ones_go_on(self, a, an, listed):
        assert ("LIST" in rejections(self.MANUAL.format(a=a, an=an), APPOSITION)) == listed

    JOINS = """
    It|PRP|nsubj|2 joins|VBZ|ROOT|0||join Alpha|NNP|dobj|2|B-ORG ,|,|punct|3 the|DT|det|7 Greek|JJ|amod|7 letter|NN|appos|3
    ,|,|punct|3 and|CC|cc|2 the|DT|det|12 {around}|{tag}|{dep}|12 walls|NNS|dobj|2||wall .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("tag", "dep", "listed"), [("VBG", "amod", True), ("JJ", "amod", True), ("VBG", "dep", False)]
    )
    def test_a_participle_before_a_noun_is_not_a_verb(self, tag, dep, listed):
        text = self.JOINS.format(around="standing", tag=tag, dep=dep)
        assert ("LIST" in rejections(text, APPOSITION)) == listed


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

    NAMED = """
    It|PRP|nsubjpass|3 is|VBZ|auxpass|3 {named}|VBN|ROOT|0 in|IN|prep|3 {honor}|NN|pobj|4 of|IN|prep|5 Lee|NNP|pobj|6|B-PERSON
    ,|,|punct|7 a|DT|det|10 clerk|NN|appos|7 .|.|punct|3
    """

    @pytest.mark.parametrize(
        ("named", "honor", "past"),
        [("name", "honor", True), ("name", "memory", True), ("build", "honor", False), ("name", "front", False)],
    )
    def test_in_whose_honor_it_is_named(self, named, honor, past):
        text = self.NAMED.format(named=named, honor=honor)
        assert is_past(parse(text), 6, 9) == past

    def test_in_whom_it_is_named_nobody_is(self):
        text = """
        It|PRP|nsubjpass|3 is|VBZ|auxpass|3 name|VBN|ROOT|0 in|IN|prep|3 Lee|NNP|pobj|4|B-PERSON ,|,|punct|5 a|DT|det|8
        clerk|NN|appos|5 .|.|punct|3
        """
        assert not is_past(parse(text), 4, 7)
        assert is_past(parse(text.replace("in|IN", "after|IN")), 4, 7)

    ALIAS = """
    It|PRP|nsubj|2 got|VBD|ROOT|0||get Fox|NNP|dobj|2|B-ORG ,|,|punct|3 a|DT|det|6 mask|NN|appos|3 used|VBN|acl|6||use by|IN|agent|7
    men|NNS|pobj|8||man who|WP|nsubj|11 {hide}|{label}|9||hide .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("hide", "label", "past"), [("hide|VBP", "relcl", False), ("hid|VBD", "relcl", True), ("hide|VBP", "dep", True)]
    )
    def test_who_uses_it_uses_it_still(self, hide, label, past):
        assert is_past(parse(self.ALIAS.format(hide=hide, label=label)), 2, 5) == past

    def test_a_world_war_is_long_ago(self):
        text = self.WORKS.format(
            shows="shows|VBZ|ROOT|0||show", left="left|VBD|relcl|8||leave", year="{}", lee="Lee|NNP", kind="B-PERSON"
        )
        war = text.replace("{}|CD|pobj|11|B-DATE", "World|NNP|compound|13|B-EVENT War|NNP|pobj|11|I-EVENT")
        assert is_past(parse(war), 4, 7)
        assert not is_past(parse(war.replace("World|", "Cold|")), 4, 7)

    SHOT = """
    He|PRP|nsubjpass|3 was|VBD|auxpass|3 {killed}|VBN|ROOT|0 by|IN|agent|3 {who} Acme|NNP|pobj|{at}|B-ORG ,|,|punct|{acme}
    a|DT|det|{bank} bank|NN|appos|{acme} .|.|punct|3
    """

    @pytest.mark.parametrize(
        ("who", "reasons"),
        [("men|NNS|pobj|4||man who|WP|nsubj|7 served|VBD|relcl|5||serve in|IN|prep|7", ["VERB_FORM"]), ("", [None])],
    )
    def test_an_end_of_another_is_none_of_its_own(self, who, reasons):
        at = 4 + len(who.split())
        text = self.SHOT.format(killed="killed", who=who, at=at, acme=at + 1, bank=at + 4).replace(
            "killed|VBN|ROOT|0", "killed|VBN|ROOT|0||kill"
        )
        assert rejections(text, APPOSITION) == reasons

    @pytest.mark.parametrize(("noun", "reasons"), [("maker", ["VERB_FORM"]), ("friend", [None])])
    def test_the_biggest_maker_goes_on(self, noun, reasons):
        text = f"""
        Ixo|NNP|nsubj|9|B-ORG ,|,|punct|1 the|DT|det|5 biggest|JJS|amod|5 {noun}|NN|appos|1 of|IN|prep|5 cars|NNS|pobj|6||car
        ,|,|punct|1 fell|VBD|ROOT|0||fall sharply|RB|advmod|9 there|RB|advmod|9 .|.|punct|9
        """
        assert rejections(text, APPOSITION) == reasons

    @pytest.mark.parametrize("noun", ["capital"])
    def test_a_capital_may_still_be_one(self, noun):
        text = f"""
        Lee|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0||see Ulm|NNP|dobj|2|B-GPE ,|,|punct|3 the|DT|det|6 {noun}|NN|appos|3
        of|IN|prep|6 Kent|NNP|pobj|7|B-GPE ,|,|punct|3 with|IN|prep|2 Bea|NNP|pobj|10|B-PERSON .|.|punct|2
        """
        assert "VERB_FORM" in rejections(
            text.replace(" ,|,|punct|3 with|IN|prep|2 Bea|NNP|pobj|10|B-PERSON", ""), APPOSITION
        )

    def test_a_moon_still_is_one(self):
        text = """
        They|PRP|nsubj|2 mined|VBD|ROOT|0||mine Ix|NNP|dobj|2|B-LOC ,|,|punct|3 a|DT|det|6 moon|NN|appos|3 .|.|punct|2
        """
        assert not is_past(parse(text), 2, 5)
        assert is_past(parse(text.replace("moon", "claim")), 2, 5)

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
