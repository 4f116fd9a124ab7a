"""Whether a statement names what it is about, by the words that it has once mentions are replaced."""

from __future__ import annotations

import re

from gistmill.rules.discofuse.parse import NOUNS, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.propositions import open_words as lists

_WORD = re.compile(r"\w+")


def is_nameless(words: Words, parse: Parse, title: str) -> bool:
    """Whether a statement does not name what its document is about: of a document about Kent "Spring is short", and
    "Ada was a witness". Without a title, whether it tells of the past or gives a figure, and names nothing.

    Args:
        words: of the statement, after mentions were replaced.
        parse: before.
        title: title of the document.
    """
    subject = {w.lower() for w in _WORD.findall(title.partition(" (")[0])} - lists.SMALL
    if subject:
        return not any(w.text.lower() in subject or w.lemma.lower() in subject for w in words)
    if any((w.pos == "PROPN" or w.entity) and w.entity[2:] not in lists.DATES for w in words):
        return False
    counted = any(w.tag == "CD" and w.text[0].isdigit() for w in words)
    return (counted or parse.past(parse.root())) and any(w.pos in NOUNS for w in words)


def is_open_phrase(words: Words) -> bool:
    """Whether a phrase that stands for a mention does not stand alone itself: "the man" does not, "the man of Kent"
    does."""
    if words[0].text.lower() != "the":
        return False
    return not any(w.pos in ("ADP", "PROPN") or w.entity and w.entity[2:] not in lists.DATES for w in words)
