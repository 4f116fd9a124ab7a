"""Appositions that make no sentence of their own, and such as may end elsewhere than at their comma."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, changed, rejections

APPOSITION = "SINGLE_APPOSITION"
NOVELIST = (
    "Ann|NNP|compound|2|B-PERSON Lee|NNP|nsubj|{verb}|I-PERSON ,|,|punct|2 the|DT|det|{noun_at} {noun} ,|,|punct|2 "
    "sells|VBZ|ROOT|0||sell mills|NNS|dobj|{verb}||mill .|.|punct|{verb}"
)
FRIEND = (
    "{Bo} accused|VBD|ROOT|0||accuse Lee|NNP|dobj|2|B-PERSON of|IN|prep|2 theft|NN|pobj|4 and|CC|cc|2 saw|VBD|conj|2||see "
    "Kim|NNP|dobj|7|B-PERSON ,|,|punct|8 a|DT|det|11 friend|NN|appos|8 {of} .|.|punct|2"
)
COURT = (
    "It|PRP|nsubjpass|3 was|VBD|auxpass|3||be heard|VBN|ROOT|0||hear by|IN|agent|3 {court} ,|,|punct|{at} "
    "{city} Hall|NNP|appos|{at}|I-ORG .|.|punct|3"
)


def novelist(noun: str, *before: str) -> list:
    at = 5 + len(before)
    words = " ".join(f"{word}|{at}" for word in before)
    text = NOVELIST.format(noun_at=at, noun=f"{words} {noun}|appos|2".strip(), verb=at + 2)
    return rejections(text, APPOSITION)


class TestArticle:
    @pytest.mark.parametrize("noun", ["novelist|NN", "bank|NN"])
    def test_one_that_reminds_of_who_is_known(self, noun):
        assert novelist(noun) == ["UNRESOLVED_ANAPHOR"]
        assert novelist(noun, "Spanish|JJ|amod") == ["UNRESOLVED_ANAPHOR"]

    @pytest.mark.parametrize("noun", ["mayor|NN", "Mill|NNP"])
    def test_one_that_means_one_by_itself(self, noun):
        assert novelist(noun) == [None]

    @pytest.mark.parametrize("before", ["oldest|JJS|amod", "chief|JJ|amod", "only|JJ|amod"])
    def test_one_that_is_singled_out(self, before):
        assert novelist("novelist|NN", before) == [None]

    def test_one_with_a_complement(self):
        text = NOVELIST.format(noun_at=5, noun="head|NN|appos|2 of|IN|prep|5 Acme|NNP|pobj|6|B-ORG", verb=9)
        assert accepted(text, APPOSITION)[1] == "Ann Lee is the head of Acme ."

    def test_an_indefinite_one(self):
        text = changed(NOVELIST.format(noun_at=5, noun="novelist|NN|appos|2", verb=7), ("the|DT", "a|DT"))
        assert accepted(text, APPOSITION)[1] == "Ann Lee is a novelist ."


class TestOwner:
    WIFE = "of|IN|prep|11 his|PRP$|poss|14 wife|NN|pobj|12"

    @pytest.mark.parametrize("who", ["Bo|NNP|nsubj|2|B-ORG", "He|PRP|nsubj|2"])
    def test_his_would_be_the_subject_s(self, who):
        assert rejections(FRIEND.format(Bo=who, of=self.WIFE), APPOSITION) == ["UNRESOLVED_ANAPHOR"]

    def test_his_in_a_clause_may_be_its_own(self):
        clause = "who|WP|nsubj|13 lost|VBD|relcl|11||lose his|PRP$|poss|15 post|NN|dobj|13"
        assert rejections(FRIEND.format(Bo="Bo|NNP|nsubj|2|B-ORG", of=clause), APPOSITION) == [None]

    def test_a_wife_has_no_wife(self):
        text = FRIEND.format(Bo="Bo|NNP|nsubj|2|B-ORG", of=self.WIFE.replace("wife", "friend")).replace(
            "friend|NN|appos", "widow|NN|appos"
        )
        assert "UNRESOLVED_ANAPHOR" not in rejections(text, APPOSITION)

    def test_a_thing_has_no_his(self):
        text = FRIEND.format(Bo="Bo|NNP|nsubj|2|B-ORG", of=self.WIFE)
        text = changed(text, ("Kim|NNP|dobj|7|B-PERSON", "Emma|NNP|dobj|7|B-WORK_OF_ART"), ("friend|NN", "portrait|NN"))
        assert "UNRESOLVED_ANAPHOR" not in rejections(text, APPOSITION)


class TestAntecedent:
    def court(self, court: str, at: int, city: str) -> list:
        return rejections(COURT.format(court=court, at=at, city=city), APPOSITION)

    def test_the_largest_of_which(self):
        text = (
            "She|PRP|nsubj|2 got|VBD|ROOT|0||get the|DT|det|4 job|NN|dobj|2 by|IN|prep|2 luck|NN|pobj|5 at|IN|prep|2 "
            "Acme|NNP|pobj|7|B-ORG ,|,|punct|8 the|DT|det|{at} largest|{rest} .|.|punct|2"
        )
        assert rejections(text.format(at=11, rest="JJS|appos|8"), APPOSITION) == ["AMBIGUOUS"]
        subject = text.replace("Acme|NNP|pobj|7|B-ORG", "Acme|NNP|dobj|2|B-ORG").replace(
            "at|IN|prep|2", "there|RB|advmod|2"
        )
        assert "AMBIGUOUS" not in rejections(subject.format(at=11, rest="JJS|appos|8"), APPOSITION)
        firm = text.format(at=12, rest="JJS|amod|12 firm|NN|appos|8")
        assert rejections(firm, APPOSITION) != ["AMBIGUOUS"]


class TestEnd:
    def test_best_is_the_mill(self):
        text = (
            "Best|JJS|acomp|2 is|VBZ|ROOT|0||be Mill|NNP|nsubj|2|B-FAC ,|,|punct|3 a|DT|det|6 house|NN|appos|3 "
            "of|IN|prep|6 note|NN|pobj|7 ,|,|punct|3 {grinds} corn|NN|dobj|10 .|.|punct|2"
        )
        assert rejections(text.format(grinds="grinds|VBZ|conj|2||grind"), APPOSITION) == ["CLAUSE_CUT"]


class TestNumberOfNames:
    GAINES = (
        "Ada|{0}|compound|2|B-ORG Gaines|NNPS|nsubj|7|I-ORG ,|,|punct|2 a|DT|det|5 clerk|NN|appos|2 ,|,|punct|2 "
        "{1} mills|NNS|dobj|7||mill .|.|punct|7"
    )

    @pytest.mark.parametrize("tag", ["JJ", "NNP"])
    def test_one_whose_verb_is_singular_is_one(self, tag):
        assert accepted(self.GAINES.format(tag, "sells|VBZ|ROOT|0||sell"), APPOSITION)[1] == "Ada Gaines is a clerk ."
