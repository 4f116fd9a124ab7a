"""The cleaning before words are counted: punctuation, capitals and stop words go (paper, section 4.2.1).

What stands here of words is about English. Other languages have the words of ``rules/text/words.py``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection
from functools import cache, lru_cache
from unicodedata import category

from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.text.words import Words, listed_stop_words

# The paper counts in tokenised text, where these are tokens of their own. In other text they part words here.
_BREAKS = ("--", "...", "–", "—", "―", "…")
_possessive = re.compile(r"['’](?=[sS]\b)")
_WITHOUT_MARKS = str.maketrans("", "", string.punctuation)
# What tokenisers leave of "don't" and "won't", and the list below lacks.
_PIECES = frozenset({"nt", "wo"})


class Cleaner:
    """Makes the words that are counted of a text.

    Args:
        stop_words: what is left out. They are cleaned themselves: "don't" leaves out "dont", as the words are then.
        words: of the language of the texts; by default English.
    """

    def __init__(self, stop_words: Collection[str], words: Words | None = None) -> None:
        self._words_of = words_of if words is None or words.is_english else words.of
        self.stop_words = frozenset(w for entry in stop_words for w in self._words_of(entry))

    def __call__(self, text: str) -> list[str]:
        """Returns the words of a text other than stop words, every occurrence in order."""
        stop_words, found = self.stop_words, self._words_of(text)
        return [w for w in found if w not in stop_words]


def words_of(text: str) -> list[str]:
    """Returns the tokens of English between white space, without punctuation, in lower case; empty ones are left out.

    Punctuation is every character of Unicode's classes P and S, wherever it stands: "well-known" becomes "wellknown".
    Dashes and ellipses part tokens, as does the apostrophe of a possessive "s".

    >>> words_of("Koirala's (42) well-known work—it isn't over.")
    ['koirala', 's', '42', 'wellknown', 'work', 'it', 'isnt', 'over']
    """
    for mark in _BREAKS:
        text = text.replace(mark, " ")
    text = _possessive.sub(" ", text)
    if text.isascii():
        return text.translate(_WITHOUT_MARKS).lower().split()
    # A translation of text beyond ASCII takes several times as long as some replacements.
    for mark in filter(_is_mark, set(text)):
        text = text.replace(mark, "")
    return text.lower().split()


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    return category(character)[0] in "PS"


@cache
def default_stop_words() -> frozenset[str]:
    """Returns the default list for English: the 1,298 stop words of stopwordsiso 0.7.1, and pieces of contractions."""
    return frozenset(listed_stop_words(ENGLISH)) | _PIECES
