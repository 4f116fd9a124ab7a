"""How far a distribution has moved: an effect size that decides, and a test of whether it is significant.

The effect size is the Jensen-Shannon distance of the shares, with logarithms to base 2: the square root of the
divergence of J. Lin, "Divergence measures based on the Shannon entropy", IEEE Transactions on Information Theory 37(1),
1991. It is a metric (D. M. Endres and J. E. Schindelin, "A new metric for probability distributions", ibid. 49(7),
2003), lies between 0 (equal shares) and 1 (no value in common), and is defined where a value is new or gone. The number
of rows has no part in it. Moving 5 of 100 rows between two values with about half of the rows each gives 0.04; a new
value with 2 of 100 rows gives 0.1.

The test is Pearson's chi-square test of homogeneity. With millions of rows any difference is significant, so it decides
nothing alone: it keeps noise of small datasets from being taken for drift. It takes the datasets for independent
samples. Versions of a corpus share most rows, so its probabilities are too high rather than too low.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

SIGNIFICANT = 0.001  # the level of the test
_LEAST_EXPECTED = 5.0  # counts below it are put together: Cochran's rule for the chi-square test


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """How far a distribution has moved.

    Attributes:
        distance: Jensen-Shannon distance of the shares, from 0 to 1.
        chi_square: the statistic of the test; rare values are put together.
        freedom: its degrees of freedom; 0 where there is nothing to compare.
        probability: of such a statistic or a larger one by chance.
    """

    distance: float
    chi_square: float
    freedom: int
    probability: float

    @property
    def significant(self) -> bool:
        """Whether it is, at the level of 0.001."""
        return self.probability < SIGNIFICANT


def drift(old: Mapping[str, int], new: Mapping[str, int]) -> Drift:
    """Returns how far ``new`` is from ``old``; both are counts by value. An empty one has no shares: nothing moved."""
    pairs = [(old.get(value, 0), new.get(value, 0)) for value in sorted({*old, *new})]
    before, now = sum(o for o, _ in pairs), sum(n for _, n in pairs)
    if not before or not now:
        return Drift(distance=0.0, chi_square=0.0, freedom=0, probability=1.0)
    divergence = math.fsum(_divergence(o / before, n / now) for o, n in pairs)
    statistic, freedom = _chi_square(_pooled(pairs, before, now), before, now)
    return Drift(
        distance=math.sqrt(min(max(divergence, 0.0), 1.0)),
        chi_square=statistic,
        freedom=freedom,
        probability=chi_square_tail(statistic, freedom),
    )


def _divergence(p: float, q: float) -> float:
    if p == q:
        return 0.0
    mean = (p + q) / 2
    return math.fsum(share * math.log2(share / mean) / 2 for share in (p, q) if share)


def _pooled(pairs: list[tuple[int, int]], before: int, now: int) -> list[tuple[int, int]]:
    """The counts, those of rare values put together."""
    smaller = min(before, now) / (before + now)
    kept, rest = [], (0, 0)
    for old, new in pairs:
        if (old + new) * smaller < _LEAST_EXPECTED:
            rest = rest[0] + old, rest[1] + new
        else:
            kept.append((old, new))
    return [*kept, rest] if sum(rest) * smaller >= _LEAST_EXPECTED else kept


def _chi_square(pairs: list[tuple[int, int]], before: int, now: int) -> tuple[float, int]:
    total = before + now
    parts = []
    for old, new in pairs:
        for seen, size in ((old, before), (new, now)):
            expected = (old + new) * size / total
            parts.append((seen - expected) ** 2 / expected)
    return math.fsum(parts), max(0, len(pairs) - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Returns the probability that a chi-square variable of ``freedom`` degrees is at least ``statistic``; 1 without
    degrees of freedom.

    The closed form for whole degrees: M. Abramowitz and I. A. Stegun, "Handbook of mathematical functions", 26.4.4-5.
    """
    half = statistic / 2
    if freedom < 1 or half <= 0:
        return 1.0
    odd = freedom % 2
    terms = [math.erfc(math.sqrt(half))] if odd else []
    for step in range(freedom // 2):
        power = step + odd / 2
        terms.append(math.exp(power * math.log(half) - half - math.lgamma(power + 1)))
    return min(1.0, math.fsum(terms))


CLASSES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Where lengths lie.

    Attributes:
        rows: how many.
        mean: of all.
        p10, median, p90, p99, most: the length that so many per cent of the rows do not exceed.
    """

    rows: int
    mean: float
    p10: int
    median: int
    p90: int
    p99: int
    most: int


def spread(counts: Sequence[int]) -> Spread:
    """Returns where lengths lie; ``counts[n]`` rows have the length n. Without rows everything is 0."""
    total = sum(counts)
    if not total:
        return Spread(rows=0, mean=0.0, p10=0, median=0, p90=0, p99=0, most=0)
    p10, median, p90, p99, most = (quantile(counts, per_cent / 100) for per_cent in (10, 50, 90, 99, 100))
    mean = sum(length * n for length, n in enumerate(counts)) / total
    return Spread(rows=total, mean=round(mean, 3), p10=p10, median=median, p90=p90, p99=p99, most=most)


def quantile(counts: Sequence[int], share: float) -> int:
    """Returns the smallest length that this share of the rows does not exceed; there has to be a row."""
    sums = list(accumulate(counts))
    wanted = max(1, -(-round(share * 1000) * sums[-1] // 1000))  # whole numbers: no rounding of large sums
    return next(length for length, seen in enumerate(sums) if seen >= wanted)


def classes(old: Sequence[int], new: Sequence[int]) -> tuple[dict[str, int], dict[str, int]]:
    """Returns the counts of both in classes that hold about a tenth of the old rows each, by the bounds in words.

    Without old rows all lengths are one class.
    """
    ends = sorted({quantile(old, n / CLASSES) for n in range(1, CLASSES)}) if sum(old) else []
    names = [
        f"{begin} or more" if end is None else str(begin) if begin == end else f"{begin} to {end}"
        for begin, end in zip([0, *(e + 1 for e in ends)], [*ends, None], strict=True)
    ]
    found = []
    for counts in (old, new):
        of_class = [0] * len(names)
        for length, n in enumerate(counts):
            of_class[bisect_left(ends, length)] += n
        found.append({name: n for name, n in zip(names, of_class, strict=True) if n})
    return found[0], found[1]
