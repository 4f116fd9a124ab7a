"""Training of the coreference scorer in numpy: embedding sum, one hidden layer, softmax over each question's rows,
AdamW.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from gistmill.rules.coreference.layout import SIZE

_LARGEST_LOSS = 8.0  # a label that the model finds this absurd is a wrong label


@dataclass(frozen=True, slots=True)
class Example:
    """A question: its rows of features, the answer that each row gives, the probability of each answer, and its weight.

    Rows that give one answer are the mentions of one cluster: the loss is the cross entropy of ``targets`` and the
    summed probabilities of each answer's rows.
    """

    rows: Sequence[Sequence[int]]
    answers: Sequence[int]
    targets: Sequence[float]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of a training run; ``members`` networks of ``hidden`` units are trained on their own and their scores
    averaged.
    """

    hidden: int = 24
    members: int = 5
    epochs: int = 6
    batch: int = 64
    rate: float = 4e-3
    decay: float = 0.05
    dropout: float = 0.3
    seed: int = 7


class _Data:
    """The examples as one sparse matrix of rows, with the bounds of questions and of answers."""

    def __init__(self, examples: Sequence[Example]) -> None:
        rows = [row for e in examples for row in e.rows]
        bounds = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
        flat = np.fromiter((n for row in rows for n in row), np.int32, bounds[-1])
        self.design = csr_matrix((np.ones(bounds[-1], np.float32), flat, bounds), shape=(len(rows), SIZE))
        self.row_bounds = np.concatenate(([0], np.cumsum([len(e.rows) for e in examples])))
        self.answer_bounds = np.concatenate(([0], np.cumsum([len(e.targets) for e in examples])))
        self.answers = np.fromiter((a for e in examples for a in e.answers), np.int32, len(rows))
        self.targets = np.fromiter((t for e in examples for t in e.targets), np.float32, self.answer_bounds[-1])
        self.weights = np.array([e.weight for e in examples], np.float32)

    def batch(self, chosen: np.ndarray) -> tuple[csr_matrix, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Returns the rows of some questions, each row's question and answer, the targets, the weights of answers."""
        sizes = np.diff(self.row_bounds)[chosen]
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        question = np.repeat(np.arange(len(chosen)), sizes)
        index = np.arange(len(question)) - starts[question] + self.row_bounds[chosen][question]
        counts = np.diff(self.answer_bounds)[chosen]
        first = np.concatenate(([0], np.cumsum(counts)[:-1]))
        owner = np.repeat(np.arange(len(chosen)), counts)
        place = np.arange(len(owner)) - first[owner] + self.answer_bounds[chosen][owner]
        answer = self.answers[index] + first[question]
        return self.design[index], question, answer, self.targets[place], self.weights[chosen][owner]


def train(examples: Sequence[Example], settings: Training) -> tuple[np.ndarray, np.ndarray]:
    """Returns (embedding, output) as the scorer reads them: the members side by side, their scores averaged."""
    data = _Data(examples)
    members = [_train_one(data, settings, settings.seed + k) for k in range(settings.members)]
    linear = np.mean([e[:, -1:] for e, _ in members], axis=0)
    embedding = np.concatenate([*(e[:, :-1] for e, _ in members), linear], axis=1)
    return embedding, np.concatenate([o for _, o in members]) / settings.members


def _train_one(data: _Data, settings: Training, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    embedding = random.normal(0, 0.15, (SIZE, settings.hidden))
    parameters = [
        np.concatenate([embedding, np.zeros((SIZE, 1))], axis=1).astype(np.float32),
        random.normal(0, 0.3, settings.hidden).astype(np.float32),
    ]
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
    size = len(data.weights)
    batches = -(-size // settings.batch)
    total, step = settings.epochs * batches, 0
    for _ in range(settings.epochs):
        order = random.permutation(size)
        for k in range(batches):
            chosen = order[k * settings.batch : (k + 1) * settings.batch]
            gradients = _gradients(data.batch(chosen), parameters, settings.dropout, random)
            step += 1
            rate = settings.rate * min(1.0, 1.6 * (1 - (step - 1) / total))
            _adamw(parameters, gradients, moments, step, rate, settings.decay)
    return parameters[0], parameters[1]


def _adamw(parameters: list, gradients: list, moments: list, step: int, rate: float, decay: float) -> None:
    for p, g, (m, v) in zip(parameters, gradients, moments, strict=True):
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g * g
        p -= rate * (m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.99**step)) + 1e-8) + decay * p)


def _gradients(batch: tuple, parameters: list, dropout: float, random: np.random.Generator) -> list[np.ndarray]:
    design, question, answer, targets, weights = batch
    embedding, output = parameters
    summed = design @ embedding
    active = summed[:, :-1] > 0
    mask = active * (random.random((1, active.shape[1])) >= dropout).astype(np.float32) / np.float32(1 - dropout)
    hidden = summed[:, :-1] * mask
    scores = hidden @ output + summed[:, -1]
    starts = np.flatnonzero(np.diff(question, prepend=-1))
    p = np.exp(scores - np.maximum.reduceat(scores, starts)[question])
    p /= np.add.reduceat(p, starts)[question]
    mass = np.bincount(answer, p, len(targets)).astype(np.float32)
    kept = weights * (mass > np.exp(-_LARGEST_LOSS))
    pull = kept * targets / np.maximum(mass, 1e-9)
    total = np.bincount(question, (pull * mass)[answer] * p / np.maximum(mass[answer], 1e-9))  # kept weight of each
    slope = ((total[question] - pull[answer]) * p / len(starts)).astype(np.float32)
    outer = (slope[:, None] * output[None, :]) * mask
    return [design.T @ np.concatenate([outer, slope[:, None]], axis=1).astype(np.float32), hidden.T @ slope]
