"""Lemmas, by lemminflect's tables."""

from __future__ import annotations

from functools import lru_cache

_CLASSES = ("VERB", "NOUN", "ADJ", "ADV", "AUX")
_LONGEST = 40  # letters of a word that is looked up: what is longer is not a word, and not worth the memory


def lemma_of(word: str) -> str:
    """Returns the lemma of a word in lower case: the verb's if it can be a verb, else the noun's, and so on.

    The context decides nothing, so a form has the same lemma in all texts. A word that the tables lack is its own.

    >>> lemma_of("having"), lemma_of("had"), lemma_of("goals"), lemma_of("kathmandu")
    ('have', 'have', 'goal', 'kathmandu')
    """
    return table_lemma(word) if len(word) <= _LONGEST else word


@lru_cache(maxsize=1 << 17)
def table_lemma(word: str) -> str:
    """Returns the same, looked up once."""
    from lemminflect import getAllLemmas  # takes half a second to import

    lemmas = getAllLemmas(word)
    return next((lemmas[c][0] for c in _CLASSES if c in lemmas), word)
