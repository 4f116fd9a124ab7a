"""Chains: combining the answers to the questions about neighbouring pronouns.

A first stage answers each question alone. The second stage also uses the first one's answers for nearby pronouns, and
finally a subject and an object of the same verb are given different antecedents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.coreference.features import (
    CHAIN,
    CHAIN_MEAN,
    CHAIN_NEXT,
    CHAIN_OTHER,
    GENDERS,
    NONE_CHAIN,
    SIZE,
    IntArray,
)
from gistmill.rules.coreference.pronouns import AntecedentQuestion

FloatArray = npt.NDArray[np.floating[Any]]
Answer = Mapping[int, float]  # the probability of each cluster; the key -1 stands for "none"
_BUCKETS = np.array((0.1, 0.3, 0.6, 0.85))
_NO_PRONOUN = 5
_SENTENCES, _PRONOUNS = 3, 10  # maximum distance between nearby pronouns


def by_cluster(question: AntecedentQuestion, probabilities: FloatArray) -> dict[int, float]:
    """Adds up the probabilities of a question's candidates by cluster.

    Args:
        question: a question with candidates.
        probabilities: the probabilities of "none" and of each candidate, of shape (1 + candidates,).

    Returns:
        The probability of each cluster by its number; -1 is "none".
    """
    none, *others = probabilities.tolist()
    total = {-1: none}
    for x, p in zip(question.candidates, others, strict=True):
        number = x.cluster.number
        total[number] = total.get(number, 0.0) + p
    return total


def decide(questions: Sequence[AntecedentQuestion], totals: Sequence[Answer]) -> list[tuple[int, float]]:
    """Returns each question's likeliest cluster with its probability; -1 is "none".

    If a subject and an object of one verb would get the same cluster, the one that loses less gets its next best.
    """
    orders = [sorted(total, key=lambda n: (-total[n], n != -1)) for total in totals]
    chosen = [0] * len(totals)
    places = {q.pronoun.order: k for k, q in enumerate(questions)}
    for k, question in enumerate(questions):
        j = None if question.apart is None else places.get(question.apart.order)
        if j is None:
            continue
        same = orders[k][chosen[k]]
        if same >= 0 and same == orders[j][chosen[j]]:
            losing = min((k, j), key=lambda i: totals[i][same] / max(totals[i][orders[i][chosen[i] + 1]], 1e-9))
            chosen[losing] += 1
    return [(order[c], total[order[c]]) for order, c, total in zip(orders, chosen, totals, strict=True)]


def extend_rows(questions: Sequence[AntecedentQuestion], answers: Sequence[Answer]) -> list[IntArray]:
    """Returns the rows of the second stage: those of the first, with features from its answers for nearby pronouns.

    Args:
        questions: a document's questions with candidates, in text order.
        answers: the answer to each, as returned by ``by_cluster``.
    """
    if not questions:
        return []
    here, sizes = np.arange(len(questions)), [len(q.rows) for q in questions]
    owner = np.repeat(here, sizes)
    cluster = np.array([n for q in questions for n in (-1, *(x.cluster.number for x in q.candidates))])
    kind, gender, sentence = np.array(
        [(q.view.kind, GENDERS[q.pronoun.gender], q.pronoun.sentence) for q in questions]
    ).T
    probability = _lookup(answers, owner, cluster)
    # for each row: the sum of its cluster's probabilities for nearby pronouns of the same gender and, for "he" and
    # "she", the highest one for a pronoun of the other gender
    total, other = np.zeros(len(owner)), np.zeros(len(owner))
    count, before, after = np.zeros_like(here), np.full_like(here, -1), np.full_like(here, -1)
    for step in (*range(-_PRONOUNS, 0), *range(1, _PRONOUNS + 1)):  # in text order, which fixes the order of summation
        inside = (here + step >= 0) & (here + step < len(here))
        there = np.where(inside, here + step, here)
        near = inside & (abs(sentence[there] - sentence) <= _SENTENCES)
        alike = near & (gender[there] == gender)
        unlike = near & ~alike & (kind[there] == 0) & (kind == 0)
        count += alike
        before = np.where(alike & (step < 0), there, before)
        after = np.where(alike & (step > 0) & (after < 0), there, after)
        found = probability(there)
        total += np.where(alike[owner], found, 0.0)
        other = np.maximum(other, np.where(unlike[owner], found, 0.0))
    relation = np.array(
        [0 if k < 0 else _relation(q, questions[k]) for q, k in zip(questions, before.tolist(), strict=True)]
    )
    same_sentence = (after >= 0) & (sentence[after] == sentence)
    first, second = (np.where(of[owner] < 0, _NO_PRONOUN, _bucket(probability(of))) for of in (before, after))
    mean = _bucket(total / np.maximum(count, 1)[owner]) * 3 + kind[owner]
    more = np.stack(
        [
            CHAIN + first * 45 + relation[owner],
            CHAIN_NEXT + second * 2 + same_sentence[owner],
            CHAIN_OTHER + _bucket(other),
            CHAIN_MEAN + mean,
        ],
        axis=1,
    )
    none = cluster < 0
    more[none] = SIZE
    more[none, 0] = NONE_CHAIN + mean[none]
    parts = np.split(more, np.cumsum(sizes[:-1]))
    return [np.hstack((q.rows, part)) for q, part in zip(questions, parts, strict=True)]


def _lookup(answers: Sequence[Answer], owner: IntArray, cluster: IntArray) -> Callable[[IntArray], FloatArray]:
    """Returns a function from an array of questions, one per question, to the probability of each row's cluster there.

    Args:
        answers: the answers to all questions.
        owner, cluster: each row's question, and the number of its cluster; -1 is "none".
    """
    stride = int(cluster.max()) + 2
    entries = sorted((k * stride + number + 1, p) for k, answer in enumerate(answers) for number, p in answer.items())
    keys, values = np.array([key for key, _ in entries]), np.array([p for _, p in entries])

    def probability(question: IntArray) -> FloatArray:
        wanted = question[owner] * stride + cluster + 1
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, values[at], 0.0)  # an answer may lack the cluster

    return probability


def _bucket(probabilities: FloatArray) -> IntArray:
    return np.searchsorted(_BUCKETS, probabilities, side="right")


def _relation(question: AntecedentQuestion, before: AntecedentQuestion) -> int:
    """Returns the relation of two pronouns combined with the groups of their roles."""
    p, q = question.pronoun, before.pronoun
    if question.apart is q:
        relation = 4
    elif p.sentence != q.sentence:
        relation = 2 if p.sentence - q.sentence == 1 else 3
    else:
        relation = 0 if p.clause == q.clause else 1
    return relation * 9 + min(question.view.group, 2) * 3 + min(before.view.group, 2)
