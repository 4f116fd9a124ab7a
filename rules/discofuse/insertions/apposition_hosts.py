"""Nouns that an apposition is hardly to, by what stands between them and its comma or around them."""

from __future__ import annotations

from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.insertions.relative_doubts import is_kin_of_named
from gistmill.rules.discofuse.nouns.referent_kinds import agree, kinds_at
from gistmill.rules.discofuse.parse import ARTICLES, Parse

_WORDS = frozenset("expression name nickname phrase term word".split())


def is_hardly_to(parse: Parse, antecedent: int, head: int, opening: int) -> bool:
    """Whether the apposition is rather to another noun than the parse has, or to more than that noun.

    Args:
        parse: the sentence.
        antecedent: the noun that it is to.
        head: its head.
        opening: the comma before it.
    """
    return (
        _is_of_nearer_place(parse, antecedent, head, opening)
        or _is_called_something(parse, antecedent, opening)
        or _is_only_called(parse, antecedent, head)
        or is_kin_of_named(parse, antecedent, opening)
    )


def _is_of_nearer_place(parse: Parse, antecedent: int, head: int, opening: int) -> bool:
    """Whether it says what place something is, and the noun is not a place, but a name nearer to it may be: "a picture
    taken in Upton ( Kent ) , a village"."""
    kinds = kinds_at(parse, head)
    if Kind.PLACE not in kinds or parse.tokens[antecedent].pos != "NOUN":
        return False
    named = any(parse.tokens[k].pos == "PROPN" for k in range(antecedent + 1, opening))
    return named and not agree(kinds, kinds_at(parse, antecedent))


def _is_called_something(parse: Parse, antecedent: int, opening: int) -> bool:
    """Whether the noun is only called what stands before the comma, which is meant: "refers to Lee as the Fox , a
    name"."""
    return any(parse.lower[k] == "as" and antecedent < k < opening for k in parse.children(antecedent))


def _is_only_called(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether it says that a word is one, and the article makes a thing of it: "is called a puck , an old word"."""
    article = any(parse.lower[k] in ARTICLES for k in parse.children(antecedent) if k < antecedent)
    return article and parse.tokens[head].lemma in _WORDS
