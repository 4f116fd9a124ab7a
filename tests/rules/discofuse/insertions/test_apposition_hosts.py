"""Pieces of phrases and items of lists that an apposition is hardly to, its tense, and where it ends."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.insertions.apposition_sense import names_many
from gistmill.rules.discofuse.insertions.apposition_tense import is_past
from tests.rules.discofuse.helpers import parse

APPOSITION = "SINGLE_APPOSITION"


class TestNames:
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


class TestTense:
    WORKS = """
    It|PRP|nsubj|2 {shows} works|NNS|dobj|2||work of|IN|prep|3 {lee}|pobj|4|{kind} ,|,|punct|5 a|DT|det|8 painter|NN|appos|5
    who|WP|nsubj|10 {left} in|IN|prep|10 {year}|CD|pobj|11|B-DATE .|.|punct|2
    """

    def past(self, *, left="left|VBD|relcl|8||leave", year="1830", lee="Lee|NNP", kind="B-PERSON"):
        shows = "shows|VBZ|ROOT|0||show"
        return is_past(parse(self.WORKS.format(shows=shows, left=left, year=year, lee=lee, kind=kind)), 4, 7)

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

    SHOT = """
    He|PRP|nsubjpass|3 was|VBD|auxpass|3 {killed}|VBN|ROOT|0 by|IN|agent|3 {who} Acme|NNP|pobj|{at}|B-ORG ,|,|punct|{acme}
    a|DT|det|{bank} bank|NN|appos|{acme} .|.|punct|3
    """

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
