"""Fits the rates of the `balanced` configuration to datasets, for the conventions used to build them.

    python -m research.fit_balance --dataset FOLDER [FOLDER ...]

Reads the rows of `full` and prints the rates for rules/discofuse/config.py: "and", "but" and pairs without a
phenomenon match their shares in the released Wikipedia part, and the total matches its size. The last line is one JSON
object, the value for the option balanced_rates.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.measuring import table
from gistmill.published.dataset import Dataset
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.discofuse.config import Groups, bare

_COLUMNS = ("discourse_type", "connective_string")
_OTHERS = "others"
# Of the examples: those that the down-sampled Wikipedia part has (section 3.2), and shares in it (Table 16; of pairs
# without a phenomenon in 514 released rows).
KEPT, AND, BUT, NONE = 4_581_352 / 16_642_323, 0.125, 0.107, 32 / 514
# By type or connective.
_GROUPS = {
    DiscourseType.PAIR_NONE.name: "none",
    DiscourseType.PAIR_ANAPHORA.name: "anaphora",
    "and": "and_",
    "but": "but",
}


def count(rows: Iterable[tuple[str, str]]) -> Counter[str]:
    """Counts the examples, given as type and connective, in each group and outside all groups."""
    return Counter(_GROUPS.get(kind) or _GROUPS.get(bare(connective), _OTHERS) for kind, connective in rows)


def groups_of(counts: Counter[str]) -> Groups:
    """Returns the counts of the groups."""
    return Groups(**{name: counts[name] for name in _GROUPS.values()})


def fit(full: Groups, others: float) -> Groups:
    """Returns the rates that give ``balanced`` the size and shares of the released part.

    The shares of "and", "but" and pairs without a phenomenon are matched first. The anaphora rate then determines the
    size; because it cannot exceed 1, the size may be too small.

    Args:
        full: the number of examples in each group.
        others: the number of all other examples, which are kept.

    Raises:
        ValueError: a group has too few examples.
    """
    total = KEPT * (full.none + full.anaphora + full.and_ + full.but + others)
    rest = 1 - AND - BUT - NONE
    anaphora = min(max(rest * total - others, 0), full.anaphora)
    total = (others + anaphora) / rest
    wanted = Groups(none=NONE * total, anaphora=anaphora, and_=AND * total, but=BUT * total)
    rates = {}
    for name in ("none", "anaphora", "and_", "but"):
        there, needed = getattr(full, name), getattr(wanted, name)
        if needed > there:
            raise ValueError(
                f"{needed:.0f} examples of the group {name.strip('_')} are needed, but only {there:.0f} are available"
            )
        rates[name] = round(needed / there, 3) if there else 1.0
    return Groups(**rates)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the rates."""
    parser = argparse.ArgumentParser(
        prog="python -m research.fit_balance", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dataset", type=Path, nargs="+", required=True, metavar="FOLDER")
    args = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    try:
        for dataset in map(Dataset, args.dataset):
            for split in dataset.splits("full"):
                counts += count(tuple(row[c] for c in _COLUMNS) for row in dataset.rows(split, "full", _COLUMNS))
        rates = fit(groups_of(counts), counts[_OTHERS])
    except ValueError as error:
        parser.error(str(error))
    kept = {name: getattr(rates, name) * counts[name] for name in _GROUPS.values()} | {_OTHERS: counts[_OTHERS]}
    total = sum(kept.values())
    lines = [
        (n, str(counts[n]), f"{k / counts[n]:.3f}", f"{100 * k / total:.1f}") for n, k in kept.items() if counts[n]
    ]
    print(table(("group", "examples", "rate", "% of balanced"), lines))
    print(f"balanced is {100 * total / counts.total():.1f}% of {counts.total():,} examples\n{rates}")
    print(json.dumps(rates.by_key()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
