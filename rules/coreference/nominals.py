"""Links of noun phrases: appositions, repeated heads, and kinds of names.

A candidate is a cluster with the reason why the noun may refer to it: its head is repeated ("a club ... the club"); a
name, apposition or predicate describes it by that noun ("Harvard University ... the university"); or the noun fits the
type of its name ("IBM ... the company").

Each feature has a fitted weight (data/SOURCES.txt). Features have readable names, so that the file can be inspected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import exp
from typing import NamedTuple

from gistmill.rules.coreference import lexicon, markables
from gistmill.rules.coreference.markables import NAME, SUBJECTS, Cluster, Markable, Syntax
from gistmill.rules.documents import Token

HEAD, SAID, TYPE = "head", "said", "type"
_MOST_HEADS, _MOST_SAID, _MOST_TYPED, _MOST_LOOKED_AT = 3, 3, 4, 12
_FARTHEST, _NEAR_HEAD, _NEAR_NAME = 25, 3, 3  # sentences
# Nouns used for names of each type: usually, and at all, since recognisers may label companies as products.
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
_IN_FRONT = frozenset(("compound", "nmod"))


class Candidate(NamedTuple):
    """A cluster that a nominal may belong to.

    Attributes:
        link: HEAD, SAID or TYPE.
        mention: the cluster's mention with the same head, or else its last.
        usual: whether the noun is commonly used for names of the cluster's type.
        rivals: number of candidates with the same link, including this one.
        usual_rivals: number of such candidates for which ``usual`` is true.
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
    """A store of a document's mentions, in text order, that finds candidates in time independent of their number.

    Args:
        syntaxes: the sentences of the document.
        names: its names, in text order, already in clusters.
    """

    def __init__(self, syntaxes: Sequence[Syntax], names: Iterable[Markable]) -> None:
        self._syntaxes = syntaxes
        self._names = list(names)
        self._next = 0
        self._last: dict[int, Markable] = {}  # keys are in the order of the last mentions
        self._heads: dict[tuple[str, bool], list[Markable]] = {}
        self._said: dict[str, dict[int, Cluster]] = {}
        self._titled = next((m.cluster for m in self._names if m.cluster.titled), None)

    def learn(self, cluster: Cluster, noun: str) -> None:
        """Records that a noun may be used for a cluster."""
        for word in lexicon.same_kind(noun):
            said = self._said.setdefault(word, {})
            said.pop(cluster.number, None)
            said[cluster.number] = cluster

    def enter(self, nominal: Markable) -> None:
        """Stores a nominal that is already in a cluster."""
        self._remember(nominal)
        self._heads.setdefault((nominal.words[0], nominal.plural), []).append(nominal)

    def advance(self, nominal: Markable) -> None:
        """Stores the names that precede a nominal."""
        names = self._names
        while self._next < len(names) and names[self._next].begin < nominal.begin:
            name = names[self._next]
            self._next += 1
            if not name.cluster.person:
                before = self._syntaxes[name.sentence].tokens[max(name.start - 1, 0) : name.start]
                said = (t for t in before if t.tag == "NN" and t.dep in _IN_FRONT)  # "film" for "the film Solaris"
                kinds = [t.lemma.lower() for t in said if name.start <= t.head < name.end]
                for kind in (*lexicon.kinds_of_name(name.cluster.longest), *kinds):
                    self.learn(name.cluster, kind)
            self._remember(name)

    def _remember(self, mention: Markable) -> None:
        number = mention.cluster.number
        self._last.pop(number, None)
        self._last[number] = mention

    def candidates(self, nominal: Markable) -> list[Candidate]:
        """Returns the candidates of a definite nominal, with each cluster once."""
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
        """Returns each cluster's last mention with the same head and number, by the cluster's number."""
        found: dict[int, Markable] = {}
        for other in reversed(self._heads.get((nominal.words[0], nominal.plural), ())[-_MOST_HEADS:]):
            inside = other.sentence == nominal.sentence and other.end > nominal.start
            if not inside and nominal.sentence - other.sentence <= _FARTHEST:
                found.setdefault(other.cluster.number, other)
        return found

    def _called(self, nominal: Markable) -> list[Markable]:
        """Returns the last mentions of the clusters most recently described by the noun."""
        found = []
        for number in reversed(self._said.get(nominal.words[0], {})):
            last = self._last.get(number)
            if last is not None and nominal.sentence - last.sentence <= _FARTHEST:
                found.append(last)
                if len(found) == _MOST_SAID:
                    break
        return found

    def _typed(self, nominal: Markable, known: frozenset[int] | set[int]) -> list[Markable]:
        """Returns the last mentions of nearby names, and of the page's title, whose type fits the noun."""
        kinds = lexicon.calls(nominal.words[0])
        found: list[Markable] = []
        if not kinds and not _calls_persons(nominal):
            return found
        for looked, number in enumerate(reversed(self._last)):
            near = self._last[number]
            if nominal.sentence - near.sentence > _NEAR_NAME or looked >= _MOST_LOOKED_AT or len(found) == _MOST_TYPED:
                break
            if number not in known and _fits(near.cluster, nominal, kinds):
                found.append(near)
        title = self._titled
        last = None if title is None or title.number in known else self._last.get(title.number)
        if last is not None and last not in found and _fits(last.cluster, nominal, kinds):
            found.append(last)
        return found


