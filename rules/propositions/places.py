"""Where the tokens of a parsed document stand in its text, in characters (code points)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import accumulate, groupby

from gistmill.rules.documents import AnnotatedDocument, Sentence
from gistmill.rules.text.marks import without_controls, without_invisible
from gistmill.rules.text.prose import placed_paragraphs


class PlacesError(ValueError):
    """A text that does not hold the tokens of its document in their order."""


class Places:
    """The places of tokens.

    Attributes:
        text: the text: the given one, or the document's paragraphs, a line each, as the recipe ``articles`` has them.

    Args:
        document: it.
        text: the plain text that the document was made of, by ``plain_paragraphs``; None for the paragraphs.

    Raises:
        PlacesError: the text does not hold the tokens.
    """

    def __init__(self, document: AnnotatedDocument, text: str | None = None) -> None:
        paragraphs = [list(group) for _, group in groupby(document.sentences, key=lambda s: (s.section, s.paragraph))]
        written = [_written(sentences) for sentences in paragraphs]
        self.text = "\n".join(written) if text is None else text
        if text is None:
            starts = accumulate((len(paragraph) + 1 for paragraph in written), initial=0)
            stretches = [(start, start + len(paragraph)) for start, paragraph in zip(starts, written)]
        else:
            prose = [(start, end) for start, end, _ in placed_paragraphs(text)]
            try:
                stretches = [prose[sentences[0].paragraph] for sentences in paragraphs]
            except IndexError:
                raise PlacesError(f"the text has {len(prose)} paragraphs of prose, fewer than its document") from None
        self._spans: list[list[tuple[int, int]]] = []
        for sentences, stretch in zip(paragraphs, stretches, strict=True):
            places = _letters(self.text, stretch, "".join(t.text for s in sentences for t in s.tokens))
            at = 0
            for sentence in sentences:
                self._spans.append([])
                for token in sentence.tokens:
                    self._spans[-1].append((places[at][0], places[at + len(token.text) - 1][1]))
                    at += len(token.text)

    def span(self, sentence: int, start: int, end: int) -> tuple[int, int]:
        """Returns where tokens [start, end) of a sentence begin and end in the text."""
        spans = self._spans[sentence]
        return spans[start][0], spans[end - 1][1]


def _written(sentences: Sequence[Sentence]) -> str:
    return "".join(t.text + " " * t.space for s in sentences for t in s.tokens).rstrip()


def _letters(text: str, stretch: tuple[int, int], wanted: str) -> list[tuple[int, int]]:
    """The place of each character of the words that stretch [start, end) of the text holds.

    Cleaning has taken out white space and what cannot be seen. It has composed letters with their marks: characters
    that became others together share their place.
    """
    places: list[tuple[int, int]] = []
    start, together = stretch[0], ""
    for at in range(*stretch):
        if len(places) == len(wanted):
            break
        character = text[at]
        if not together:
            start = at
            if character == wanted[len(places)]:
                places.append((at, at + 1))
                continue
        if character.isspace() or not without_invisible(without_controls(character)):
            continue
        together += character
        composed = unicodedata.normalize("NFC", together)
        if wanted.startswith(composed, len(places)):
            places += [(start, at + 1)] * len(composed)
            together = ""
    if len(places) < len(wanted):
        rest = wanted[len(places) :]
        raise PlacesError(f"the text does not go on with {rest[:20]!r} at character {start}: {text[start:][:20]!r}")
    return places
