"""The head: a score for "none" and for each candidate of a pronoun, from states and indicators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from transforms.coreference.minilm.pairs import CODES, SIZE
from transforms.coreference.minilm.windows import SLOTS

NONE, OUTSIDE = -2, -1  # the rows of the fitted "nowhere", counted from the end of all spans
_SIZES = {"codes": CODES, "slots": SLOTS + 1, "features": SIZE}


@dataclass(frozen=True, slots=True)
class Pairs:
    """The questions of a window for the head.

    Attributes:
        pronouns: states of the pronouns.
        spans: different candidates: the states of the head and of its words, side by side.
        chosen: for every row of every question, which of the spans it is about; NONE or OUTSIDE where there is none.
        counts: rows of each question.
        rows: the indicators of every row.
    """

    pronouns: np.ndarray
    spans: np.ndarray
    chosen: np.ndarray
    counts: Sequence[int]
    rows: Sequence[Sequence[int]]


class Head:
    """The fitted pair scorer.

    Args:
        delta: arrays of the fit.

    Raises:
        ValueError: they are for other indicators than pairs.py makes.
    """

    def __init__(self, delta: Mapping[str, np.ndarray]) -> None:
        for name, size in _SIZES.items():
            if len(delta[name]) != size:
                raise ValueError(f"the delta's {name} are for {len(delta[name])} numbers, not {size}: fit it again")
        self._weights = delta

    def log_probabilities(self, pairs: Pairs) -> list[np.ndarray]:
        """Returns, for each question, the log probabilities of its rows."""
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
        found, start = [], 0
        for count in pairs.counts:
            part = scores[start : start + count]
            top = part.max()
            found.append(part - top - np.log(np.exp(part - top).sum()))
            start += count
        return found


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
