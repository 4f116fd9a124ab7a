"""The built-in resolver: names, nominals, then pronouns by a fitted scorer, in time linear in the document's length.

The scorer is a sum of embeddings, one hidden layer, and a softmax over "none" and the candidates of one pronoun.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gistmill.core import deadline
from gistmill.rules.coreference.features import CHAIN, CHAIN_MEAN, CHAIN_NEXT, CHAIN_OTHER, NONE_CHAIN, SIZE
from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, Cluster, Markable, Syntax
from gistmill.rules.coreference.mentions import find_mentions
from gistmill.rules.coreference.names import NameBook, mark_title, whole_names
from gistmill.rules.coreference.nominals import NominalLinker, NominalScorer
from gistmill.rules.coreference.questions import AntecedentQuestion, QuestionBuilder
from gistmill.rules.documents import Mention, Sentence

FloatArray = npt.NDArray[np.floating[Any]]
_BATCH = 32  # questions scored at once: bounds the memory for long documents


class Scorer:
    """Two stages with weights of the same form; the second also reads the first one's answers for near pronouns.

    Args:
        weights: for stages 1 and 2, ``embedding1`` and ``embedding2`` of shape (features, width + 1), ``output1`` and
            ``output2`` of shape (width,), of any floating dtype. The last column of an embedding is added to the score;
            the others pass through a rectifier and are weighted by the output. ``calibration``, where there is one, has
            the shape (2, knots): probabilities from 0 to 1, rising, and the confidence of each. None takes the fitted
            weights.

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
        self._knots, self._confidences = weights.get("calibration", np.array([(0.0, 1.0), (0.0, 1.0)]))

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

    def confidence(self, probability: float) -> float:
        """Returns the confidence of a link of that probability: linear between the knots of the calibration.

        Networks are surer than they are right (Guo et al. 2017), so it is what links at least this sure reach on texts
        that no fit has seen, where that is less than the probability (research/calibrate_coreference.py).
        """
        return float(np.interp(probability, self._knots, self._confidences))

    def _score(
        self, questions: Sequence[Sequence[Sequence[int]]], embedding: FloatArray, output: FloatArray
    ) -> list[FloatArray]:
        rows = [row for question in questions for row in question]
        lengths = np.fromiter(map(len, rows), np.intp, len(rows))
        active = np.full((int(lengths.max()), len(rows)), SIZE, np.intp)
        active.T[np.arange(len(active)) < lengths[:, None]] = np.fromiter(itertools.chain.from_iterable(rows), np.intp)
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
    near = chain.near
    mean = sum(a.get(cluster, 0.0) for a in near) / len(near) if near else 0.0
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
    for k, limit in enumerate(_BUCKETS):
        if probability < limit:
            return k
    return len(_BUCKETS)


def _relation_and_groups(question: AntecedentQuestion, before: AntecedentQuestion) -> int:
    return _relation(question, before) * 9 + min(question.view.group, 2) * 3 + min(before.view.group, 2)


def _relation(question: AntecedentQuestion, other: AntecedentQuestion) -> int:
    p, q = question.pronoun, other.pronoun
    if question.apart is q:
        return 4
    if p.sentence != q.sentence:
        return 2 if p.sentence - q.sentence == 1 else 3
    return 0 if p.clause == q.clause else 1


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
            relation=0 if before is None else _relation_and_groups(question, questions[before]),
            same_sentence=int(after is not None and questions[after].pronoun.sentence == question.pronoun.sentence),
            kind=question.view.kind,
        )


# Links of pronouns at least this sure are right in 85 of 100 cases or more (benchmarks/coref_gap.py).
CUT = 0.75


class SecondOpinion(Protocol):
    """A second scorer that reads the text and answers the same questions."""

    def revise(
        self,
        sentences: Sequence[Sentence],
        mentions: Sequence[Markable],
        questions: Sequence[AntecedentQuestion],
        probabilities: Sequence[FloatArray],
        *,
        title: str,
    ) -> list[FloatArray]:
        """Revises the sieve's answers.

        Args:
            sentences: the document.
            mentions: its markables, numbered.
            questions: questions with candidates.
            probabilities: the sieve's, of "none" and of each candidate: of shape (1 + candidates,) for each question.
            title: the document's title, or "".

        Returns:
            The revised probabilities, of the same shapes; of any floating dtype.
        """


