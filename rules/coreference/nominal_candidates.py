"""Candidates for the antecedent of a definite noun phrase.

A candidate is a cluster with the way in which the noun may mean it: its head is repeated ("a club ... the club"), a
name, an apposition or a predicate says that it is one ("Harvard University ... the university"), or the type of its
name fits the noun ("IBM ... the company").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gistmill.rules.coreference.kinds import COUNTRIES, STATES, calls, kinds_of_name, same_kind
from gistmill.rules.coreference.markables import NAME, Cluster, Markable
from gistmill.rules.coreference.noun_kinds import Kind, main_kind
from gistmill.rules.coreference.syntax import Syntax

HEAD, SAID, TYPE = "head", "said", "type"
_MOST_HEADS, _MOST_SAID, _MOST_TYPED, _MOST_LOOKED_AT = 3, 3, 4, 12
_FARTHEST, _NEAR_HEAD, _NEAR_NAME = 25, 3, 3  # sentences
# What nouns call names of each type: usually, and at all, as the recogniser mistakes companies for products.
_USUALLY = {
    "ORG": frozenset({"group"}),
    "GPE": frozenset({"town", "country", "region"}),
    "LOC": frozenset({"region", "site"}),
    "FAC": frozenset({"site"}),
    "WORK_OF_ART": frozenset({"work"}),
    "LAW": frozenset({"work"}),
    "PRODUCT": frozenset({"thing"}),
    "EVENT": frozenset({"event"}),
}
_AT_ALL = _USUALLY | {
    "ORG": frozenset({"group", "site", "work"}),
    "PRODUCT": frozenset({"thing", "work"}),
    "LANGUAGE": frozenset({"thing"}),
    "PERSON": frozenset({"group", "site", "work", "town"}),
    "NORP": frozenset(),
}
_NOTHING: frozenset[str] = frozenset()


class Candidate(NamedTuple):
    """A cluster that a nominal may belong to.

    Attributes:
        link: HEAD, SAID or TYPE.
        mention: the mention of the cluster that tells so: the one with the same head, else the last.
        usual: whether the noun is a usual one for a name of the cluster's type.
        rivals: number of candidates with the same link, itself among them.
        usual_rivals: how many of these are usual.
    """

    link: str
    mention: Markable
    usual: bool
    rivals: int
    usual_rivals: int

    @property
    def cluster(self) -> Cluster:
        """The cluster."""
        return self.mention.cluster


class CandidateFinder:
    """Remembers the mentions of a document in text order, and finds candidates among them. The time of a search does
    not grow with what it remembers.

    Args:
        syntaxes: the sentences of the document.
        names: its names, in text order, in their clusters.
    """

    def __init__(self, syntaxes: Sequence[Syntax], names: Iterable[Markable]) -> None:
        self._syntaxes = syntaxes
        self._names = list(names)
        self._next = 0
        self._last: dict[int, Markable] = {}  # the order of the keys is that of the last mentions
        self._heads: dict[tuple[str, bool], list[Markable]] = {}
        self._said: dict[str, dict[int, Cluster]] = {}
        self._titled = next((m.cluster for m in self._names if m.cluster.titled), None)

    def learn(self, cluster: Cluster, noun: str) -> None:
        """Learns that a cluster may be called by a noun."""
        for word in same_kind(noun):
            said = self._said.setdefault(word, {})
            said.pop(cluster.number, None)
            said[cluster.number] = cluster

    def enter(self, nominal: Markable) -> None:
        """Remembers a nominal that has its cluster."""
        self._remember(nominal)
        self._heads.setdefault((nominal.words[0], nominal.plural), []).append(nominal)

    def advance(self, nominal: Markable) -> None:
        """Remembers the names before a nominal."""
        names = self._names
        while self._next < len(names) and names[self._next].begin < nominal.begin:
            name = names[self._next]
            self._next += 1
            if not name.cluster.person:
                for kind in kinds_of_name(name.cluster.longest):
                    self.learn(name.cluster, kind)
                kind_in_front = self._kind_in_front(name)
                if kind_in_front:
                    self.learn(name.cluster, kind_in_front)
            self._remember(name)

    def _remember(self, mention: Markable) -> None:
        number = mention.cluster.number
        self._last.pop(number, None)
        self._last[number] = mention

    def _kind_in_front(self, name: Markable) -> str:
        """Returns the kind of thing that stands before a name: "film" for "the film Solaris"."""
        tokens = self._syntaxes[name.sentence].tokens
        before = tokens[name.start - 1] if name.start else None
        if before is None or before.tag != "NN" or not name.start <= before.head < name.end:
            return ""
        return before.lemma.lower() if before.dep in ("compound", "nmod") else ""

    def candidates(self, nominal: Markable) -> list[Candidate]:
        """Returns the candidates of a definite nominal, each cluster once."""
        heads = self._with_head(nominal)
        found = [Candidate(HEAD, m, False, len(heads), 0) for m in heads.values()]
        if nominal.plural:
            return found
        said = [m for m in self._called(nominal) if m.cluster.number not in heads]
        found += [Candidate(SAID, m, False, len(said), 0) for m in said]
        if not any(nominal.sentence - m.sentence <= _NEAR_HEAD for m in heads.values()):
            known = heads.keys() | {m.cluster.number for m in said}
            typed = [(m, _is_usual(m.cluster, nominal)) for m in self._typed(nominal, known)]
            usual = sum(fit for _, fit in typed)
            found += [Candidate(TYPE, m, fit, len(typed), usual) for m, fit in typed]
        return found

    def _with_head(self, nominal: Markable) -> dict[int, Markable]:
        """The last mentions with the same head and number, of different clusters, by the cluster's number."""
        found: dict[int, Markable] = {}
        for other in reversed(self._heads.get((nominal.words[0], nominal.plural), ())[-_MOST_HEADS:]):
            inside = other.sentence == nominal.sentence and other.end > nominal.start
            if not inside and nominal.sentence - other.sentence <= _FARTHEST:
                found.setdefault(other.cluster.number, other)
        return found

    def _called(self, nominal: Markable) -> list[Markable]:
        """The last mentions of the clusters that were last said to be what the noun calls."""
        found = []
        for number in reversed(self._said.get(nominal.words[0], {})):
            last = self._last.get(number)
            if last is not None and nominal.sentence - last.sentence <= _FARTHEST:
                found.append(last)
                if len(found) == _MOST_SAID:
                    break
        return found

    def _typed(self, nominal: Markable, known: frozenset[int] | set[int]) -> list[Markable]:
        """The last mentions of names near by, and of the page's title, whose type fits the noun."""
        kinds = calls(nominal.words[0])
        found: list[Markable] = []
        if not kinds and not _calls_persons(nominal):
            return found
        for looked, number in enumerate(reversed(self._last)):
            last = self._last[number]
            if nominal.sentence - last.sentence > _NEAR_NAME or looked >= _MOST_LOOKED_AT or len(found) == _MOST_TYPED:
                break
            if number not in known and _fits(last.cluster, nominal, kinds):
                found.append(last)
        title = self._titled
        if title is not None and title.number not in known and title.number in self._last:
            last = self._last[title.number]
            if last not in found and _fits(title, nominal, kinds):
                found.append(last)
        return found


