"""What counts as a paragraph of prose; paragraphs of plain text."""
from __future__ import annotations

import re
import unicodedata

from rules.text.marks import without_controls

_SENTENCE_END = re.compile(r"[.!?…。][\"'”’)\]]*(?:\s|$)|:$")
_LETTER_WORD = re.compile(r"[^\W\d_]+")
MIN_WORDS = 3  # of a paragraph that ends a sentence
MIN_UNFINISHED_WORDS = 12  # of one that does not


def is_prose(text: str) -> bool:
    """Whether a paragraph holds a sentence: letters, some words, and a sentence end unless it is long."""
    words = 0
    finished = _SENTENCE_END.search(text) is not None
    for words, _ in enumerate(_LETTER_WORD.finditer(text), start=1):
        if words >= (MIN_WORDS if finished else MIN_UNFINISHED_WORDS):
            return True
    return False


def plain_paragraphs(text: str) -> tuple[str, ...]:
    """Returns the paragraphs of plain text, which blank lines part: NFC, single spaces, only those that are prose."""
    blocks = re.split(r"\n[^\S\n]*\n", without_controls(text))
    folded = (unicodedata.normalize("NFC", " ".join(block.split())) for block in blocks)
    return tuple(block for block in folded if is_prose(block))
