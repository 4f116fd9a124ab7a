"""Insertions and opening phrases that a reader may take otherwise, and the tense of appositions."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.insertions.left_behind import refers_inside
from tests.rules.discofuse import parses as p
from tests.rules.discofuse.helpers import changed, parse

RELATIVE, APPOSITION = "SINGLE_RELATIVE", "SINGLE_APPOSITION"
CATAPHORA, FORWARD = "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestLeftBehind:
    def test_a_plural_before_the_insertion_may_be_meant(self):
        text = "Ada|NNP|poss|3|B-PERSON 's|POS|case|1 sons|NNS|nsubj|9||son ,|,|punct|3 readers|NNS|appos|3||reader "
        text += "of|IN|prep|5 books|NNS|pobj|6||book ,|,|punct|3 sold|VBD|ROOT|0||sell their|PRP$|poss|11 "
        text += "house|NN|dobj|9 .|.|punct|9"
        sentence = parse(text)
        assert not refers_inside(sentence, 3, 7, personal=True)
        assert refers_inside(parse(text.replace("sons|NNS|nsubj|9||son", "son|NN|nsubj|9")), 3, 7, personal=True)

    @pytest.mark.parametrize("personal", [True, False])
    def test_one_person_is_not_they_whatever_the_name_was_taken_for(self, personal):
        sentence = parse(
            changed(
                p.THEIR,
                ("Ada|NNP|compound|2|B-PERSON", "Ada|NNP|compound|2|B-ORG"),
                ("Lane|NNP|nsubj|11|I-PERSON", "Lane|NNP|nsubj|11|I-ORG"),
            )
        )
        assert refers_inside(sentence, 2, 9, personal=personal) == personal

    def test_a_man_among_two_is_left_to_the_reader(self):
        sentence = parse(changed(p.THEIR, ("their|", "his|")))
        assert not refers_inside(sentence, 2, 9, personal=True)
