"""The built-in resolver: names, nominals, then pronouns by a fitted scorer, in time linear in the document's length.

The scorer is a sum of embeddings, one hidden layer, and a softmax over "none" and the candidates of one pronoun.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files

import numpy as np

from gistmill.core import deadline
from gistmill.rules.coreference.chains import FloatArray, by_cluster, decide, extend_rows
from gistmill.rules.coreference.features import SIZE, IntArray
from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, Cluster, Markable, Syntax
from gistmill.rules.coreference.mentions import find_mentions
from gistmill.rules.coreference.names import NameBook, mark_title, whole_names
from gistmill.rules.coreference.nominals import NominalLinker, NominalScorer
from gistmill.rules.coreference.pronouns import AntecedentQuestion, QuestionBuilder
from gistmill.rules.documents import Mention, Sentence

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
                wrong = f"the scorer's weights are for {embedding.shape[0]} features, not {SIZE}: fit them again"
                raise ValueError(wrong)
            absent = np.zeros((1, embedding.shape[1]), np.float32)  # feature number SIZE: it adds nothing
            self._stages.append((np.vstack([embedding, absent]), weights[f"output{stage}"].astype(np.float32)))
        self._knots, self._confidences = weights.get("calibration", np.array([(0.0, 1.0), (0.0, 1.0)]))

    def probabilities(self, questions: Sequence[IntArray], *, stage: int) -> list[FloatArray]:
        """Scores questions.

        Args:
            questions: the rows of each question, of shape (rows, features): the numbers of active features, or SIZE.
            stage: 1 or 2.

        Returns:
            The probabilities of each question's rows, of shape (rows,), float32; they add up to 1.
        """
        embedding, output = self._stages[stage - 1]
        answers: list[FloatArray] = []
        for first in range(0, len(questions), _BATCH):
            batch = questions[first : first + _BATCH]
            active = np.concatenate(batch).T
            # one feature of all rows after the other: the embeddings of all at once would leave the processor's cache
            summed = embedding.take(active[0], axis=0)
            for numbers in active[1:]:
                summed += embedding.take(numbers, axis=0)
            scores = np.maximum(summed[:, :-1], 0) @ output + summed[:, -1]
            for part in np.split(scores, np.cumsum([len(question) for question in batch[:-1]])):
                part = np.exp(part - part.max())
                answers.append(part / part.sum())
        return answers

    def confidence(self, probability: float) -> float:
        """Returns the confidence of a link of that probability: linear between the knots of the calibration.

        Networks are surer than they are right (Guo et al. 2017), so it is what links at least this sure reach on texts
        that no fit has seen, where that is less than the probability (research/calibrate_coreference.py).
        """
        return float(np.interp(probability, self._knots, self._confidences))


# Links of pronouns at least this sure are right in 85 of 100 cases or more (benchmarks/coref_gap.py).
CUT = 0.75


# A second scorer, which reads the text. It gets the document's sentences, its markables, numbered, the questions with
# candidates, their probabilities (as ``Scorer`` gives them) and the title, and returns revised ones, of the same
# shapes and of any floating dtype.
SecondOpinion = Callable[
    [Sequence[Sentence], Sequence[Markable], Sequence[AntecedentQuestion], Sequence[FloatArray], str], list[FloatArray]
]


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
        self._scorer, self._second = scorer or Scorer(), second

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, in the order of their first mentions.

        Args:
            sentences: the parsed document.
            title: title of the document, whose subject is a likely antecedent; "" where there is none.
        """
        mentions, clusters, questions = ask(sentences, title=title)
        asked = [q for q in questions if q.candidates]
        probabilities = self.probabilities(asked)
        if self._second is not None and asked:
            probabilities = self._second(sentences, mentions, asked, probabilities, title)
        members = {c.number: [(m, p) for m in c.mentions if (p := c.links.get(m.order, 1.0)) > 0] for c in clusters}
        for pronoun, number, probability in _links(questions, asked, probabilities):
            members[number].append((pronoun, self._scorer.confidence(probability)))
        found = []
        for group in members.values():
            if len(group) > 1:
                group.sort(key=lambda pair: pair[0].order)
                found.append(tuple(m.mention(round(p, 4)) for m, p in group))
        return tuple(sorted(found, key=lambda c: (c[0].sentence, c[0].start, -c[0].end)))

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
    """Returns a document's markables, the clusters of its names and nominals, and the questions about its pronouns."""
    sentences = [replace(s, tokens=whole_names(s.tokens)) for s in sentences]
    syntaxes = [Syntax(s.tokens) for s in sentences]
    mentions = find_mentions(sentences, syntaxes)
    for order, mention in enumerate(mentions):
        mention.order = order
    clusters: list[Cluster] = []
    book, names = NameBook(title), [m for m in mentions if m.kind == NAME]
    for number, name in enumerate(names):
        if number % deadline.STRIDE == 0:
            deadline.check()
        known = book.find(name)
        if known is None:
            clusters.append(Cluster(len(clusters), name))
        else:
            known[0].add(name, known[1])
        book.enter(name, name.cluster)
    for cluster in clusters:
        cluster.weigh_names()
    titled = mark_title(clusters, title)
    linker = NominalLinker(syntaxes, {m.place: m for m in names}, clusters, nominals or NominalScorer())
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
