"""The built-in resolver: names, nominals, then pronouns by a fitted scorer, in time linear in the document's length.

The scorer is a sum of embeddings, one hidden layer, and a softmax over "none" and the candidates of a pronoun.
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

_BATCH = 32  # questions scored at once: limits the memory used for long documents


class Scorer:
    """A scorer in two stages of the same form; the second also uses the first one's answers for nearby pronouns.

    Args:
        weights: for stages 1 and 2, ``embedding1`` and ``embedding2`` of shape (features, width + 1), ``output1`` and
            ``output2`` of shape (width,), of any floating dtype. The last column of an embedding is added to the score;
            the others pass through a rectifier and are weighted by the output. ``calibration``, if present, is of shape
            (2, knots): rising probabilities from 0 to 1, and the confidence of each. None uses the fitted weights.

    Raises:
        ValueError: the weights are for a layout with another number of features.
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
            absent = np.zeros((1, embedding.shape[1]), np.float32)  # feature number SIZE, which adds nothing
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
            # one feature at a time for all rows: all their embeddings together would not fit in the processor's cache
            summed = embedding.take(active[0], axis=0)
            for numbers in active[1:]:
                summed += embedding.take(numbers, axis=0)
            scores = np.maximum(summed[:, :-1], 0) @ output + summed[:, -1]
            for part in np.split(scores, np.cumsum([len(question) for question in batch[:-1]])):
                part = np.exp(part - part.max())
                answers.append(part / part.sum())
        return answers

    def confidence(self, probability: float) -> float:
        """Returns the confidence of a link with the given probability, interpolated linearly between calibration knots.

        Networks tend to be overconfident (Guo et al. 2017), so the confidence is the precision of links at least this
        probable on texts not used in fitting, where it is below the probability (research/calibrate_coreference.py).
        """
        return float(np.interp(probability, self._knots, self._confidences))


# Pronoun links with at least this confidence are right in 85 of 100 cases or more (benchmarks/coref_gap.py).
CUT = 0.75


# A second scorer, which reads the text. Its arguments are the document's sentences, its numbered markables, the
# questions with candidates, their probabilities (from ``Scorer``) and the title; it returns revised probabilities of
# the same shapes, of any floating dtype.
SecondOpinion = Callable[
    [Sequence[Sentence], Sequence[Markable], Sequence[AntecedentQuestion], Sequence[FloatArray], str], list[FloatArray]
]


class Sieve:
    """Resolves third-person pronouns, names and definite noun phrases in whole documents, without state between them.

    It is a fitted scorer over candidate antecedents, not Stanford's rule-based sieve (Raghunathan et al., 2010).

    Args:
        scorer: the sieve's own scorer; None for the fitted one.
        second: a second scorer that revises the first one's probabilities, if any.
    """

    def __init__(self, scorer: Scorer | None = None, *, second: SecondOpinion | None = None) -> None:
        self._scorer, self._second = scorer or Scorer(), second

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns clusters of at least two mentions, in the order of their first mentions.

        Args:
            sentences: the parsed document.
            title: title of the document, whose subject is a likely antecedent; "" if there is none.
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
        """Returns each question's probabilities of "none" and each candidate: float32 of shape (1 + candidates,)."""
        first = self._scorer.probabilities([q.rows for q in asked], stage=1)
        answers = [by_cluster(q, p) for q, p in zip(asked, first, strict=True)]
        return self._scorer.probabilities(extend_rows(asked, answers), stage=2)


def _links(
    questions: Sequence[AntecedentQuestion], asked: Sequence[AntecedentQuestion], probabilities: Sequence[FloatArray]
) -> list[tuple[Markable, int, float]]:
    """Returns (pronoun, cluster number, probability) for every pronoun with an antecedent."""
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
