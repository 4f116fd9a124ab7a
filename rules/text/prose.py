"""Paragraphs of prose: the test for one, and the paragraphs of plain text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gistmill.rules.text.marks import without_controls, without_invisible

_SENTENCE_END = re.compile(r"[.!?…。？！؟۔।॥][\"'”’“‘»«›‹)\]」』）]*(?:\s|$)|:$")
# Chinese and Japanese are written without spaces; two characters count as a word.
_LETTER_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")
_LINE_END = re.compile(r"[.!?…:。？！।؟][\"'”’»)\]]*$")
_SHORT_LINE = 50  # characters; wrapped text has longer ones
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


def joined_lines(block: str) -> Iterator[str]:
    """Yields the paragraphs of a block whose line ends may be wrapping or may end paragraphs.

    A line end ends one after a sentence end, and after a short line before what begins like a sentence. Paragraphs are
    NFC with single spaces and without invisible characters, none is empty.
    """
    paragraph = ""
    last = ""
    for raw in without_invisible(block).split("\n"):
        line = " ".join(raw.split())
        if not line:
            continue
        if paragraph and (_LINE_END.search(last) or len(last) < _SHORT_LINE and not line[0].islower()):
            yield unicodedata.normalize("NFC", paragraph)
            paragraph = line
        else:
            paragraph = f"{paragraph} {line}" if paragraph else line
        last = line
    if paragraph:
        yield unicodedata.normalize("NFC", paragraph)


def plain_paragraphs(text: str) -> tuple[str, ...]:
    """Returns the paragraphs of prose in plain text: NFC, single spaces. Blank lines separate paragraphs."""
    blocks = re.split(r"\n[^\S\n]*\n", without_invisible(without_controls(text)))
    folded = (unicodedata.normalize("NFC", " ".join(block.split())) for block in blocks)
    return tuple(block for block in folded if is_prose(block))
