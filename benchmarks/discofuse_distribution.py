"""The connectives of a DiscoFuse dataset beside those of the released Wikipedia part (paper, Table 16).

    python -m benchmarks.discofuse_distribution --dataset FOLDER [--config balanced]

Shares are of all rows, those without a connective included; commas do not count. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from benchmarks.measuring import table
from published.dataset import Dataset

TABLE_16 = {
    "and": 12.5,
    "but": 10.7,
    "although": 8.4,
    "however": 8.2,
    "because": 7.7,
    "so that": 2.1,
    "while": 2.0,
    "or": 1.8,
    "so": 1.2,
    "for example": 1.0,
}


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
        connectives[" ".join(name.replace(",", " ").split())] += number
    return ({n: 100 * c / rows for n, c in types.items()}, {n: 100 * c / rows for n, c in connectives.items()})


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
            [(n, f"{connectives.get(n, 0):.1f}", f"{paper:.1f}") for n, paper in TABLE_16.items()],
        )
    )
    print()
    print(table(("type", "here %"), [(n, f"{s:.1f}") for n, s in sorted(types.items(), key=lambda i: -i[1])]))
    print(json.dumps({"types": types, "connectives": {n: connectives.get(n, 0.0) for n in TABLE_16}}))


if __name__ == "__main__":
    main()
