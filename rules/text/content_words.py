"""The words of a text, and its content words."""

from __future__ import annotations

import re

from gistmill.rules.languages.language import english_words

# The English list of NLTK's stopwords corpus (179 entries, https://www.nltk.org/nltk_data/). Its pieces of contractions
# ("didn", "t", "ll") fit words that end at an apostrophe; its whole contractions never occur then and are left out.
STOP_WORDS = english_words("content_words", "stop_words")
_find_words = re.compile(r"[^\W_]+").findall
# The same for ASCII, in less than half the time: capitals to small letters, all else to spaces.
_ASCII = {i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)}
_USUAL_MARKS = "’‘“”–—…\u00a0"  # what keeps most of the other English texts from being ASCII


def words_of(text: str) -> list[str]:
    """Returns the words of a text: runs of letters and digits in lower case, every occurrence in order."""
    if not text.isascii():
        for mark in _USUAL_MARKS:
            text = text.replace(mark, " ")
        if not text.isascii():
            return _find_words(text.lower())
    return text.translate(_ASCII).split()


def content_words(text: str) -> list[str]:
    """Returns the words of a text other than stop words."""
    return [w for w in words_of(text) if w not in STOP_WORDS]
