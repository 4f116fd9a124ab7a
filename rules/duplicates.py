"""Candidate pairs of documents with equal numbers: few pairs even where thousands of documents are equal.

Documents are numbers below 2 ** 32, in order of input. A pair (i, j) with i < j is the uint64 ``j << 32 | i``, a list
of pairs a sorted array. No document is the second of many pairs: lists can be cut between second documents, also where
one document is the first of a million pairs. Equal numbers are found by sorting, so that a number which every document
has costs no more memory than one that none shares.

Two documents are near-duplicates when the Jaccard similarity of their sets of word 5-shingles reaches the threshold
(Broder, 1997). Bands only find the pairs to look at (Leskovec et al., Mining of Massive Datasets, 3.4): of two
documents with similarity s, some band of ``rows`` values is equal with probability 1 - (1 - s ** rows) ** bands.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gistmill.rules.documents import AnnotatedDocument, CleanDocument, SegmentedDocument, natural_text
from gistmill.rules.text.grams import Numbers, gram_hashes, mix, word_hashes, words

Pairs = npt.NDArray[np.uint64]
Keys = npt.NDArray[np.uint64]
Documents = npt.NDArray[np.integer[Any]]

CAP = 16  # a group of more documents is not compared each with each
REFINEMENTS = 4  # other bands that distinguish the documents of a large group


def pack(first: Documents, second: Documents) -> Pairs:
    """Returns the pairs of two arrays of documents.

    Args:
        first, second: of equal shape (pairs,), any integer dtype, below 2 ** 32.

    Returns:
        The pairs, of shape (pairs,), uint64, in the order of the arguments.
    """
    low, high = np.minimum(first, second).astype(np.uint64), np.maximum(first, second).astype(np.uint64)
    pairs: Pairs = high << np.uint64(32) | low
    return pairs


def unpack(pairs: Pairs) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Returns the smaller and the larger number of each pair: two arrays of the shape of ``pairs``, int64."""
    return (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64), (pairs >> np.uint64(32)).astype(np.int64)


def united(parts: Iterable[Pairs]) -> Pairs:
    """Returns the different pairs of all parts in ascending order, of shape (pairs,), uint64."""
    arrays = [p for p in parts if len(p)]
    return np.unique(np.concatenate(arrays)) if arrays else np.zeros(0, np.uint64)


def stars(keys: Keys, numbers: Documents) -> Pairs:
    """Returns, for documents with equal keys, the pairs of the first with each of the others.

    Args:
        keys: a key of each document, of shape (documents,), uint64.
        numbers: the documents, of the same shape, any integer dtype, ascending.

    Returns:
        The pairs in ascending order, of shape (pairs,), uint64.
    """
    order = np.argsort(keys, kind="stable")
    runs = _runs(keys[order])
    leaders = np.repeat(order[runs[:-1]], np.diff(runs))
    others = leaders != order
    return np.sort(pack(numbers[leaders[others]], numbers[order[others]]))


def equal_pairs(keys: Keys, numbers: Documents, *, cap: int = CAP) -> tuple[Pairs, npt.NDArray[np.intp]]:
    """Returns the pairs of documents with equal keys, and the documents whose pairs are not complete.

    In groups of up to ``cap`` documents every pair counts: at most (cap - 1) / 2 pairs a document. In a larger group
    each document is compared with the group's first and with the next one.

    Args:
        keys: a key of each document, of shape (documents,), uint64.
        numbers: the documents, of the same shape, any integer dtype, ascending.
        cap: documents of the largest group that is compared completely.

    Returns:
        The pairs in ascending order, of shape (pairs,), uint64, and the indices in ``keys`` of the documents in larger
        groups, ascending, intp.
    """
    order = np.argsort(keys, kind="stable")
    runs = _runs(keys[order])
    sizes = np.diff(runs)
    alone = np.repeat(sizes == 1, sizes)
    order, sizes = order[~alone], sizes[sizes > 1]
    group = np.repeat(np.arange(len(sizes)), sizes)
    large = np.repeat(sizes > cap, sizes)
    first = order[np.repeat(np.cumsum(sizes) - sizes, sizes)]
    parts = [pack(numbers[first[large & (first != order)]], numbers[order[large & (first != order)]])]
    for distance in range(1, cap):
        same = group[distance:] == group[:-distance]
        if distance > 1:
            same &= ~large[distance:]
        if not same.any():
            break
        parts.append(pack(numbers[order[:-distance][same]], numbers[order[distance:][same]]))
    return united(parts), np.sort(order[large])


def refinements(band: int, count: int) -> tuple[int, ...]:
    """Returns the bands that distinguish the documents of a large group of ``band``, of ``count`` bands in all."""
    return tuple((band + other) % count for other in range(1, min(REFINEMENTS, count - 1) + 1))


