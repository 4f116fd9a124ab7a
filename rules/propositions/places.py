"""Where the tokens of a parsed document stand in its text, in characters (code points)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gistmill.rules.documents import AnnotatedDocument, Sentence, natural_text

# What cleaning may take out between two tokens of a text: white space and marks without a width.
_SKIPPED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


class PlacesError(ValueError):
    """A text that does not hold the tokens of its document in their order."""


class Places:
    """The places of tokens.

    Attributes:
        text: the text: the given one, or the document's paragraphs, a line each, as the recipe ``articles`` has them.

    Args:
        document: it.
        text: the text that the document was made of; None for the paragraphs.

    Raises:
        PlacesError: the text does not hold the tokens.
    """

    def __init__(self, document: AnnotatedDocument, text: str | None = None) -> None:
        self.text = _paragraphs(document.sentences) if text is None else text
        self._starts: list[list[int]] = []
        at = 0
        for sentence in document.sentences:
            starts = []
            for token in sentence.tokens:
                at = self._next(at, token.text)
                starts.append(at)
                at += len(token.text)
            self._starts.append(starts)
        self._document = document

    def _next(self, at: int, token: str) -> int:
        while not self.text.startswith(token, at):
            if at >= len(self.text) or not (self.text[at].isspace() or self.text[at] in _SKIPPED):
                raise PlacesError(
                    f"the text does not go on with {token!r} at character {at}: {self.text[at : at + 20]!r}"
                )
            at += 1
        return at

    def span(self, sentence: int, start: int, end: int) -> tuple[int, int]:
        """Returns where tokens [start, end) of a sentence begin and end in the text."""
        last = self._document.sentences[sentence].tokens[end - 1]
        return self._starts[sentence][start], self._starts[sentence][end - 1] + len(last.text)


def _paragraphs(sentences: Sequence[Sentence]) -> str:
    lines = groupby(sentences, key=lambda s: (s.section, s.paragraph))
    return "\n".join(" ".join(natural_text(s.tokens) for s in line) for _, line in lines)
