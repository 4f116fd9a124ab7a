"""Connected components of pairs, by whole arrays: a few rounds over them, whatever their shape."""
from __future__ import annotations

import numpy as np

from rules.duplicates.candidates import pack, unpack


def components(pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the numbers that occur in ``pairs``, ascending, and for each the smallest number of its component.

    Each round hooks every root to its smallest neighbour, flattens the trees, and goes on with the roots alone. Memory
    is a few times that of the pairs.
    """
    first, second = unpack(pairs)
    numbers, places = np.unique(np.concatenate((first, second)), return_inverse=True)
    left, right = places[:len(first)], places[len(first):]
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


def keepers(roots: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Returns for each document the index of the one of its component that stays: that of the lowest rank, and of
    several with this rank the first.

    Args:
        roots: the component of each document.
        ranks: smaller for what stays rather.
    """
    order = np.lexsort((np.arange(len(roots)), ranks, roots))
    begins = np.concatenate(([True], roots[order][1:] != roots[order][:-1])) if len(roots) else np.zeros(0, bool)
    kept = np.empty(len(roots), np.int64)
    kept[order] = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    return kept
