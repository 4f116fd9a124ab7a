"""Texts tokenised once for ROUGE, with what their scores need kept.

The tokens are those of ``rouge-score``'s default tokeniser: lower case, runs of a-z and 0-9 (everything else separates),
words of more than three letters stemmed if wanted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from rules.rouge.porter import stem

_WORDS = re.compile("[a-z0-9]+").findall
_MOST_STEMS = 1 << 18  # some 40 MB; a text in English uses its words again, so that few are ever stemmed twice


class _Stems(dict[str, str]):
    """Stems of the words met so far."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        found = self[word] = stem(word) if len(word) > 3 else word
        return found


_STEMS = _Stems()


class Tokens:
    """A tokenised text: ``lines``, the words of each of its lines in turn (a line may have none).

    What the scores need is counted when first asked for, and kept. Not to be changed once made.
    """

    __slots__ = ("_ngrams", "_words", "lines")

    def __init__(self, lines: Iterable[tuple[str, ...]]) -> None:
        self.lines = tuple(lines)
        self._words: tuple[str, ...] | None = None
        self._ngrams: dict[int, Counter[Any]] = {}

    @property
    def words(self) -> tuple[str, ...]:
        """All words in turn."""
        if self._words is None:
            self._words = self.lines[0] if len(self.lines) == 1 else tuple(chain.from_iterable(self.lines))
        return self._words

    def __len__(self) -> int:
        return len(self.words)

    def ngrams(self, n: int) -> Mapping[Any, int]:
        """Returns how often each n-gram occurs: a word for n = 1, else a tuple; n-grams go across lines."""
        if n not in self._ngrams:
            words = self.words
            self._ngrams[n] = Counter(words) if n == 1 else Counter(zip(*(words[i:] for i in range(n))))
        return self._ngrams[n]


def tokenise(text: str, *, stemmer: bool = False) -> Tokens:
    """Tokenises a text, line by line (``\\n``); empty lines are left out."""
    lines: Iterator[list[str]] = map(_WORDS, filter(None, text.lower().split("\n")))
    if stemmer:
        stemmed: Callable[[str], str] = _STEMS.__getitem__
        return Tokens(tuple(map(stemmed, line)) for line in lines)
    return Tokens(map(tuple, lines))


def join(parts: Iterable[Tokens]) -> Tokens:
    """Returns the text that has the parts as lines, one after the other."""
    return Tokens(chain.from_iterable([p.lines for p in parts]))
