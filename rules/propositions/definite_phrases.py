"""The definite phrases of a statement of which nothing in it tells which one is meant: "the mill", "the University"."""

from __future__ import annotations

from collections.abc import Collection

from gistmill.rules.coreference.noun_kinds import kinds_of_noun
from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.parse import NOUNS, Parse
from gistmill.rules.propositions import open_words as lists


def known_nouns(title: str, *, past: bool) -> Collection[str]:
    """Returns the noun that a title ends in, where it needs no more: "eagle" of "Bald eagle" in "The eagle hunts fish".

    What tells of the past is about one of a kind ("The game sold well" of "Video game"), and "University" is no name.

    Args:
        title: title of the document.
        past: whether the statement tells of the past.
    """
    words = title.partition(" (")[0].split()
    if not words:
        return ()
    *before, last = words
    if all(word.islower() for word in words[1:]) and is_word(words[0].lower()):
        return () if before and past else (last, last.lower())
    return (last,) if last[0].isupper() and not (before and kinds_of_noun(last.lower())) else ()


def is_definite(parse: Parse, k: int) -> bool:
    """Whether a word is the article of a noun behind it."""
    return parse.lower[k] == "the" and parse.tokens[k].dep == "det" and parse.tokens[k].head > k


def is_open_noun(parse: Parse, noun: int, known: Collection[str]) -> bool:
    """Whether a noun behind "the" has nothing that tells it apart: no complement, clause, name or number."""
    token = parse.tokens[noun]
    if token.pos not in NOUNS or _needs_nothing(parse, noun, known):
        return False
    if any(_tells_apart(parse, c, noun) for c in parse.children(noun)):
        return False
    joined = (parse.children(c) for c in parse.children(noun) if parse.tokens[c].dep == "conj")
    if any(parse.tokens[k].dep in ("prep", "relcl", "acl") for below in joined for k in below):
        return False  # "the mill and houses of Kent"
    return noun + 1 == len(parse) or parse.lower[noun + 1] not in lists.COMPLEMENTS


def _needs_nothing(parse: Parse, noun: int, known: Collection[str]) -> bool:
    """Whether it is a name, a time, a part of a longer phrase, or what every text means alike."""
    token = parse.tokens[noun]
    if parse.lower[noun] in lists.UNIQUE or token.text in known or token.entity[2:] in lists.DATES:
        return True
    if token.dep in ("compound", "nmod") and token.head > noun:
        return True
    return token.pos == "PROPN" and not _is_common(parse, noun)


def _is_common(parse: Parse, noun: int) -> bool:
    """Whether a name is a common noun with a capital, and so short for another name: "the Bank"."""
    token = parse.tokens[noun]
    whole = not token.entity or token.entity == "B-ORG" or parse.tokens[noun - 1].entity == "B-ORG"
    ends = noun + 1 == len(parse) or not parse.tokens[noun + 1].entity.startswith("I-")
    return whole and ends and token.tag == "NNP" and bool(kinds_of_noun(token.text.lower()))


def _tells_apart(parse: Parse, child: int, noun: int) -> bool:
    """Whether a word below a noun says which one is meant; an apposition does that right behind it."""
    token = parse.tokens[child]
    if token.dep in ("appos", "relcl", "acl"):
        between = range(noun, parse.left_edge(child))
        if any(parse.is_verb(k) for k in between):
            return False
        # behind a comma a clause adds to what is known: "the mill, built in May,"; a name tells it even so
        return token.dep == "appos" or not any(parse.lower[k] == "," for k in between) or _names(parse, child)
    if token.dep == "nummod":
        return token.text[0].isdigit()  # "the 1990 census", but not "the two mills"
    if token.dep == "prep":
        return child == noun + 1 and (parse.lower[child] == "of" or _has_name(parse, child))
    return (
        token.dep in lists.RESTRICTING or token.pos == "PROPN" or bool(token.entity) and token.entity[2:] != "ORDINAL"
    )


def _has_name(parse: Parse, preposition: int) -> bool:
    """Whether a phrase has a name: "the bridge over the Thames", but not "the genre in the 19th century"."""
    return parse.lower[preposition] not in lists.ADDING and _names(parse, preposition)


def _names(parse: Parse, k: int) -> bool:
    """Whether a name stands below a word."""
    below = (parse.tokens[i] for i in parse.subtree(k))
    return any((t.pos == "PROPN" or t.entity) and t.entity[2:] not in lists.DATES for t in below)
