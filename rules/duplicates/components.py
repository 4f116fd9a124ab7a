"""Connected components of pairs, by whole arrays: a few rounds over them, whatever their shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rules.duplicates.candidates import Pairs, pack, unpack


def components(pairs: Pairs) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Finds the connected components of pairs.

    Each round hooks every root to its smallest neighbour, flattens the trees, and goes on with the roots alone. Memory
    is a few times that of the pairs.

    Args:
        pairs: of shape (pairs,), uint64, in any order.

    Returns:
        The numbers that occur in the pairs, ascending, and for each the smallest number of its component: two arrays
        of shape (numbers,), int64.
    """
    first, second = unpack(pairs)
    numbers, places = np.unique(np.concatenate((first, second)), return_inverse=True)
    left, right = places[: len(first)], places[len(first) :]
    parent = np.arange(len(numbers))
    while len(left):
        low, high = np.minimum(left, right), np.maximum(left, right)
        np.minimum.at(parent, high, low)
        while not np.array_equal(grand := parent[parent], parent):
            parent = grand
        left, right = parent[low], parent[high]
        apart = left != right
        left, right = unpack(np.unique(pack(left[apart], right[apart])))
    return numbers, numbers[parent]


def keepers(roots: npt.NDArray[np.integer[Any]], ranks: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """Chooses the document of each component that stays: the first of those with the lowest rank.

    Args:
        roots: the component of each document, of shape (documents,), any integer dtype.
        ranks: the rank of each document, of the same shape, any integer dtype.

    Returns:
        For each document the index of the one of its component that stays, of the same shape, int64.
    """
    order = np.lexsort((np.arange(len(roots)), ranks, roots))
    begins = np.concatenate(([True], roots[order][1:] != roots[order][:-1])) if len(roots) else np.zeros(0, bool)
    kept = np.empty(len(roots), np.int64)
    kept[order] = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    return kept
