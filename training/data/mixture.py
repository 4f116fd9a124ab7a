"""Several splits as one: how many rows of each an epoch has, and which come when."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gistmill.rules.mixture import counts_of
from gistmill.training.data.chance import permutation

_STRETCH = 1024  # rows in which the proportions hold
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Mixture:
    """Epochs over several splits.

    Attributes:
        sizes: rows of each split.
        counts: rows of each split in an epoch.
        salt: of the order in which the splits take turns.
    """

    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    salt: str

    @classmethod
    def of(cls, sizes: Sequence[int], weights: Sequence[float | None], *, salt: str) -> Mixture:
        """Returns the mixture of splits of these sizes.

        Without weights an epoch has every row of every split. With weights it has as many rows as the split allows
        that is the smallest for its weight: that one is whole in every epoch, and the others in part.

        Args:
            sizes: rows of each split, all above 0.
            weights: of each split; all of them None, or none.
            salt: of the order in which the splits take turns.
        """
        given = [weight for weight in weights if weight is not None]
        return cls(tuple(sizes), counts_of(sizes, given or None), salt)

    @property
    def rows(self) -> int:
        """Rows of an epoch."""
        return sum(self.counts)

    def turn(self, split: int, epoch: int) -> tuple[int, int]:
        """Returns the pass over a split that an epoch belongs to, and the position in it of the epoch's first row.

        An epoch goes on in a pass where the one before has ended, so that a large split is read through before any of
        its rows comes again. An epoch for which a pass has too few rows left begins a new one, so that no row is in it
        twice.
        """
        count = self.counts[split]
        epochs = self.sizes[split] // count
        return epoch // epochs, epoch % epochs * count

    def stretch(self, epoch: int, start: int, stop: int) -> tuple[Numbers, Numbers]:
        """Returns where the rows at positions ``start`` to below ``stop`` of an epoch come from; there is at least one.

        Returns:
            For each row the number of its split, and its place among the rows that the split has in the epoch.
        """
        if len(self.counts) == 1:
            return np.zeros(stop - start, dtype=np.int64), np.arange(start, stop)
        parts = max(1, self.rows // _STRETCH)
        first = bisect.bisect_right(range(parts), start, key=lambda part: sum(self._before(part, parts))) - 1
        splits, places, position = [], [], sum(self._before(first, parts))
        skipped = start - position
        for part in range(first, parts):
            if position >= stop:
                break
            labels, offsets = self._part(epoch, part, parts)
            splits.append(labels)
            places.append(offsets)
            position += len(labels)
        wanted = slice(skipped, skipped + stop - start)
        return np.concatenate(splits)[wanted], np.concatenate(places)[wanted]

    def _before(self, part: int, parts: int) -> list[int]:
        """Returns the rows of each split that come before a part of the epoch."""
        return [count * part // parts for count in self.counts]

    def _part(self, epoch: int, part: int, parts: int) -> tuple[Numbers, Numbers]:
        starts, stops = self._before(part, parts), self._before(part + 1, parts)
        labels = np.concatenate([np.full(b - a, n) for n, (a, b) in enumerate(zip(starts, stops))])
        places = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops)])
        order = permutation(len(labels), f"{self.salt}/mixture/{epoch}/{part}")
        labels = labels[order]
        # a split's own rows keep their order, which is shuffled already
        return labels, places[np.argsort(np.argsort(labels, kind="stable"), kind="stable")]
