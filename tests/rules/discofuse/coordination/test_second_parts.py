"""The comma between a phrase that opens a second part and the name behind it."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora import mentions
from tests.rules.discofuse.helpers import parse


class TestComma:
    @pytest.mark.parametrize(
        ("opening", "comma"),
        [
            ("In|IN|prep|4 Bath|NNP|pobj|1|B-GPE|Bath", True),
            ("After|IN|prep|4 work|NN|pobj|1", True),
            ("In|IN|prep|4 May|NNP|pobj|1|B-DATE|May", False),  # a date
            ("That|DT|det|2 day|NN|npadvmod|4|B-DATE|day", False),
            ("Old|JJ|amod|4 Bath|NNP|npadvmod|4|B-GPE|Bath", False),  # a lone noun
            ("Now|RB|advmod|4 quietly|RB|advmod|4", False),  # no noun
        ],
    )
    def test_one_parts_an_opening_phrase_from_a_name(self, opening, comma):
        words = parse(f"{opening} she|PRP|nsubj|4 sold|VBD|ROOT|0||sell cloth|NN|dobj|4 .|.|punct|4").words
        assert [w.text for w in mentions.comma_before(words, 2)] == [","] * comma

    def test_a_noun_with_a_clause_of_its_own_keeps_it(self):
        words = parse(
            "The|DT|det|2 mill|NN|nsubj|5 she|PRP|nsubj|4 sold|VBD|relcl|2||sell burnt|VBD|ROOT|0||burn"
        ).words
        assert mentions.comma_before(words, 2) == ()