def _calls_persons(nominal: Markable) -> bool:
    return nominal.person or main_kind(nominal.words[0]) is Kind.PERSON


def _fits(cluster: Cluster, nominal: Markable, kinds: frozenset[str]) -> bool:
    """Whether the type and gender of a named cluster allow that a noun means it."""
    if cluster.mentions[0].kind != NAME or cluster.plural:
        return False
    if nominal.gender and cluster.gender and nominal.gender != cluster.gender:
        return False
    if _calls_persons(nominal):
        return cluster.person or cluster.entity == "PERSON"
    if cluster.gender:
        return False
    called = _AT_ALL.get(cluster.entity)
    return called is None or not kinds.isdisjoint(called)


def _is_usual(cluster: Cluster, nominal: Markable) -> bool:
    if _calls_persons(nominal):
        return cluster.entity == "PERSON"
    kinds = calls(nominal.words[0])
    if cluster.entity == "GPE":
        agreement = place_agreement(cluster, nominal.words[0])
        return agreement == "yes" or agreement == "unknown" and "region" in kinds
    return not kinds.isdisjoint(_USUALLY.get(cluster.entity, _NOTHING))


def place_agreement(cluster: Cluster, noun: str) -> str:
    """Returns "yes", "no" or "unknown": whether a named place is what a noun calls. A country is not a city."""
    kinds = calls(noun)
    if cluster.longest in COUNTRIES:
        return "yes" if "country" in kinds else "no" if "town" in kinds else "unknown"
    if cluster.longest in STATES:
        return "yes" if noun == "state" else "no" if kinds & {"town", "country"} else "unknown"
    return "yes" if "town" in kinds else "no" if "country" in kinds else "unknown"
