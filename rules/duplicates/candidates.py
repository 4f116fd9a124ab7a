"""Candidate pairs of documents with equal numbers: few pairs even where thousands of documents are equal.

Documents are numbers below 2 ** 32, in order of input. A pair (i, j) with i < j is the uint64 ``j << 32 | i``, a list
of pairs a sorted array. No document is the second of many pairs: lists can be cut between second documents, also where
one document is the first of a million pairs. Equal numbers are found by sorting, so that a number which every document
has costs no more memory than one that none shares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.text.grams import mix

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
