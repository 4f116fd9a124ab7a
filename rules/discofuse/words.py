"""The words that sentences are made of."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A token on its way into a new sentence.

    Attributes:
        text, space, tag, pos, dep, lemma, entity: as in ``rules.records.Token``.
        index: position in the sentence it comes from; -1 for an inserted word.
        head: position of its head there; -1 for an inserted word.
    """

    text: str
    space: bool = True
    tag: str = ""
    pos: str = ""
    dep: str = ""
    lemma: str = ""
    entity: str = ""
    index: int = -1
    head: int = -1


Words = tuple[Word, ...]
