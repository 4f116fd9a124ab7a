"""An "it" that means nothing."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from tests.rules.discofuse.helpers import parse

CLEFT = "It|PRP|nsubj|2 was|VBD|ROOT|0||be during|IN|prep|2 {}|NN|pobj|3 that|IN|mark|7 he|PRP|nsubj|7 left|VBD|{}|{} .|.|punct|2"


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


class TestImpressions:
    TEXT = (
        "It|PRP|nsubj|2 {} {mark}|9 the|DT|det|6 old|JJ|amod|6 mill|NN|nsubjpass|9 will|MD|aux|9 be|VB|auxpass|9 "
        "sold|VBN|advcl|2||sell soon|RB|advmod|9 .|.|punct|2"
    )

    @pytest.mark.parametrize(
        ("verb", "mark", "empty"),
        [
            ("sounds|VBZ|ROOT|0||sound", "like|IN|mark", True),
            ("looked|VBD|ROOT|0||look", "though|IN|mark", True),
            ("sounds|VBZ|ROOT|0||sound", "because|IN|mark", False),
            ("works|VBZ|ROOT|0||work", "like|IN|mark", False),
        ],
    )
    def test_a_clause_of_likeness_is_all_that_is_said(self, verb, mark, empty):
        assert is_empty(parse(self.TEXT.format(verb, mark=mark)), 0) == empty

    def test_with_an_adjective_something_seems_so(self):
        text = self.TEXT.format("feels|VBZ|ROOT|0||feel", mark="like|IN|mark").replace(
            "old|JJ|amod|6", "old|JJ|acomp|2"
        )
        assert not is_empty(parse(text), 0)

    def test_nor_is_one_that_is_made_to_look_so(self):
        assert not is_empty(parse(self.TEXT.format("look|VB|ROOT|0", mark="like|IN|mark")), 0)


class TestDeeds:
    @pytest.mark.parametrize(
        ("rest", "empty"),
        [
            ("up|IN|prep|2 to|IN|prep|3 her|PRP|pobj|4 to|TO|aux|7 act|VB|xcomp|2", True),
            ("up|RB|advmod|2 to|IN|prep|3 her|PRP|pobj|4 to|TO|aux|7 act|VB|advcl|2", True),
            ("up|IN|prep|2 to|IN|prep|3 her|PRP|pobj|4", False),
            ("a|DT|det|4 matter|NN|attr|2 of|IN|prep|4 time|NN|pobj|5", True),
            ("a|DT|det|4 matter|NN|attr|2 for|IN|prep|4 her|PRP|pobj|5", False),
            ("a|DT|det|4 mill|NN|attr|2 of|IN|prep|4 hers|PRP|pobj|5", False),
            ("no|DT|det|4 matter|NN|attr|2", False),
        ],
    )
    def test_it_is_up_to_somebody_or_a_matter_of_something(self, rest, empty):
        assert is_empty(parse(f"It|PRP|nsubj|2 is|VBZ|ROOT|0||be {rest} .|.|punct|2"), 0) == empty

    def test_a_sentence_may_end_there(self):
        assert not is_empty(parse("It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 matter|NN|attr|2"), 0)

    @pytest.mark.parametrize(("to", "empty"), [("to|TO|aux|8 act|VB|xcomp|2", True), ("", False)])
    def test_a_contraction_and_a_particle_behind_an_adverb(self, to, empty):
        text = (
            f"It|PRP|nsubj|2 ’s|VBD|ROOT|0||’ now|RB|advmod|2 up|RP|prt|2 to|IN|prep|2 her|PRP|pobj|5 {to} .|.|punct|2"
        )
        assert is_empty(parse(text), 0) == empty


class TestTopics:
    @pytest.mark.parametrize(
        ("mark", "preposition", "empty"),
        [
            ("When|WRB|advmod|3", "to|IN|prep", True),
            ("When|WRB|advmod|3", "with|IN|prep", False),
            ("Then|RB|advmod|3", "to|IN|prep", False),
        ],
    )
    def test_when_it_comes_to_something(self, mark, preposition, empty):
        word, label = preposition.split("|", 1)
        text = f"{mark} it|PRP|nsubj|3 comes|VBZ|ROOT|0||come {word}|{label}|3 tools|NNS|pobj|4||tool .|.|punct|3"
        assert is_empty(parse(text), 1) == empty

    def test_another_verb_says_something(self):
        text = "When|WRB|advmod|3 it|PRP|nsubj|3 leads|VBZ|ROOT|0||lead to|IN|prep|3 war|NN|pobj|4 .|.|punct|3"
        assert not is_empty(parse(text), 1)
