"""The comma between a phrase that opens a second part and the name behind it."""

from __future__ import annotations

from gistmill.rules.discofuse.anaphora import mentions
from tests.cases import by_heading
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)


class TestComma:
    def test_one_parts_an_opening_phrase_from_a_name(self):
        for opening, comma in CASES["one parts an opening phrase from a name"]:
            words = parse(f"{opening} she|PRP|nsubj|4 sold|VBD|ROOT|0||sell cloth|NN|dobj|4 .|.|punct|4").words
            assert [w.text for w in mentions.comma_before(words, 2)] == [","] * comma, opening

    def test_a_noun_with_a_clause_of_its_own_keeps_it(self):
        words = parse(
            "The|DT|det|2 mill|NN|nsubj|5 she|PRP|nsubj|4 sold|VBD|relcl|2||sell burnt|VBD|ROOT|0||burn"
        ).words
        assert mentions.comma_before(words, 2) == ()
