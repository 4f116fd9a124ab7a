"""Candidate pairs of documents with equal keys; there are few of them even if thousands of documents are identical.

Documents are represented by numbers below 2 ** 32, in input order. A pair (i, j) with i < j is stored as the uint64
``j << 32 | i``, and a list of pairs as a sorted array. No document comes second in many pairs, so a list can be split
between second documents, even if one document comes first in a million pairs. Equal keys are found by sorting, so a
key shared by all documents takes no more memory than a unique one.

Two documents are near-duplicates if the Jaccard similarity of their sets of word 5-shingles reaches the threshold
(Broder, 1997). Bands only select the pairs to compare (Leskovec et al., Mining of Massive Datasets, 3.4): at
similarity s, at least one band of ``rows`` values is equal with probability 1 - (1 - s ** rows) ** bands.
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

CAP = 16  # documents; in larger groups, not all pairs are compared
REFINEMENTS = 4  # number of other bands used to divide a large group


def pack(first: Documents, second: Documents) -> Pairs:
    """Returns the pairs formed by two arrays of documents.

    Args:
        first, second: documents, both of shape (pairs,), any integer dtype, below 2 ** 32.

    Returns:
        The pairs, of shape (pairs,), uint64, in the order of the arguments.
    """
    low, high = np.minimum(first, second).astype(np.uint64), np.maximum(first, second).astype(np.uint64)
    pairs: Pairs = high << np.uint64(32) | low
    return pairs


def unpack(pairs: Pairs) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Returns the smaller and the larger number of each pair as two int64 arrays of the same shape as ``pairs``."""
    return (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64), (pairs >> np.uint64(32)).astype(np.int64)


def united(parts: Iterable[Pairs]) -> Pairs:
    """Returns the distinct pairs from all parts in ascending order, of shape (pairs,), uint64."""
    arrays = [p for p in parts if len(p)]
    return np.unique(np.concatenate(arrays)) if arrays else np.zeros(0, np.uint64)


def stars(keys: Keys, numbers: Documents) -> Pairs:
    """Returns the pairs of the first document with each of the others, for every group of documents with equal keys.

    Args:
        keys: a key for each document, of shape (documents,), uint64.
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
    """Returns the pairs of documents with equal keys, and the documents for which some pairs are missing.

    Groups of up to ``cap`` documents yield all pairs, at most (cap - 1) / 2 per document. In larger groups, each
    document is paired only with the first and the next one.

    Args:
        keys: a key for each document, of shape (documents,), uint64.
        numbers: the documents, of the same shape, any integer dtype, ascending.
        cap: maximum number of documents in a group that is compared completely.

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
    """Returns the bands used to divide a large group with equal keys in ``band``, out of ``count`` bands."""
    return tuple((band + other) % count for other in range(1, min(REFINEMENTS, count - 1) + 1))


def finer(keys: Keys, others: Keys) -> Keys:
    """Returns keys that combine two bands, to divide a group over the cap.

    Documents that agree in the second band too get equal keys again; documents that share only one band, such as those
    made from one template, do not.

    Args:
        keys: the keys for the band, of shape (documents,), uint64.
        others: the keys for one of its ``refinements``, of the same shape, uint64.
    """
    return mix(keys ^ mix(others))


def _runs(ordered: Keys) -> npt.NDArray[np.int64]:
    """Returns the start of each run of equal values, followed by the total length."""
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.concatenate(([0], changes, [len(ordered)])) if len(ordered) else np.zeros(1, np.int64)


_BLOCK = 1 << 20  # number of documents or pairs processed at a time


