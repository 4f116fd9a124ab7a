"""Connectives between two sentences, and anaphora."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse import pair_connective
from tests.rules.discofuse.helpers import parse
from tests.testing import mention

B = "space|NN|nsubjpass|3 is|VBZ|auxpass|3 limited|VBN|ROOT|0 there|RB|advmod|3 .|.|punct|3"


def opening(*words: str) -> str:
    """A sentence that opens with the given ``word|tag|label`` items, hanging on its verb."""
    shifted = []
    for item in B.split():
        word, tag, dep, head = item.split("|")
        shifted.append(f"{word}|{tag}|{dep}|{int(head) + len(words) if int(head) else 0}")
    return " ".join([*(f"{w}|{len(words) + 3}" for w in words), *shifted])


class TestConnective:
    @pytest.mark.parametrize(
        "words",
        [
            ("Besides|IN|prep", "trade|NN|pobj", ",|,|punct"),  # a preposition, without a comma of its own
            ("Instead|RB|advmod", "of|IN|prep", "them|PRP|pobj"),
            ("However|RB|advmod", "hard|RB|advmod", "he|PRP|nsubj", "tried|VBD|advcl", ",|,|punct"),
            ("So|RB|advmod", ",|,|punct"),  # not of the list
            ("Now|RB|advmod",),  # would need its comma
            ("Eventually|RB|advmod",),
        ],
    )
    def test_not_a_connective(self, words):
        text = opening(*words)
        if words[0].startswith("However"):
            text = text.replace(f"However|RB|advmod|{len(words) + 3}", "However|RB|advmod|2").replace(
                f"hard|RB|advmod|{len(words) + 3}", "hard|JJ|advcl|4"
            )
        assert pair_connective.find(parse(text)) is None

    def test_one_comma_only_is_none(self):
        text = (
            "After|IN|prep|5 them|PRP|pobj|1 ,|,|punct|5 however|RB|advmod|5 won|VBD|ROOT|0 he|PRP|nsubj|5 .|.|punct|5"
        )
        assert pair_connective.find(parse(text)) is None


def lions(*more):
    """The Lions of TEAM_1, and mentions of the second sentence."""
    return [[mention(0, 0, 2, "name"), *more]]
