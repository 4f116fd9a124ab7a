"""Who else may be meant: other persons beside a pronoun, and nouns that are not phrases or names of their own."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, parse
from tests.testing import mention

LEE_SAID = """
Lee|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0||say that|IN|mark|6 a|DT|det|5 {noun}|NN|nsubj|6 came|VBD|ccomp|2||come
late|RB|advmod|6 .|.|punct|2
"""
HE_LEFT = "He|PRP|nsubj|2 left|VBD|ROOT|0||leave two|CD|nummod|4 bags|NNS|dobj|2||bag there|RB|advmod|2 .|.|punct|2"
LEE_CAME = """
The|DT|det|2 crowd|NN|nsubj|3 liked|VBD|ROOT|0||like Lee|NNP|dobj|3|B-PERSON at|IN|prep|3 once|RB|pcomp|5 .|.|punct|3
"""
EDISON_PAID = """
Tesla|NNP|nsubj|2|B-PERSON agreed|VBD|ROOT|0||agree ,|,|punct|2 and|CC|cc|2 Edison|NNP|nsubj|6|B-PERSON
gave|VBD|conj|2||give him|PRP|dative|6 a|DT|det|9 dollar|NN|dobj|6 .|.|punct|2
"""
LIST_MADE = (
    "The|DT|det|2 list|NN|nsubjpass|4 was|VBD|auxpass|4 made|VBN|ROOT|0||make in|IN|prep|4 May|NNP|pobj|5 .|.|punct|4"
)
IT_NAMED = """
However|RB|advmod|4 ,|,|punct|4 it|PRP|nsubj|4 named|VBD|ROOT|0||name the|DT|det|6 {noun}|NN|dobj|4 "|``|punct|8
Leeds|NNP|oprd|4 "|''|punct|8 .|.|punct|4
"""
RIGHT_FUNCTION = """
We|PRP|nsubj|2 sought|VBD|ROOT|0||seek the|DT|det|5 right|JJ|amod|5 function|NN|dobj|2 here|RB|advmod|2 .|.|punct|2
"""
LIST_OF = """
But|CC|cc|3 there|EX|expl|3 is|VBZ|ROOT|0||be a|DT|det|5 list|NN|attr|3 of|IN|prep|5 the|DT|det|8 function|NN|pobj|6
{behind} .|.|punct|3
"""


def second_of(first: str, second: str, *clusters) -> str:
    """The second sentence made of a pair under the extended conventions."""
    (made,) = candidates(first, second, clusters=clusters, conventions="extended")
    return made.incoherent_second_sentence


class TestWhatIsMeant:
    LINKS = (mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9))
    FIRST = "The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0||burn at|IN|prep|3 night|NN|pobj|4 .|.|punct|3"
    CLEFT = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be {} that|WDT|nsubj|6 makes|VBZ|relcl|4||make flour|NN|dobj|6||flour .|.|punct|2"

    @pytest.mark.parametrize(("label", "lemma"), [("ROOT|0", "be"), ("aux|3", "'s")])
    def test_a_contraction_with_a_typographic_mark(self, label, lemma):
        made = parse(f"It|PRP|nsubj|2 ’s|VBZ|{label}||’s made|VBN|ROOT|0||make")
        assert made.tokens[1].lemma == lemma
