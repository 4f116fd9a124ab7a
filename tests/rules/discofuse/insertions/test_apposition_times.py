"""The tense of what an apposition says, where the clause does not settle it; and what it says of a deed."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

APPOSITION = "SINGLE_APPOSITION"
REACHED = (
    "{He} reached|VBD|ROOT|0||reach Upton|NNP|dobj|2|B-FAC {year},|,|punct|3 the|DT|det|{n} {noun}|NN|appos|3 of|IN|prep|{n} "
    "Ann|NNP|pobj|{o}|B-PERSON .|.|punct|2"
)
DINED = (
    "They|PRP|nsubj|2 dined|VBD|ROOT|0||dine at|IN|prep|2 Upton|NNP|compound|5|B-FAC Hall|NNP|pobj|3|I-FAC ,|,|punct|5 "
    "{their} next|JJ|amod|9 {noun}|NN|appos|5 .|.|punct|2"
)


class TestLasting:
    def made(self, noun: str, *before: str) -> str:
        n = 6 + len(before)
        words = "".join(f"{word}|{n} " for word in before)
        return REACHED.format(He="He|PRP|nsubj|2", year="", noun=words + noun, n=n, o=n + 1)

    def test_a_home_passes_to_others(self):
        assert rejections(self.made("home"), APPOSITION) == ["VERB_FORM"]


class TestDeed:
    @pytest.mark.parametrize("noun", ["appearance", "time", "occasion", "visit"])
    def test_a_place_is_not_a_deed(self, noun):
        text = DINED.format(their="their|PRP$|poss|9", noun=noun)
        assert rejections(text, APPOSITION) == ["CLAUSAL_ANTECEDENT"]

    def test_a_place_is_a_stop(self):
        assert rejections(DINED.format(their="their|PRP$|poss|9", noun="hotel"), APPOSITION) != ["CLAUSAL_ANTECEDENT"]


class TestRecently:
    MET = (
        "He|PRP|nsubj|{v} {words} met|VBD|ROOT|0||meet {men} Lee|NNP|dobj|{v}|B-PERSON ,|,|punct|{n} a|DT|det|{j} "
        "young|JJ|amod|{j} judge|NN|appos|{n} .|.|punct|{v}"
    )

    def test_it_tells_of_the_clause(self):
        text = self.MET.format(v=3, words="recently|RB|advmod|3", men="there|RB|advmod|3", n=5, j=9)
        assert accepted(text, APPOSITION)[1] == "Lee is a young judge ."

    def test_of_a_participle_it_does_not(self):
        men = "with|IN|prep|2 recently|RB|advmod|5 lost|VBN|amod|6 men|NNS|pobj|3||man"
        text = self.MET.format(v=2, words="", men=men, n=7, j=11).replace("  ", " ")
        assert accepted(text, APPOSITION)[1] == "Lee was a young judge ."
