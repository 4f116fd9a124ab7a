"""Words of texts in any language, for matching, locating and counting; and stop words.

English uses the rules that its datasets were made with. In other languages words are ICU word segments (UAX 29, and
dictionaries for Chinese, Japanese, Thai, Khmer, Lao and Burmese) that contain a letter or digit. Two words match if
they are equal after normalisation:

- NFC, which combines letters with their marks; the marks are kept;
- full case folding ("ß" becomes "ss"); languages with a dotless i first turn "I" into "ı" and "İ" into "i";
- decimal digits of any script become ASCII digits: "١٢٣" and "१२३" become "123";
- all apostrophes become the same; invisible format characters are removed, except joiners, which some scripts need.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.metadata import version
from typing import ClassVar, NamedTuple

from icu4py.breakers import WordBreaker
from typing_extensions import override

from gistmill.rules.languages.language import ENGLISH, Language, english_words, language_named

# The English list in NLTK's stopwords corpus (179 entries, https://www.nltk.org/nltk_data/). Since words end at an
# apostrophe, pieces of contractions ("didn", "t", "ll") can match, while whole contractions cannot and are left out.
STOP_WORDS = english_words("content_words", "stop_words")
_ENGLISH_WORD = re.compile(r"[^\W_]+")
# The same for ASCII, in less than half the time: letters become lower case, everything else spaces.
_ASCII = {i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)}
_USUAL_MARKS = "’‘“”–—…\u00a0"  # the only non-ASCII characters in most other English texts


def words_of(text: str) -> list[str]:
    """Returns all words of a text in order: runs of letters and digits in lower case."""
    if not text.isascii():
        for mark in _USUAL_MARKS:
            text = text.replace(mark, " ")
        if not text.isascii():
            return _ENGLISH_WORD.findall(text.lower())
    return text.translate(_ASCII).split()


def content_words(text: str) -> list[str]:
    """Returns the words of a text other than stop words."""
    return [w for w in words_of(text) if w not in STOP_WORDS]


COUNTED = "what white space divides in English, word segments of Unicode in other languages"
SPLITTER = "icu4py"  # the package that finds the words of all languages except English
_SURROGATE = re.compile("[\ud800-\udfff]")
_DOTLESS = frozenset("az crh gag tr".split())  # Azeri, Crimean Tatar, Gagauz, Turkish
_DOTLESS_I = str.maketrans({"I": "ı", "İ": "i"})
_LONGEST = 40  # characters in a cached word; longer words hardly ever recur
_APOSTROPHES, _JOINERS = "’ʼ", "\u200c\u200d"


class Word(NamedTuple):
    """A word in the form used for matching, written in the text as ``text[start:end]``."""

    text: str
    start: int
    end: int


class Words:
    """The word segmentation of a language by ICU, as returned by ``words_for``.

    Args:
        language: the language.

    Attributes:
        is_english: whether the rules for English words are used.
    """

    is_english: ClassVar[bool] = False

    def __init__(self, language: Language) -> None:
        self.language = language
        self._fold = _fold_dotless if language.code in _DOTLESS else _fold

    def of(self, text: str) -> list[str]:
        """Returns all words of a text in order, in the form used for matching."""
        segments = self._segments(unicodedata.normalize("NFC", text))
        return [word for segment in segments if (word := self._word(segment))]

    def spans(self, text: str) -> list[Word]:
        """Returns the words of a text with their positions."""
        composed = unicodedata.normalize("NFC", text)
        places = range(len(text) + 1) if composed == text else _places(text)
        found, start = [], 0
        for segment in self._segments(composed):  # ICU's own offsets are in UTF-16 code units
            end = start + len(segment)
            if word := self._word(segment):
                found.append(Word(word, places[start], places[end]))
            start = end
        return found

    def count(self, text: str) -> int:
        """Returns the number of words in a text."""
        return len(self.of(text))

    def content(self, text: str) -> list[str]:
        """Returns the words of a text other than stop words."""
        stop_words = self.stop_words
        return [w for w in self.of(text) if w not in stop_words]

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The stop words in the form used for matching; empty for a language without a list.

        Entries of several words are left out, because a single word of them is not a stop word.
        """
        entries = map(self.of, listed_stop_words(self.language.code))
        return frozenset(words[0] for words in entries if len(words) == 1)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """A document's addition to its dataset's counts: the segmenter and its version; empty for English."""
        return {f"words/{self.language.code}, {SPLITTER} {version(SPLITTER)}": 1}

    def _segments(self, text: str) -> Iterator[str]:
        try:
            return iter(WordBreaker(text, self.language.code))
        except UnicodeEncodeError:  # a lone surrogate, which is not a character
            return iter(WordBreaker(_SURROGATE.sub("\ufffd", text), self.language.code))

    def _word(self, segment: str) -> str:
        """Returns a segment in the form used for matching; "" if it is not a word."""
        return self._fold(segment) if len(segment) <= _LONGEST else self._fold.__wrapped__(segment)


