"""Training of the coreference scorer in numpy: embedding sum, one hidden layer, softmax over each question's rows,
AdamW.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from rules.coreference.layout import SIZE

_LARGEST_LOSS = 8.0  # a label that the model finds this absurd is a wrong label


@dataclass(frozen=True, slots=True)
class Example:
    """A question: its rows of features, which rows are right, and its weight in the loss."""

    rows: Sequence[Sequence[int]]
    right: Sequence[bool]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of a training run; ``members`` networks of ``hidden`` units are trained on their own and their scores
    averaged.
    """

    hidden: int = 24
    members: int = 4
    epochs: int = 6
    batch: int = 64
    rate: float = 4e-3
    decay: float = 0.05
    dropout: float = 0.3
    seed: int = 7


def train(examples: Sequence[Example], settings: Training) -> tuple[np.ndarray, np.ndarray]:
    """Returns (embedding, output) as the scorer reads them: the members side by side, their scores averaged."""
    members = [_train_one(examples, settings, settings.seed + k) for k in range(settings.members)]
    linear = np.mean([e[:, -1:] for e, _ in members], axis=0)
    embedding = np.concatenate([*(e[:, :-1] for e, _ in members), linear], axis=1)
    return embedding, np.concatenate([o for _, o in members]) / settings.members


def _train_one(examples: Sequence[Example], settings: Training, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    parameters = [
        np.concatenate([random.normal(0, 0.15, (SIZE, settings.hidden)), np.zeros((SIZE, 1))], axis=1).astype(
            np.float32
        ),
        random.normal(0, 0.3, settings.hidden).astype(np.float32),
    ]
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
    batches = -(-len(examples) // settings.batch)
    total, step = settings.epochs * batches, 0
    for _ in range(settings.epochs):
        order = random.permutation(len(examples))
        for k in range(batches):
            chosen = [examples[i] for i in order[k * settings.batch : (k + 1) * settings.batch]]
            gradients = _gradients(chosen, parameters, settings.dropout, random)
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


def _gradients(
    examples: Sequence[Example], parameters: list, dropout: float, random: np.random.Generator
) -> list[np.ndarray]:
    embedding, output = parameters
    rows = [row for e in examples for row in e.rows]
    bounds = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    flat = np.fromiter((n for row in rows for n in row), np.int64, bounds[-1])
    design = csr_matrix((np.ones(bounds[-1], np.float32), flat, bounds), shape=(len(rows), SIZE))
    summed = design @ embedding
    active = summed[:, :-1] > 0
    mask = active * (random.random((1, active.shape[1])) >= dropout) / np.float32(1 - dropout)
    hidden = summed[:, :-1] * mask
    scores = hidden @ output + summed[:, -1]
    slope = np.zeros_like(scores)
    start = 0
    for e in examples:
        stop = start + len(e.rows)
        p = np.exp(scores[start:stop] - scores[start:stop].max())
        p /= p.sum()
        right = np.asarray(e.right)
        mass = p[right].sum()
        if mass > np.exp(-_LARGEST_LOSS):
            slope[start:stop] = e.weight * (p - np.where(right, p / mass, 0))
        start = stop
    slope /= len(examples)
    outer = (slope[:, None] * output[None, :]) * mask
    return [design.T @ np.concatenate([outer, slope[:, None]], axis=1).astype(np.float32), hidden.T @ slope]
