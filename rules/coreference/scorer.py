"""The fitted scorer: a sum of embeddings, one hidden layer, a softmax over "none" and the candidates of one pronoun."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from itertools import chain

import numpy as np

from rules.coreference.layout import BLOCKS

_BATCH = 32  # questions scored at once: bounds the memory for long documents


class Scorer:
    """Two stages with weights of the same form; the second also sees what the first said of the neighbouring pronouns.

    Args:
        weights: arrays ``embedding1``, ``output1``, ``embedding2``, ``output2``; the last column of an embedding
            is added to the score as it is, the others pass through a rectifier and are weighed by the output. None for
            the fitted ones.
    """

    def __init__(self, weights: dict[str, np.ndarray] | None = None) -> None:
        if weights is None:
            with files(__package__).joinpath("data", "scorer.npz").open("rb") as stream:
                weights = dict(np.load(stream))
        size = sum(BLOCKS.values())
        self._stages = []
        for stage in (1, 2):
            embedding = weights[f"embedding{stage}"].astype(np.float32)
            if embedding.shape[0] != size:
                raise ValueError(
                    f"the scorer's weights are for {embedding.shape[0]} features, not {size}: fit them again"
                )
            self._stages.append((embedding, weights[f"output{stage}"].astype(np.float32)))

    def probabilities(self, questions: Sequence[Sequence[Sequence[int]]], *, stage: int) -> list[np.ndarray]:
        """Returns, for each question (a list of rows), the probabilities of its rows, which add up to 1."""
        answers: list[np.ndarray] = []
        for start in range(0, len(questions), _BATCH):
            answers.extend(self._score(questions[start : start + _BATCH], *self._stages[stage - 1]))
        return answers

    def _score(
        self, questions: Sequence[Sequence[Sequence[int]]], embedding: np.ndarray, output: np.ndarray
    ) -> list[np.ndarray]:
        rows = [row for question in questions for row in question]
        lengths = np.fromiter(map(len, rows), np.intp, len(rows))
        flat = np.fromiter(chain.from_iterable(rows), np.intp, int(lengths.sum()))
        summed = np.add.reduceat(embedding[flat], np.concatenate(([0], np.cumsum(lengths)[:-1])), axis=0)
        scores = np.maximum(summed[:, :-1], 0) @ output + summed[:, -1]
        answers, start = [], 0
        for question in questions:
            part = scores[start : start + len(question)]
            start += len(question)
            part = np.exp(part - part.max())
            answers.append(part / part.sum())
        return answers
