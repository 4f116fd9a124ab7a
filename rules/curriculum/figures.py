"""The figure of a curriculum: how often each operation occurs in a pair, beside the paper's numbers.

Source: LATS, Table 5. It gives means, with standard deviations in brackets, of 1,000 samples of CNN/DailyMail.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gistmill.core.statistics import Cell, Figure, Groups

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
