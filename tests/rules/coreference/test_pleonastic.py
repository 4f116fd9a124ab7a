"""The "it" without reference, and the "it" that only looks like it."""

from __future__ import annotations

from gistmill.rules.coreference.markables import Syntax
from gistmill.rules.coreference.preferences import EMPTY, pleonastic
from gistmill.rules.coreference.scorer import ask
from tests.cases import by_heading
from tests.testing import parsed

CASES = by_heading(__file__)


def is_empty(text: str) -> bool:
    sentence = parsed(text)
    (it,) = (m for m in ask([sentence])[0] if m.kind == "pronoun")
    return pleonastic(it, Syntax(sentence.tokens)) in EMPTY


def test_an_it_without_a_referent_is_empty():
    for text in CASES["an it without a referent is empty"]:
        assert is_empty(text), text


def test_meaningful():
    for text in CASES["meaningful"]:
        assert not is_empty(text), text
