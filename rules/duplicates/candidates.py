"""From equal numbers to pairs of documents: the pairs that are worth a look, few even where thousands are equal.

Documents are numbers below 2 ** 32, in order of input. A pair (i, j) with i < j is the uint64 ``i << 32 | j``, a list
of pairs a sorted array. Equal numbers are found by sorting, so that a number which every document has costs no more
memory than one that none shares.
"""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rules.text.grams import mix

CAP = 16  # a group of more documents is not compared each with each
REFINEMENTS = 4  # other bands by which the documents of a large group are told apart


def pack(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns pairs; the smaller number of each goes first."""
    low, high = np.minimum(first, second).astype(np.uint64), np.maximum(first, second).astype(np.uint64)
    return low << np.uint64(32) | high


def unpack(pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the two numbers of each pair (int64)."""
    return (pairs >> np.uint64(32)).astype(np.int64), (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)


def united(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Returns the pairs of all parts, each once, in order."""
    arrays = [p for p in parts if len(p)]
    return np.unique(np.concatenate(arrays)) if arrays else np.zeros(0, np.uint64)


def stars(keys: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Returns, for documents with equal keys, the pairs of the first with each of the others.

    Args:
        keys: uint64; ``numbers``: the documents they belong to, ascending.
    """
    order = np.argsort(keys, kind="stable")
    runs = _runs(keys[order])
    leaders = np.repeat(order[runs[:-1]], np.diff(runs))
    others = leaders != order
    return np.sort(pack(numbers[leaders[others]], numbers[order[others]]))


def equal_pairs(keys: np.ndarray, numbers: np.ndarray, *, cap: int = CAP) -> tuple[np.ndarray, np.ndarray]:
    """Returns the pairs of documents with equal keys, and the indices of those that were not all compared.

    In groups of up to ``cap`` documents every pair counts: at most (cap - 1) / 2 pairs a document. In a larger group
    each document is compared with the group's first and with the next one.

    Args:
        keys: uint64; ``numbers``: the documents they belong to, ascending.
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


def band_pairs(bands: np.ndarray, band: int, numbers: np.ndarray, *, cap: int = CAP) -> np.ndarray:
    """Returns the pairs of documents worth a look by one band.

    A group over the cap is compared again by this band together with each of some others: documents that are alike
    there too come together, and those of one template that share no more than this band do not.

    Args:
        bands: uint64, a row for each band, a column for each document.
        band: the row.
        numbers: the documents, ascending.
    """
    pairs, large = equal_pairs(bands[band], numbers, cap=cap)
    parts = [pairs]
    for other in range(1, min(REFINEMENTS, len(bands) - 1) + 1) if len(large) else ():
        finer = mix(bands[band][large] ^ mix(bands[(band + other) % len(bands)][large]))
        parts.append(equal_pairs(finer, numbers[large], cap=cap)[0])
    return united(parts)


def _runs(ordered: np.ndarray) -> np.ndarray:
    """Returns where runs of equal values begin, and the length at the end."""
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.concatenate(([0], changes, [len(ordered)])) if len(ordered) else np.zeros(1, np.int64)
