"""Relative clauses in somebody's words, of two, and behind a clause or a description of the noun."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import rejections

RELATIVE = "SINGLE_RELATIVE"
SAID = (
    "He|PRP|nsubj|2 {said} he|PRP|nsubj|4 met|VBD|ccomp|2||meet {Lee} ,|,|punct|5 who|WP|nsubj|8 "
    "was|VBD|relcl|5||be ill|JJ|acomp|8 .|.|punct|2"
)
SAID_SUBJECT = (
    "He|PRP|nsubj|2 said|VBD|ROOT|0||say Lee|NNP|nsubj|9|B-PERSON ,|,|punct|3 who|WP|nsubj|6 was|VBD|relcl|3||be "
    "ill|JJ|acomp|6 ,|,|punct|3 left|VBD|ccomp|2||leave early|RB|advmod|9 .|.|punct|2"
)
REPORTS = (
    "We|PRP|nsubj|2 heard|VBD|ROOT|0||hear the|DT|det|4 {noun}|NN|dobj|2 that|IN|mark|7 ships|NNS|nsubj|7||ship "
    "left|VBD|acl|4||leave Ulm|NNP|dobj|7|B-GPE ,|,|punct|8 which|WDT|nsubj|11 has|VBZ|relcl|8||have mills|NNS|dobj|11||mill "
    ".|.|punct|2"
)
DAY = (
    "The|DT|det|2 day|NN|nsubj|10 we|PRP|nsubj|4 {played} {Snap} ,|,|punct|2 which|WDT|nsubj|8 was|VBD|relcl|2||be "
    "cold|JJ|acomp|8 passed|VBD|ROOT|0||pass .|.|punct|10"
)
BOTH = (
    "He|PRP|nsubj|2 met|VBD|ROOT|0||meet Ann|NNP|dobj|2|B-PERSON and|CC|cc|3 Bo|NNP|conj|3|B-PERSON {and_lee} ,|,|punct|3 "
    "who|WP|nsubj|{v} both|DT|{both}|{v} left|VBD|relcl|3||leave .|.|punct|2"
)
SON = (
    "He|PRP|nsubj|2 met|VBD|ROOT|0||meet {Lee} ,|,|punct|3 {his} {son}|appos|3 ,|,|punct|6 who|WP|nsubj|9 "
    "was|VBD|relcl|6||be ill|JJ|acomp|9 .|.|punct|2"
)
LEE = "Lee|NNP|dobj|{}|B-PERSON"


class TestReport:
    @pytest.mark.parametrize("said", ["said|VBD|ROOT|0||say", "hinted|VBD|ROOT|0||hint"])
    def test_the_end_of_it_may_be_somebody_s(self, said):
        assert rejections(SAID.format(said=said, Lee=LEE.format(4)), RELATIVE) == ["NOT_ASSERTED"]

    def test_what_somebody_saw_is_so(self):
        assert rejections(SAID.format(said="saw|VBD|ROOT|0||see", Lee=LEE.format(4)), RELATIVE) == [None]

    def test_of_the_subject_it_is_the_author_s(self):
        assert rejections(SAID_SUBJECT, RELATIVE) == [None]

    @pytest.mark.parametrize(("noun", "reasons"), [("report", ["NOT_ASSERTED"]), ("fact", [None])])
    def test_a_noun_may_be_a_report(self, noun, reasons):
        assert rejections(REPORTS.format(noun=noun), RELATIVE) == reasons


class TestInnerNoun:
    PLAYED = "played|VBD|relcl|2||play"

    def day(self, played: str, snap: str) -> list:
        text = DAY.format(played=played, Snap=snap).replace(
            "cold|JJ|acomp|8 passed", "cold|JJ|acomp|8 ,|,|punct|2 passed"
        )
        text = text.replace("nsubj|10 we", "nsubj|11 we").replace(".|.|punct|10", ".|.|punct|11")
        return rejections(text, RELATIVE)

    def test_it_may_be_meant(self):
        assert self.day(self.PLAYED, "Snap|NNP|dobj|4|B-PRODUCT") == ["AMBIGUOUS"]

    @pytest.mark.parametrize("noun", ["Bo|NNP|dobj|4|B-PERSON", "games|NNS|dobj|4||game", "well|RB|advmod|4"])
    def test_it_may_not(self, noun):
        assert "AMBIGUOUS" not in self.day(self.PLAYED, noun)


class TestBoth:
    def test_two_of_two(self):
        assert "AMBIGUOUS" not in rejections(BOTH.format(and_lee="", v=9, both="dep").replace("  ", " "), RELATIVE)

    def test_two_of_three(self):
        text = BOTH.format(and_lee="and|CC|cc|5 Lee|NNP|conj|5|B-PERSON", v=11, both="dep")
        assert rejections(text, RELATIVE) == ["AMBIGUOUS"]


class TestDescription:
    def test_the_one_described_is_meant(self):
        text = SON.format(Lee="Lee|NNP|dobj|2|B-PERSON", his="his|PRP$|poss|6", son="son|NN")
        assert rejections(text, RELATIVE) == ["AMBIGUOUS"]

    def test_a_name_behind_a_description(self):
        text = SON.format(Lee="son|NN|dobj|2", his="young|JJ|amod|6", son="Lee|NNP").replace(
            "|appos|3", "|appos|3|B-PERSON"
        )
        assert rejections(text, RELATIVE) == [None]


class TestDomains:
    ELDER = (
        "In|IN|prep|4 {domain}|NN|pobj|1 elders|NNS|nsubj|4||elder have|VBP|ROOT|0||have leaves|NNS|dobj|4||leaf ,|,|punct|5 "
        "which|WDT|nsubj|8 {are}|relcl|5||{lemma} red|JJ|acomp|8 .|.|punct|4"
    )

    @pytest.mark.parametrize(
        ("domain", "are", "lemma", "reasons"),
        [
            ("folklore", "are|VBP", "be", ["NOT_ASSERTED"]),
            ("spring", "are|VBP", "be", [None]),
            ("folklore", "were|VBD", "be", [None]),
        ],
    )
    def test_what_is_so_in_tales_may_be_so_nowhere_else(self, domain, are, lemma, reasons):
        assert rejections(self.ELDER.format(domain=domain, are=are, lemma=lemma), RELATIVE) == reasons
