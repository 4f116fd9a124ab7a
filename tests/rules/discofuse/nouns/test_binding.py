"""Where a name cannot be said again."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.references import commands
from tests.rules.discofuse.helpers import parse

SAID = "Walsh|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0 he|PRP|nsubj|4 left|VBD|ccomp|2 .|.|punct|2"
ARMY = "Walsh|NNP|poss|3|B-PERSON 's|POS|case|1 army|NN|nsubj|4 met|VBD|ROOT|0 him|PRP|dobj|4 .|.|punct|4"
JOINED = (
    "Walsh|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 ,|,|punct|2 but|CC|cc|2 he|PRP|nsubj|6 returned|VBD|conj|2 .|.|punct|2"
)


class TestCommands:
    def test_a_pronoun_has_to_stand(self):
        for text, name, position in (
            (SAID, 0, 2),
            (
                "Walsh|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0 and|CC|cc|2 lost|VBD|conj|2 his|PRP$|poss|6 hat|NN|dobj|4",
                0,
                4,
            ),
            ("It|PRP|nsubj|2 hit|VBD|ROOT|0 Walsh|NNP|dobj|2 in|IN|prep|2 his|PRP$|poss|6 house|NN|pobj|4", 2, 4),
            ("By|IN|prep|5 Walsh|NNP|pobj|1|B-PERSON his|PRP$|poss|4 army|NN|nsubj|5 was|VBD|ROOT|0", 1, 2),
        ):
            assert commands(parse(text), name, position), text

    def test_a_name_may(self):
        for text, name, position in (
            (ARMY, 0, 4),
            (JOINED, 0, 4),
            (
                "By|IN|prep|4 Walsh|NNP|pobj|1|B-PERSON they|PRP|nsubj|4 said|VBD|ROOT|0 he|PRP|nsubj|6 won|VBD|ccomp|4",
                1,
                4,
            ),
            ("Deeds|NNS|nsubj|4 of|IN|prep|1 Walsh|NNP|pobj|2|B-PERSON met|VBD|ROOT|0 him|PRP|dobj|4", 2, 4),
        ):
            assert not commands(parse(text), name, position), text
