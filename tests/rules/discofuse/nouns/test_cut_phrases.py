"""Noun phrases that lack a part, or have run into what stands beside them."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import second_of
from tests.testing import mention

IT_SOLD = "It|PRP|nsubj|2 sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"


def said(first: str, start: int, end: int, kind: str = "nominal", *, head: int | None = None) -> str:
    """What stands for "it" in the second sentence."""
    antecedent = mention(0, start, end, kind, head=end - 1 if head is None else head)
    made = second_of(first, IT_SOLD, antecedent, mention(1, 0, 1, "pronoun", confidence=0.9))
    return made.removesuffix(" sold tools there .")


class TestOwners:
    SEAT = """
    Ada|NNP|poss|6|B-PERSON 's|POS|case|1{0} Leeds|NNP|compound|5{0} -|HYPH|punct|5{0} area|NN|compound|6{0}
    seat|NN|nsubj|7 opened|VBD|ROOT|0||open .|.|punct|7
    """
    SHE_SOLD = IT_SOLD.replace("It", "She")

    @pytest.mark.parametrize(("entity", "end"), [("|I-PERSON", 5), ("", 2), ("", 1)])
    def test_a_name_ends_at_its_possessive_mark(self, entity, end):
        links = (mention(0, 0, end, "name", head=0), mention(1, 0, 1, "pronoun", confidence=0.9))
        assert second_of(self.SEAT.format(entity), self.SHE_SOLD, *links) == "Ada sold tools there ."

    def test_one_that_only_has_an_owner_goes_on(self):
        assert said(self.SEAT.format(""), 0, 6) == "Ada 's Leeds - area seat"


class TestNobody:
    NONE = "{} of|IN|prep|1 this|DT|pobj|2 failed|VBD|ROOT|0||fail .|.|punct|4"

    @pytest.mark.parametrize(("word", "made"), [("None|NN|nsubj|4", "It"), ("Part|NN|nsubj|4", "Part of this")])
    def test_none_is_nothing_again(self, word, made):
        assert said(self.NONE.format(word), 0, 1) in (made, "It")

    def test_nor_is_every_mill(self):
        first = "Every|DT|det|2 mill|NN|nsubj|3 failed|VBD|ROOT|0||fail .|.|punct|3"
        assert said(first, 0, 2) == "It"
        assert said(first.replace("Every", "The"), 0, 2) == "The mill"


class TestOwnersOfNominals:
    FIRST = """
    The|DT|det|2 mill|NN|nsubj|6 of|IN|prep|2 {article}|DT|det|5 judge|NN|pobj|3 failed|VBD|ROOT|0||fail .|.|punct|6
    """
    SECOND = "Now|RB|advmod|4 the|DT|det|3 mill|NN|nsubj|4 sold|VBD|ROOT|0||sell tools|NNS|dobj|4||tool .|.|punct|4"

    @pytest.mark.parametrize(("article", "made"), [("a", "the mill"), ("the", "the mill of the judge")])
    def test_that_of_a_judge_would_be_another(self, article, made):
        links = (mention(0, 0, 2, "nominal"), mention(1, 1, 3, "nominal", confidence=0.9))
        assert second_of(self.FIRST.format(article=article), self.SECOND, *links) == f"Now {made} sold tools ."

    def test_beside_it_a_pronoun_may_give_way_to_it(self):
        assert said(self.FIRST.format(article="a"), 0, 2) == "The mill of a judge"
