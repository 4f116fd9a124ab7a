"""Nouns that name a thing, and nouns that are only said of one."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.naming import names_a_thing
from tests.rules.discofuse.helpers import parse

HIGH_FOR = (
    "It|PRP|nsubj|2 is|VBZ|ROOT|0||be {}|2 {}|IN|prep|3 {}|DT|det|7 large|JJ|amod|7 country|NN|pobj|4 .|.|punct|2"
)
IN_ORDER = "He|PRP|nsubj|2 put|VBD|ROOT|0 it|PRP|dobj|2 in|IN|prep|2 {} of|IN|prep|5 weight|NN|pobj|6 .|.|punct|2"


@pytest.mark.parametrize(
    ("word", "preposition", "article", "names"),
    [
        ("high|JJ|acomp", "for", "a", False),
        ("high|JJ|acomp", "for", "the", True),
        ("high|JJ|acomp", "in", "a", True),
        ("law|NN|attr", "for", "a", True),
    ],
)
def test_what_something_is_compared_with(word, preposition, article, names):
    assert names_a_thing(parse(HIGH_FOR.format(word, preposition, article)), 6) == names


@pytest.mark.parametrize(
    ("noun", "names"), [("order|NN|pobj|4", False), ("orders|NNS|pobj|4||order", True), ("order|NN|dobj|2", True)]
)
def test_a_bare_noun_inside_a_preposition(noun, names):
    assert names_a_thing(parse(IN_ORDER.format(noun)), 4) == names


@pytest.mark.parametrize(("noun", "names"), [("world", False), ("town", True)])
def test_a_part_of_the_only_one_there_is(noun, names):
    text = (
        f"The|DT|det|2 {noun}|NN|nsubj|6 of|IN|prep|2 the|DT|det|5 1930s|NNS|pobj|3 fell|VBD|ROOT|0||fall .|.|punct|6"
    )
    assert names_a_thing(parse(text), 1) == names
    assert names_a_thing(parse(text.replace("of|IN", "from|IN")), 1)


@pytest.mark.parametrize("label", ["attr", "oprd", "appos"])
def test_a_predicate_names_nothing(label):
    text = f"It|PRP|nsubj|2 is|VBZ|ROOT|0||be the|DT|det|4 mill|NN|{label}|2 .|.|punct|2"
    assert not names_a_thing(parse(text), 3)