def finer(keys: Keys, others: Keys) -> Keys:
    """Returns a key of two bands together, for the documents of groups over the cap: those that are alike there too
    come together again, and those of one template that share no more than a band do not.

    Args:
        keys: the keys of the band, of shape (documents,), uint64.
        others: those of one of its ``refinements``, of the same shape, uint64.

    Returns:
        The keys, of the same shape, uint64.
    """
    return mix(keys ^ mix(others))


def _runs(ordered: Keys) -> npt.NDArray[np.int64]:
    """Returns where runs of equal values begin, and the length at the end."""
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.concatenate(([0], changes, [len(ordered)])) if len(ordered) else np.zeros(1, np.int64)


_BLOCK = 1 << 20  # documents, or pairs, at a time


class Forest:
    """Documents that pairs join to components. The root of a component is its smallest number.

    Each document has a parent, itself or a smaller number. A block of pairs hooks every root to the smallest root that
    it is paired with, halves the paths above, and goes on with the pairs that are still apart.

    Args:
        documents: how many there are; their numbers begin at 0 and stay below 2 ** 32.
    """

    def __init__(self, documents: int) -> None:
        self._parents = np.arange(documents, dtype=np.uint32)

    def join(self, pairs: Pairs) -> None:
        """Joins the documents of each pair.

        Args:
            pairs: of shape (pairs,), uint64, in any order.
        """
        for start in range(0, len(pairs), _BLOCK):
            left, right = (self._found(documents) for documents in unpack(pairs[start : start + _BLOCK]))
            while (apart := left != right).any():
                low, high = np.minimum(left, right)[apart], np.maximum(left, right)[apart]
                np.minimum.at(self._parents, high, low)
                # Makes roots the parents of documents that were roots, until they were hooked to others.
                parents = self._parents[high]
                while not np.array_equal(above := self._parents[parents], parents):
                    self._parents[high] = parents = above
                left, right = self._parents[low], self._parents[high]

    def members(self, bounds: Sequence[int]) -> Iterator[tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]]:
        """Yields the documents of the pairs, with the roots of their components.

        Args:
            bounds: where blocks of documents begin, ascending from 0, and the number of documents.

        Yields:
            For each block its documents in ascending order, and their roots: two arrays of equal shape, uint32.
        """
        paired = np.zeros(len(self._parents), bool)
        for start, end in pairwise(bounds):
            block = self._parents[start:end]
            while not np.array_equal(above := self._parents[block], block):  # smaller numbers have their roots already
                block[:] = above
            joined = np.flatnonzero(block != np.arange(start, end, dtype=np.uint32))
            paired[start + joined] = True
            paired[block[joined]] = True
        for start, end in pairwise(bounds):
            found = np.flatnonzero(paired[start:end]) + start
            yield found.astype(np.uint32), self._parents[found]

    def _found(self, documents: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
        """Returns the roots of documents, which become their parents."""
        roots = self._parents[documents]
        while not np.array_equal(above := self._parents[roots], roots):
            roots = above
        self._parents[documents] = roots
        return roots


Shingles = npt.NDArray[np.uint32]
SHINGLE_WORDS = 5
PERMUTATIONS = 256
# Similarities are exact up to this many shingles; of longer documents only the smallest numbers are kept, whose
# similarity is that of the whole sets within about 0.006 (bottom-k sketches; Cohen and Kaplan, 2007).
MAX_SHINGLES = 4096
_Unsigned = TypeVar("_Unsigned", Numbers, Shingles)
_FOUND = 0.999  # the share of pairs exactly at the threshold that have an equal band
_sketch_BLOCK = 32  # permutations at a time: a block of an article's values stays in the processor's cache


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
        raise ValueError(f"a similarity threshold must be above 0 and at most 1, not {threshold}")
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
    for start in range(0, PERMUTATIONS, _sketch_BLOCK):
        block = factors[start : start + _sketch_BLOCK] * grams
        block += terms[start : start + _sketch_BLOCK]
        block >>= np.uint64(32)
        values[start : start + _sketch_BLOCK] = block.min(axis=1)
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


Document = CleanDocument | AnnotatedDocument | SegmentedDocument
UNDATED = (1 << 63) - 1  # later than every date


def text_of(document: Document) -> str:
    """Returns the running text of a document, without titles; white space need not be that of the source."""
    if isinstance(document, CleanDocument):
        return "\n".join(p for s in document.sections for p in s.paragraphs)
    if isinstance(document, AnnotatedDocument):
        return "\n".join(natural_text(s.tokens) for s in document.sentences)
    return "\n".join(s.text for s in document.sentences)


def moment(document: Document) -> int:
    """Returns when a document appeared, in microseconds since 1970: when it was published, else its revision was made,
    else it was fetched, whichever is the first to be an ISO 8601 date; UNDATED without any. A date without a zone is
    UTC."""
    origin, page = document.origin, document.origin.metadata
    for text in (page.published, origin.timestamp, page.fetched):
        try:
            date = datetime.fromisoformat(text)
        except ValueError:
            continue
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        since = date - datetime(1970, 1, 1, tzinfo=UTC)
        return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return UNDATED
