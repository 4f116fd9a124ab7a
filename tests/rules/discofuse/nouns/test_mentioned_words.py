"""Words that a text mentions and does not use, pieces of titles, and names of what is not a person."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.mentioned_words import means_no_word
from gistmill.rules.discofuse.nouns.naming import names_a_thing
from tests.rules.discofuse.helpers import parse, said

TERM = "The|DT|det|2 {}|NN|nsubj|3 is|VBZ|ROOT|0||be old|JJ|acomp|3 .|.|punct|3"


def means_none(noun: str, second: str, at: int = 0) -> bool:
    """Whether the pronoun at ``at`` of the second sentence cannot mean "the term" of the first."""
    return means_no_word(parse(TERM.format(noun)), 1, parse(second), at)


class TestUse:
    @pytest.mark.parametrize(
        ("verb", "expected"),
        [("derives|VBZ|ROOT|0||derive", False), ("means|VBZ|ROOT|0||mean", False), ("kills|VBZ|ROOT|0||kill", True)],
    )
    def test_what_a_word_does(self, verb, expected):
        assert means_none("term", f"It|PRP|nsubj|2 {verb} .|.|punct|2") == expected

    def test_a_thing_does_anything(self):
        assert not means_none("mill", "It|PRP|nsubj|2 kills|VBZ|ROOT|0||kill .|.|punct|2")

    def test_a_name_that_the_tagger_knows_is_not_a_word(self):
        term = TERM.format("Word").replace("Word|NN", "Word|NNP")
        assert not means_no_word(parse(term), 1, parse("It|PRP|nsubj|2 kills|VBZ|ROOT|0||kill .|.|punct|2"), 0)

    @pytest.mark.parametrize(("place", "expected"), [("around", True), ("in", False)])
    def test_where_a_word_is_found(self, place, expected):
        second = (
            "It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be found|VBN|ROOT|0||find {}|IN|prep|3 Leeds|NNP|pobj|4 .|.|punct|3"
        )
        assert means_none("name", second.format(place)) == expected

    @pytest.mark.parametrize(("noun", "expected"), [("origin", False), ("roof", True)])
    def test_what_a_word_has(self, noun, expected):
        assert means_none("name", f"Its|PRP$|poss|2 {noun}|NN|nsubj|3 is|VBZ|ROOT|0||be old|JJ|acomp|3") == expected

    def test_an_object_in_a_phrase(self):
        second = "We|PRP|nsubj|2 {}|VBP|ROOT|0 of|IN|prep|2 it|PRP|pobj|3 .|.|punct|2"
        assert means_none("term", second.format("eat"), 3)
        assert not means_none("term", second.format("know"), 3)


class TestNames:
    SOME = "They|PRP|nsubj|2 {verb} {some}|2 of|IN|prep|3 the|DT|det|6 songs|NNS|pobj|4||song .|.|punct|2"

    @pytest.mark.parametrize(
        ("verb", "some", "names"),
        [
            ("are|VBP|ROOT|0||be", "some|DT|attr", False),
            ("are|VBP|ROOT|0||be", "authors|NNS|attr", True),
            ("sang|VBD|ROOT|0||sing", "some|DT|dobj", True),
        ],
    )
    def test_of_what_something_is_one(self, verb, some, names):
        assert names_a_thing(parse(self.SOME.format(verb=verb, some=some)), 5) == names

    PART = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 {part}|NN|{label}|2 of|IN|prep|4 the|DT|det|7 firm|NN|pobj|5 .|.|punct|2"

    @pytest.mark.parametrize(
        ("part", "label", "names"), [("part", "attr", False), ("branch", "attr", True), ("part", "nsubj", True)]
    )
    def test_of_what_something_is_a_part(self, part, label, names):
        assert names_a_thing(parse(self.PART.format(part=part, label=label)), 6) == names

    JOINED = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 mill|NN|{label}|2 and|CC|cc|4 a|DT|det|7 school|NN|conj|4 .|.|punct|2"

    @pytest.mark.parametrize(("label", "names"), [("attr", False), ("dobj", True)])
    def test_what_something_is_too(self, label, names):
        assert names_a_thing(parse(self.JOINED.format(label=label)), 6) == names

    def test_a_name_does_not_end_in_a_conjunction(self):
        first = "The|DT|det|2 Fox|NNP|nsubj|5|B-ORG {}|cc|2|I-ORG Lee|NNP|dep|5 won|VBD|ROOT|0||win .|.|punct|5"
        assert said(first.format("or|CC"), 0, 3, "name", head=1) == ""
        assert said(first.format("Hill|NNP"), 0, 3, "name", head=1) == "The Fox Hill"
