"""The built-in coreference resolver: names, nominals, then pronouns by a fitted scorer. Its time is linear in the
length of the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from gistmill.core import deadline
from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, Cluster, Markable, Syntax
from gistmill.rules.coreference.mentions import find_mentions
from gistmill.rules.coreference.names import NameBook, mark_title, whole_names
from gistmill.rules.coreference.nominals import NominalLinker, NominalScorer
from gistmill.rules.coreference.questions import AntecedentQuestion, QuestionBuilder
from gistmill.rules.coreference.scorer import FloatArray, Scorer, by_cluster, decide, extend_rows
from gistmill.rules.documents import Mention, Sentence

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
        deadline.check()
        if mention.kind == NOMINAL:
            linker.place(mention)
        elif mention.kind == GROUP:
            clusters.append(Cluster(len(clusters), mention))
    for cluster in clusters:
        cluster.settle()
    return mentions, clusters, QuestionBuilder(sentences, syntaxes, mentions, titled, bool(title)).questions()
