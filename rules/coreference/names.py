"""Clusters of names: "Ann Marie Lee", "Lee", "Ann" and "Ms. Lee" name one person unless another Lee stands nearer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import NAME, Cluster, Markable

# Precision of each kind of link on GUM.
SAME_WORDS, PART_OF_NAME = 0.93, 0.85
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_UNSURE = frozenset({"", "ORG", "PRODUCT"})
_JOINERS = frozenset({"and", "of", "the", "in", "at", "for", "on", "&"})
_ANOTHER = 9  # the rank of a name that a title does not fit


class NameBook:
    """Finds the cluster that a name belongs to; time does not grow with the number of clusters.

    Args:
        title: the document's title. Where it looks like a person's name, its first and its last word alone mean
            one person.
    """

    def __init__(self, title: str = "") -> None:
        words = title_words(title)
        self._title = words if 2 <= len(words) <= 4 and not _JOINERS.intersection(words) else ()
        self._subject: Cluster | None = None
        self._by_words: dict[tuple[str, ...], Cluster] = {}
        self._by_edge: dict[str, list[Cluster]] = {}

    def find(self, name: Markable) -> tuple[Cluster, float] | None:
        """Returns the latest cluster that fits and the probability that it is right, or None."""
        words = name.words
        same = self._by_words.get(words)
        if same is not None and _agree(same, name):
            return same, SAME_WORDS
        gender = name.gender or None
        best = max(self._rivals(name), key=lambda c: (c.gender == gender, c.mentions[-1].place), default=None)
        subject = self._subject
        if best is None and subject is not None and self._is_subject(name) and (name.person or subject.person):
            best = subject if _agree(subject, name) else None
        return None if best is None else (best, PART_OF_NAME)

    def _rivals(self, name: Markable) -> Iterator[Cluster]:
        """Yields the clusters of persons whose name this may be a part of, or the other way round."""
        words = name.words
        known = self._by_edge.get(words[-1], [])
        if len(words) > 1:
            known = known + self._by_edge.get(words[0], [])
        for cluster in reversed(known[-8:]):
            family = _is_family_name(name, cluster)
            person = name.person or cluster.person or family and _may_be_person(cluster, name)
            if (family or _agree(cluster, name)) and _matches(words, cluster.longest, person=person):
                yield cluster

    def _is_subject(self, name: Markable) -> bool:
        words, title = name.words, self._title
        return bool(title) and (
            words == title or len(words) == 1 and name.entity not in _PLACES and words[0] in (title[0], title[-1])
        )

    def enter(self, name: Markable, cluster: Cluster) -> None:
        """Makes a name known by its words, its first and its last word."""
        words = name.words
        if self._subject is None and self._is_subject(name):
            self._subject = cluster
        self._by_words[words] = cluster
        for edge in {words[0], words[-1]}:
            known = self._by_edge.setdefault(edge, [])
            if cluster not in known[-8:]:
                known.append(cluster)


def _is_family_name(name: Markable, cluster: Cluster) -> bool:
    return len(cluster.longest) > 1 and name.words == cluster.longest[-1:] and not name.titled


def _may_be_person(cluster: Cluster, name: Markable) -> bool:
    """Whether the recogniser leaves it open that a name of two or three words and its last word are a person's."""
    return (
        {cluster.entity, name.entity} <= _UNSURE
        and len(cluster.longest) < 4
        and all(w[0].isalpha() for w in cluster.longest)
        and not _JOINERS.intersection(cluster.longest)
    )


def _agree(cluster: Cluster, name: Markable) -> bool:
    if cluster.gender and name.gender and cluster.gender != name.gender:
        return False
    person = name.entity == "PERSON"
    return not (person and cluster.entity in _PLACES or cluster.entity == "PERSON" and name.entity in _PLACES)


def _matches(words: tuple[str, ...], longest: tuple[str, ...], *, person: bool) -> bool:
    """Whether two names can be one person's: one is the first or last word of the other, or both ends are equal."""
    if not person:
        return False
    if len(words) == 1:
        return words[0] in (longest[0], longest[-1])
    if len(longest) == 1:
        return longest[0] in (words[0], words[-1])
    return words[0] == longest[0] and words[-1] == longest[-1]


def title_words(title: str) -> tuple[str, ...]:
    """Returns the words of a page title in lower case, without what stands in brackets or after a comma."""
    return tuple(title.replace("_", " ").partition("(")[0].partition(",")[0].lower().split())


def mark_title(clusters: Iterable[Cluster], title: str) -> Cluster | None:
    """Marks and returns the cluster that the title names: equal names, or one the beginning or end of the other."""
    words = title_words(title)
    if not words:
        return None
    named = (c for c in clusters if c.mentions[0].kind == NAME)
    best = min(named, key=lambda c: _title_rank(c.longest, words), default=None)
    if best is None or _title_rank(best.longest, words) == _ANOTHER:
        return None
    best.titled = True
    if not best.gender and len(words) > 1 and best.entity not in _PLACES:
        first = words[0].capitalize()
        best.gender, best.leaning = lexicon.gender_of_first_name(first), lexicon.leaning_of_first_name(first)
    return best


def _title_rank(name: tuple[str, ...], title: tuple[str, ...]) -> int:
    """How well a title fits a name: 0 for equal words, 3 for the weakest fit, else ``_ANOTHER``."""
    if name == title:
        return 0
    if len(name) == 1:
        return 2 if name[0] == title[-1] else 3 if name[0] == title[0] else _ANOTHER
    if len(title) == 1:
        return 3 if name[-1] == title[0] else _ANOTHER
    return 1 if (name[0], name[-1]) == (title[0], title[-1]) else _ANOTHER
