"""What the words of documents are drawn from: the paper's nonsense, or a list of the user's own."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from gistmill.rules.synthetic.language import is_reserved

NONSENSE = "nonsense"
SIZE = 5_000  # words of the paper's vocabulary
MOST_WORDS = 1_000_000
_LETTERS = 3


class WordsError(ValueError):
    """A list of words that cannot be used; the text is one line that says why."""


def nonsense_words(count: int = SIZE) -> tuple[str, ...]:
    """Returns the first words of three letters, the first letter changing fastest: aaa, baa, caa, ..., zaa, aba, ...

    Source: section 3 of the paper, and its authors' generator.
    """
    letters = string.ascii_lowercase
    return tuple(
        "".join(letters[i // len(letters) ** place % len(letters)] for place in range(_LETTERS)) for i in range(count)
    )


def check_words(lines: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Returns the words of a list with a word on each line; blank lines are left out.

    Raises:
        WordsError: a line holds several words, a word that is there already, or one that the language of the documents
            reserves; or there are less than two words, or more than MOST_WORDS.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if not word:
            continue
        if len(word.split()) > 1:
            raise WordsError(f"line {number} has several words: {word!r:.80}")
        if not word.isprintable():
            raise WordsError(f"line {number} has a character that cannot be printed: {word!r:.80}")
        if is_reserved(word):
            raise WordsError(f"line {number}: {word!r:.80} is a token of the synthetic language, and no word can be")
        if word in found:
            raise WordsError(f"line {number}: {word!r:.80} is on line {found[word]} already")
        found[word] = number
        if len(found) > MOST_WORDS:
            raise WordsError(f"it has more than {MOST_WORDS:,} words")
    if len(found) < 2:
        raise WordsError(f"it has {'only one word' if found else 'no words'}; at least two are needed")
    return tuple(found)
