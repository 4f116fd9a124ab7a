"""Equal words of texts found at once, without a Python object for each: what counts n-grams fast begins here.

A word of up to 15 bytes is two numbers that hold its bytes and its length. Longer words are looked up one by one. The
words that have equal numbers are found by a table of places, which is checked, so that no two words are confused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
_Words = NDArray[np.uint64]
_ASCII_SPACES, _OTHER_SPACES = (
    [c for c in map(chr, characters) if c.isspace() and c not in "\n "]
    for characters in (range(128), range(128, sys.maxunicode + 1))
)
_BREAK, _PAD = ord("\n"), 16
_MOST = 15  # bytes of a word that two numbers hold, beside its length
_SHORT = np.array([(1 << 8 * min(n, 8)) - 1 for n in range(_MOST + 1)], np.uint64)
_REST = np.array([(1 << 8 * max(n - 8, 0)) - 1 for n in range(_MOST + 1)], np.uint64)
_LENGTH = np.uint64(56)
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_ROUNDS = 8


class Words(NamedTuple):
    """The words of texts in turn.

    Attributes:
        sizes: how many words each text has.
        same: of each word, the place of a word of its group that is equal to it; the same place for all that are equal.
    """

    sizes: Integers
    same: Integers


def find_words(text: str, groups: Integers, alone: Callable[[Bytes], NDArray[np.bool_]] | None = None) -> Words:
    """Returns the words of texts; white space divides them into words.

    Args:
        text: the texts, each followed by a line break.
        groups: how many texts each group has. Only words of one group are compared.
        alone: of the text in UTF-8, which bytes are words of their own; None: none is.
    """
    for space in _ASCII_SPACES if text.isascii() else _ASCII_SPACES + _OTHER_SPACES:
        if space in text:  # all white space becomes one of two bytes
            text = text.replace(space, " ")
    raw = text.encode("utf-8", "surrogatepass")
    data = np.frombuffer(raw, np.uint8)
    starts, ends = _edges(data, alone)
    sizes = np.diff(np.searchsorted(starts, np.flatnonzero(data == _BREAK)), prepend=0)
    first, second = _packed(raw, starts, ends - starts)
    group = np.repeat(np.repeat(np.arange(len(groups)), groups), sizes)
    return Words(sizes, _equal(first, second, group.astype(np.uint64)))


def _edges(data: Bytes, alone: Callable[[Bytes], NDArray[np.bool_]] | None) -> tuple[Integers, Integers]:
    """Returns where each word begins and ends."""
    inside = (data != ord(" ")) & (data != _BREAK)
    begins, ends = inside.copy(), inside.copy()
    between = inside[:-1] & inside[1:]
    if alone is not None:
        single = alone(data)
        between &= ~(single[:-1] | single[1:])
    begins[1:] &= ~between
    ends[:-1] &= ~between
    return np.flatnonzero(begins), np.flatnonzero(ends) + 1


def _packed(raw: bytes, starts: Integers, lengths: Integers) -> tuple[_Words, _Words]:
    """Returns the two numbers of each word."""
    eight = np.ndarray((len(raw) + 8,), np.uint64, raw + bytes(_PAD), 0, (1,))  # the eight bytes from each byte on
    held = np.minimum(lengths, _MOST)
    first = eight[starts] & _SHORT[held]
    second = eight[starts + 8] & _REST[held] | held.astype(np.uint64) << _LENGTH
    numbers: dict[bytes, int] = {}
    for i in np.flatnonzero(lengths > _MOST).tolist():
        word = raw[starts[i] : starts[i] + lengths[i]]
        first[i], second[i] = numbers.setdefault(word, len(numbers)), np.uint64((1 << 64) - 1)
    return first, second


def _equal(first: _Words, second: _Words, group: _Words) -> Integers:
    """Returns for each word the place of one that is equal, the same one for all that are."""
    same = np.empty(len(first), np.int64)
    mixed = first * _MIX[0] ^ second * _MIX[1] ^ group * _MIX[2]
    left = np.arange(len(first))
    bits = len(first).bit_length() + 2
    table = np.empty(1 << bits, np.int64)
    for turn in range(_ROUNDS):
        place = (mixed[left] * np.uint64(2 * turn + 1) * _MIX[0] >> np.uint64(64 - bits)).astype(np.int64)
        table[place] = left  # of words with one place, one is there in the end
        other = table[place]
        equal = (first[other] == first[left]) & (second[other] == second[left]) & (group[other] == group[left])
        same[left[equal]] = other[equal]
        left = left[~equal]
        if not len(left):
            return same
    seen: dict[tuple[int, int, int], int] = {}  # words made to collide
    for i in left.tolist():
        same[i] = seen.setdefault((int(first[i]), int(second[i]), int(group[i])), i)
    return same
