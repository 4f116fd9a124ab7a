"""Connected components of pairs, found from the pairs alone, in five bytes for each document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.duplicates.candidates import Pairs, unpack

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
                self._halve(high)
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

    def _halve(self, hooked: npt.NDArray[np.uint32]) -> None:
        """Makes roots the parents of documents that were roots, until they were hooked to others."""
        parents = self._parents[hooked]
        while not np.array_equal(above := self._parents[parents], parents):
            self._parents[hooked] = parents = above


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
