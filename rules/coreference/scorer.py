"""The fitted scorer: a sum of embeddings, one hidden layer, a softmax over "none" and the candidates of one pronoun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.coreference.layout import SIZE

FloatArray = npt.NDArray[np.floating[Any]]
_BATCH = 32  # questions scored at once: bounds the memory for long documents


class Scorer:
    """Two stages with weights of the same form; the second also reads the first one's answers for near pronouns.

    Args:
        weights: for stages 1 and 2, ``embedding1`` and ``embedding2`` of shape (features, width + 1), ``output1`` and
            ``output2`` of shape (width,), of any floating dtype. The last column of an embedding is added to the score;
            the others pass through a rectifier and are weighted by the output. None takes the fitted weights.

    Raises:
        ValueError: the weights belong to another number of features than the layout has.
    """

    def __init__(self, weights: Mapping[str, FloatArray] | None = None) -> None:
        if weights is None:
            with files(__package__).joinpath("data", "scorer.npz").open("rb") as stream:
                weights = dict(np.load(stream))
        self._stages: list[tuple[FloatArray, FloatArray]] = []
        for stage in (1, 2):
            embedding = weights[f"embedding{stage}"].astype(np.float32)
            if embedding.shape[0] != SIZE:
                raise ValueError(
                    f"the scorer's weights are for {embedding.shape[0]} features, not {SIZE}: fit them again"
                )
            absent = np.zeros((1, embedding.shape[1]), np.float32)  # feature number SIZE: it adds nothing
            self._stages.append((np.vstack([embedding, absent]), weights[f"output{stage}"].astype(np.float32)))

    def probabilities(self, questions: Sequence[Sequence[Sequence[int]]], *, stage: int) -> list[FloatArray]:
        """Scores questions.

        Args:
            questions: the rows of each question; a row lists the numbers of its active features.
            stage: 1 or 2.

        Returns:
            The probabilities of each question's rows, of shape (rows,), float32; they add up to 1.
        """
        answers: list[FloatArray] = []
        for start in range(0, len(questions), _BATCH):
            answers.extend(self._score(questions[start : start + _BATCH], *self._stages[stage - 1]))
        return answers

    def _score(
        self, questions: Sequence[Sequence[Sequence[int]]], embedding: FloatArray, output: FloatArray
    ) -> list[FloatArray]:
        rows = [row for question in questions for row in question]
        lengths = np.fromiter(map(len, rows), np.intp, len(rows))
        active = np.full((int(lengths.max()), len(rows)), SIZE, np.intp)
        active.T[np.arange(len(active)) < lengths[:, None]] = np.fromiter(chain.from_iterable(rows), np.intp)
        summed = embedding[active].sum(axis=0)  # rows are of much the same length; reduceat adds far more slowly
        scores = np.maximum(summed[:, :-1], 0) @ output + summed[:, -1]
        answers: list[FloatArray] = []
        start = 0
        for question in questions:
            part = scores[start : start + len(question)]
            start += len(question)
            part = np.exp(part - part.max())
            answers.append(part / part.sum())
        return answers
