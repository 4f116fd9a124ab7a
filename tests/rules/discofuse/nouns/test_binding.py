"""Where a name cannot be said again."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.binding import commands
from tests.rules.discofuse.helpers import outcome, parse
from tests.testing import mention

SAID = "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 .|.|punct|2"
ARMY = "Walsh|NNP|poss|3|B-PERSON 's|POS|case|1 army|NN|nsubj|4 met|VBD|ROOT|0 him|PRP|dobj|4 .|.|punct|4"
JOINED = (
    "Walsh|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 ,|,|punct|2 but|CC|cc|2 he|PRP|nsubj|6 returned|VBD|conj|2 .|.|punct|2"
)


class TestCommands:
    @pytest.mark.parametrize(
        ("text", "name", "position"),
        [
            (SAID, 0, 2),
            (
                "Walsh|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 and|CC|cc|2 lost|VBD|conj|2 his|PRP$|poss|6 hat|NN|dobj|4",
                0,
                4,
            ),
            ("It|PRP|nsubj|2 hit|VBD|ROOT|0 Walsh|NNP|dobj|2 in|IN|prep|2 his|PRP$|poss|6 house|NN|pobj|4", 2, 4),
            (
                "By|IN|prep|5 Walsh|NNP|pobj|1|B-PERSON his|PRP$|poss|4 army|NN|nsubj|5 was|VBD|ROOT|0",
                1,
                2,
            ),
        ],
        ids=["report", "joined predicate", "object", "in a phrase of the clause"],
    )
    def test_a_pronoun_has_to_stand(self, text, name, position):
        assert commands(parse(text), name, position)

    @pytest.mark.parametrize(
        ("text", "name", "position"),
        [
            (ARMY, 0, 4),
            (JOINED, 0, 4),
            (
                "By|IN|prep|4 Walsh|NNP|pobj|1|B-PERSON they|PRP|nsubj|4 said|VBD|ROOT|0 he|PRP|nsubj|6 won|VBD|ccomp|4",
                1,
                4,
            ),
            ("Deeds|NNS|nsubj|4 of|IN|prep|1 Walsh|NNP|pobj|2|B-PERSON met|VBD|ROOT|0 him|PRP|dobj|4", 2, 4),
        ],
        ids=["possessor", "clause of its own", "in a phrase above the clause", "inside another phrase"],
    )
    def test_a_name_may(self, text, name, position):
        assert not commands(parse(text), name, position)


class TestSaidAgain:
    FIRST = "Old|NNP|compound|2|B-PERSON Walsh|NNP|nsubj|3|I-PERSON won|VBD|ROOT|0 .|.|punct|3"
    ALONE = "Walsh|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0 .|.|punct|2"

    def second(self, text: str, pronoun: int, *, first: str = ALONE, end: int = 1, **config) -> tuple[str, str | None]:
        clusters = [
            [
                mention(0, 0, end, "name"),
                mention(1, 0, 1, "name"),
                mention(1, pronoun, pronoun + 1, "pronoun", confidence=0.9),
            ]
        ]
        return outcome(first, text, clusters=clusters, **config)[2:]

    def test_released_says_a_name_again_where_it_can_be(self):
        assert self.second(ARMY, 4) == ("Walsh 's army met Walsh .", None)
        assert self.second(JOINED, 4) == ("Walsh left , but Walsh returned .", None)
        assert self.second(SAID, 2)[1] == "UNCERTAIN_COREFERENCE"

    def test_extended_does_not(self):
        assert self.second(ARMY, 4, conventions="extended") == ("Walsh 's army met him .", None)

    def test_a_pronoun_behind_a_longer_name_stays(self):
        for conventions in ("released", "extended"):
            given = {"first": self.FIRST, "end": 2, "conventions": conventions}
            assert self.second(SAID, 2, **given) == ("Old Walsh said he left .", None)
