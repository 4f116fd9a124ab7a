"""Normalised words of texts, and their n-grams as 64-bit numbers, for comparing texts.

Words are in NFKC and case folded, without the punctuation and white space that separated them; each Chinese or Japanese
character is a word. All numbers are the same on every machine and in every process.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

# characters of scripts written without spaces, each a word; other words are runs of letters and digits
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_ALONE}]|[^\\W_{_ALONE}]+")
Numbers = npt.NDArray[np.uint64]
_BASE = 0x9E3779B97F4A7C15  # odd, so that all its powers are odd
LONGEST = 64  # maximum number of words in an n-gram


def words(text: str) -> list[str]:
    """Returns the normalised words of a text."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _WORD.findall(text.casefold())


def word_hashes(found: Sequence[str]) -> Numbers:
    """Returns a number for each word, as uint64 of shape (words,); equal words get equal numbers."""
    if not found:
        return np.zeros(0, np.uint64)
    data = np.frombuffer(" ".join(found).encode("utf-8", "surrogatepass"), np.uint8)
    spaces = np.flatnonzero(data == 32)
    starts = np.concatenate((np.zeros(1, np.int64), spaces + 1))
    lengths = np.diff(np.append(starts, len(data) + 1))
    place = np.arange(len(data)) - np.repeat(starts, lengths)[: len(data)]
    terms = data.astype(np.uint64) * _power_table(1 << max(6, int(lengths.max()).bit_length()))[place]
    terms[spaces] = 0
    return mix(np.add.reduceat(terms, starts))


def gram_hashes(hashes: Numbers, n: int) -> Numbers:
    """Returns a number for each run of ``n`` words.

    Args:
        hashes: numbers of the words, of shape (words,), uint64.
        n: number of words in a run.

    Returns:
        The numbers in order, of shape (words - n + 1,), uint64; empty if there are fewer than ``n`` words.

    Raises:
        ValueError: n is not between 1 and LONGEST.
    """
    if not 1 <= n <= LONGEST:
        raise ValueError(f"n must be between 1 and {LONGEST}, not {n}")
    count = len(hashes) - n + 1
    if count <= 0:
        return np.zeros(0, np.uint64)
    steps = _steps()
    total = hashes[:count] * steps[0]
    for place in range(1, n):
        total += hashes[place : place + count] * steps[place]
    return mix(total)


def mix(numbers: Numbers) -> Numbers:
    """Maps uint64 numbers of any shape one to one to well-mixed uint64 numbers (the finaliser of SplitMix64)."""
    mixed: Numbers = numbers ^ (numbers >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


@functools.cache
def _steps() -> Numbers:
    """Returns an odd factor for each place, unevenly spaced so that "a b b a" and "b a a b" get different numbers."""
    with np.errstate(over="ignore"):
        steps: Numbers = mix(np.arange(1, LONGEST + 1, dtype=np.uint64) * np.uint64(_BASE)) | np.uint64(1)
    return steps


@functools.lru_cache(maxsize=32)
def _power_table(size: int) -> Numbers:
    with np.errstate(over="ignore"):
        powers: Numbers = np.multiply.accumulate(np.full(size, _BASE, np.uint64))
    return powers
