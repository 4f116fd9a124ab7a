"""What neighbouring pronouns say: pronouns of one gender that stand close tend to mean one person, arguments of one
verb never.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.coreference.candidates import Question
from rules.coreference.layout import CHAIN, CHAIN_MEAN, CHAIN_NEXT, CHAIN_OTHER, NONE_CHAIN

_BUCKETS = (0.1, 0.3, 0.6, 0.85)
_NO_PRONOUN = 5
_SENTENCES = 3


def by_cluster(question: Question, probabilities: Sequence[float]) -> dict[int, float]:
    """Adds up the probabilities of a question's candidates by cluster; -1 is "none"."""
    total = {-1: float(probabilities[0])}
    for x, p in zip(question.candidates, probabilities[1:], strict=True):
        number = x.cluster.number
        total[number] = total.get(number, 0.0) + float(p)
    return total


def extend_rows(questions: Sequence[Question], answers: Sequence[Mapping[int, float]]) -> list[list[list[int]]]:
    """Returns the rows of the second stage: those of the first with what its answers say of the neighbours."""
    previous, following, others, means = _neighbours(questions)
    extended = []
    for k, question in enumerate(questions):
        kind, group = question.view.kind, question.view.group
        before, after = previous[k], following[k]
        relation = (
            0
            if before is None
            else _relation(question, questions[before]) * 9 + min(group, 2) * 3 + min(questions[before].view.group, 2)
        )
        near = 0 if after is None else int(questions[after].pronoun.sentence == question.pronoun.sentence)

        def numbers(cluster: int) -> list[int]:
            first = _NO_PRONOUN if before is None else _bucket(answers[before].get(cluster, 0.0))
            second = _NO_PRONOUN if after is None else _bucket(answers[after].get(cluster, 0.0))
            other = max((answers[j].get(cluster, 0.0) for j in others[k]), default=0.0) if cluster >= 0 else 0.0
            around = means[k]
            mean = sum(answers[j].get(cluster, 0.0) for j in around) / len(around) if around else 0.0
            if cluster < 0:
                return [NONE_CHAIN + _bucket(mean) * 3 + kind]
            return [
                CHAIN + first * 36 + relation,
                CHAIN_NEXT + second * 2 + near,
                CHAIN_OTHER + _bucket(other),
                CHAIN_MEAN + _bucket(mean) * 3 + kind,
            ]

        cache: dict[int, list[int]] = {}
        rows = []
        for number, row in zip([-1, *(x.cluster.number for x in question.candidates)], question.rows, strict=True):
            if number not in cache:
                cache[number] = numbers(number)
            rows.append(row + cache[number])
        extended.append(rows)
    return extended


def _bucket(probability: float) -> int:
    for k, limit in enumerate(_BUCKETS):
        if probability < limit:
            return k
    return len(_BUCKETS)


def _relation(question: Question, other: Question) -> int:
    p, q = question.pronoun, other.pronoun
    if p.sentence != q.sentence:
        return 2 if p.sentence - q.sentence == 1 else 3
    return 0 if p.clause == q.clause else 1


def _neighbours(questions: Sequence[Question]) -> tuple[list, list, list, list]:
    """For each question: the last one of its gender before it, the next, of he and she those of the other gender near
    it, those of its own gender near it.
    """
    size = len(questions)
    previous, following = [None] * size, [None] * size
    others, means = [[] for _ in range(size)], [[] for _ in range(size)]
    for k, question in enumerate(questions):
        p = question.pronoun
        for j in range(k + 1, size):
            q = questions[j].pronoun
            if q.sentence - p.sentence > _SENTENCES or j - k > 10:
                break
            if p.gender == q.gender:
                if following[k] is None:
                    following[k] = j
                previous[j] = k
                means[k].append(j)
                means[j].append(k)
            elif question.view.kind == 0 and questions[j].view.kind == 0:
                others[k].append(j)
                others[j].append(k)
    return previous, following, others, means
