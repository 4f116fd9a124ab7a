"""Base documents of drawn words: sentences of 5 to 15 words, 7 to 13 of them for elementary tasks.

Source: section 3 of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.synthetic.draws import Draws

WORDS = (5, 15)  # of a sentence, without the stop
SENTENCES = (7, 13)  # of a document for elementary tasks


def drawn_sentences(draws: Draws) -> list[list[str]]:
    """Returns the words of the sentences of a document for elementary tasks."""
    return [draws.words(draws.between(*WORDS)) for _ in range(draws.between(*SENTENCES))]


def endless_sentences(draws: Draws) -> Iterator[list[str]]:
    """Yields the words of sentences, as many as are asked for."""
    while True:
        yield draws.words(draws.between(*WORDS))
