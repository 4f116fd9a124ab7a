"""Changes in distributions: an effect size that measures the change, and a test of its significance.

The effect size is the Jensen-Shannon distance of the shares, with logarithms to base 2: the square root of the
divergence of J. Lin, "Divergence measures based on the Shannon entropy", IEEE Transactions on Information Theory 37(1),
1991. It is a metric (D. M. Endres and J. E. Schindelin, "A new metric for probability distributions", ibid. 49(7),
2003), is between 0 (equal shares) and 1 (no value in common), and allows for values that are new or gone. It does not
depend on the number of rows. Moving 5 of 100 rows between two values with about half of the rows each gives 0.04; a
new value with 2 of 100 rows gives 0.1.

The test is Pearson's chi-square test of homogeneity. With millions of rows any difference is significant, so the test
is never used alone: it prevents noise in small datasets from being mistaken for drift. It assumes independent samples,
but versions of a corpus share most rows, so its probabilities are too high rather than too low.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

SIGNIFICANT = 0.001  # the level of the test
_LEAST_EXPECTED = 5.0  # smaller counts are pooled: Cochran's rule for the chi-square test


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """The change in a distribution.

    Attributes:
        distance: Jensen-Shannon distance of the shares, from 0 to 1.
        chi_square: the test statistic, with rare values pooled.
        freedom: its degrees of freedom; 0 if there is nothing to compare.
        probability: the probability of this statistic or a larger one under the null hypothesis.
    """

    distance: float
    chi_square: float
    freedom: int
    probability: float

    @property
    def significant(self) -> bool:
        """Whether the change is significant at the level of 0.001."""
        return self.probability < SIGNIFICANT


def drift(old: Mapping[str, int], new: Mapping[str, int]) -> Drift:
    """Returns the change from ``old`` to ``new``, which are counts by value. If one is empty, there is no change."""
    pairs = [(old.get(value, 0), new.get(value, 0)) for value in sorted({*old, *new})]
    before, now = sum(o for o, _ in pairs), sum(n for _, n in pairs)
    if not before or not now:
        return Drift(distance=0.0, chi_square=0.0, freedom=0, probability=1.0)
    divergence = math.fsum(_divergence(o / before, n / now) for o, n in pairs)
    # pool rare values; leave the pool out if it is still rare
    smaller, rest, kept = min(before, now) / (before + now), [0, 0], []
    for old_count, new_count in pairs:
        if (old_count + new_count) * smaller < _LEAST_EXPECTED:
            rest = [rest[0] + old_count, rest[1] + new_count]
        else:
            kept.append([old_count, new_count])
    kept += [rest] if sum(rest) * smaller >= _LEAST_EXPECTED else []
    cells = [
        (n, sum(pair) * size / (before + now)) for pair in kept for n, size in zip(pair, (before, now), strict=True)
    ]
    statistic, freedom = math.fsum((n - e) ** 2 / e for n, e in cells), max(0, len(kept) - 1)
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


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Returns the probability that a chi-square variable with ``freedom`` degrees of freedom is at least ``statistic``;
    1 without degrees of freedom.

    Closed form for integers: M. Abramowitz and I. A. Stegun, "Handbook of mathematical functions", 26.4.4-5.
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
