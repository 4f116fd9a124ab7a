"""Which operations follow each other, counted in training rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from rules.fusion.codec import Target
from rules.fusion.labels import Labels


def fit_transitions(
    labels: Labels, rows: Iterable[tuple[int, Target]], *, weight: float = 0.5, smoothing: float = 0.5
) -> npt.NDArray[np.float32]:
    """Returns how much likelier an operation is behind another than anywhere, by plan.

    Args:
        labels: the labels.
        rows: of each training row the number of tokens of the first sentence, and the labels.
        weight: a factor of the result.
        smoothing: is added to each count, so that what is rare does not count for much.

    Returns:
        ``weight`` * log(P(operation | previous, plan) / P(operation | plan)), of shape (plans, operations + 1,
        operations); the last row of each plan is for the first token of a sentence.
    """
    size = len(labels.operations)
    counts = np.zeros((len(labels.plans), size + 1, size))
    for n, row in rows:
        before = np.concatenate([[size], row.operations[:-1]])
        before[n : n + 1] = size
        np.add.at(counts[row.plan], (before, row.operations), 1)
    alone = counts.sum(axis=1, keepdims=True)
    alone = (alone + smoothing) / (alone + smoothing).sum(axis=2, keepdims=True)
    total = counts.sum(axis=2, keepdims=True)
    after = (counts + smoothing * size * alone) / (total + smoothing * size)
    ratios: npt.NDArray[np.float32] = (weight * np.log(after / alone)).astype(np.float32)
    return ratios
