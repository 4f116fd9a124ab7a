"""Intervals and tests of scores by resampling rows: the bootstrap, and approximate randomisation.

Sources: B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13 (percentile intervals); P. Koehn,
"Statistical significance tests for machine translation evaluation", EMNLP 2004 (paired bootstrap); E. Noreen,
"Computer-intensive methods for testing hypotheses", 1989, chapter 2, and S. Riezler, J. Maxwell, "On some pitfalls in
automatic evaluation and significance testing for MT", 2005 (approximate randomisation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_CELLS = 1 << 22  # of the table of one part of the samples
_BOUNDS = (0.025, 0.975)


def ratio(sums: Floats) -> Floats:
    """Returns the first sum over the second, in per cent; NaN where the second is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(100 * sums[..., 0] / sums[..., 1])


@dataclass(frozen=True, slots=True)
class Measurement:
    """A score, as a function of sums over rows.

    Attributes:
        rows: what each row adds to the sums, of shape (rows, sums).
        value: returns the score for sums in the last axis; NaN where there is none.
    """

    rows: Floats
    value: Callable[[Floats], Floats] = ratio

    @classmethod
    def mean(cls, values: Floats) -> Measurement:
        """Returns the mean of values, in per cent."""
        return cls(np.stack([np.asarray(values, np.float64), np.ones(len(values))], axis=-1))

    def of(self, wanted: Sequence[bool]) -> Measurement:
        """Returns the score of some of the rows alone; all rows stay, so that samples go on to be the same."""
        return Measurement(self.rows * np.asarray(wanted, np.float64)[:, None], self.value)

    def score(self) -> float:
        """Returns the score of all rows."""
        return float(self.value(self.rows.sum(axis=0)))


class Difference(NamedTuple):
    """How two systems differ on the same rows.

    Attributes:
        difference: the second's score less the first's.
        low, high: bounds of the 95% interval of the difference.
        bootstrap: two-sided p by the paired bootstrap.
        randomisation: two-sided p by approximate randomisation.
    """

    difference: float
    low: float
    high: float
    bootstrap: float
    randomisation: float


def intervals(measured: Sequence[Measurement], *, samples: int, seed: int) -> list[tuple[float, float]]:
    """Returns the bounds of the 95% percentile interval of each score; NaN where no sample has a score.

    Args:
        measured: scores of the same rows.
        samples: how many sets of rows are drawn, each of as many rows as there are, with replacement.
        seed: the same seed gives the same samples.
    """
    return [_bounds(values) for values in _resampled(measured, samples, seed)]


def compare(first: Measurement, second: Measurement, *, samples: int, seed: int) -> Difference:
    """Returns how the score of a second system differs from that of a first one, and whether that may be chance.

    Args:
        first, second: the scores of the two systems on the same rows in the same order.
        samples: how many samples and how many exchanges are drawn.
        seed: the same seed gives the same result.

    Raises:
        ValueError: the rows are not as many.
    """
    if first.rows.shape != second.rows.shape:
        raise ValueError(f"{len(first.rows)} rows and {len(second.rows)} rows cannot be compared in pairs")
    observed = second.score() - first.score()
    one, other = _resampled([first, second], samples, seed)
    differences = (other - one)[~np.isnan(other - one)]
    low, high = _bounds(differences)
    # a sample in which the other system is ahead, or neither, speaks against the difference
    against = min(np.count_nonzero(differences <= 0), np.count_nonzero(differences >= 0))
    bootstrap = min(1.0, 2 * (against + 1) / (len(differences) + 1))
    return Difference(observed, low, high, bootstrap, _randomisation(first, second, observed, samples, seed))


def _resampled(measured: Sequence[Measurement], samples: int, seed: int) -> list[Floats]:
    """Returns the scores of every sample; those of all measurements are of the same samples."""
    generator = np.random.default_rng(seed)
    size = len(measured[0].rows)
    found: list[list[Floats]] = [[] for _ in measured]
    for start in range(0, samples if size else 0, part := max(1, _CELLS // max(1, size))):
        number = min(part, samples - start)
        drawn = generator.integers(size, size=(number, size)) + size * np.arange(number)[:, None]
        times = np.bincount(drawn.ravel(), minlength=number * size).reshape(number, size).astype(np.float64)
        for values, one in zip(found, measured, strict=True):
            values.append(one.value(times @ one.rows))
    return [np.concatenate(values) if values else np.zeros(0) for values in found]


def _randomisation(first: Measurement, second: Measurement, observed: float, samples: int, seed: int) -> float:
    """Returns the share of exchanges of the systems' rows, each with chance 1/2, that differ at least as much."""
    generator = np.random.default_rng(seed)
    size = len(first.rows)
    every, apart = first.rows.sum(axis=0) + second.rows.sum(axis=0), second.rows - first.rows
    extreme = 0
    for start in range(0, samples, part := max(1, _CELLS // max(1, size))):
        number = min(part, samples - start)
        exchanged = generator.integers(2, size=(number, size)).astype(np.float64)
        one = first.rows.sum(axis=0) + exchanged @ apart
        differences = first.value(every - one) - first.value(one)
        extreme += int(np.count_nonzero(np.abs(differences) >= abs(observed) - 1e-9))
    return (extreme + 1) / (samples + 1)


def _bounds(values: Floats) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    if not len(values):
        return float("nan"), float("nan")
    low, high = np.quantile(values, _BOUNDS)
    return float(low), float(high)
