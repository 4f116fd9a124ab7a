"""Where a text of any language can be cut so that only whole sentences stay.

What lost words has to go as whole sentences. So a place counts only where a sentence surely ends: a sentence more that
goes is better than half a sentence that stays. Where sentences begin is told better by ``rules/text``.
"""

from __future__ import annotations

import re

from gistmill.rules.text.segment import split_sentences
from gistmill.rules.wiki.local import Local

_CLOSERS = "\"'“”‘’«»›‹)\\]」』）】》〉"
# Marks that end sentences and nothing else, of scripts without spaces and of others; and those of European scripts.
_MARK = re.compile(
    rf"[。！？｡]+[{_CLOSERS}]*\s*|[؟۔।॥]+[{_CLOSERS}]*\s+|(?P<stop>[.!?]+)(?P<close>[{_CLOSERS}]*)\s+(?=(?P<next>\S))"
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
# A full stop after such a text ends a sentence; after a shorter number it may make an ordinal of it.
_ENDED = re.compile(r"[)\]\"“”’«»%°²³]$|(?<!\d)\d{3,}$")
_OPENING, _CLOSING = "([（「『【《〈", ")]）」』】》〉"
_LEAST_CASED, _LEAST_UNCASED = (
    5,
    2,
)  # letters of a word that is no abbreviation; those of other scripts are of one letter
_LONGEST_WORD = 60


def sentences_of(text: str, local: Local) -> list[str]:
    """Returns a text in pieces of whole sentences, in order, without white space at their ends."""
    if local.is_english:
        return split_sentences(text)
    text = text.strip()
    pieces, start = [], 0
    for mark in _MARK.finditer(text):
        if (mark["stop"] is None or _ends(text, mark)) and not _is_open(text[start : mark.end()]):
            pieces.append(text[start : mark.end()].rstrip())
            start = mark.end()
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
    cased = word.group().lower() != word.group().upper()
    return len(word.group()) >= (_LEAST_CASED if cased else _LEAST_UNCASED)


def _is_open(text: str) -> bool:
    """Whether brackets or quotation marks are open at the end of a text."""
    count = text.count
    if sum(map(count, _OPENING)) > sum(map(count, _CLOSING)):
        return True
    low = count("„") + count("‚")  # closed by what opens a quotation in English
    if low:
        return low > count("“") + count("”") + count("‘") + count("’")
    return count("«") != count("»") or count("“") > count("”") or count('"') % 2 == 1
