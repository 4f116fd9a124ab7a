"""The form of a noun phrase: its determiner, its modifiers, and what follows its head."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.markables import NAME, Markable
from gistmill.rules.documents import Token

_DEFINITE = {"the": "the", "this": "this", "that": "that", "these": "this", "those": "that"}
_INDEFINITE = frozenset({"a", "an", "one"})
_QUANTIFIERS = frozenset("another each every no any some either neither many few several all both such".split())
_NOT_MODIFIERS = frozenset({"det", "punct", "poss", "case"})


def determiner(mention: Markable, tokens: Sequence[Token]) -> str:
    """Returns the class of what a noun phrase begins with: "the", "this", "that", "a", "possessive", "quantifier",
    "bare"; "name" for a name.
    """
    if mention.kind == NAME:
        return "name"
    if mention.end - mention.start > 1:
        for token in tokens[mention.start : mention.head]:
            if token.dep == "poss":
                return "possessive"
    word = tokens[mention.start].text.lower()
    if word in _INDEFINITE:
        return "a"
    return _DEFINITE.get(word) or ("quantifier" if word in _QUANTIFIERS else "bare")


def is_definite(mention: Markable, tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase begins with "the" or a demonstrative, and has a noun of its own."""
    return (
        mention.end - mention.start > 1
        and tokens[mention.start].text.lower() in _DEFINITE
        and determiner(mention, tokens) != "possessive"
    )


def modifiers(mention: Markable, tokens: Sequence[Token]) -> frozenset[str]:
    """Returns the lower-case words between determiner and head."""
    return frozenset([t.text.lower() for t in tokens[mention.start : mention.head] if t.dep not in _NOT_MODIFIERS])


def complement(mention: Markable, tokens: Sequence[Token]) -> str:
    """Returns what follows the head: "of", "preposition", "clause", "name" (or a number), or ""."""
    end, head = mention.end, mention.head
    if end < len(tokens) and tokens[end].pos in ("PROPN", "NUM"):
        return "name"
    for token in tokens[end : end + 4]:
        if token.head == head:
            if token.dep == "prep":
                return "of" if token.text.lower() == "of" else "preposition"
            if token.dep in ("relcl", "acl", "ccomp"):
                return "clause"
            if token.dep in ("appos", "nummod"):
                return "name"
    return ""
