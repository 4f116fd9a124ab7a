"""stats.json: the counts in groups, and the distributions that papers show."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipelines.running.figure import as_rows
from pipelines.running.figures import figures

DISTRIBUTIONS = ("types", "connectives")  # groups of the counts that are distributions, one for each configuration


def group_counts(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Returns the counts grouped by all but the last part of their keys, at most two parts.

    ``rows/full/train`` is ``train`` in the group ``rows/full``, ``documents/read`` is ``read`` in ``documents``; what
    follows a second slash stays whole.
    """
    groups: dict[str, dict[str, int]] = {}
    for key, number in sorted(counts.items()):
        parts = key.split("/", 2)
        groups.setdefault("/".join(parts[:-1]), {})[parts[-1]] = number
    return groups


def distribution(group: Mapping[str, int]) -> list[dict[str, Any]]:
    """Returns ``value``, ``count`` and ``share`` of each entry, the largest first."""
    total = sum(group.values())
    ordered = sorted(group.items(), key=lambda item: (-item[1], item[0]))
    return [{"value": v, "count": n, "share": round(n / total, 6) if total else 0.0} for v, n in ordered]


def statistics(counts: Mapping[str, int]) -> dict[str, Any]:
    """Returns the content of stats.json: ``counts`` in groups, for each of DISTRIBUTIONS its configurations, and the
    recipe's ``figures`` where it has any."""
    groups = group_counts(counts)
    made: dict[str, Any] = {"counts": groups}
    for kind in DISTRIBUTIONS:
        mine = {name.split("/", 1)[1]: g for name, g in groups.items() if name.startswith(f"{kind}/")}
        made[kind] = {name: distribution(g) for name, g in mine.items()}
    if drawn := figures(groups):
        made["figures"] = {figure.key: as_rows(figure) for figure in drawn}
    return made
