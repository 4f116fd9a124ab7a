"""Relative clauses in somebody's words, and behind a description of the noun."""

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


class TestDescription:
    def test_the_one_described_is_meant(self):
        text = SON.format(Lee="Lee|NNP|dobj|2|B-PERSON", his="his|PRP$|poss|6", son="son|NN")
        assert rejections(text, RELATIVE) == ["AMBIGUOUS"]

    def test_a_name_behind_a_description(self):
        text = SON.format(Lee="son|NN|dobj|2", his="young|JJ|amod|6", son="Lee|NNP").replace(
            "|appos|3", "|appos|3|B-PERSON"
        )
        assert rejections(text, RELATIVE) == [None]
