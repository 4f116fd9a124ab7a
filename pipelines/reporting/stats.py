"""stats.json: the counts in groups, and the distributions and figures of the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmill.core.figure import as_rows
from gistmill.core.statistics import Statistics, distribution, group_counts
from gistmill.rules.recipe import Recipe


def statistics(counts: Mapping[str, int], *, recipe: type[Recipe[Any]]) -> Statistics:
    """Returns the statistics that the counts of a run of ``recipe`` give."""
    groups = group_counts(counts)
    return Statistics(
        counts=groups,
        distributions={
            kind: {
                name.split("/", 1)[1]: distribution(group)
                for name, group in groups.items()
                if name.startswith(f"{kind}/")
            }
            for kind in recipe.DISTRIBUTIONS
        },
        figures={figure.key: tuple(as_rows(figure)) for figure in recipe.figures(groups)},
    )
