"""Where a text of any language can be cut so that only whole sentences stay.

What lost words has to go as whole sentences. So a place counts only where a sentence surely ends: a sentence more that
goes is better than half a sentence that stays. Where sentences begin is told better by ``rules/text``.
"""

from __future__ import annotations

import re
import unicodedata

from gistmill.rules.text.segment import split_sentences
from gistmill.rules.wiki.local import Local

_CLOSERS = "\"'“”‘’«»›‹)\\]」』）】》〉"
# Marks that end sentences and nothing else, of scripts without spaces and of others; and those of European scripts.
# Possessive, and never begun inside a run of marks: no text takes more than linear time.
_MARK = re.compile(
    rf"(?<![。！？｡])[。！？｡]++(?![{_CLOSERS}])\s*|(?<![؟۔।॥])[؟۔।॥]++[{_CLOSERS}]*+\s+"
    rf"|(?<![.!?])(?P<stop>[.!?]++)(?P<close>[{_CLOSERS}]*+)\s+(?=(?P<next>\S))"
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
# A full stop after such a text ends a sentence; after a shorter number it may make an ordinal of it.
_ENDED = re.compile(r"[)\]\"“”’«»%°²³]$|(?<!\d)\d{3,}$")
_OPENING, _CLOSING = "([（「『【《〈", ")]）」』】》〉"
# Letters of a word that is no abbreviation. Few of those end in a vowel; in scripts without capitals they are of one
# letter.
_LEAST_CASED, _LEAST_BEFORE_VOWEL, _LEAST_UNCASED = 5, 3, 2
_VOWELS = frozenset("aeiouyıæøœαειουωηаеиоуыэюяіє")
_LONGEST_WORD = 60


def sentences_of(text: str, local: Local) -> list[str]:
    """Returns a text in pieces of whole sentences, in order, without white space at their ends."""
    if local.is_english:
        return split_sentences(text)
    text = text.strip()
    pieces, start, seen, pairs = [], 0, 0, _Pairs()
    for mark in _MARK.finditer(text):
        pairs.count(text[seen : mark.end()])
        seen = mark.end()
        if (mark["stop"] is None or _ends(text, mark)) and not pairs.are_open():
            pieces.append(text[start:seen].rstrip())
            start, pairs = seen, _Pairs()
    return [*pieces, text[start:]] if start < len(text) else pieces


def _ends(text: str, mark: re.Match[str]) -> bool:
    """Whether a full stop, question mark or exclamation mark ends a sentence."""
    if mark["next"].islower():
        return False
    if mark["stop"] != "." or mark["close"]:
        return True
    before = text[max(0, mark.start() - _LONGEST_WORD) : mark.start()]
    if _ENDED.search(before):
        return True
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    letters = word.group()
    if letters.lower() == letters.upper():
        return len(letters) >= _LEAST_UNCASED
    ends_in_vowel = unicodedata.normalize("NFD", letters[-1])[0] in _VOWELS
    return len(letters) >= (_LEAST_BEFORE_VOWEL if ends_in_vowel and letters[0].islower() else _LEAST_CASED)


class _Pairs:
    """How many brackets and quotation marks a text has, which is read piece by piece."""

    def __init__(self) -> None:
        self._brackets = 0
        self._quotes = dict.fromkeys('„‚“”‘’«»"', 0)

    def count(self, text: str) -> None:
        """Takes in the next piece."""
        self._brackets += sum(map(text.count, _OPENING)) - sum(map(text.count, _CLOSING))
        for quote in self._quotes:
            self._quotes[quote] += text.count(quote)

    def are_open(self) -> bool:
        """Whether a bracket or a quotation is open."""
        number = self._quotes
        if self._brackets > 0:
            return True
        low = number["„"] + number["‚"]  # closed by what opens a quotation in English
        if low:
            return low > number["“"] + number["”"] + number["‘"] + number["’"]
        return number["«"] != number["»"] or number["“"] > number["”"] or number['"'] % 2 == 1
