"""Measures the sieve on texts held out from fitting, and calibrates the confidence of its links on them.

    python -m research.calibrate_coreference --gap gap-development.tsv gap-validation.tsv --gum GUM --litbank LITBANK
        [--seeds 4] [--ship]

The texts are assigned to five folds, with all texts of an article in the same fold. For each fold, a copy of the scorer
is fitted without it and answers its GAP rows, so that no row is answered by weights fitted on its article. Each seed
uses different folds and initial weights, and takes about ten minutes on one core.

The confidence of a link is its probability, capped at the value that unseen rows support: the lower end of the 95%
interval (Wilson 1927) of the precision of all links that are at least as probable. The effect is measured on each fold
with a calibration computed without its articles.

--ship writes the calibration to rules/coreference/data/scorer.npz. The weights in this file are kept: they were fitted
on all texts (research/fit_coreference.py), the copies without the texts labelled by reading. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from benchmarks.coref_gap import Answer, GapRow, Score, answer, score
from gistmill.rules.coreference.scorer import Scorer, Sieve
from research.corpora import read_answers
from research.fit_coreference import FOLDS, TARGET, TEACHER, Corpora, Labelled, Training, fit, label, load

CUTS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
KNOTS = np.arange(0.5, 1.0, 0.01)
FEWEST = 100  # minimum links per knot and seed; with fewer, the interval mainly reflects their number

# A GAP row, its fold, and the answer of a copy fitted without the fold.
Judged = tuple[GapRow, int, Answer]


def interval(right: float, size: float) -> tuple[float, float]:
    """Returns the 95% interval of a share (Wilson 1927)."""
    share, spread = right / size, 1.96**2 / size
    middle, half = share + spread / 2, 1.96 * sqrt(share * (1 - share) / size + spread / size / 4)
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


def deal(corpora: Corpora, seed: int) -> list[int]:
    """Returns the fold of each text, in the order of ``label``, or -1 for the pages, which have only a teacher's
    labels."""
    articles = [
        *(p.source.title for p in corpora.gap),
        *("" for _ in corpora.pages),
        *(str(("gum", p.source.id)) for p in corpora.gum),
        *(str(("lit", p.source.id)) for p in corpora.litbank),
    ]
    dealt = sorted({*articles} - {""})
    random.Random(seed).shuffle(dealt)
    folds = {article: k % FOLDS for k, article in enumerate(dealt)} | {"": -1}
    return [folds[article] for article in articles]


def judge(corpora: Corpora, documents: Sequence[Labelled], seed: int, settings: Training) -> list[Judged]:
    """Returns every GAP row with the answer of a copy fitted without its article.

    Args:
        corpora: the parsed texts, without those labelled by reading.
        documents: the same texts, labelled.
        seed: the seed for assigning folds, also part of the seeds for fitting.
        settings: the settings for fitting.
    """
    judged = []
    folds = deal(corpora, seed)
    for k in range(FOLDS):
        others = [d for d, fold in zip(documents, folds, strict=True) if fold != k]
        weights = fit(others, replace(settings, seed=settings.seed + 1000 * seed + 100 * k))
        sieve = Sieve(Scorer({name: array.astype(np.float16) for name, array in weights.items()}))
        for parsed, fold in zip(corpora.gap, folds[: len(corpora.gap)], strict=True):
            if fold == k:
                found = sieve.resolve(parsed.sentences, title=parsed.source.title)
                judged.append((parsed.source, k, answer(parsed, found)))
    return judged


def calibrate(seeds: Sequence[Sequence[Judged]]) -> np.ndarray:
    """Returns the calibration for ``Scorer``, of shape (2, knots), float64: probabilities and confidences. Confidences
    never decrease and never exceed the probabilities.

    Args:
        seeds: the copies' answers for each seed.
    """
    judged = [j for seed in seeds for j in seed]
    probabilities, confidences = [0.0], [0.0]
    for knot in KNOTS:
        counts = count(judged, cut=knot)
        if counts.answered >= FEWEST * len(seeds):
            size = counts.answered / len(seeds)  # the same rows each time
            least = interval(size * counts.precision_of_answered, size)[0]
            probabilities.append(round(float(knot), 2))
            confidences.append(max(confidences[-1], min(probabilities[-1], round(least, 4))))
    return np.array([[*probabilities, 1.0], [*confidences, confidences[-1]]])


def count(judged: Sequence[Judged], *, cut: float = 0.0) -> Score:
    """Counts the decisions at a cut."""
    return score([row for row, _, _ in judged], [given for _, _, given in judged], cut=cut)


def calibrated(judged: Sequence[Judged], calibration: np.ndarray) -> list[Judged]:
    """Returns the answers with calibrated confidences."""
    return [(row, k, replace(a, confidence=float(np.interp(a.confidence, *calibration)))) for row, k, a in judged]


def nested(seeds: Sequence[Sequence[Judged]]) -> list[list[Judged]]:
    """Returns the answers with confidences from a calibration computed without the fold's articles."""
    made = []
    for judged in seeds:
        seed = []
        for k in range(FOLDS):
            held = {row.title for row, fold, _ in judged if fold == k}
            calibration = calibrate([[j for j in other if j[0].title not in held] for other in seeds])
            seed.extend(calibrated([j for j in judged if j[1] == k], calibration))
        made.append(seed)
    return made