def _calls_persons(nominal: Markable) -> bool:
    return nominal.person or lexicon.main_kind(nominal.words[0]) is lexicon.ReferentKind.PERSON


def _fits(cluster: Cluster, nominal: Markable, kinds: frozenset[str]) -> bool:
    """Whether a noun may refer to a named cluster, given the cluster's type and gender."""
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
    kinds = lexicon.calls(nominal.words[0])
    if cluster.entity == "GPE":
        agreement = place_agreement(cluster, nominal.words[0])
        return agreement == "yes" or (agreement == "unknown" and "region" in kinds)
    return not kinds.isdisjoint(_USUALLY.get(cluster.entity, _NOTHING))


def place_agreement(cluster: Cluster, noun: str) -> str:
    """Returns whether a noun fits a named place: "yes", "no" or "unknown". A country is not a city, for example."""
    kinds = lexicon.calls(noun)
    if cluster.longest in lexicon.COUNTRIES:
        return "yes" if "country" in kinds else "no" if "town" in kinds else "unknown"
    if cluster.longest in lexicon.STATES:
        return "yes" if noun == "state" else "no" if kinds & {"town", "country"} else "unknown"
    return "yes" if "town" in kinds else "no" if "country" in kinds else "unknown"


# "IBM announced a loss. The company ...": the previous sentence's subject, and the only name of a usual type. It is too
# rare in the corpora for fitting; the next sentence is most likely about the subject (Grosz, Joshi and Weinstein 1995).
SAME_SUBJECT = 0.8
_DISTANCES = ("0", "1", "2", "3", "4", "4", "6", "6", "6", "6", "10")
_ROLES = {
    markables.POSSESSIVE: "owner",
    markables.MODIFIER: "modifier",
    markables.APPOSITION: "apposition",
    markables.PLACE: "place",
    markables.OF: "of",
    **dict.fromkeys(SUBJECTS, "subject"),
    **dict.fromkeys(markables.OBJECTS, "object"),
}


@cache
def fitted_weights() -> Mapping[str, float]:
    """Returns the weight of each feature."""
    lines = (line.rsplit(" ", 1) for line in lexicon.read("nominal_weights.txt").splitlines())
    return {name: float(weight) for name, weight in lines}


class NominalScorer:
    """Chooses the antecedents of definite nominals.

    Args:
        weights: the weight of each feature; None for the fitted weights.
    """

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = fitted_weights() if weights is None else weights

    def choose(
        self, nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]
    ) -> tuple[Cluster | None, float]:
        """Returns the likeliest cluster with its probability, limited by the weakest link; None if "no antecedent" is
        likelier."""
        weight = self._weights.get
        scores = [sum([weight(f, 0.0) for f in row]) for row in feature_rows(nominal, syntaxes, candidates)]
        most = max(scores)
        shares = [exp(score - most) for score in scores]
        best = max(range(1, len(shares)), key=shares.__getitem__)
        probability = shares[best] / sum(shares)
        chosen = candidates[best - 1]
        if shares[best] < shares[0] or probability < SAME_SUBJECT:
            subject = _same_subject(nominal, syntaxes, candidates)
            if subject is not None:
                chosen, probability = subject, SAME_SUBJECT
            elif shares[best] < shares[0]:
                return None, 0.0
        cluster = chosen.cluster
        return cluster, min(probability, cluster.links.get(chosen.mention.order) or 1.0)


