"""Texts tokenised once for ROUGE, with what their scores need kept.

The tokens are those of ``rouge-score``'s default tokeniser: lower case, runs of a-z and 0-9 (everything else
separates), words of more than three letters stemmed if wanted. That tokeniser drops every other letter, so texts of
other languages may have the words of ``rules/text/words.py`` instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gistmill.core.values import nearest
from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.rouge.porter import stem
from gistmill.rules.text.words import Words, unicode_words, words_for

ROUGE_SCORE, UNICODE = "rouge-score", "unicode"
WORDS = (ROUGE_SCORE, UNICODE)
_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789\n"
_SEPARATED = bytes(c if c in _LETTERS else ord(" ") for c in range(256))
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

    def ngrams(self, n: int) -> Counter[Any]:
        """Returns how often each n-gram occurs: a word for n = 1, else a tuple; n-grams go across lines."""
        if n not in self._ngrams:
            self._ngrams[n] = Counter(self._each(n))
        return self._ngrams[n]

    def ngrams_among(self, wanted: Mapping[Any, int], n: int) -> Counter[Any]:
        """Returns the same for the wanted n-grams, and perhaps others: less work for one use of a long text."""
        return self._ngrams[n] if n in self._ngrams else Counter(filter(wanted.__contains__, self._each(n)))

    def _each(self, n: int) -> Iterable[Any]:
        return self.words if n == 1 else zip(*(self.words[i:] for i in range(n)))


def tokenise(text: str, *, stemmer: bool = False, words: str = ROUGE_SCORE, language: str = ENGLISH) -> Tokens:
    """Tokenises a text, line by line (``\\n``); empty lines are left out.

    Args:
        text: the text.
        stemmer: whether words are stemmed, by the Porter stemmer for English.
        words: ``rouge-score``, what that package takes for words, for English only; or ``unicode``, the words of any
            language and script as ICU finds them, see ``docs/languages.md``.
        language: ISO 639-1 code of the text's language, or that of a Wikipedia.

    Raises:
        ValueError: there are no such words, rouge-score has none of the language, or there is no stemmer for them.
    """
    if words not in WORDS:
        raise ValueError(f"words: {words!r} is not one of {', '.join(WORDS)}{nearest(words, WORDS)}")
    if words == UNICODE:
        if stemmer:
            raise ValueError(f"stemmer: there is one for English words by {ROUGE_SCORE!r} only; leave it out")
        return _by_unicode(text, unicode_words(language_named(language or ENGLISH)))
    if not words_for(language).is_english:
        raise ValueError(
            f"language: {ROUGE_SCORE!r} knows words of English only, not {language!r}; give words={UNICODE!r}"
        )
    return Tokens(_words(filter(None, _plain(text)), stemmer=stemmer))


def tokenise_all(texts: Sequence[str], *, stemmer: bool = False, language: str = ENGLISH) -> list[Tokens]:
    """Tokenises several short texts, such as the sentences of a document.

    Args:
        texts: them; English ones go in one go, twice as fast as one by one.
        stemmer: whether English words are stemmed; those of other languages are never.
        language: English has the words of rouge-score, any other language those of Unicode.
    """
    own = words_for(language)
    if not own.is_english:
        return [_by_unicode(t, own) for t in texts]
    lines = _plain("\n".join(texts))
    if len(lines) != len(texts):  # there are line breaks in the texts, or no texts
        return [tokenise(t, stemmer=stemmer) for t in texts]
    return [Tokens((words,)) for words in _words(lines, stemmer=stemmer)]


def join(parts: Iterable[Tokens]) -> Tokens:
    """Returns the text that has the parts as lines, one after the other."""
    return Tokens(chain.from_iterable([p.lines for p in parts]))


def _plain(text: str) -> list[str]:
    """The text's lines, with a space for whatever is part of no word."""
    # by way of bytes, which is twice as fast as an expression; what is not ASCII becomes "?", and so a space
    return text.lower().encode("ascii", "replace").translate(_SEPARATED).decode("ascii").split("\n")


def _words(lines: Iterable[str], *, stemmer: bool) -> Iterator[tuple[str, ...]]:
    if stemmer:
        stemmed: Callable[[str], str] = _STEMS.__getitem__
        return (tuple(map(stemmed, line.split())) for line in lines)
    return (tuple(line.split()) for line in lines)


def _by_unicode(text: str, words: Words) -> Tokens:
    return Tokens(tuple(words.of(line)) for line in text.split("\n") if line)
