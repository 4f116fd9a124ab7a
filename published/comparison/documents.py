"""Documents of two datasets, by id and revision: hashes in memory, and in files of a temporary folder when many."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.rules.comparison.comparison import Documents

_BINS = 64  # by the first bits of the id's hash; each is looked at alone
_HELD = 1 << 20  # pairs of hashes in memory

Pairs = npt.NDArray[np.uint64]


class DocumentSet:
    """Documents with their revisions, as pairs of hashes of 64 bits.

    Args:
        folder: an empty folder for what is not held in memory.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held = array("Q")
        self._last: tuple[str, str] | None = None

    def add(self, ids: Any, revisions: Any) -> None:
        """Adds the documents of rows; both are string arrays of pyarrow."""
        for pair in _runs(ids, revisions):
            if pair != self._last:  # the rows of a document mostly follow each other
                self._held.extend(map(_hash, pair))
                self._last = pair
        if len(self._held) >= 2 * _HELD:
            self._spill()

    def bin(self, number: int) -> tuple[Pairs, Pairs]:
        """Returns the hashes of the ids of a bin, in order, and of each a hash of all its revisions."""
        self._spill()
        path = self._path(number)
        pairs = np.fromfile(path, np.uint64).reshape(-1, 2) if path.exists() else np.empty((0, 2), np.uint64)
        pairs = np.unique(pairs, axis=0)
        ids, starts = np.unique(pairs[:, 0], return_index=True)
        return ids, np.add.reduceat(pairs[:, 1], starts) if len(ids) else pairs[:, 1]

    def _spill(self) -> None:
        pairs = np.array(self._held, np.uint64).reshape(-1, 2)
        self._held = array("Q")
        bins = pairs[:, 0] % np.uint64(_BINS)
        for number in np.unique(bins):
            with self._path(int(number)).open("ab") as file:
                pairs[bins == number].tofile(file)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:02d}"


def compared(old: DocumentSet, new: DocumentSet, touched: DocumentSet) -> Documents:
    """Returns what became of the documents; ``touched`` are those that have a row which is new, gone or changed."""
    counts = dict.fromkeys(("old", "new", "added", "removed", "revised", "remade", "same"), 0)
    for number in range(_BINS):
        (before, old_revisions), (now, new_revisions) = old.bin(number), new.bin(number)
        both, at_old, at_new = np.intersect1d(before, now, assume_unique=True, return_indices=True)
        revised = old_revisions[at_old] != new_revisions[at_new]
        remade = ~revised & np.isin(both, touched.bin(number)[0])
        counts["old"] += len(before)
        counts["new"] += len(now)
        counts["added"] += len(now) - len(both)
        counts["removed"] += len(before) - len(both)
        counts["revised"] += int(revised.sum())
        counts["remade"] += int(remade.sum())
        counts["same"] += int((~revised & ~remade).sum())
    return Documents(**counts)


def _runs(ids: Any, revisions: Any) -> Iterator[tuple[str, str]]:
    """Yields each pair that differs from the one before."""
    if not len(ids):
        return
    ids, revisions = (pc.fill_null(array, "") for array in (ids, revisions))
    differs = pc.or_(pc.not_equal(ids[1:], ids[:-1]), pc.not_equal(revisions[1:], revisions[:-1]))
    first = pa.concat_arrays([pa.array([True]), _flat(differs)])
    yield from zip(pc.filter(ids, first).to_pylist(), pc.filter(revisions, first).to_pylist(), strict=True)


def _flat(array: Any) -> Any:
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
