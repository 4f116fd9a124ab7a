"""What the table of `python -m benchmarks.checks` adds up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import check_calls
from benchmarks.check_effects import Effect
from benchmarks.check_sites import Check
from benchmarks.measuring import table

RARE = 2_000  # a check that alone refuses fewer than one row in as many is rare


def summary(
    checks: Sequence[Check], effects: Mapping[str, Effect], totals: Mapping[str, int], together: Effect
) -> tuple[list[str], dict[str, Any]]:
    """Returns lines to print and the figures in them."""
    functions = [c for c in checks if c.kind != "way"]
    groups = {"functions": functions, **_groups(functions, effects, totals["rows"])}
    ways = [c for c in checks if c.kind == "way"]
    groups |= {"ways": ways, **{f"ways: {k}": v for k, v in _groups(ways, effects, totals["rows"]).items()}}
    idle = {c.id for c in functions if effects[c.id].is_none}
    helpers = check_calls.useless(idle, check_calls.calls())
    figures: dict[str, Any] = {
        **totals,
        **{name: {"checks": len(found), "lines": sum(c.lines for c in found)} for name, found in groups.items()},
        "helpers that only idle functions call": len(helpers),
        "without all idle functions": {
            name: getattr(together, name) for name in ("gained", "changed", "lost", "broken")
        },
    }
    cells = [(name, str(len(found)), str(sum(c.lines for c in found))) for name, found in groups.items()]
    lines = [table(("checks", "number", "lines"), cells), "", table(_MODULES, _by_module(functions, effects, totals))]
    return lines, figures


def _groups(checks: Sequence[Check], effects: Mapping[str, Effect], rows: int) -> dict[str, list[Check]]:
    """Checks by what they do: those that are never asked never fire either, and so on."""
    return {
        "never fire": [c for c in checks if not effects[c.id].fires],
        "fire without any effect": [c for c in checks if effects[c.id].fires and effects[c.id].is_none],
        "only refuse, and rarely": [c for c in checks if _is_rare(effects[c.id], rows)],
        "only refuse, and more often": [
            c for c in checks if effects[c.id].role == "refuses" and not _is_rare(effects[c.id], rows)
        ],
    }


_MODULES = ("module", "functions", "lines", "idle", "lines", "rare", "lines")


def _by_module(
    functions: Sequence[Check], effects: Mapping[str, Effect], totals: Mapping[str, int]
) -> list[tuple[str, ...]]:
    rows = []
    for module in dict.fromkeys(_module(c) for c in functions):
        own = [c for c in functions if _module(c) == module]
        idle = [c for c in own if effects[c.id].is_none]
        rare = [c for c in own if _is_rare(effects[c.id], totals["rows"])]
        counts = [str(n) for found in (own, idle, rare) for n in (len(found), sum(c.lines for c in found))]
        rows.append((module, *counts))
    return rows


def _module(check: Check) -> str:
    return check.source.module


def _is_rare(effect: Effect, rows: int) -> bool:
    """Whether a check only refuses, and fewer than one row in RARE."""
    moved = effect.gained + effect.changed
    return effect.role == "refuses" and moved * RARE < rows
