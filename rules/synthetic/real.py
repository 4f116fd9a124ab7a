"""Base documents of real text, in place of nonsense: the first sentences of a document, as lower-cased words.

Source: section 7 of the paper ("real upstream corpus"); the bounds are those of the authors' generator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from gistmill.rules.documents import SegmentedDocument
from gistmill.rules.synthetic.base import SENTENCES, WORDS
from gistmill.rules.synthetic.draws import Draws

# letters and digits, with apostrophes and hyphens inside
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LEAST, _MOST = SENTENCES[0] * WORDS[0], SENTENCES[1] * WORDS[1]


class NoBeginning(Exception):
    """No beginning of the document is within the bounds; the text says which sentences it has."""


def real_sentences(document: SegmentedDocument) -> list[list[str]]:
    """Returns the words of each sentence; sentences without words are left out."""
    found = (_WORD.findall(sentence.text.lower()) for sentence in document.sentences)
    return [words for words in found if words]


def beginning(sentences: Sequence[list[str]], draws: Draws) -> list[list[str]]:
    """Returns the first 7 to 13 sentences, where each has at least 5 words and all together have 35 to 195.

    Of several numbers of sentences that fit, one is drawn.

    Raises:
        NoBeginning: no number fits.
    """
    sizes = [len(words) for words in sentences[: SENTENCES[1]]]
    long = next((i for i, size in enumerate(sizes) if size < WORDS[0]), len(sizes))
    fitting = [
        number
        for number, words in enumerate(accumulate(sizes[:long]), 1)
        if number >= SENTENCES[0] and _LEAST <= words <= _MOST
    ]
    if not fitting:
        raise NoBeginning(f"words of its first sentences: {', '.join(map(str, sizes)) or 'none'}")
    return [*sentences[: draws.one(fitting)]]
