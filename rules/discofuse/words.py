"""The words of new sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gistmill.rules.text import typography


class Word(NamedTuple):
    """A token on its way into a new sentence.

    Attributes:
        text, space, tag, pos, dep, lemma, entity: as in ``gistmill.core.records.Token``.
        position: index in the sentence that it comes from; -1 for an inserted word.
        head: index of its head there; -1 for an inserted word.
        original: the token as it was printed, where ``text`` has ASCII marks for its typographic ones; else "".
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
    original: str = ""

    @property
    def printed(self) -> str:
        """The text with the typographic marks of the original."""
        return typography.unfolded(self.text, self.original) if self.original else self.text


Words = tuple[Word, ...]


def first_of_text(words: Words) -> Word:
    """Returns the first word that stands in the sentence: of "the two wheels", made of "two wheels", it is "two".

    Raises:
        StopIteration: every word was inserted.
    """
    return next(w for w in words if w.position >= 0)


def as_natural(words: Sequence[Word], *, keep_marks: bool) -> list[tuple[str, bool]]:
    """Returns the words as natural text has them, each with whether a space follows it.

    Args:
        words: the words.
        keep_marks: whether typographic marks are as they were printed. Otherwise they are ASCII, with spaces around
            dashes.
    """
    if not "".join([w[9] for w in words]):  # every row comes by here
        return [w[:2] for w in words]
    if keep_marks:
        return [(w.printed, w.space) for w in words]
    texts = [w.text for w in words]
    return list(zip(texts, typography.spaced(texts, [(w.printed, w.space) for w in words])))