class EnglishWords(Words):
    """English words: runs of letters and digits; word counts, however, are based on white space."""

    is_english = True
    stop_words = STOP_WORDS
    counts: Mapping[str, int] = {}

    @override
    def of(self, text: str) -> list[str]:
        return words_of(text)

    @override
    def spans(self, text: str) -> list[Word]:
        return [Word(m.group().casefold(), *m.span()) for m in _ENGLISH_WORD.finditer(text)]

    @override
    def count(self, text: str) -> int:
        return len(text.split())


class _Characters(dict[int, int | str | None]):
    """Replacements of characters after case folding."""

    def __missing__(self, code: int) -> int | str | None:
        character = chr(code)
        kind = unicodedata.category(character)
        found: int | str | None = code
        if kind == "Nd":
            found = str(unicodedata.decimal(character))
        elif kind == "Cf" and character not in _JOINERS:
            found = None
        elif character in _APOSTROPHES:
            found = "'"
        self[code] = found
        return found


_CHARACTERS = _Characters()


@lru_cache(maxsize=1 << 17)
def _fold(segment: str) -> str:
    """Returns a segment in the form used for matching; "" if it is not a word."""
    if not any(map(str.isalnum, segment)):
        return ""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", segment).casefold().translate(_CHARACTERS))


@lru_cache(maxsize=1 << 16)
def _fold_dotless(segment: str) -> str:
    return _fold.__wrapped__(unicodedata.normalize("NFC", segment).translate(_DOTLESS_I))


def _places(text: str) -> list[int]:
    """Returns the position in a text at which each character of its NFC begins, and the end of the text."""
    places: list[int] = []
    begin = 0
    for end in (*(i for i in range(1, len(text)) if not _may_compose(text[i])), len(text)):
        size = len(unicodedata.normalize("NFC", text[begin:end]))
        places += range(begin, end) if size == end - begin else [begin] * size
        begin = end
    return [*places, len(text)]


def _may_compose(character: str) -> bool:
    """Whether a character may combine with the previous one: a mark, or a non-initial letter of a Korean syllable."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


def listed_stop_words(code: str) -> Collection[str]:
    """Returns the stopwordsiso list for a language as printed; empty if there is none.

    Source: https://github.com/stopwords-iso/stopwords-iso, which merges the usual lists for 57 languages; licence MIT.
    """
    from stopwordsiso import has_lang, stopwords  # takes 25 ms to load the lists of all languages

    found: Collection[str] = stopwords(code) if has_lang(code) else ()
    return found


def words_for(code: str) -> Words:
    """Returns the word segmentation for a language code: ISO 639-1, or a Wikipedia's; "" is English."""
    language = language_named(code or ENGLISH)
    return _ENGLISH_WORDS if language.code == ENGLISH else unicode_words(language)


_ENGLISH_WORDS = EnglishWords(language_named(ENGLISH))


@lru_cache(maxsize=512)
def unicode_words(language: Language) -> Words:
    """Returns the Unicode word segmentation for a language, including English."""
    return Words(language)