def _same_subject(nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]) -> Candidate | None:
    """Returns the previous sentence's named subject, if the nominal is a subject and only this name's type fits."""
    tokens = syntaxes[nominal.sentence].tokens
    the = nominal.end - nominal.start == 2 and tokens[nominal.start].text.lower() == "the"
    subject = the and nominal.role in SUBJECTS and lexicon.calls(nominal.words[0])
    if not subject or markables.complement(nominal, tokens):
        return None

    def is_subject_before(c: Candidate) -> bool:
        return c.mention.role in SUBJECTS and nominal.sentence - c.mention.sentence == 1

    found = [c for c in candidates if c.link != TYPE or ((c.usual or not c.cluster.entity) and is_subject_before(c))]
    return found[0] if len(found) == 1 and found[0].link != HEAD and is_subject_before(found[0]) else None


def feature_rows(nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]) -> list[list[str]]:
    """Returns the active features of "no antecedent" and of each candidate."""
    tokens = syntaxes[nominal.sentence].tokens
    noun, det, after = nominal.words[0], markables.determiner(nominal, tokens), markables.complement(nominal, tokens)
    own, kinds = markables.modifiers(nominal, tokens), lexicon.calls(noun)
    kind = str(lexicon.main_kind(noun) or "unknown")
    bare = not own and not after
    rows = [
        [
            "none",
            f"none by {det}",
            f"none then {after}",
            f"none kind {kind}",
            f"none role {_ROLES.get(nominal.role, 'other')}",
            f"none modified {bool(own)}",
            f"none plural {nominal.plural}",
            f"none calling {bool(kinds)} bare {bare} by {det}",
            *[f"none calling {k}" for k in kinds],
        ]
    ]
    for candidate in candidates:
        link, other = candidate.link, candidate.mention
        cluster = other.cluster
        far = _DISTANCES[min(nominal.sentence - other.sentence, len(_DISTANCES) - 1)]
        row = [
            link,
            f"{link} at {far}",
            f"{link} by {det}",
            f"{link} among {min(candidate.rivals, 3)}",
            f"{link} role {_ROLES.get(other.role, 'other')}",
            f"{link} then {after}",
            f"{link} mentions {min(len(cluster.places), 3)}",
        ]
        if cluster.titled:
            row.append(f"{link} title")
        if other.sentence == nominal.sentence and other.clause == nominal.clause:
            row.append(f"{link} one clause")
        if link == HEAD:
            row += _head_features(own, other, syntaxes[other.sentence])
        else:
            row += _name_features(candidate, noun, kinds or (kind,), bool(own), bare, far)
        rows.append(row)
    return rows


def _head_features(own: frozenset[str], other: Markable, syntax: Syntax) -> list[str]:
    tokens = syntax.tokens
    theirs, det = markables.modifiers(other, tokens), markables.determiner(other, tokens)
    after = markables.complement(other, tokens)
    if own == theirs:
        form = "same" if own else "plain"
    else:
        form = "less" if own < theirs else "more" if own > theirs else "other"
    found = [f"head form {form}", f"head from {det}", f"head form {form} from {det}"]
    found += [f"head given {after}", f"head form {form} given {after}"]
    if other.cluster.mentions[0].kind == NAME:
        found.append("head named")
    return found


