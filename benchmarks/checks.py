"""Prints benchmarks/checks.md, a page with figures and examples for the checks of the DiscoFuse rules.

    python -m benchmarks.checks > benchmarks/checks.md

The figures come from readings/checks.csv; checks added later have none.
"""

from __future__ import annotations

import csv
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from gistmill.rules import discofuse
from gistmill.rules.discofuse.checks import Check

FIGURES = Path(__file__).parent / "readings" / "checks.csv"
_HEAD = """\
# The checks of DiscoFuse

A rule finds a position where a text can be split. The checks then look for objections, in the order of these
tables; the first objection found is the reason. The examples are a text that only this check rejects, and one that
it accepts. `alone` is the number of rows gained without the check. `python -m benchmarks.checks` prints this page.
The figures were [measured](README.md#checks) on 2026-11-27; newer checks have none.
Measured: {measured}."""
_COLUMNS = """\
| check | reason | tested | rejected | alone | rejects | accepts |
|---|---|--:|--:|--:|---|---|"""


class Table(NamedTuple):
    """A table of checks: the module that uses it, its name there, and the checks."""

    module: ModuleType
    name: str
    checks: tuple[Check[Any], ...]


def tables() -> list[Table]:
    """Returns the tables of all modules, sorted by module name."""
    found = []
    for info in pkgutil.walk_packages(discofuse.__path__, f"{discofuse.__name__}."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if isinstance(value, tuple) and value and all(isinstance(item, Check) for item in value):
                found.append(Table(module, name, value))
    return found


def page(figures: str) -> str:
    """Returns the page, from a CSV file whose first line describes the measurement."""
    first, *lines = figures.splitlines()
    measured = {row["check"]: row for row in csv.DictReader(lines)}
    parts = [_HEAD.format(measured=first.partition(", ")[2])]
    for module, _, checks in tables():
        parts += ["", f"## {module.__name__.partition('.discofuse.')[2]}", "", _COLUMNS]
        for check in checks:
            counts = [measured.get(check.id, {}).get(name, "") for name in ("asked", "refuses", "alone")]
            cells = [f"`{check.id}`", f"`{check.reason.name}`", *counts, check.refuses, check.passes]
            parts.append(f"| {' | '.join(cells)} |")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    print(page(FIGURES.read_text(encoding="utf-8")), end="")
