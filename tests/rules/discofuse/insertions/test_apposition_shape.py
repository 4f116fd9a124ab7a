"""Appositions that end elsewhere than at their comma, or that hold at another time."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import accepted, rejections

APPOSITION = "SINGLE_APPOSITION"
PARTS = (
    "He|PRP|nsubj|2 met|VBD|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 the|DT|det|6 head|NN|appos|3 of|IN|prep|6 "
    "the|DT|det|9 firm|NN|pobj|7 ,|,|punct|3 {participle}|VBG|acl|3||{lemma} {of}|IN|prep|11 mills|NNS|pobj|12||mill "
    ".|.|punct|2"
)
DRINKS = (
    "He|PRP|nsubj|2 meets|VBZ|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 a|DT|det|6 judge|NN|appos|3 {clause}"
    ",|,|punct|2 {and_}sings|VBZ|conj|2||sing loudly|RB|advmod|{sings} .|.|punct|2"
)
GROUP = (
    "They|PRP|nsubj|2 run|VBP|ROOT|0 schools|NNS|dobj|2||school of|IN|prep|3 the|DT|det|6 group|NN|pobj|4 ,|,|punct|6 "
    "the|DT|det|9|B-ORG {noun} {of}|IN|prep|9 Ulm|NNP|pobj|10|B-GPE .|.|punct|2"
)
AUNT = (
    "He|PRP|nsubj|2 greets|VBZ|ROOT|0||greet his|PRP$|poss|4 sister|NN|dobj|2 ,|,|punct|4 the|DT|det|8 old|JJ|amod|8 "
    "Ada|NNP|appos|4|B-PERSON ,|,|punct|4 when|WRB|advmod|12 she|PRP|nsubj|12 comes|VBZ|{dep}||come .|.|punct|2"
)
NAMED = (
    "It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be {verb}|VBN|ROOT|0||{lemma} after|IN|prep|3 Lee|NNP|pobj|4|{kind} ,|,|punct|5 "
    "a|DT|det|8 {noun}|NN|appos|5 of|IN|prep|8 note|NN|pobj|9 .|.|punct|3"
)
RULED = (
    "They|PRP|nsubj|2 {ruled} that|IN|mark|10 Lee|NNP|nsubj|10|B-PERSON ,|,|punct|4 a|DT|det|7 judge|NN|appos|4 ,|,|punct|4 "
    "{must}|MD|aux|10 go|VB|ccomp|2 .|.|punct|2"
)


class TestEnds:
    def test_parts_of_the_noun_that_stands_last(self):
        text = PARTS.format(participle="consisting", lemma="consist", of="of")
        assert rejections(text, APPOSITION) == ["CLAUSE_CUT"]
        assert rejections(PARTS.format(participle="walking", lemma="walk", of="to"), APPOSITION) == [None]

    @pytest.mark.parametrize("and_", ["", "and|CC|cc|2 "])
    def test_a_second_verb_of_the_clause_inside(self, and_):
        clause = "who|WP|nsubj|8 drinks|VBZ|relcl|6||drink "
        text = DRINKS.format(clause=clause, and_=and_, sings=11 if and_ else 10)
        assert rejections(text, APPOSITION) == ["CLAUSE_CUT"]

    def test_a_second_verb_of_the_subject(self):
        text = DRINKS.format(clause="", and_="and|CC|cc|2 ", sings=9)
        assert accepted(text, APPOSITION)[0] == "He meets Lee and sings loudly ."

    def test_a_place_behind_a_name(self):
        assert rejections(GROUP.format(noun="Society|NNP|appos|6|I-ORG", of="in"), APPOSITION) == ["CLAUSE_CUT"]
        for words in ({"noun": "Society|NNP|appos|6|I-ORG", "of": "of"}, {"noun": "band|NN|appos|6", "of": "in"}):
            assert rejections(GROUP.format(**words), APPOSITION) == [None]

    def test_no_comma_before_a_clause_of_time(self):
        assert accepted(AUNT.format(dep="advcl|2"), APPOSITION)[0] == "He greets his sister when she comes ."


class TestTensesOfPersons:
    def test_who_gave_a_name_was_so(self):
        text = NAMED.format(verb="named", lemma="name", kind="B-PERSON", noun="poet")
        assert accepted(text, APPOSITION)[1] == "Lee was a poet of note ."
        asked = NAMED.format(verb="asked", lemma="ask", kind="B-PERSON", noun="poet")
        assert accepted(asked, APPOSITION)[1] == "Lee is a poet of note ."
        place = NAMED.format(verb="named", lemma="name", kind="B-GPE", noun="town")
        assert accepted(place, APPOSITION)[1] == "Lee is a town of note ."

    @pytest.mark.parametrize(
        ("ruled", "must", "be"),
        [
            ("ruled|VBD|ROOT|0||rule", "should", "was"),
            ("rule|VBP|ROOT|0||rule", "should", "is"),
            ("ruled|VBD|ROOT|0||rule", "will", "is"),
        ],
    )
    def test_a_duty_is_of_the_time_of_its_report(self, ruled, must, be):
        assert accepted(RULED.format(ruled=ruled, must=must), APPOSITION)[1] == f"Lee {be} a judge ."
