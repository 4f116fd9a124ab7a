"""What caution costs a trained tagger: unchanged pairs that it leaves alone against the Exact and SARI of all rows.

    python -m benchmarks.fusion_caution --model out/tagger/run/model [--dataset out/demo]

It reads the validation rows of `full`, of which many are unchanged, and weighs each type as `balanced` has it in
training. A line for each share of unchanged pairs that are left alone: the caution, the other rows that are left alone
too, Exact and SARI (DiscoFuse's, on tokens), each with its 95% interval of 1,000 samples of the rows. Then, for each
type, how often an unchanged pair is ranked above a row of it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gistmill.published.dataset import Dataset
from gistmill.rules.fusion.decode import left_alone
from gistmill.rules.fusion.heads import Heads
from gistmill.rules.fusion.labels import NONE
from gistmill.rules.metrics.sari import DISCOFUSE, per_row, total
from gistmill.training.tagger.rows import FIRST, SECOND, TARGETS, TYPE, sentences
from gistmill.training.tagger.task import BATCH, Tagger
from gistmill.training.task import Row

SHARES = (0.6, 0.7, 0.8, 0.85, 0.88, 0.9, 0.95)
SAMPLES = 1000
WITHOUT = -1e6  # the caution with which nothing is left alone
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Outcomes:
    """Of each row: its type, its weight, whether it is unchanged, the odds, and its scores either way.

    ``fused`` and ``copied`` are of shape (rows, 2): Exact and SARI of the likeliest fusion and of the two sentences.
    """

    type: npt.NDArray[np.str_]
    weight: Floats
    unchanged: npt.NDArray[np.bool_]
    odds: Floats
    fused: Floats
    copied: Floats


def outcomes(task: Tagger, dataset: str) -> Outcomes:
    """Runs a tagger on the validation rows."""
    data = Dataset(dataset)
    rows = list(data.rows("validation", "full"))
    rows.sort(key=lambda row: len(row[FIRST]) + len(row[SECOND]))
    decoder, heads = task.decoder(), Heads(task.labels, task.network.heads.numpy())
    odds, written = [], []
    for start in range(0, len(rows), BATCH):
        part = [sentences(row) for row in rows[start : start + BATCH]]
        for (first, second), states in zip(part, task.states([task.codec.encode(*pair) for pair in part]), strict=True):
            odds.append(left_alone(task.labels, heads.plans(states, len(first))))
            written.append(" ".join(decoder.fuse(states, first, second, caution=WITHOUT)[0].tokens))
    balanced, full = (Counter(r[TYPE] for r in data.rows("train", name, [TYPE])) for name in ("balanced", "full"))
    return Outcomes(
        type=np.array([row[TYPE] for row in rows]),
        weight=np.array([balanced[row[TYPE]] / max(1, full[row[TYPE]]) for row in rows]),
        unchanged=np.array([row[TYPE] == NONE for row in rows]),
        odds=np.array(odds),
        fused=_scores(rows, written),
        copied=_scores(rows, [" ".join([*first, *second]) for first, second in map(sentences, rows)]),
    )


def _scores(rows: Sequence[Row], written: Sequence[str]) -> Floats:
    sources = [" ".join([*first, *second]) for first, second in map(sentences, rows)]
    targets = [" ".join(f"{row[TARGETS[0]]} {row[TARGETS[1]] or ''}".split()) for row in rows]
    saris = total(DISCOFUSE, per_row(DISCOFUSE, sources, written, [[target] for target in targets])).mean(axis=-1)
    return np.stack([np.array([a == b for a, b in zip(written, targets, strict=True)], np.float64), saris], axis=1)


def at_share(found: Outcomes, share: float, times: Floats) -> Floats:
    """Returns caution, others left alone, Exact and SARI where a share of the unchanged pairs is left alone.

    Args:
        found: the outcomes.
        share: of the unchanged pairs.
        times: how often each row counts.
    """
    order = np.argsort(-found.odds)
    unchanged = np.cumsum((times * found.unchanged)[order])
    least = found.odds[order][int(np.searchsorted(unchanged, share * unchanged[-1] - 1e-9))]
    left = found.odds >= least
    weight = times * found.weight
    exact, sari = np.average(np.where(left[:, None], found.copied, found.fused), axis=0, weights=weight)
    others = np.average(left[~found.unchanged], weights=weight[~found.unchanged])
    return np.array([-least, 100 * others, 100 * exact, 100 * sari])


def separation(found: Outcomes, times: Floats) -> float:
    """Returns how often, in per cent, an unchanged pair has higher odds than another row."""
    pairs = found.odds[found.unchanged][:, None] > found.odds[~found.unchanged]
    weight = times * found.weight
    return float(
        100 * np.average(np.average(pairs, axis=1, weights=weight[~found.unchanged]), weights=weight[found.unchanged])
    )


def main(argv: list[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--dataset", default="out/demo")
    options = parser.parse_args(argv)
    found = outcomes(Tagger.load(options.model), options.dataset)
    chance = np.random.default_rng(0)
    count = len(found.odds)
    samples = chance.multinomial(count, np.full(count, 1 / count), SAMPLES).astype(np.float64)
    once = np.ones(count)
    low, high = np.percentile([separation(found, times) for times in samples], [2.5, 97.5])
    print(f"{count} rows, {found.unchanged.sum()} unchanged; an unchanged pair is ranked")
    print(f"above another row in {separation(found, once):.1f}% ({low:.1f} to {high:.1f})\n")
    print("| unchanged pairs left alone | caution | others left alone | Exact | SARI |\n|---|---|---|---|---|")
    for share in SHARES:
        low_, high_ = np.percentile([at_share(found, share, times) for times in samples], [2.5, 97.5], axis=0)
        caution, *values = at_share(found, share, once)
        cells = [f"{v:.1f} ({a:.1f} to {b:.1f})" for v, a, b in zip(values, low_[1:], high_[1:], strict=True)]
        print(f"| {share:.0%} | {caution:.2f} | {' | '.join(cells)} |")
    print("\n| type | rows | unchanged pairs ranked above |\n|---|---|---|")
    for kind in sorted(set(found.type[~found.unchanged])):
        of_kind = np.isin(found.type, (kind, NONE)).astype(np.float64)
        print(f"| {kind} | {(found.type == kind).sum()} | {separation(found, of_kind):.1f} |")


if __name__ == "__main__":
    main()
