"""The "it" without reference, and the "it" that only looks like it."""

from __future__ import annotations

import pytest

from gistmill.rules.coreference.markables import Syntax
from gistmill.rules.coreference.preferences import EMPTY, pleonastic
from gistmill.rules.coreference.sieve import ask
from tests.testing import parsed


def is_empty(text: str) -> bool:
    sentence = parsed(text)
    (it,) = (m for m in ask([sentence])[0] if m.kind == "pronoun")
    return pleonastic(it, Syntax(sentence.tokens)) in EMPTY


@pytest.mark.parametrize(
    "text",
    [
        # It rains.
        "It|PRP|nsubj|2 rains|VBZ|ROOT|0||rain .|.|punct|2",
        # It is known that ships sank.
        "It|PRP|nsubjpass|3 is|VBZ|auxpass|3 known|VBN|ROOT|0||know that|IN|mark|6 ships|NNS|nsubj|6||ship "
        "sank|VBD|ccomp|3||sink .|.|punct|3",
        # It is hoped ships sank.
        "It|PRP|nsubjpass|3 is|VBZ|auxpass|3 hoped|VBN|ROOT|0||hop ships|NNS|nsubj|5||ship sank|VBD|ccomp|3||sink "
        ".|.|punct|3",
        # It was in 1901 that ships sank.
        "It|PRP|nsubj|2 was|VBD|ROOT|0||be in|IN|prep|2 1901|CD|pobj|3|B-DATE that|IN|mark|7 ships|NNS|nsubj|7||ship "
        "sank|VBD|ccomp|2||sink .|.|punct|2",
        # It was Rome that fell.
        "It|PRP|nsubj|2 was|VBD|ROOT|0||be Rome|NNP|attr|2|B-GPE that|WDT|nsubj|5 fell|VBD|relcl|3||fall .|.|punct|2",
        # It is hard to swim.
        "It|PRP|nsubj|2 is|VBZ|ROOT|0||be hard|JJ|acomp|2 to|TO|aux|5 swim|VB|xcomp|3 .|.|punct|2",
        # The law made it possible to vote.
        "The|DT|det|2 law|NN|nsubj|3 made|VBD|ROOT|0||make it|PRP|nsubj|5 possible|JJ|ccomp|3 to|TO|aux|7 "
        "vote|VB|xcomp|5 .|.|punct|3",
        # It was noon.
        "It|PRP|nsubj|2 was|VBD|ROOT|0||be noon|NN|attr|2|B-TIME .|.|punct|2",
        # It's 6PM.
        "It|PRP|nsubj|2 's|VBZ|ROOT|0||be 6PM|NN|attr|2 .|.|punct|2",
        # It takes time to learn.
        "It|PRP|nsubj|2 takes|VBZ|ROOT|0||take time|NN|dobj|2 to|TO|aux|5 learn|VB|relcl|3 .|.|punct|2",
        # It took years to build.
        "It|PRP|nsubj|2 took|VBD|ROOT|0||take years|NNS|dobj|2|B-DATE|year to|TO|aux|5 build|VB|xcomp|2 .|.|punct|2",
        # It seems that ships sank.
        "It|PRP|nsubj|2 seems|VBZ|ROOT|0||seem that|IN|mark|5 ships|NNS|nsubj|5||ship "
        "sank|VBD|ccomp|2||sink .|.|punct|2",
    ],
)
def test_an_it_without_a_referent_is_empty(text):
    assert is_empty(text)


@pytest.mark.parametrize(
    "text",
    [
        # It is a town that grew: no cleft, the noun is said of something.
        "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 town|NN|attr|2 that|WDT|nsubj|6 "
        "grew|VBD|relcl|4||grow .|.|punct|2",
        # It is a town located there.
        "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 town|NN|attr|2 located|VBN|acl|4||locate "
        "there|RB|advmod|5 .|.|punct|2",
        # It appears in films.
        "It|PRP|nsubj|2 appears|VBZ|ROOT|0||appear in|IN|prep|2 films|NNS|pobj|3||film .|.|punct|2",
        # It appears to grow.
        "It|PRP|nsubj|2 appears|VBZ|ROOT|0||appear to|TO|aux|4 grow|VB|xcomp|2 .|.|punct|2",
        # The bridge made it famous.
        "The|DT|det|2 bridge|NN|nsubj|3 made|VBD|ROOT|0||make it|PRP|nsubj|5 famous|JJ|ccomp|3 .|.|punct|3",
        # It was built to last.
        "It|PRP|nsubjpass|3 was|VBD|auxpass|3 built|VBN|ROOT|0||build to|TO|aux|5 last|VB|advcl|3 .|.|punct|3",
    ],
)
def test_meaningful(text):
    assert not is_empty(text)