def _name_features(
    candidate: Candidate, noun: str, kinds: Sequence[str] | frozenset[str], modified: bool, bare: bool, far: str
) -> list[str]:
    link, cluster = candidate.link, candidate.cluster
    entity = cluster.entity or "untyped"
    found = [f"{link} modified {modified}", f"{link} {entity}"]
    found += [f"{link} {entity} {kind}" for kind in kinds]
    if entity == "GPE":
        found.append(f"{link} place {place_agreement(cluster, noun)}")
    if link == SAID:
        found.append(f"said exactly {noun in cluster.longest or cluster.mentions[0].kind != NAME}")
    else:
        only = candidate.usual and candidate.usual_rivals == 1
        role = "subject" if candidate.mention.role in SUBJECTS else "other"
        near = far if far in ("0", "1") else "far"
        found += [f"type usual {candidate.usual} bare {bare} {near}", f"type only {only} bare {bare}"]
        found.append(f"type only {only} bare {bare} {role} {near}")
    return found


# "Albania is the name of ..." is about the word, not the country.
_WORDS_FOR_WORDS = frozenset({"name", "term", "word", "title", "phrase"})
# "At that time" and "in the end" do not refer to anything mentioned.
_NO_THINGS = frozenset("time moment end beginning rest fact way case".split())
# Precision of each kind of link on GUM; a predicate is not counted as a mention.
SAID_OF_NAME = 0.0
APPOSITIVE = 0.75


class NominalLinker:
    """Adds nominals, in text order, to clusters of names or earlier nominals, or to new ones."""

    def __init__(
        self, syntaxes: Sequence[Syntax], names: dict[int, Markable], clusters: list[Cluster], scorer: NominalScorer
    ) -> None:
        self._syntaxes, self._names, self._clusters = syntaxes, names, clusters
        self._scorer = scorer
        self._finder = CandidateFinder(syntaxes, names.values())

    def place(self, nominal: Markable) -> None:
        """Adds a nominal to a cluster, and its properties to a named cluster."""
        syntax = self._syntaxes[nominal.sentence]
        tokens = syntax.tokens
        self._finder.advance(nominal)
        thing = nominal.words[0] not in _NO_THINGS and nominal.role != markables.PREDICATE
        target, confidence = self._apposed(nominal, tokens), APPOSITIVE
        if target is None:
            target, confidence = self._subject_of(nominal, syntax), SAID_OF_NAME
        if target is not None:
            target.learn(nominal)
            self._finder.learn(target, nominal.words[0])
        elif thing and markables.is_definite(nominal, tokens):
            candidates = self._finder.candidates(nominal)
            if candidates:
                target, confidence = self._scorer.choose(nominal, self._syntaxes, candidates)
        if target is None:
            self._clusters.append(Cluster(len(self._clusters), nominal))
        else:
            target.add(nominal, confidence)
        self._finder.enter(nominal)

    def _apposed(self, nominal: Markable, tokens: Sequence[Token]) -> Cluster | None:
        """Returns the named cluster to which a nominal is an apposition; the name may precede or follow it."""
        behind = enumerate(tokens[nominal.end : nominal.end + 4], nominal.end)
        index = next((i for i, token in behind if token.dep == "appos" and token.head == nominal.head), None)
        if nominal.role == markables.APPOSITION and tokens[nominal.head].dep == "appos":
            index = tokens[nominal.head].head
        other = None if index is None else self._names.get(nominal.place - nominal.head + index)
        if other is None or other.plural != nominal.plural:
            return None
        cluster = other.cluster
        if nominal.gender and cluster.gender and nominal.gender != cluster.gender:
            return None
        if cluster.person != nominal.person and (nominal.person or other.entity == "PERSON"):
            return None if cluster.person or other.entity not in ("", "PERSON") else cluster
        return cluster

    def _subject_of(self, nominal: Markable, syntax: Syntax) -> Cluster | None:
        """Returns the named subject of a nominal predicate, as in "Ann Lee is an actress" before "the actress"."""
        said = nominal.role == markables.PREDICATE and syntax.tokens[nominal.clause].lemma == "be"
        subject = syntax.subject(nominal.clause) if said and nominal.words[0] not in _WORDS_FOR_WORDS else None
        name = None if subject is None else self._names.get(nominal.place - nominal.head + subject)
        if name is None or name.role not in SUBJECTS:
            return None
        gender, alike = name.cluster.gender, name.plural == nominal.plural or nominal.words[0] in lexicon.GROUP_NOUNS
        return None if not alike or (gender and nominal.gender and gender != nominal.gender) else name.cluster
