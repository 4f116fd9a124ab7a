"""Normalised words of texts, and their n-grams as 64-bit numbers, for the comparison of texts.

Normalised means: NFKC, case folded, and only the words stay, whatever punctuation and white space separated them; a
character of Chinese or Japanese is a word. All numbers are the same on every machine and in every process.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

# scripts written without spaces, character by character; then runs of letters and digits
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_ALONE}]|[^\\W_{_ALONE}]+")
Numbers = npt.NDArray[np.uint64]
_BASE = 0x9E3779B97F4A7C15  # odd, so that every power of it is
LONGEST = 64  # words of an n-gram


def words(text: str) -> list[str]:
    """Returns the normalised words of a text."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _WORD.findall(text.casefold())


def word_hashes(found: Sequence[str]) -> Numbers:
    """Returns a number for each word, of shape (words,), uint64; equal words have equal numbers."""
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
        hashes: the numbers of the words, of shape (words,), uint64.
        n: words of a run.

    Returns:
        The numbers in order, of shape (words - n + 1,), uint64; empty for a shorter text.

    Raises:
        ValueError: n is not from 1 to LONGEST.
    """
    if not 1 <= n <= LONGEST:
        raise ValueError(f"n must be from 1 to {LONGEST}, not {n}")
    count = len(hashes) - n + 1
    if count <= 0:
        return np.zeros(0, np.uint64)
    steps = _steps()
    total = hashes[:count] * steps[0]
    for place in range(1, n):
        total += hashes[place : place + count] * steps[place]
    return mix(total)


def mix(numbers: Numbers) -> Numbers:
    """Scatters numbers over 64 bits, one to one (the finaliser of SplitMix64).

    Args:
        numbers: uint64, of any shape.

    Returns:
        The scattered numbers, uint64, of the same shape.
    """
    mixed: Numbers = numbers ^ (numbers >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


@functools.cache
def _steps() -> Numbers:
    """An unrelated odd factor for each place: with equal distances "a b b a" would have the number of "b a a b"."""
    with np.errstate(over="ignore"):
        steps: Numbers = mix(np.arange(1, LONGEST + 1, dtype=np.uint64) * np.uint64(_BASE)) | np.uint64(1)
    return steps


@functools.lru_cache(maxsize=32)
def _power_table(size: int) -> Numbers:
    with np.errstate(over="ignore"):
        powers: Numbers = np.multiply.accumulate(np.full(size, _BASE, np.uint64))
    return powers
