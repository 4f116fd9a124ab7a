"""A pair with its place in each order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gistmill.core.records import Pair

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
