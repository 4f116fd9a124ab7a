"""The tokenisation ``13a``, by which SARI is computed in EASSE and in Hugging Face's evaluate.

It is that of mteval-v13a of the WMT, as the package sacrebleu has it: marks of punctuation stand alone, but full stops
and commas inside numbers, apostrophes, and hyphens that follow no digit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmill.rules.metrics.words import Bytes

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_ALONE = np.isin(np.arange(256), np.frombuffer(b'!"#$%&()*+,./:;<=>?@[\\]^_`{|}~', np.uint8))
_STOP, _COMMA, _HYPHEN = b".,-"
_DIGITS = frozenset(b"0123456789")


def one_line(text: str) -> str:
    """Returns a text in lower case without line breaks; a hyphen at the end of a line is that of a divided word."""
    return text.lower().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")


def prepare(text: str) -> str:
    """Returns lines as they are before they are tokenised, in lower case."""
    text = text.lower().replace("<skipped>", "")
    if "&" in text:
        for entity, mark in _ENTITIES:
            text = text.replace(entity, mark)
    return text


def marks(data: Bytes) -> NDArray[np.bool_]:
    """Returns which bytes are tokens of their own.

    Args:
        data: lines in UTF-8, which end in line breaks.
    """
    alone = _ALONE[data]
    if len(data) > 1:
        for i in _before_digits((data == _STOP) | (data == _COMMA), data):
            alone[i] = not _in_number(data, i)
        hyphens = np.flatnonzero(data == _HYPHEN)
        alone[hyphens[_is_digit(data[hyphens - 1])]] = True
    return alone


def _before_digits(marked: NDArray[np.bool_], data: Bytes) -> list[int]:
    at = np.flatnonzero(marked)
    found: list[int] = at[_is_digit(data[at + 1])].tolist()
    return found


def _is_digit(data: Bytes) -> NDArray[np.bool_]:
    return (data >= ord("0")) & (data <= ord("9"))


def _in_number(data: Bytes, i: int) -> bool:
    """Whether the full stop or comma before a digit belongs to a number.

    The rules of mteval take marks in a row by twos, the first together with a character before it that is not a digit.
    So one that is left over, before a digit, is not divided from it.
    """
    before = i
    while data[before - 1] in (_STOP, _COMMA):
        before -= 1
    return (i - before) % 2 == (int(data[before - 1]) not in _DIGITS)
