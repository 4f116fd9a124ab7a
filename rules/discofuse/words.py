"""The words of new sentences."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A token on its way into a new sentence.

    Attributes:
        text, space, tag, pos, dep, lemma, entity: as in ``rules.records.Token``.
        position: index in the sentence that it comes from; -1 for an inserted word.
        head: index of its head there; -1 for an inserted word.
    """

    text: str
    space: bool = True
    tag: str = ""
    pos: str = ""
    dep: str = ""
    lemma: str = ""
    entity: str = ""
    position: int = -1
    head: int = -1


Words = tuple[Word, ...]
