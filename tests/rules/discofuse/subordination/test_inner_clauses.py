"""Clauses behind an inner connective that the text does not say to be true, or that are not clauses."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, rejections

INNER = "SINGLE_CONN_INNER"

# "The town will sell the mill {unless} the owners pay for tools ."
UNLESS = """
The|DT|det|2 town|NN|nsubj|4 will|MD|aux|4 sell|VB|ROOT|0 the|DT|det|6 mill|NN|dobj|4 {}|IN|mark|10 the|DT|det|9
owners|NNS|nsubj|10||owner paid|VBD|advcl|4||pay for|IN|prep|10 tools|NNS|pobj|11 .|.|punct|4
"""
# "{Tests} {indicate} that the mill is quite old , meaning that the town has a treasure ."
MEANING = """
{subject}|NNS|nsubj|2||{lemma} {verb} that|IN|mark|6 the|DT|det|5 mill|NN|nsubj|6 is|VBZ|ccomp|2||be quite|RB|advmod|8
old|JJ|acomp|6 ,|,|punct|6 meaning|VBG|advcl|6||mean that|IN|mark|14 the|DT|det|13 town|NN|nsubj|14
has|VBZ|ccomp|10||have a|DT|det|16 treasure|NN|dobj|14 .|.|punct|2
"""


@pytest.mark.parametrize("conventions", ["released", "extended"])
def test_the_paper_splits_off_a_condition(conventions):
    (made,) = candidates(UNLESS.format("unless"), conventions=conventions)
    assert made.verdict.accepted


@pytest.mark.parametrize(
    ("subject", "lemma", "verb", "reason"),
    [
        ("Tests", "test", "indicate|VBP|ROOT|0||indicate", "NOT_ASSERTED"),
        ("Rumours", "rumour", "spread|VBP|ROOT|0||spread", "NOT_ASSERTED"),
        ("Clerks", "clerk", "reckon|VBP|ROOT|0||reckon", "NOT_ASSERTED"),
        ("Signs", "sign", "spread|VBP|ROOT|0||spread", None),
        ("Tests", "test", "reveal|VBP|ROOT|0||reveal", None),
    ],
)
def test_what_follows_from_a_sign_or_a_tale_is_not_a_fact(subject, lemma, verb, reason):
    text = MEANING.format(subject=subject, lemma=lemma, verb=verb)
    assert rejections(text, INNER) == [reason]
