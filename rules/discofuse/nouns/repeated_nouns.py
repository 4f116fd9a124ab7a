"""Noun phrases that come back with "the" or "this": what they need not say, and those that lack a part."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import QUOTES, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

DEMONSTRATIVES = frozenset(("this", "that", "these", "those"))
# "Leeds is an old city": the subject is what comes back.
_SAID_OF_ANOTHER = frozenset(("attr", "oprd", "appos"))
_RESTRICTING = frozenset(("relcl", "acl", "prep"))


def names_a_thing(parse: Parse, head: int) -> bool:
    """Whether a noun names something that the same noun can take up: not where it, or what it is joined to, is said of
    another ("is an old mill and a school")."""
    return parse.tokens[parse.first_conjunct(head)].dep not in _SAID_OF_ANOTHER


def says_more(first: Parse, antecedent: Mention) -> bool:
    """Whether "the mill" still points as "this mill" did: behind a new one ("a mill , which"), and behind one that has
    lost nothing ("the regions they ruled" would be any regions, as bare "teeth" are)."""
    head = antecedent.head
    opening = first.tokens[min(antecedent.start, first.left_edge(head))]
    if opening.text.lower() in DEMONSTRATIVES or opening.tag == "NNS":
        return False
    restricted = any(k > head and first.tokens[k].dep in _RESTRICTING for k in first.children(head))
    return opening.lemma.lower() in ("a", "an") or not restricted


def is_cut(words: Words) -> bool:
    """Whether the phrase lacks an end ("the City of"), has a foreign word before it ("TV / film"), or a quote that
    nothing closes."""
    odd = sum(w.text in QUOTES for w in words) % 2 == 1
    return odd or words[-1].pos in ("ADP", "CCONJ") or any("/" in w.text for w in words)
