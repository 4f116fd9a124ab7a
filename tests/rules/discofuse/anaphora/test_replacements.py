"""Which mentions give way to which phrases: parts of names, brackets, possessors, measures and places of subjects."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention

SECOND = "{}|NNP|nsubj|2{} sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"
NAMED = (
    "We|PRP|nsubj|2 met|VBD|ROOT|0||meet {0}|NNP|compound|4|B-{2} {1}|NNP|dobj|2|I-{2} there|RB|advmod|2 .|.|punct|2"
)


class TestPartsOfNames:
    LINKS = (mention(0, 2, 4, "name"), mention(1, 0, 1, "name", confidence=0.9))

    @pytest.mark.parametrize(
        ("first", "last", "kind", "short", "made"),
        [
            ("Ada", "Lane", "PERSON", "Ada", "Ada Lane"),
            ("Ada", "Lane", "PERSON", "Lane", "Ada Lane"),
            ("Dolby", "Vision", "PERSON", "Dolby", "Dolby"),
            ("Harvard", "University", "ORG", "Harvard", "Harvard University"),
        ],
    )
    def test_a_person_goes_by_surname_or_first_name(self, first, last, kind, short, made):
        second = SECOND.format(short, f"|B-{kind}")
        assert second_of(NAMED.format(first, last, kind), second, *self.LINKS) == f"{made} sold tools there ."


class TestBrackets:
    BRACKETS = """
    We|PRP|nsubj|3 now|RB|advmod|3 made|VBD|ROOT|0||make a|DT|det|5 release|NN|dobj|3 (|-LRB-|punct|5 {inside}
    )|-RRB-|punct|5 there|RB|advmod|3 .|.|punct|3
    """
    IT_SOLD = SECOND.format("It", "").replace("NNP", "PRP")

    def made(self, inside, start, end, kind, *more):
        links = (*more, mention(0, start, end, kind), mention(1, 0, 1, "pronoun", confidence=0.9))
        return second_of(self.BRACKETS.format(inside=inside), self.IT_SOLD, *links)

    def test_an_abbreviation_is_not_a_topic(self):
        assert self.made("LTR|NNP|appos|5|B-ORG", 6, 7, "name").startswith("It sold")

    def test_what_it_stands_for_is_one(self):
        whole = mention(0, 3, 5, "nominal")
        assert self.made("LTR|NNP|appos|5|B-ORG", 6, 7, "name", whole) == "The release sold tools there ."

    def test_nor_is_a_noun_of_a_remark(self):
        assert self.made("the|DT|det|8 panel|NN|appos|5", 6, 8, "nominal").startswith("It sold")

    def test_a_name_in_a_remark_may_be(self):
        assert self.made("now|RB|advmod|8 Acme|NNP|appos|5|B-ORG", 7, 8, "name") == "Acme sold tools there ."


class TestKinds:
    def made(self, entity, article=""):
        first = f"We|PRP|nsubj|2 left|VBD|ROOT|0||leave Next|NNP|dobj|2|B-{entity} there|RB|advmod|2 .|.|punct|2"
        n = 5 if article else 4
        second = (
            f"He|PRP|nsubj|2 was|VBD|ROOT|0||be {article}president|NN|attr|2 of|IN|prep|{n - 1} Leeds|NNP|pobj|{n}|B-GPE "
            ".|.|punct|2"
        )
        return second_of(first, second, mention(0, 2, 3, "name"), mention(1, 0, 1, "pronoun", confidence=0.9))

    def test_an_office_is_a_person_s(self):
        assert self.made("ORG") == "He was president of Leeds ."

    def test_a_person_has_it(self):
        assert self.made("PERSON") == "Next was president of Leeds ."

    def test_a_description_may_be_said_of_a_name_of_any_kind(self):
        assert self.made("ORG", "a|DT|det|4 ") == "Next was a president of Leeds ."