def report(seeds: Sequence[Sequence[Judged]]) -> dict[str, float]:
    """Prints F1, and the precision and answered share at cuts before and after calibration; returns the figures.

    Intervals are computed for one seed, because all seeds have the same rows.
    """
    figures: dict[str, float] = {}
    f1 = [
        [count([j for j in seed if feminine in (None, j[0].feminine)]).f1 for feminine in (None, False, True)]
        for seed in seeds
    ]
    for name, values in (
        ("f1", [f[0] for f in f1]),
        ("f1_masculine", [f[1] for f in f1]),
        ("f1_feminine", [f[2] for f in f1]),
        ("bias", [f[2] / max(1e-9, f[1]) for f in f1]),
    ):
        figures[name] = float(np.mean(values))
        print(f"{name:15} {figures[name]:.3f}   by seed {' '.join(f'{v:.3f}' for v in values)}")
    for name, answers in (("probability", seeds), ("confidence", nested(seeds))):
        for cut in CUTS:
            scores = [count(seed, cut=cut) for seed in answers]
            rows = len(seeds[0])
            size = float(np.mean([s.answered for s in scores]))
            precision = 1 - float(np.mean([s.wrong for s in scores])) / max(1.0, size)
            low, high = interval(precision * size, size) if size else (0.0, 1.0)
            found = {"precision": precision, "low": low, "high": high, "answered": size / rows}
            figures |= {f"{name}_{cut}_{key}": value for key, value in found.items()}
            each = " ".join(f"{s.precision_of_answered:.3f}" for s in scores)
            shown = "{precision:.3f} ({low:.3f} to {high:.3f}), {answered:.1%}".format(**found)
            print(f"{name:11} {cut:.2f} {shown}   by seed {each}")
    return figures


def main(argv: list[str] | None = None) -> None:
    """Fits the copies, prints the figures and, with --ship, writes the calibration."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gap", required=True, nargs="+", metavar="FILE", help="paths of GAP files")
    parser.add_argument("--gum", required=True, help="path of a GUM checkout")
    parser.add_argument("--litbank", required=True, help="path of a LitBank checkout")
    parser.add_argument("--seeds", type=int, default=4, help="number of times to assign the folds (default: 4)")
    parser.add_argument("--ship", action="store_true", help="store the calibration")
    options = parser.parse_args(argv)
    corpora = load(options.gap, options.gum, options.litbank)
    documents = label(corpora, read_answers(TEACHER), {})
    seeds = [judge(corpora, documents, seed, Training()) for seed in range(1, options.seeds + 1)]
    figures = report(seeds)
    calibration = calibrate(seeds)
    if options.ship:
        with np.load(TARGET) as stored:
            weights = dict(stored)
        np.savez_compressed(TARGET, allow_pickle=False, **{**weights, "calibration": calibration})
    print(json.dumps({**{k: round(v, 4) for k, v in figures.items()}, "calibration": calibration.tolist()}))


if __name__ == "__main__":
    main()
