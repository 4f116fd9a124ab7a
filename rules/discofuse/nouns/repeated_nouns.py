"""Noun phrases that come back with "the" or "this": what they need not say, and those that lack a part."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.noun_phrases import INDEFINITE
from gistmill.rules.discofuse.parse import QUOTES, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

DEMONSTRATIVES = frozenset(("this", "that", "these", "those"))
_RESTRICTING = frozenset(("relcl", "acl", "prep"))


def says_more(first: Parse, antecedent: Mention, pointing: str) -> bool:
    """Whether "the mill" still points as "this mill" did: behind a new one ("a mill , which", "two mills"), and behind
    one that has lost nothing ("the regions they ruled" would be any regions, as bare "teeth" are). What ``pointing``
    tells from others is lost: "Some mills fell . Those mills"."""
    head = antecedent.head
    opening = first.tokens[min(antecedent.start, first.left_edge(head))]
    if opening.lemma.lower() in ("a", "an") or opening.tag == "CD":
        return True
    if opening.text.lower() in DEMONSTRATIVES or opening.tag == "NNS":
        return False
    if pointing == "those" and opening.text.lower() in INDEFINITE:
        return False
    return not any(k > head and first.tokens[k].dep in _RESTRICTING for k in first.children(head))


def is_cut(first: Parse, words: Words) -> bool:
    """Whether the phrase lacks an end or has a foreign word before it: "the City of", "Fox and", "Highway" before
    "401", a quote that nothing closes, "that the film", "TV / film"."""
    lower = [w.text.lower() for w in words]
    after = words[-1].position + 1
    numbered = after < len(first) and first.tokens[after].tag == "CD" and first.tokens[after].head == after - 1
    return (
        words[-1].pos in ("ADP", "CCONJ")
        or any("/" in text for text in lower)
        or numbered
        and words[-1].pos == "PROPN"
        or sum(text in QUOTES for text in lower) % 2 == 1
        or lower[0] in DEMONSTRATIVES
        and lower[1:2] == ["the"]
    )