class Sieve:
    """Resolves third-person pronouns, names and definite noun phrases over a whole document. It keeps no state between
    documents.

    It is a fitted scorer over candidate antecedents. It is not Stanford's rule-based multi-pass sieve (Raghunathan et
    al., 2010), which has the same name.

    Args:
        scorer: the sieve's own scorer; None for the fitted one.
        second: a second scorer that revises the first one's probabilities, if any.
    """

    def __init__(self, scorer: Scorer | None = None, *, second: SecondOpinion | None = None) -> None:
        self._scorer, self.second = scorer or Scorer(), second

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, in the order of their first mentions.

        Args:
            sentences: the parsed document.
            title: title of the document, whose subject is a likely antecedent; "" where there is none.
        """
        mentions, clusters, questions = ask(sentences, title=title)
        asked = [q for q in questions if q.candidates]
        links = _links(questions, asked, self._revised(sentences, mentions, asked, title))
        members: dict[int, list[tuple[Markable, float]]] = {}
        for cluster in clusters:
            members[cluster.number] = [(m, p) for m in cluster.mentions if (p := cluster.links.get(m.order, 1.0)) > 0]
        for pronoun, number, probability in links:
            members[number].append((pronoun, self._scorer.confidence(probability)))
        found = []
        for group in members.values():
            if len(group) > 1:
                group.sort(key=lambda pair: pair[0].order)
                found.append(tuple(m.mention(round(p, 4)) for m, p in group))
        return tuple(sorted(found, key=lambda c: (c[0].sentence, c[0].start, -c[0].end)))

    def _revised(
        self,
        sentences: Sequence[Sentence],
        mentions: Sequence[Markable],
        asked: Sequence[AntecedentQuestion],
        title: str,
    ) -> list[FloatArray]:
        probabilities = self.probabilities(asked)
        if self.second is None or not asked:
            return probabilities
        return self.second.revise(sentences, mentions, asked, probabilities, title=title)

    def probabilities(self, asked: Sequence[AntecedentQuestion]) -> list[FloatArray]:
        """Returns the sieve's own probabilities for questions with candidates: of "none" and of each candidate, float32
        of shape (1 + candidates,)."""
        first = self._scorer.probabilities([q.rows for q in asked], stage=1)
        answers = [by_cluster(q, p) for q, p in zip(asked, first, strict=True)]
        return self._scorer.probabilities(extend_rows(asked, answers), stage=2)


def _links(
    questions: Sequence[AntecedentQuestion], asked: Sequence[AntecedentQuestion], probabilities: Sequence[FloatArray]
) -> list[tuple[Markable, int, float]]:
    """Returns (pronoun, cluster number, probability) for every pronoun that has an antecedent."""
    links: dict[int, tuple[Markable, int, float]] = {}
    totals = [by_cluster(q, p) for q, p in zip(asked, probabilities, strict=True)]
    for question, (number, probability) in zip(asked, decide(asked, totals), strict=True):
        if number >= 0:
            links[question.pronoun.order] = (question.pronoun, number, probability)
    for question in questions:
        if question.subject is not None and question.subject.order in links:
            _, number, probability = links[question.subject.order]
            links[question.pronoun.order] = (question.pronoun, number, probability)
    return [links[order] for order in sorted(links)]


def ask(
    sentences: Sequence[Sentence], *, title: str = "", nominals: NominalScorer | None = None
) -> tuple[list[Markable], list[Cluster], list[AntecedentQuestion]]:
    """Returns the markables of a document, the clusters of its names and nominals, and the questions about its
    pronouns.
    """
    sentences = [replace(s, tokens=whole_names(s.tokens)) for s in sentences]
    syntaxes = [Syntax(s.tokens) for s in sentences]
    mentions = find_mentions(sentences, syntaxes)
    for order, mention in enumerate(mentions):
        mention.order = order
    clusters: list[Cluster] = []
    book = NameBook(title)
    for mention in mentions:
        if mention.order % deadline.STRIDE == 0:
            deadline.check()
        if mention.kind == NAME:
            known = book.find(mention)
            if known is None:
                clusters.append(Cluster(len(clusters), mention))
            else:
                known[0].add(mention, known[1])
            book.enter(mention, mention.cluster)
    for cluster in clusters:
        cluster.weigh_names()
    titled = mark_title(clusters, title)
    linker = NominalLinker(
        syntaxes, {m.place: m for m in mentions if m.kind == NAME}, clusters, nominals or NominalScorer()
    )
    for mention in mentions:
        if mention.order % deadline.STRIDE == 0:
            deadline.check()
        if mention.kind == NOMINAL:
            linker.place(mention)
        elif mention.kind == GROUP:
            clusters.append(Cluster(len(clusters), mention))
    for cluster in clusters:
        cluster.settle()
    return mentions, clusters, QuestionBuilder(sentences, syntaxes, mentions, titled, bool(title)).questions()
