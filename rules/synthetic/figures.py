"""What is counted of synthetic documents, and the figures made of it: sizes, and the uniformity of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from gistmill.core.statistics import Cell, Figure, Groups, ratio
from gistmill.rules.synthetic.draws import Draws
from gistmill.rules.synthetic.making import GeneratedExample

_PARTS = 50


def counted(name: str, made: GeneratedExample, draws: Draws, vocabulary: int) -> Mapping[str, int]:
    """Returns what is counted of a document in the configuration ``name``.

    Args:
        made: the document.
        draws: where its words are from.
        vocabulary: number of words that they were drawn from; 0 for words of a text.
    """
    sizes = f"sizes/{name}"
    counts = {
        f"{sizes}/documents": 1,
        f"{sizes}/sentences": made.sentences,
        f"{sizes}/words": made.words,
        f"{sizes}/input tokens": made.inputs.count(" ") + 1,
        f"{sizes}/target tokens": made.targets.count(" ") + 1,
        f"{sizes}/keywords": len(made.tenths),
        f"{sizes}/discarded": made.discarded,
    }
    for task in made.tasks:
        counts[f"elementary_tasks/{name}/{task}"] = 1
    for tenth in made.tenths:
        key = f"keyword_tenths/{name}/{tenth + 1}"
        counts[key] = counts.get(key, 0) + 1
    if vocabulary:
        parts = min(_PARTS, vocabulary)
        keys = _parts_of(name, parts)
        found = draws.places(made.first, made.words) // np.uint64(vocabulary // parts)
        for part, count in enumerate(np.bincount(found.astype(np.int64), minlength=parts)[:parts].tolist()):
            if count:
                counts[keys[part]] = count
    return counts


@lru_cache(maxsize=64)
def _parts_of(name: str, parts: int) -> Sequence[str]:
    return [f"uniformity/{name}/{part} of {parts}" for part in range(1, parts + 1)]


def figures(groups: Groups) -> Sequence[Figure]:
    """Returns the figures that the grouped counts of a dataset give."""
    names = [name.removeprefix("sizes/") for name in groups if name.startswith("sizes/")]
    if not names:
        return ()
    uniform = _uniformity(groups, names)
    return (_sizes(groups, names), *([uniform] if uniform.rows else []))


def _sizes(groups: Groups, names: Sequence[str]) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        sums = groups[f"sizes/{name}"]
        documents = sums["documents"]
        totals = [sums.get(of, 0) for of in ("sentences", "words", "keywords")]
        lengths = [ratio(sums.get(of, 0), documents) for of in ("input tokens", "target tokens")]
        rows.append((name, documents, *totals, *lengths, sums.get("discarded", 0)))
    return Figure(
        key="sizes",
        title="Sizes",
        head=("task", "documents", "sentences", "words", "keywords", "mean input", "mean target", "discarded"),
        rows=rows,
        note="Sentences and words are those of the base documents; the means count what stands between spaces. "
        "Discarded documents had over 50 tokens more than the task asks for, and others were drawn in their place.",
    )


def _uniformity(groups: Groups, names: Sequence[str]) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        found = groups.get(f"uniformity/{name}", {})
        if not found:
            continue
        parts, words = int(next(iter(found)).rpartition(" ")[2]), sum(found.values())
        expected = words / parts
        seen = [*found.values(), *[0] * (parts - len(found))]
        statistic = sum((count - expected) ** 2 for count in seen) / expected
        probability = chi_square_tail(statistic, parts - 1)
        rows.append((name, words, parts, round(expected, 3), round(statistic, 3), parts - 1, round(probability, 6)))
    return Figure(
        key="uniformity",
        title="Uniformity of words",
        head=("task", "words", "parts", "expected", "chi-square", "degrees of freedom", "p"),
        rows=rows,
        note="The vocabulary is divided into parts of equally many words, in its order; a few last words may be left "
        "over. The test compares how often words of each part were drawn. If they are uniform, p is uniform too.",
    )


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Returns the probability that a chi-square variable is at least ``statistic``.

    For whole degrees of freedom the incomplete gamma function is a finite sum: M. Abramowitz and I. A. Stegun,
    "Handbook of mathematical functions", 26.4.4 and 26.4.5.
    """
    half = statistic / 2
    if degrees % 2:
        total, term, step = math.erfc(math.sqrt(half)), math.exp(-half) * math.sqrt(half) / math.gamma(1.5), 1.5
    else:
        total, term, step = 0.0, math.exp(-half), 1.0
    for i in range(degrees // 2):
        total += term
        term *= half / (step + i)
    return min(total, 1.0)
