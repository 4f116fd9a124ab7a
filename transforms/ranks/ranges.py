"""The measures and ranks of one range, for the second pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gistmill.core.records import Pair
from gistmill.rules.curriculum.buckets import bucket_of, buckets_for
from gistmill.rules.curriculum.ranked import Place, RankedPair
from gistmill.rules.curriculum.recipe import MEASURES
from gistmill.transforms.columns import read_table
from gistmill.transforms.duplicates.exchange import Part, read_arrays
from gistmill.transforms.io import read_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.index import scores_at

RANKED = ("<u4", "<u4", "<u8")  # a part of a table's ranks: rows, places of rankings in the list, and the ranks
_NAMES = tuple(column.name for column in MEASURES)


class RangeRanks:
    """The measures and ranks of the pairs of a range.

    Args:
        layout: of the workspace.
        range_key: of the range.
        buckets: how many are wanted; None for the usual number.
    """

    def __init__(self, layout: WorkspaceLayout, range_key: str, buckets: int | None) -> None:
        found = read_json(layout.ranks_of(range_key))
        self._rankings, self._buckets = scores_at(found["index"]).rankings, buckets
        self._files = [_File(path, Part(**part)) for path, part in found["files"]]
        self._rows = {
            key: (file, row) for file in self._files for row, key in enumerate(zip(file.offsets, file.ids, strict=True))
        }

    def ranked(self, pair: Pair) -> RankedPair:
        """Returns a pair of the range with what is known of it."""
        file, row = self._rows[pair.origin.offset, pair.id.encode()]
        places: dict[str, dict[str, Place]] = {}
        for at, rank in file.ranks_of(row):
            ranking = self._rankings[at]
            bucket = bucket_of(rank, ranking.rows, buckets_for(ranking.rows, self._buckets))
            for sample in ranking.samples:
                places.setdefault(sample, {})[ranking.order] = Place(rank, bucket)
        return RankedPair(
            pair.origin,
            pair.inputs,
            pair.targets,
            pair.values,
            pair.split,
            measures=file.measures_of(row),
            places=places,
        )


class _File:
    """A table of scores, and its ranks."""

    def __init__(self, path: str, part: Part) -> None:
        table = read_table(path, ["id", "offset", *_NAMES])
        self.ids: list[bytes] = table["id"].to_pylist()
        self.offsets: list[int] = table["offset"].to_pylist()
        self._measures = [table[name].to_numpy() for name in _NAMES]
        rows, self._places, self._ranks = read_arrays([part], *RANKED)
        self._starts = np.searchsorted(rows, np.arange(len(table) + 1))

    def measures_of(self, row: int) -> dict[str, int | float]:
        return {name: column[row].item() for name, column in zip(_NAMES, self._measures, strict=True)}

    def ranks_of(self, row: int) -> Iterator[tuple[int, Any]]:
        """Yields the places of rankings and the ranks of a row."""
        start, end = self._starts[row : row + 2]
        return zip(self._places[start:end].tolist(), self._ranks[start:end].tolist(), strict=True)
