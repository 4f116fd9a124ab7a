"""Connectives and types of a DiscoFuse dataset beside those of the released Wikipedia part, down-sampled.

    python -m benchmarks.discofuse_distribution --dataset FOLDER [--config balanced]

Shares are of all rows, those without a connective included; commas do not count. Connectives stand beside Table 16 of
the paper. Its Figure 4 of the types has no numbers, so types stand beside their shares in 514 released rows, with 95%
intervals. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from benchmarks.audit_readings import interval
from benchmarks.measuring import table
from gistmill.published.dataset import Dataset
from gistmill.rules.discofuse.balance import KEPT, bare
from gistmill.rules.discofuse.released import CONNECTIVES, TYPES


def shares(folder: Path, config: str) -> tuple[dict[str, float], dict[str, float]]:
    """Returns the percentages of types and of connectives (without their commas) in a configuration.

    Raises:
        ValueError, KeyError: the folder holds no such dataset.
    """
    counts = Dataset(folder).manifest.counts
    types = counts[f"types/{config}"]
    rows = sum(types.values())
    connectives: Counter[str] = Counter()
    for name, number in counts[f"connectives/{config}"].items():
        connectives[bare(name)] += number
    return ({n: 100 * c / rows for n, c in types.items()}, {n: 100 * c / rows for n, c in connectives.items()})


def type_lines(types: Mapping[str, float]) -> list[tuple[str, str, str, str]]:
    """Returns the lines of the table of types, from their percentages."""
    released = sum(TYPES.values())
    lines = []
    for name, number in TYPES.items():
        low, high = interval(number, released)
        here, there = f"{types.get(name, 0):.1f}", f"{100 * number / released:.1f}"
        lines.append((name, here, there, f"{100 * low:.1f} to {100 * high:.1f}"))
    return lines


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--config", default="balanced")
    args = parser.parse_args()
    types, connectives = shares(args.dataset, args.config)
    print(
        table(
            ("connective", "here %", "paper %"),
            [(n, f"{connectives.get(n, 0):.1f}", f"{paper:.1f}") for n, paper in CONNECTIVES.items()],
        )
    )
    print()
    print(table(("type", "here %", "released rows %", "95% interval"), type_lines(types)))
    counts = Dataset(args.dataset).manifest.counts
    rows, full = (sum(counts[f"types/{config}"].values()) for config in (args.config, "full"))
    print(f"\n{args.config} is {100 * rows / full:.1f}% of {full:,} rows; in the released part {100 * KEPT:.1f}%")
    print(json.dumps({"types": types, "connectives": {n: connectives.get(n, 0.0) for n in CONNECTIVES}}))


if __name__ == "__main__":
    main()
