"""An "it" that means nothing."""

from __future__ import annotations

import pytest

from rules.discofuse.empty_subjects import is_empty
from tests.rules.discofuse.helpers import parse

CLEFT = "It|PRP|nsubj|2 was|VBD|ROOT|0||be during|IN|prep|2 {}|NN|pobj|3 that|IN|mark|7 he|PRP|nsubj|7 left|VBD|{}|{} .|.|punct|2"
TOOK = "It|PRP|nsubj|3 would|MD|aux|3 take|VB|ROOT|0 {} .|.|punct|3"


class TestCleft:
    @pytest.mark.parametrize(("label", "head"), [("ccomp", 2), ("relcl", 4), ("advcl", 2)])
    def test_whatever_the_clause_hangs_on(self, label, head):
        assert is_empty(parse(CLEFT.format("lunch", label, head)), 0)

    def test_without_that_it_is_somewhere(self):
        text = "It|PRP|nsubj|2 was|VBD|ROOT|0||be in|IN|prep|2 town|NN|pobj|3 .|.|punct|2"
        assert not is_empty(parse(text), 0)

    def test_with_a_predicate_it_is_something(self):
        text = (
            "It|PRP|nsubj|2 was|VBD|ROOT|0||be art|NN|attr|2 in|IN|prep|2 Leeds|NNP|pobj|4 that|WDT|nsubj|7 "
            "sold|VBD|relcl|3 .|.|punct|2"
        )
        assert not is_empty(parse(text), 0)

    @pytest.mark.parametrize(
        ("article", "noun", "empty"), [("the", "owner", True), ("an", "owner", False), ("the", "farm", False)]
    )
    def test_before_a_relative_clause_only_a_particular_person_is(self, article, noun, empty):
        text = (
            f"It|PRP|nsubj|2 was|VBD|ROOT|0||be {article}|DT|det|4 {noun}|NN|attr|2 that|WDT|nsubj|6 failed|VBD|relcl|4 "
            ".|.|punct|2"
        )
        assert is_empty(parse(text), 0) == empty


class TestTime:
    def test_with_an_infinitive(self):
        text = TOOK.format("years|NNS|npadvmod|3 for|IN|mark|8 them|PRP|nsubj|8 to|TO|aux|8 agree|VB|advcl|3")
        assert is_empty(parse(text), 0)

    @pytest.mark.parametrize(
        ("verb", "thing", "empty"),
        [
            ("makes|VBZ|ROOT|0||make", "sense", True),
            ("makes|VBZ|ROOT|0||make", "cloth", False),
            ("costs|VBZ|ROOT|0||cost", "money", True),
        ],
    )
    def test_what_makes_sense_or_costs_is_the_infinitive(self, verb, thing, empty):
        text = f"It|PRP|nsubj|2 {verb} {thing}|NN|dobj|2 to|TO|aux|5 sell|VB|xcomp|2 .|.|punct|2"
        assert is_empty(parse(text), 0) == empty
        assert not is_empty(parse(text.replace("to|TO|aux|5 sell|VB|xcomp", "in|IN|prep|2 May|NNP|npadvmod")), 0)

    def test_with_an_object_it_is_something(self):
        assert not is_empty(parse(TOOK.format("the|DT|det|5 town|NN|dobj|3")), 0)
