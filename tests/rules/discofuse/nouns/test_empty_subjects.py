"""An "it" that means nothing."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.references import is_empty
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)

CLEFT = "It|PRP|nsubj|2 was|VBD|ROOT|0||be during|IN|prep|2 {}|NN|pobj|3 that|IN|mark|7 he|PRP|nsubj|7 left|VBD|{}|{} .|.|punct|2"


class TestCleft:
    def test_whatever_the_clause_hangs_on(self):
        for label, head in (("ccomp", 2), ("relcl", 4), ("advcl", 2)):
            assert is_empty(parse(CLEFT.format("lunch", label, head)), 0), label

    def test_without_that_it_is_somewhere(self):
        text = "It|PRP|nsubj|2 was|VBD|ROOT|0||be in|IN|prep|2 town|NN|pobj|3 .|.|punct|2"
        assert not is_empty(parse(text), 0)

    def test_with_a_predicate_it_is_something(self):
        text = parses.of("It was art in Leeds that sold .")
        assert not is_empty(parse(text), 0)

    def test_before_a_relative_clause_only_a_particular_person_is(self):
        for article, noun, empty in (("the", "owner", True), ("an", "owner", False), ("the", "farm", False)):
            text = (
                f"It|PRP|nsubj|2 was|VBD|ROOT|0||be {article}|DT|det|4 {noun}|NN|attr|2 that|WDT|nsubj|6 failed|VBD|relcl|4 "
                ".|.|punct|2"
            )
            assert is_empty(parse(text), 0) == empty, article


class TestSetPhrases:
    TEXT = parses.of("It {} {mark} the mill opens soon .")

    def test_a_clause_of_likeness_is_what_is_said(self):
        for verb, mark, empty in CASES["a clause of likeness is what is said"]:
            assert is_empty(parse(self.TEXT.format(verb, mark=mark)), 0) == empty, verb

    def test_it_is_a_matter_of_something(self):
        for rest, empty in CASES["it is a matter of something"]:
            assert is_empty(parse(f"It|PRP|nsubj|2 is|VBZ|ROOT|0||be {rest}"), 0) == empty, rest

    def test_when_it_comes_to_something(self):
        for mark, verb, empty in (("When|WRB", "come", True), ("Then|RB", "come", False), ("When|WRB", "lead", False)):
            text = f"{mark}|advmod|3 it|PRP|nsubj|3 {verb}s|VBZ|ROOT|0||{verb} to|IN|prep|3 war|NN|pobj|4 .|.|punct|3"
            assert is_empty(parse(text), 1) == empty, mark
