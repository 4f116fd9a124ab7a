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


def decide(questions: Sequence[Question], totals: Sequence[Mapping[int, float]]) -> list[tuple[int, float]]:
    """Returns the likeliest cluster of each question with its probability, -1 for "none". Of a subject and an object
    that would mean the same, the one that loses less takes its next best.
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
                CHAIN + first * 45 + relation,
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
    if question.apart is q:
        return 4
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
