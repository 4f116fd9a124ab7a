"""A pair with its place in each order.

Buckets of a curriculum: the rows of an order in parts of equal size, the easiest first.

Source: LATS, sections 4.2.1 and 5.2: k buckets; 2, 5 and 10 of them for 10, 100 and 1,000 pairs.

Samples of a training split: a few rows, chosen by chance, as a task with little data would have them.

Each seed puts the rows into one order, and a sample is its beginning. So the samples of a seed are nested, as the
low-resource protocol of WikiTransfer asks (section 4: "The 10 data point sets are subsets of the 100 data point sets").

The figure of a curriculum: how often each operation occurs in a pair, beside the paper's numbers.

Source: LATS, Table 5. It gives means, with standard deviations in brackets, of 1,000 samples of CNN/DailyMail.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gistmill.core.hashing import unit_interval
from gistmill.core.records import Pair
from gistmill.core.statistics import Cell, Figure, Groups

ALL = ""  # stands for the whole of each split, where no samples are asked for


class Place(NamedTuple):
    """Where a pair stands among those of its configuration and split: ``rank`` and ``bucket``, both from 0."""

    rank: int
    bucket: int


@dataclass(frozen=True, slots=True)
class RankedPair(Pair):
    """A pair that was measured and ranked.

    Attributes:
        measures: the columns of ``gistmill.rules.curriculum.recipe.MEASURES`` by name.
        places: its place in each order, by order, for each sample that has the pair, by name; or for ALL.
    """

    measures: Mapping[str, int | float]
    places: Mapping[str, Mapping[str, Place]]


FEW, SOME = 100, 1000  # rows from which there are 5 buckets by default, and 10


def buckets_for(rows: int, wanted: int | None = None) -> int:
    """Returns how many buckets ``rows`` rows have: ``wanted``, or LATS's number for as many pairs; never more than
    rows."""
    usual = 2 if rows < FEW else 5 if rows < SOME else 10
    return min(wanted or usual, rows)


def bucket_of(rank: int, rows: int, buckets: int) -> int:
    """Returns the bucket of a row, from 0. The sizes of two buckets differ by one row at most.

    Args:
        rank: of the row, from 0.
        rows: how many are ranked.
        buckets: from 1 to ``rows``.
    """
    return rank * buckets // rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The first ``rows`` rows of the training split in the order of ``seed``."""

    rows: int
    seed: int

    @property
    def name(self) -> str:
        """The configuration that holds it."""
        return f"sample-{self.rows}-seed-{self.seed}"


def chance(seed: int, row_id: str) -> float:
    """Returns where a row stands in the order by chance of a seed, in [0, 1)."""
    return unit_interval(f"subset {seed}", row_id)


def stratified_chance(seed: int, stratum: str, rank: int, rows: int) -> float:
    """Returns where a row stands in an order that takes from every stratum its share, in [0, 1).

    The rows of a stratum stand at equal distances, and its first row at a place by chance. So the rows before any place
    are the same share of every stratum, each number rounded up or down. Where many strata have few rows, this share
    differs a little from that of all rows.

    Args:
        seed: of the order.
        stratum: the value that the rows of the stratum share.
        rank: of the row in its stratum, in the order by chance of the seed.
        rows: how many the stratum has.
    """
    return (rank + unit_interval(f"stratum {seed}", stratum)) / rows


GROUP = "operations/"
_SHOWN = {
    "deletions": (287.2, 156.54),
    "reorderings": (18.31, 5.82),
    "substitutions": (0.4, 0.62),
    "additions": (4.4, 2.99),
}
_PAPER = 1000  # pairs


def counts(configs: Iterable[str], split: str, measures: Mapping[str, int | float]) -> dict[str, int]:
    """Returns what a pair adds to the counts of each configuration: sums, and sums of squares."""
    found: Counter[str] = Counter()
    for config in configs:
        at = f"{GROUP}{config}/{split}"
        found[f"{at}/pairs"] += 1
        for name in _SHOWN:
            number = int(measures[name])
            found[f"{at}/{name}"] += number
            found[f"{at}/{name}_squared"] += number * number
    return dict(found)


def figures(groups: Groups) -> Sequence[Figure]:
    """Returns the figure that the grouped counts of a dataset give."""
    rows: list[tuple[Cell, ...]] = [
        (name.removeprefix(GROUP), split, *_statistics(group, split))
        for name, group in sorted(groups.items())
        if name.startswith(GROUP)
        for split in sorted({key.partition("/")[0] for key in group})
    ]
    if not rows:
        return []
    paper: tuple[Cell, ...] = (
        "LATS, Table 5",
        "train",
        _PAPER,
        *(number for pair in _SHOWN.values() for number in pair),
    )
    heads = (column for name in _SHOWN for column in (name, f"{name}: deviation"))
    return [
        Figure(
            key="operations",
            title="Operations",
            head=("configuration", "split", "pairs", *heads),
            rows=[paper, *rows],
            note="Means of the counts of a pair, and their standard deviations. The first row has those of the paper, "
            "of CNN/DailyMail.",
        )
    ]


def _statistics(group: Mapping[str, int], split: str) -> Iterable[Cell]:
    pairs = group[f"{split}/pairs"]
    yield pairs
    for name in _SHOWN:
        total, squares = group.get(f"{split}/{name}", 0), group.get(f"{split}/{name}_squared", 0)
        yield round(total / pairs, 4)
        # in whole numbers up to here, so that the order of the sums does not matter
        yield round(math.sqrt((pairs * squares - total * total) / (pairs * (pairs - 1))), 4) if pairs > 1 else None
