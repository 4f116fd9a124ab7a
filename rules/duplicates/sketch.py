"""Sketches of documents for their comparison: a hash of the words, the shingles, the bands of the MinHash signature.

Two documents are near-duplicates when the Jaccard similarity of their sets of word 5-shingles reaches the threshold
(Broder, 1997). Bands only find the pairs to look at (Leskovec et al., Mining of Massive Datasets, 3.4): of two
documents with similarity s, some band of ``rows`` values is equal with probability 1 - (1 - s ** rows) ** bands.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from gistmill.rules.text.grams import Numbers, gram_hashes, mix, word_hashes, words

Shingles = npt.NDArray[np.uint32]
SHINGLE_WORDS = 5
PERMUTATIONS = 256
# Similarities are exact up to this many shingles; of longer documents only the smallest numbers are kept, whose
# similarity is that of the whole sets within about 0.006 (bottom-k sketches; Cohen and Kaplan, 2007).
MAX_SHINGLES = 4096
_Unsigned = TypeVar("_Unsigned", Numbers, Shingles)
_FOUND = 0.999  # the share of pairs exactly at the threshold that have an equal band
_BLOCK = 32  # permutations at a time: a block of an article's values stays in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """The division of a signature into ``count`` bands of ``rows`` values."""

    count: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A document's sketch; a search for exact copies alone leaves ``shingles`` and ``bands`` empty.

    Attributes:
        exact: a hash of its words, 64 bits.
        shingles: their different numbers in ascending order, of shape (shingles,), uint32, MAX_SHINGLES at most.
        bands: a key for each band, of shape (bands,), uint64.
    """

    exact: int
    shingles: Shingles
    bands: Numbers


def bands_for(threshold: float) -> Bands:
    """Returns the longest bands, which bring up the fewest pairs in vain, that find _FOUND of the pairs at
    ``threshold``.

    Raises:
        ValueError: the threshold is not above 0 and at most 1.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"a similarity threshold is above 0 and at most 1, not {threshold}")
    fitting = [Bands(count=PERMUTATIONS // rows, rows=rows) for rows in range(1, 33)]
    finding = [b for b in fitting if 1 - (1 - threshold**b.rows) ** b.count >= _FOUND]
    return max(finding, key=lambda b: b.rows, default=fitting[0])


def sketch(text: str, bands: Bands | None) -> Sketch:
    """Returns the sketch of a document's text; ``bands`` is None where only exact copies are looked for.

    A document of fewer than five words is one shingle: it is near only what is equal to it.
    """
    found = words(text)
    joined = " ".join(found).encode("utf-8", "surrogatepass")
    exact = int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big")
    if bands is None:
        return Sketch(exact=exact, shingles=np.zeros(0, np.uint32), bands=np.zeros(0, np.uint64))
    hashes = word_hashes(found)
    grams = _distinct(gram_hashes(hashes, min(SHINGLE_WORDS, len(found)))) if found else np.zeros(1, np.uint64)
    values = signature(grams)[: bands.count * bands.rows].astype(np.uint64).reshape(bands.count, bands.rows)
    keys = np.zeros(bands.count, np.uint64)
    for row in range(bands.rows):
        keys = mix(keys ^ values[:, row])
    shingles = _distinct((grams >> np.uint64(32)).astype(np.uint32))[:MAX_SHINGLES]
    return Sketch(exact=exact, shingles=shingles, bands=keys)


def signature(grams: Numbers) -> npt.NDArray[np.uint32]:
    """Returns the MinHash signature of a set of numbers.

    Args:
        grams: the numbers, of shape (numbers,), uint64, at least one.

    Returns:
        The signature, of shape (PERMUTATIONS,), uint32.
    """
    factors, terms = _permutations()
    values = np.empty(PERMUTATIONS, np.uint32)
    for start in range(0, PERMUTATIONS, _BLOCK):
        block = factors[start : start + _BLOCK] * grams
        block += terms[start : start + _BLOCK]
        block >>= np.uint64(32)
        values[start : start + _BLOCK] = block.min(axis=1)
    return values


def jaccard(first: Shingles, second: Shingles) -> float:
    """Returns the Jaccard similarity of two documents by the ``shingles`` of their sketches, ascending, uint32."""
    together = np.concatenate((first, second))
    together.sort(kind="stable")  # two sorted runs are merged
    same = together[1:] == together[:-1]
    if len(first) < MAX_SHINGLES and len(second) < MAX_SHINGLES:
        return float(np.count_nonzero(same)) / (len(together) - np.count_nonzero(same))
    union = together[np.concatenate(([True], ~same))][:MAX_SHINGLES]
    shared = np.count_nonzero(together[1:][same] <= union[-1])
    return float(shared) / len(union)


def _distinct(numbers: _Unsigned) -> _Unsigned:
    """Returns the different numbers in order; ``np.unique`` is slow for few."""
    numbers.sort()
    return numbers[np.concatenate(([True], numbers[1:] != numbers[:-1]))]


@functools.cache
def _permutations() -> tuple[Numbers, Numbers]:
    """x -> the upper half of a * x + b modulo 2 ** 64, a odd, for numbers x that are well mixed already."""
    numbers = mix(np.arange(1, 2 * PERMUTATIONS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return (numbers[:PERMUTATIONS] | np.uint64(1))[:, None], numbers[PERMUTATIONS:, None]
