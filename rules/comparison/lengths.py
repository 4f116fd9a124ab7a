"""Lengths of texts as counts by length: their quantiles, and classes in which two datasets can be compared."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

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
    names = [_name(begin, end) for begin, end in zip([0, *(e + 1 for e in ends)], [*ends, None], strict=True)]
    found = []
    for counts in (old, new):
        of_class = [0] * len(names)
        for length, n in enumerate(counts):
            of_class[bisect_left(ends, length)] += n
        found.append({name: n for name, n in zip(names, of_class, strict=True) if n})
    return found[0], found[1]


def _name(begin: int, end: int | None) -> str:
    if end is None:
        return f"{begin} or more"
    return str(begin) if begin == end else f"{begin} to {end}"
