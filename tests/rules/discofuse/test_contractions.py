"""Contractions as the parser splits them."""

from __future__ import annotations

from tests.rules.discofuse.helpers import parse


def test_a_contraction_with_a_typographic_mark():
    for label, lemma in (("ROOT|0", "be"), ("aux|3", "'s")):
        made = parse(f"It|PRP|nsubj|2 ’s|VBZ|{label}||’s made|VBN|ROOT|0||make")
        assert made.tokens[1].lemma == lemma, label
