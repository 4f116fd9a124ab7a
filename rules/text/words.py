"""The words of a text in any language: to be matched, with their places, and counted; and the stop words.

English keeps the rules that its datasets are made by. The words of other languages are the word segments of ICU (UAX
29, and dictionaries for Chinese, Japanese, Thai, Khmer, Lao and Burmese) that hold a letter or a digit. Two match if
they are equal after this:

- NFC, so that a letter with a combining mark is one character; marks themselves are kept;
- full case folding, so that "ß" is "ss"; in languages that have a dotless i, "I" is "ı" and "İ" is "i" first;
- decimal digits of every script as ASCII digits: "١٢٣" and "१२३" are "123";
- one apostrophe, and none of the invisible characters of format but the joiners, which belong to some scripts.
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

# The English list of NLTK's stopwords corpus (179 entries, https://www.nltk.org/nltk_data/). Its pieces of contractions
# ("didn", "t", "ll") fit words that end at an apostrophe; its whole contractions never occur then and are left out.
STOP_WORDS = english_words("content_words", "stop_words")
_ENGLISH_WORD = re.compile(r"[^\W_]+")
# The same for ASCII, in less than half the time: capitals to small letters, all else to spaces.
_ASCII = {i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)}
_USUAL_MARKS = "’‘“”–—…\u00a0"  # what keeps most of the other English texts from being ASCII


def words_of(text: str) -> list[str]:
    """Returns the words of a text: runs of letters and digits in lower case, every occurrence in order."""
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
_LONGEST = 40  # characters of a cached word: longer ones hardly ever recur
_APOSTROPHES, _JOINERS = "’ʼ", "\u200c\u200d"


class Word(NamedTuple):
    """A word as it is matched, and where it is: ``text[start:end]`` as written."""

    text: str
    start: int
    end: int


class Words:
    """The word segmentation of a language: the segments of ICU. ``words_for`` returns it.

    Args:
        language: the language.

    Attributes:
        is_english: whether words go by the rules for English.
    """

    is_english: ClassVar[bool] = False

    def __init__(self, language: Language) -> None:
        self.language = language
        self._fold = _fold_dotless if language.code in _DOTLESS else _fold

    def of(self, text: str) -> list[str]:
        """Returns the words of a text as they are matched, every occurrence in order."""
        segments = self._segments(unicodedata.normalize("NFC", text))
        return [word for segment in segments if (word := self._word(segment))]

    def spans(self, text: str) -> list[Word]:
        """Returns them with their places."""
        composed = unicodedata.normalize("NFC", text)
        places = range(len(text) + 1) if composed == text else _places(text)
        found, start = [], 0
        for segment in self._segments(composed):  # ICU's own places count in units of UTF-16
            end = start + len(segment)
            if word := self._word(segment):
                found.append(Word(word, places[start], places[end]))
            start = end
        return found

    def count(self, text: str) -> int:
        """Returns the length of a text in words."""
        return len(self.of(text))

    def content(self, text: str) -> list[str]:
        """Returns the words of a text other than stop words."""
        stop_words = self.stop_words
        return [w for w in self.of(text) if w not in stop_words]

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The stop words as they are matched; none for a language without a list.

        An entry that is several words is left out: one of them alone is not a stop word.
        """
        entries = map(self.of, listed_stop_words(self.language.code))
        return frozenset(words[0] for words in entries if len(words) == 1)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """A document's addition to the counts of its dataset: the segmenter, where it was not the English rules."""
        return {f"words/{self.language.code}, {SPLITTER} {version(SPLITTER)}": 1}

    def _segments(self, text: str) -> Iterator[str]:
        try:
            return iter(WordBreaker(text, self.language.code))
        except UnicodeEncodeError:  # half of a pair of UTF-16, which is not a character
            return iter(WordBreaker(_SURROGATE.sub("\ufffd", text), self.language.code))

    def _word(self, segment: str) -> str:
        """The segment as it is matched; "" if it is not a word."""
        return self._fold(segment) if len(segment) <= _LONGEST else self._fold.__wrapped__(segment)


class EnglishWords(Words):
    """Runs of letters and digits; a length is that of what white space divides."""

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
    """What replaces a character after case is folded."""

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
    """Returns where in a text each character of its NFC begins, and its end."""
    places: list[int] = []
    begin = 0
    for end in (*(i for i in range(1, len(text)) if not _may_compose(text[i])), len(text)):
        size = len(unicodedata.normalize("NFC", text[begin:end]))
        places += range(begin, end) if size == end - begin else [begin] * size
        begin = end
    return [*places, len(text)]


def _may_compose(character: str) -> bool:
    """Whether a character may become one with that before it: a mark, or a later letter of a Korean syllable."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


def listed_stop_words(code: str) -> Collection[str]:
    """Returns the list of stopwordsiso for a language as it is printed; nothing where there is none.

    Source: https://github.com/stopwords-iso/stopwords-iso, which joins the usual lists of 57 languages; licence MIT.
    """
    from stopwordsiso import has_lang, stopwords  # takes 25 ms, for the lists of all languages

    found: Collection[str] = stopwords(code) if has_lang(code) else ()
    return found


def words_for(code: str) -> Words:
    """Returns the words of the language with a code: ISO 639-1, or that of a Wikipedia; "" is English."""
    language = language_named(code or ENGLISH)
    return _ENGLISH_WORDS if language.code == ENGLISH else unicode_words(language)


_ENGLISH_WORDS = EnglishWords(language_named(ENGLISH))


@lru_cache(maxsize=512)
def unicode_words(language: Language) -> Words:
    """Returns the words of a language by Unicode, those of English too."""
    return Words(language)
