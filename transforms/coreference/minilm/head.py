"""The head: a score for "none" and for each candidate of a pronoun, from states and indicators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.transforms.coreference.minilm.pairs import CODES, SIZE
from gistmill.transforms.coreference.minilm.windows import SLOTS

NONE, OUTSIDE = -2, -1  # the rows of the fitted "nowhere", counted from the end of all spans
FloatArray = npt.NDArray[np.floating[Any]]
_SIZES = {"codes": CODES, "slots": SLOTS + 1, "features": SIZE}


@dataclass(frozen=True, slots=True)
class Pairs:
    """The questions of a window for the head.

    Attributes:
        pronouns: the states of the pronouns, of shape (questions, width), floating.
        spans: the different candidates, of shape (spans, 2 * width), floating: the mean states of the head and of all
            words of a candidate, side by side.
        chosen: the index in ``spans`` of the candidate of every row of every question, NONE or OUTSIDE where there is
            none; of shape (rows,), integer.
        counts: the number of rows of each question.
        rows: the indicators of every row.
    """

    pronouns: FloatArray
    spans: FloatArray
    chosen: npt.NDArray[np.intp]
    counts: Sequence[int]
    rows: Sequence[Sequence[int]]


class Head:
    """The fitted pair scorer.

    Args:
        delta: the fitted arrays by name, floating: the tables ``codes``, ``slots`` and ``features`` of shape (numbers,
            width), the ``weight`` and ``bias`` of the linear maps, and ``nowhere`` of shape (2, 2 * width).

    Raises:
        ValueError: a table has another size than the indicators of pairs.py, the codes or the slots need.
    """

    def __init__(self, delta: Mapping[str, FloatArray]) -> None:
        for name, size in _SIZES.items():
            if len(delta[name]) != size:
                raise ValueError(f"the delta's {name} are for {len(delta[name])} numbers, not {size}: fit it again")
        self._weights = delta

    def log_probabilities(self, pairs: Pairs) -> list[FloatArray]:
        """Returns the log probabilities of each question's rows, of shape (rows of the question,), floating."""
        w = self._weights
        lengths = np.fromiter(map(len, pairs.rows), np.intp, len(pairs.rows))
        flat = np.fromiter((n for row in pairs.rows for n in row), np.intp, int(lengths.sum()))
        features = np.add.reduceat(w["features"][flat], np.concatenate(([0], np.cumsum(lengths)[:-1])), axis=0)
        spans = np.concatenate([pairs.spans, w["nowhere"]]) @ w["candidate.weight"].T + w["candidate.bias"]
        pronouns = pairs.pronouns @ w["pronoun.weight"].T + w["pronoun.bias"]
        of_p, of_c, of_both, of_features = np.split(w["pair.weight"].T, np.cumsum([pronouns.shape[1]] * 3))
        question = np.repeat(np.arange(len(pairs.counts)), pairs.counts)
        hidden = (pronouns @ of_p)[question] + (spans @ of_c)[pairs.chosen] + _gelu(features) @ of_features
        hidden += (pronouns[question] * spans[pairs.chosen]) @ of_both + w["pair.bias"]
        scores = _gelu(hidden) @ w["score.weight"][0] + features @ w["alone.weight"][0]
        found: list[FloatArray] = []
        start = 0
        for count in pairs.counts:
            part = scores[start : start + count]
            top = part.max()
            found.append(part - top - np.log(np.exp(part - top).sum()))
            start += count
        return found


def _gelu(x: FloatArray) -> FloatArray:
    y: FloatArray = 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return y
