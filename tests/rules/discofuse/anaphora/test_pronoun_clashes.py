"""Signs that a pronoun does not mean its antecedent, and that a replacement would be misread."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.replacement_checks import _is_named_later
from gistmill.rules.discofuse.words import Word
from tests.rules.discofuse.helpers import parse
from tests.testing import mention

SOLD = "{0}|PRP|nsubj|2 sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"


def pronoun(start: int, sentence: int = 1):
    return mention(sentence, start, start + 1, "pronoun", confidence=0.9)


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
