"""Contractions as the parser splits them."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import parse


@pytest.mark.parametrize(("label", "lemma"), [("ROOT|0", "be"), ("aux|3", "'s")])
def test_a_contraction_with_a_typographic_mark(label, lemma):
    made = parse(f"It|PRP|nsubj|2 ’s|VBZ|{label}||’s made|VBN|ROOT|0||make")
    assert made.tokens[1].lemma == lemma