class Forest:
    """A union-find structure that joins paired documents into components, each with its smallest number as the root.

    Every document's parent is itself or a smaller number. For a block of pairs, each root is attached to the smallest
    root it is paired with and the paths are shortened; this is repeated for pairs not yet in the same component.

    Args:
        documents: number of documents, at most 2 ** 32; they are numbered from 0.
    """

    def __init__(self, documents: int) -> None:
        self._parents = np.arange(documents, dtype=np.uint32)

    def join(self, pairs: Pairs) -> None:
        """Joins the documents of each pair, given in any order as an array of shape (pairs,), uint64."""
        for start in range(0, len(pairs), _BLOCK):
            left, right = (self._found(documents) for documents in unpack(pairs[start : start + _BLOCK]))
            while (apart := left != right).any():
                low, high = np.minimum(left, right)[apart], np.maximum(left, right)[apart]
                np.minimum.at(self._parents, high, low)
                # Former roots that are now attached to others get their new root as the parent.
                parents = self._parents[high]
                while not np.array_equal(above := self._parents[parents], parents):
                    self._parents[high] = parents = above
                left, right = self._parents[low], self._parents[high]

    def members(self, bounds: Sequence[int]) -> Iterator[tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]]:
        """Yields the documents that occur in pairs, with the roots of their components.

        Args:
            bounds: the start of each block of documents, ascending from 0, followed by the number of documents.

        Yields:
            For each block, its documents in ascending order and their roots: two uint32 arrays of equal shape.
        """
        paired = np.zeros(len(self._parents), bool)
        for start, end in pairwise(bounds):
            block = self._parents[start:end]
            while not np.array_equal(above := self._parents[block], block):  # smaller numbers already have their roots
                block[:] = above
            joined = np.flatnonzero(block != np.arange(start, end, dtype=np.uint32))
            paired[start + joined] = True
            paired[block[joined]] = True
        for start, end in pairwise(bounds):
            found = np.flatnonzero(paired[start:end]) + start
            yield found.astype(np.uint32), self._parents[found]

    def _found(self, documents: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
        """Returns the documents' roots, and makes them the documents' parents."""
        roots = self._parents[documents]
        while not np.array_equal(above := self._parents[roots], roots):
            roots = above
        self._parents[documents] = roots
        return roots


Shingles = npt.NDArray[np.uint32]
SHINGLE_WORDS = 5
PERMUTATIONS = 256
# Similarities are exact up to this many shingles. For longer documents, only the smallest numbers are kept; they give
# the similarity to within about 0.006 (bottom-k sketches; Cohen and Kaplan, 2007).
MAX_SHINGLES = 4096
_Unsigned = TypeVar("_Unsigned", Numbers, Shingles)
_FOUND = 0.999  # share of the pairs exactly at the threshold that should agree in at least one band
_sketch_BLOCK = 32  # permutations at a time, so that a block of an article's values stays in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """The division of a signature into ``count`` bands of ``rows`` values."""

    count: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A document's sketch; ``shingles`` and ``bands`` are empty in a search for exact copies only.

    Attributes:
        exact: 64-bit hash of the document's words.
        shingles: the distinct shingle numbers in ascending order, of shape (shingles,), uint32, at most MAX_SHINGLES.
        bands: a key for each band, of shape (bands,), uint64.
    """

    exact: int
    shingles: Shingles
    bands: Numbers


def bands_for(threshold: float) -> Bands:
    """Returns the longest bands, with the fewest false candidates, that find _FOUND of the pairs at ``threshold``.

    Raises:
        ValueError: the threshold is not above 0 and at most 1.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"a similarity threshold must be above 0 and at most 1, not {threshold}")
    fitting = [Bands(count=PERMUTATIONS // rows, rows=rows) for rows in range(1, 33)]
    finding = [b for b in fitting if 1 - (1 - threshold**b.rows) ** b.count >= _FOUND]
    return max(finding, key=lambda b: b.rows, default=fitting[0])


def sketch(text: str, bands: Bands | None) -> Sketch:
    """Returns the sketch of a document's text; ``bands`` is None if only exact copies are wanted.

    A document with fewer than five words forms a single shingle, so its only near-duplicates are exact copies.
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
    """Returns the MinHash signature of a non-empty set of numbers.

    ``grams`` is of shape (numbers,), uint64; the signature is of shape (PERMUTATIONS,), uint32.
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
    """Returns the Jaccard similarity of two documents, given the ``shingles`` of their sketches (ascending, uint32)."""
    together = np.concatenate((first, second))
    together.sort(kind="stable")  # two sorted runs are merged
    same = together[1:] == together[:-1]
    if len(first) < MAX_SHINGLES and len(second) < MAX_SHINGLES:
        return float(np.count_nonzero(same)) / (len(together) - np.count_nonzero(same))
    union = together[np.concatenate(([True], ~same))][:MAX_SHINGLES]
    shared = np.count_nonzero(together[1:][same] <= union[-1])
    return float(shared) / len(union)


def _distinct(numbers: _Unsigned) -> _Unsigned:
    """Returns the distinct numbers in ascending order; ``np.unique`` is slow for small arrays."""
    numbers.sort()
    return numbers[np.concatenate(([True], numbers[1:] != numbers[:-1]))]


@functools.cache
def _permutations() -> tuple[Numbers, Numbers]:
    """Returns a (odd) and b of the maps x -> upper half of a * x + b modulo 2 ** 64, for well-mixed numbers x."""
    numbers = mix(np.arange(1, 2 * PERMUTATIONS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return (numbers[:PERMUTATIONS] | np.uint64(1))[:, None], numbers[PERMUTATIONS:, None]


Document = CleanDocument | AnnotatedDocument | SegmentedDocument
UNDATED = (1 << 63) - 1  # later than every date


def text_of(document: Document) -> str:
    """Returns a document's running text without titles; its white space may differ from the source."""
    if isinstance(document, CleanDocument):
        return "\n".join(p for s in document.sections for p in s.paragraphs)
    if isinstance(document, AnnotatedDocument):
        return "\n".join(natural_text(s.tokens) for s in document.sentences)
    return "\n".join(s.text for s in document.sentences)


def moment(document: Document) -> int:
    """Returns a document's date in microseconds since 1970.

    It is the first ISO 8601 date among the times of publication, of the revision and of fetching, taken as UTC if it
    has no time zone; UNDATED if there is none.
    """
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
