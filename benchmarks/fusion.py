"""What a tagger makes of the pairs of a DiscoFuse dataset: told nothing, with more and less caution, told the type.

    python -m benchmarks.fusion [--dataset out/demo] [--config balanced] [--split test] [--model FOLDER]
        [--caution -1,0,1,2]

Scores in per cent: fusions that are exactly the reference (Exact), SARI, pairs without a phenomenon that stay as they
are, and other pairs that do; how often the reference is among the first five fusions. Then the same by discourse type,
and how many pairs had no phenomenon among those that the tagger leaves alone with a like probability. The last line is
one JSON object.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import machine, table
from gistmill.published.dataset import Dataset
from gistmill.rules.fusion.decode import FusionConstraints
from gistmill.rules.fusion.labels import NONE, plan_of
from gistmill.rules.metrics.sari import DISCOFUSE, sari
from gistmill.transforms.fusion import load_tagger
from gistmill.transforms.fusion.tagger import Tagger

FIRST = 5  # fusions among which the reference is looked for
EDGES = (0.0, 0.1, 0.3, 1.0)  # of the probabilities that are counted together
COLUMNS = ("Exact", "SARI", "unchanged pairs that stay so", "other pairs that stay so", f"in the first {FIRST}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A row, and what the tagger makes of it.

    Attributes:
        kind: the discourse type of the row.
        source, target: the tokens of the pair and of its reference, joined by spaces.
        fusions: the likeliest fusions, the best first.
        unchanged: the probability that the pair is left alone.
    """

    kind: str
    source: str
    target: str
    fusions: tuple[str, ...]
    unchanged: float


def answers(tagger: Tagger, rows: Sequence[Mapping[str, Any]], *, told: bool, caution: float) -> list[Answer]:
    """Fuses rows of a DiscoFuse dataset."""
    found = []
    for row in rows:
        first, second = (row[f"incoherent_{which}_sentence"].split() for which in ("first", "second"))
        plan = plan_of(row["discourse_type"]) if told else None
        fusions, unchanged = tagger.fuse(first, second, FusionConstraints(plan=plan, caution=caution, count=FIRST))
        target = f"{row['coherent_first_sentence']} {row['coherent_second_sentence']}".strip()
        found.append(
            Answer(
                kind=row["discourse_type"],
                source=" ".join([*first, *second]),
                target=target,
                fusions=tuple(" ".join(fusion.tokens) for fusion in fusions),
                unchanged=unchanged,
            )
        )
    return found


def scores(found: Sequence[Answer]) -> dict[str, float | None]:
    """Returns the numbers of COLUMNS, in per cent; None where there is no such pair."""
    alone, others = ([a.fusions[0] == a.source for a in found if (a.kind == NONE) is none] for none in (True, False))
    sources, best, targets = ([*column] for column in zip(*((a.source, a.fusions[0], [a.target]) for a in found)))
    return {
        "Exact": _share([a.fusions[0] == a.target for a in found]),
        "SARI": round(100 * sari(DISCOFUSE, sources, best, targets).sari, 1),
        COLUMNS[2]: _share(alone),
        COLUMNS[3]: _share(others),
        COLUMNS[4]: _share([a.target in a.fusions for a in found]),
    }


def by_probability(found: Sequence[Answer]) -> list[dict[str, float | int | None]]:
    """Returns for each stretch of probabilities how many pairs have one, their mean, and how many had no phenomenon."""
    stretches = []
    for low, high in itertools.pairwise(EDGES):
        inside = [a for a in found if low <= a.unchanged < high or a.unchanged == high == EDGES[-1]]
        mean = round(100 * sum(a.unchanged for a in inside) / len(inside), 1) if inside else None
        stretches.append(
            {
                "from": low,
                "to": high,
                "pairs": len(inside),
                "mean": mean,
                "share": _share([a.kind == NONE for a in inside]),
            }
        )
    return stretches


def _share(hits: Sequence[bool]) -> float | None:
    return round(100 * sum(hits) / len(hits), 1) if hits else None


def main(argv: list[str] | None = None) -> None:
    """Fuses the rows in every way and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="out/demo")
    parser.add_argument("--config", default="balanced")
    parser.add_argument("--split", default="test")
    parser.add_argument("--model", type=Path, help="folder of an exported tagger (default: the one of the package)")
    parser.add_argument("--caution", default="0", metavar="LIST", help="numbers with commas (default: 0)")
    options = parser.parse_args(argv)
    tagger = load_tagger(options.model)
    rows = list(Dataset(options.dataset).rows(options.split, options.config))
    ways = {
        f"caution {c:g}": answers(tagger, rows, told=False, caution=c) for c in map(float, options.caution.split(","))
    }
    ways["told the type"] = answers(tagger, rows, told=True, caution=0.0)
    found = {way: scores(made) for way, made in ways.items()}
    print(table(("", *COLUMNS), [(way, *map(str, each.values())) for way, each in found.items()]))
    first, told = next(iter(ways)), "told the type"
    kinds = [answer.kind for answer in ways[first]]
    types = {
        kind: {way: scores([a for a in ways[way] if a.kind == kind]) for way in (first, told)}
        for kind in sorted(set(kinds))
    }
    names = ("Exact", "SARI", COLUMNS[4])
    head = ("type", "rows", *(f"{name}, {way}" for way in (first, told) for name in names))
    lines = [
        (kind, str(kinds.count(kind)), *(str(own[way][name]) for way in own for name in names))
        for kind, own in types.items()
    ]
    print(table(head, lines))
    stretches = by_probability(ways[first])
    print(table((*stretches[0],), [(*map(str, each.values()),) for each in stretches]))
    print(machine(("numpy", "onnxruntime")))
    print(json.dumps({"rows": len(rows), "ways": found, "types": types, "unchanged": stretches}))


if __name__ == "__main__":
    main()
