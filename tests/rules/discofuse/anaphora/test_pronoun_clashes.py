"""Signs that a pronoun does not mean its antecedent, and that a replacement would be misread."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.replacement_checks import _is_named_later
from gistmill.rules.discofuse.words import Word
from tests.rules.discofuse.helpers import parse, second_of
from tests.testing import mention

SOLD = "{0}|PRP|nsubj|2 sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"


def pronoun(start: int, sentence: int = 1):
    return mention(sentence, start, start + 1, "pronoun", confidence=0.9)


class TestOneAndMany:
    SOLD_ALBUM = """
    The|DT|det|2 band|NN|nsubj|3 sold|VBD|ROOT|0||sell {0}|PRP$|poss|5 album|NN|dobj|3 there|RB|advmod|3 .|.|punct|3
    """

    @pytest.mark.parametrize(
        ("before", "after", "made"),
        [("their", "It", "It"), ("its", "It", "The band"), ("their", "They", "The band"), ("its", "They", "They")],
    )
    def test_a_band_is_one_or_many(self, before, after, made):
        links = (mention(0, 0, 2, "nominal"), pronoun(3, 0), pronoun(0))
        assert second_of(self.SOLD_ALBUM.format(before), SOLD.format(after), *links) == f"{made} sold tools there ."

    SOLD_HIS = (
        "Ash|NNP|nsubj|2|B-PERSON sold|VBD|ROOT|0||sell {0}|PRP$|poss|4 album|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
    )

    @pytest.mark.parametrize(
        ("before", "after", "made"),
        [("his", "She", "She"), ("her", "He", "He"), ("her", "She", "Ash"), ("his", "He", "Ash")],
    )
    def test_nobody_is_he_and_she(self, before, after, made):
        links = (mention(0, 0, 1, "name"), pronoun(2, 0), pronoun(0))
        assert second_of(self.SOLD_HIS.format(before), SOLD.format(after), *links) == f"{made} sold tools there ."


class TestMisreadings:
    TONGUE = """
    In|IN|prep|7 their|PRP$|poss|3 tongue|NN|pobj|1 ,|,|punct|7 the|DT|det|6 {0}|NNPS|{1}|7|B-NORP sang|VBD|ROOT|0||sing
    .|.|punct|7
    """

    @pytest.mark.parametrize(
        ("who", "label", "found"), [("Huns", "nsubj", True), ("Goths", "nsubj", False), ("Huns", "poss", False)]
    )
    def test_a_name_that_comes_is_not_said_before(self, who, label, found):
        huns, their = (Word("Huns", tag="NNPS"),), pronoun(1)
        cluster = (their, mention(1, 5, 6, "name"))
        assert _is_named_later(huns, parse(self.TONGUE.format(who, label)), their, cluster) is found
