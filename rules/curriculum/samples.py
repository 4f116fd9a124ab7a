"""Samples of a training split: a few rows, chosen by chance, as a task with little data would have them.

Each seed puts the rows into one order, and a sample is its beginning. So the samples of a seed are nested, as the
low-resource protocol of WikiTransfer asks (section 4: "The 10 data point sets are subsets of the 100 data point sets").
"""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.hashing import unit_interval


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
