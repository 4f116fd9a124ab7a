"""Samples of units of unequal size, and what they say of the whole: systematic draws, ratio estimates, intervals.

Sources: W. G. Cochran, "Sampling techniques", third edition, 1977, chapters 6 (ratio estimates), 8 (systematic draws)
and 9A (draws with unequal chances); J. Hájek, "Asymptotic theory of rejective sampling with varying probabilities from
a finite population", Annals of Mathematical Statistics 35, 1964 (variance without joint chances); M. Abramowitz, I.
Stegun, "Handbook of mathematical functions", 1964, table 26.10 and 26.7.5 (Student's t).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS = 200  # of a bisection
# Quantiles of 0.975 of Student's t: for 1 to 9 degrees of freedom, and the terms of the expansion in their inverse.
_T = (12.70620, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157)
_T_EXPANDED = (1.959964, 2.372271, 2.822502, 2.555850, 1.589535)
# The spread of what a unit holds grows with about the square root of its size, or faster. Chances that grow as slowly
# give many units for the same work.
_POWER = 0.5


class Estimated(NamedTuple):
    """A number of the whole: the estimate, and the bounds of its 95% interval."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimated:
        """Returns the estimate of a fixed multiple, for a factor that is not negative."""
        return Estimated(*(number * factor for number in self))

    def at_most(self, bound: float) -> Estimated:
        """Returns the estimate of what is left of the number when it may not pass a bound."""
        return Estimated(*(min(number, bound) for number in self))


def chances(sizes: Sequence[float], *, share: float | None = None, units: int | None = None) -> Floats:
    """Returns the chance of each unit to be drawn, in proportion to the square root of its size, and at most 1.

    Args:
        sizes: of all units, above 0.
        share: of the sum of sizes that a draw has on average; or
        units: how many units a draw has.

    Raises:
        ValueError: a size is not above 0, or not one of ``share`` and ``units`` is given.
    """
    size = np.asarray(sizes, np.float64)
    if not (size > 0).all():
        raise ValueError("every unit needs a size above 0")
    if (share is None) == (units is None):
        raise ValueError("a draw has a share of the size, or a number of units")
    work, wanted = (size, share * size.sum()) if share is not None else (np.ones(len(size)), float(units or 0))
    if wanted >= work.sum():
        return np.ones(len(size))
    weight = size**_POWER
    low, high = 0.0, 1 / float(weight.min())
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if (np.minimum(1, middle * weight) * work).sum() > wanted else (middle, high)
    return np.asarray(np.minimum(1, high * weight))


def draw(sizes: Sequence[float], chance: Floats, *, seed: int) -> NDArray[np.int64]:
    """Returns the numbers of the units drawn, ascending: systematically from the list in order of size, so that small
    and large ones are there in their shares. The same seed gives the same units; at least one is drawn.

    Args:
        sizes: of all units.
        chance: of each, as ``chances`` gives it.
        seed: of the generator.
    """
    generator = np.random.default_rng(seed)
    order = np.lexsort((generator.random(len(sizes)), np.asarray(sizes, np.float64)))
    certain = np.flatnonzero(chance >= 1)
    order = order[chance[order] < 1]
    reached = np.floor(np.cumsum(chance[order]) + generator.random()).astype(np.int64)
    drawn = order[np.diff(reached, prepend=0) > 0]
    chosen = np.sort(np.concatenate([certain, drawn]))
    return chosen if len(chosen) else np.array([int(np.argmax(chance))])


@dataclass(frozen=True, slots=True)
class Sample:
    """Units drawn from a whole.

    Attributes:
        total: the sum of the sizes of all units.
        sizes: of those drawn, of shape (units,).
        chance: with which each was drawn.
    """

    total: float
    sizes: Floats
    chance: Floats

    def estimate(self, values: Sequence[float] | Floats) -> Estimated:
        """Returns the sum of a value over the whole: that in the sample for its size, times the size of the whole.

        The interval is that of Student's t over the units that were drawn by chance, and ends where the sample alone
        reaches. Units that were drawn for certain add nothing to it. With one unit by chance there is no interval: it
        reaches from what was found to infinity.

        Args:
            values: of each unit of the sample, at least 0.
        """
        found = np.asarray(values, np.float64)
        weight = 1 / self.chance
        size = float((weight * self.sizes).sum())
        ratio = float((weight * found).sum()) / size
        value, least = ratio * self.total, float(found.sum())
        by_chance = int((self.chance < 1).sum())
        if not by_chance:
            return Estimated(value, value, value)
        if by_chance == 1:
            return Estimated(value, least, math.inf)
        left = weight * (found - ratio * self.sizes) * (self.total / size)
        open_to_chance = (1 - self.chance) * by_chance / (by_chance - 1)
        centre = float((open_to_chance * left).sum() / open_to_chance.sum())
        spread = math.sqrt(float((open_to_chance * (left - centre) ** 2).sum()))
        margin = t_bound(by_chance - 1) * spread
        return Estimated(value, max(least, value - margin), max(least, value + margin))


def t_bound(freedom: int) -> float:
    """Returns the bound of a 95% interval of Student's t, to five digits, for at least one degree of freedom.

    scipy has it for any degrees and share. It would be a wheel of 35 MB for this one number.
    """
    if freedom <= len(_T):
        return _T[freedom - 1]
    inverse = 1 / freedom
    return sum(term * inverse**power for power, term in enumerate(_T_EXPANDED))
