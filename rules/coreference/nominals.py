"""Links of noun phrases: appositions ("Ann Lee, the singer,"), repeated heads ("a club ... the club"), kinds of a name
("the school").
"""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.lexicon import GROUP_NOUNS
from gistmill.rules.coreference.markables import NAME, Cluster, Markable
from gistmill.rules.coreference.nominal_candidates import CandidateFinder
from gistmill.rules.coreference.nominal_scorer import NominalScorer
from gistmill.rules.coreference.noun_phrases import is_definite
from gistmill.rules.coreference.syntax import APPOSITION, PREDICATE, SUBJECTS, Syntax
from gistmill.rules.documents import Token

# "Albania is the name of ..." says something of the word, not of the country.
_WORDS_FOR_WORDS = frozenset({"name", "term", "word", "title", "phrase"})
# "At that time", "in the end" refer to no thing mentioned.
_NO_THINGS = frozenset("time moment end beginning rest fact way case".split())
# Precision of each kind of link on GUM; a predicate is not a mention of its own.
SAID_OF_NAME = 0.0
APPOSITIVE = 0.75


def _appositive(nominal: Markable, tokens: Sequence[Token]) -> int | None:
    """The head of what a nominal is in apposition to, before or behind it."""
    token = tokens[nominal.head]
    if nominal.role == APPOSITION and token.dep == "appos":
        return token.head
    behind = range(nominal.end, min(nominal.end + 4, len(tokens)))
    return next((i for i in behind if tokens[i].dep == "appos" and tokens[i].head == nominal.head), None)


class NominalLinker:
    """Puts nominals, in text order, into clusters: of names, of earlier nominals, or of their own."""

    def __init__(
        self,
        syntaxes: Sequence[Syntax],
        names: dict[int, Markable],
        clusters: list[Cluster],
        scorer: NominalScorer,
    ) -> None:
        self._syntaxes, self._names, self._clusters = syntaxes, names, clusters
        self._scorer = scorer
        self._finder = CandidateFinder(syntaxes, names.values())

    def place(self, nominal: Markable) -> None:
        """Puts a nominal into a cluster, and adds to a named cluster what the nominal tells about it."""
        syntax = self._syntaxes[nominal.sentence]
        tokens = syntax.tokens
        self._finder.advance(nominal)
        target, confidence = self._apposed(nominal, tokens), APPOSITIVE
        if target is None:
            target, confidence = self._subject_of(nominal, syntax), SAID_OF_NAME
        if target is not None:
            self._learn(target, nominal)
        elif nominal.words[0] not in _NO_THINGS and nominal.role != PREDICATE and is_definite(nominal, tokens):
            candidates = self._finder.candidates(nominal)
            if candidates:
                target, confidence = self._scorer.choose(nominal, self._syntaxes, candidates)
        if target is None:
            cluster = Cluster(len(self._clusters), nominal)
            self._clusters.append(cluster)
        else:
            target.add(nominal, confidence)
        self._finder.enter(nominal)

    def _apposed(self, nominal: Markable, tokens: Sequence[Token]) -> Cluster | None:
        index = _appositive(nominal, tokens)
        other = None if index is None else self._names.get(nominal.place - nominal.head + index)
        if other is None or other.kind != NAME or other.plural != nominal.plural:
            return None
        cluster = other.cluster
        if nominal.gender and cluster.gender and nominal.gender != cluster.gender:
            return None
        if cluster.person != nominal.person and (nominal.person or other.entity == "PERSON"):
            return None if cluster.person or other.entity not in ("", "PERSON") else cluster
        return cluster

    def _subject_of(self, nominal: Markable, syntax: Syntax) -> Cluster | None:
        """The named subject of a nominal predicate: "Ann Lee is an actress" tells that Lee is female, and that "the
        actress" may be she.
        """
        if (
            nominal.role != PREDICATE
            or syntax.tokens[nominal.clause].lemma != "be"
            or nominal.words[0] in _WORDS_FOR_WORDS
        ):
            return None
        subject = syntax.subject(nominal.clause)
        name = None if subject is None else self._names.get(nominal.place - nominal.head + subject)
        if (
            name is None
            or name.role not in SUBJECTS
            or name.plural != nominal.plural
            and nominal.words[0] not in GROUP_NOUNS
        ):
            return None
        gender = name.cluster.gender
        return None if gender and nominal.gender and gender != nominal.gender else name.cluster

    def _learn(self, cluster: Cluster, nominal: Markable) -> None:
        cluster.learn(nominal)
        self._finder.learn(cluster, nominal.words[0])
