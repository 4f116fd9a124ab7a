"""Chains: the answers to the questions about near pronouns bear on each other.

A first stage answers each question alone. The second also reads the first one's answers for near pronouns, and what
the two give to a subject and an object of one verb is made to differ.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gistmill.rules.coreference.features import CHAIN, CHAIN_MEAN, CHAIN_NEXT, CHAIN_OTHER, NONE_CHAIN
from gistmill.rules.coreference.pronouns import AntecedentQuestion

FloatArray = npt.NDArray[np.floating[Any]]
Answer = Mapping[int, float]  # the probability of each cluster; that of "none" has the key -1
_BUCKETS = (0.1, 0.3, 0.6, 0.85)
_NO_PRONOUN = 5
_SENTENCES, _PRONOUNS = 3, 10  # how far apart two pronouns are near


def by_cluster(question: AntecedentQuestion, probabilities: FloatArray) -> dict[int, float]:
    """Adds up the probabilities of a question's candidates by cluster.

    Args:
        question: a question with candidates.
        probabilities: those of "none" and of each candidate, of shape (1 + candidates,).

    Returns:
        The probability of each cluster by its number; -1 is "none".
    """
    total = {-1: float(probabilities[0])}
    for x, p in zip(question.candidates, probabilities[1:], strict=True):
        number = x.cluster.number
        total[number] = total.get(number, 0.0) + float(p)
    return total


def decide(questions: Sequence[AntecedentQuestion], totals: Sequence[Answer]) -> list[tuple[int, float]]:
    """Returns the likeliest cluster of each question with its probability; -1 is "none".

    Where a subject and an object of one verb would get the same cluster, the one that loses less gets its next best.
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


class _Chain(NamedTuple):
    """The answers to the questions around one question, each by cluster.

    Attributes:
        before, after: of the last pronoun of the same gender before it, and of the next.
        others: for "he" and "she", of the near pronouns of the other gender.
        near: of the near pronouns of its own gender.
        relation, same_sentence: the relation to the pronoun before, and whether the next shares the sentence.
        kind: as in ``PronounView``.
    """

    before: Answer | None
    after: Answer | None
    others: list[Answer]
    near: list[Answer]
    relation: int
    same_sentence: int
    kind: int


def extend_rows(questions: Sequence[AntecedentQuestion], answers: Sequence[Answer]) -> list[list[list[int]]]:
    """Returns the rows of the second stage: those of the first, and what its answers say about near pronouns."""
    extended = []
    for question, chain in zip(questions, _chains(questions, answers), strict=True):
        cache: dict[int, list[int]] = {}
        rows = []
        for number, row in zip([-1, *(x.cluster.number for x in question.candidates)], question.rows, strict=True):
            if number not in cache:
                cache[number] = _features(number, chain)
            rows.append(row + cache[number])
        extended.append(rows)
    return extended


def _features(cluster: int, chain: _Chain) -> list[int]:
    """The active features of a cluster, or of "none" for -1."""
    mean = sum(a.get(cluster, 0.0) for a in chain.near) / len(chain.near) if chain.near else 0.0
    if cluster < 0:
        return [NONE_CHAIN + _bucket(mean) * 3 + chain.kind]
    first = _NO_PRONOUN if chain.before is None else _bucket(chain.before.get(cluster, 0.0))
    second = _NO_PRONOUN if chain.after is None else _bucket(chain.after.get(cluster, 0.0))
    return [
        CHAIN + first * 45 + chain.relation,
        CHAIN_NEXT + second * 2 + chain.same_sentence,
        CHAIN_OTHER + _bucket(max((a.get(cluster, 0.0) for a in chain.others), default=0.0)),
        CHAIN_MEAN + _bucket(mean) * 3 + chain.kind,
    ]


def _bucket(probability: float) -> int:
    return bisect_right(_BUCKETS, probability)


def _relation(question: AntecedentQuestion, before: AntecedentQuestion) -> int:
    """The relation of two pronouns, and the groups of their roles."""
    p, q = question.pronoun, before.pronoun
    if question.apart is q:
        relation = 4
    elif p.sentence != q.sentence:
        relation = 2 if p.sentence - q.sentence == 1 else 3
    else:
        relation = 0 if p.clause == q.clause else 1
    return relation * 9 + min(question.view.group, 2) * 3 + min(before.view.group, 2)


def _near_pairs(questions: Sequence[AntecedentQuestion]) -> Iterator[tuple[int, int]]:
    """Yields the places of two questions whose pronouns are near each other, the earlier one first."""
    for k, question in enumerate(questions):
        for j in range(k + 1, min(k + 1 + _PRONOUNS, len(questions))):
            if questions[j].pronoun.sentence - question.pronoun.sentence > _SENTENCES:
                break
            yield k, j


def _chains(questions: Sequence[AntecedentQuestion], answers: Sequence[Answer]) -> Iterator[_Chain]:
    size = len(questions)
    previous: list[int | None] = [None] * size
    following: list[int | None] = [None] * size
    others: list[list[Answer]] = [[] for _ in range(size)]
    near: list[list[Answer]] = [[] for _ in range(size)]
    for k, j in _near_pairs(questions):
        first, second = questions[k], questions[j]
        if first.pronoun.gender == second.pronoun.gender:
            if following[k] is None:
                following[k] = j
            previous[j] = k
            near[k].append(answers[j])
            near[j].append(answers[k])
        elif first.view.kind == 0 and second.view.kind == 0:
            others[k].append(answers[j])
            others[j].append(answers[k])
    for k, question in enumerate(questions):
        before, after = previous[k], following[k]
        yield _Chain(
            before=None if before is None else answers[before],
            after=None if after is None else answers[after],
            others=others[k],
            near=near[k],
            relation=0 if before is None else _relation(question, questions[before]),
            same_sentence=int(after is not None and questions[after].pronoun.sentence == question.pronoun.sentence),
            kind=question.view.kind,
        )
