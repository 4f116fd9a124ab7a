"""Noun phrases that lack a part, or have run into what stands beside them."""

from __future__ import annotations

from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.nouns.mentioned_words import is_cut_from_title
from gistmill.rules.discofuse.parse import QUOTES, Parse
from gistmill.rules.discofuse.words import Words

DEMONSTRATIVES = frozenset(("this", "that", "these", "those"))
# Names of these kinds tell branches apart by their places.
_WITH_PLACES = frozenset(("ORG", "FAC"))
# Only before a plural.
_OF_MANY = frozenset("various several numerous many few these those both".split())


def is_cut(first: Parse, words: Words, head: int) -> bool:
    """Whether the phrase lacks an end or has a foreign word before it: "the City of", "Fox and", "Highway" before
    "401", a quote that nothing closes, a piece of a title, "that the film", "TV / film"."""
    lower = [w.text.lower() for w in words]
    after = words[-1].position + 1
    numbered = after < len(first) and first.tokens[after].tag == "CD" and first.tokens[after].head == after - 1
    return (
        words[-1].pos in ("ADP", "CCONJ")
        or _is_torn(first, words, head)
        or any("/" in text for text in lower)
        or _goes_on(first, after)
        or _is_quoted_apart(first, words)
        or not words[0].text[0].islower()
        and is_cut_from_title(first, words[0].position, after)
        or numbered
        and words[-1].pos == "PROPN"
        or sum(text in QUOTES for text in lower) % 2 == 1
        or lower[0] in DEMONSTRATIVES
        and lower[1:2] == ["the"]
    )


def _goes_on(first: Parse, after: int) -> bool:
    """Whether a place that follows is a part of an organisation's name: "the University of California , Berkeley"."""
    end = after + 1
    return (
        end < len(first)
        and first.lower[after] in (",", "-")
        and first.tokens[after - 1].entity[2:] in _WITH_PLACES
        and first.tokens[end].entity[2:] in ("GPE", *_WITH_PLACES)
        and first.tokens[end].pos == "PROPN"
        and (first.tokens[after].entity != "" or first.tokens[end].dep in ("appos", "npadvmod"))
    )


def _is_quoted_apart(first: Parse, words: Words) -> bool:
    """Whether a single quote that is not a possessive mark follows a name outside quotes, and so stands inside it: "Ix
    K ' an ' Chaak"."""
    before, after = words[0].position - 1, words[-1].position + 1
    return (
        words[-1].pos == "PROPN"
        and after + 1 < len(first)
        and first.lower[after] == "'"
        and first.tokens[after].tag != "POS"
        and first.tokens[after + 1].text[0].isalpha()
        and (before < 0 or first.lower[before] != "'")
    )


def _is_torn(first: Parse, words: Words, head: int) -> bool:
    """Whether the parser tore the phrase from its noun or ran two into one: "the tool" of "use the tool shop" with an
    adjective "shop", "cult" of "cult hit Rez" with a participle "hit" that has an object, "the various kinds body",
    "Acme Acme"."""
    lower = [w.text.lower() for w in words]
    if any(a == b for a, b in zip(lower, lower[1:])):
        return True
    if first.tokens[head].tag == "NN" and any(w.text.lower() in _OF_MANY and w.head == head for w in words):
        return True
    after = words[-1].position + 1
    if after >= len(first):
        return False
    token = first.tokens[after]
    if token.tag == "JJ" and token.dep == "amod" and token.head < after and _is_only_noun(first.lower[after]):
        return True  # "tin and copper" of "a mixture of tin and copper nitrate"
    if words[-1].position != head:
        return False
    if token.dep == "acl" and token.tag == "VBN" and token.head == head:
        return first.child(after, "dobj") is not None
    return token.dep == "oprd" and token.tag == "JJ" and _is_only_noun(first.lower[after])


def _is_only_noun(word: str) -> bool:
    """Whether the word is a noun and no adjective, whatever it was taken for."""
    return is_word(word, upos="NOUN") and not is_word(word, upos="ADJ")
