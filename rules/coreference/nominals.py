"""Links of noun phrases: appositions ("Ann Lee, the singer,"), repeated heads ("a club ... the club"), kinds of a name
("the school").
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.coreference.kinds import COUNTRIES, STATES, kinds_of_name, same_kind
from rules.coreference.lexicon import GROUP_NOUNS
from rules.coreference.markables import NAME, NOMINAL, Cluster, Markable
from rules.coreference.names import title_words
from rules.coreference.syntax import APPOSITION, PREDICATE, SUBJECTS, Syntax
from rules.records import Token

_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
# "Albania is the name of ..." says something of the word, not of the country.
_WORDS_FOR_WORDS = frozenset({"name", "term", "word", "title", "phrase"})
# On a country's page these are that country, whatever others are named.
_TERRITORIES = frozenset({"country", "nation", "state"})
# "At that time", "in the end" refer to no thing mentioned.
_NO_THINGS = frozenset("time moment end beginning rest fact way case".split())
# Precision of each kind of link on GUM; a predicate is not a mention of its own.
SAID_OF_NAME = 0.0
APPOSITIVE, KIND_OF_NAME, KIND_OF_FAR_NAME, KIND_OF_PAGE = 0.75, 0.85, 0.55, 0.8
# "the club ... the club"; "the club of the town ... the club" with and without an adjective; "a club ... the club".
REPEATED, REPEATED_SHORT, REPEATED_OTHER = 0.9, 0.81, 0.65
_REPEAT_SENTENCES, _NEAR_SENTENCES, _NAME_SENTENCES = 3, 2, 6


class NominalLinker:
    """Puts nominals, in text order, into clusters: of names, of earlier nominals, or of their own."""

    def __init__(
        self, syntaxes: Sequence[Syntax], names: dict[int, Markable], clusters: list[Cluster], title: str = ""
    ) -> None:
        self._syntaxes, self._names, self._clusters = syntaxes, names, clusters
        self._page_is_one = title_words(title) in COUNTRIES | STATES
        self._latest: dict[tuple[str, bool], Markable] = {}
        self._kinds: dict[str, list[Cluster]] = {}
        for cluster in clusters:
            if not cluster.person:
                for kind in kinds_of_name(cluster.longest):
                    self._enter(kind, cluster)
        for name in names.values():
            kind = self._kind_in_front(name)
            if kind and not name.cluster.person:
                self._enter(kind, name.cluster)

    def _kind_in_front(self, name: Markable) -> str:
        """Returns the kind of thing that stands before a name: "film" for "the film Solaris"."""
        tokens = self._syntaxes[name.sentence].tokens
        before = tokens[name.start - 1] if name.start else None
        if before is None or before.tag != "NN" or not name.start <= before.head < name.end:
            return ""
        return before.lemma.lower() if before.dep in ("compound", "nmod") else ""

    def _enter(self, kind: str, cluster: Cluster) -> None:
        for word in same_kind(kind):
            known = self._kinds.setdefault(word, [])
            if cluster not in known:
                known.append(cluster)

    def place(self, nominal: Markable) -> None:
        """Puts a nominal into a cluster, and adds to a named cluster what the nominal tells about it."""
        syntax = self._syntaxes[nominal.sentence]
        tokens = syntax.tokens
        lemma = nominal.words[0]
        target, confidence = self._apposed(nominal, tokens), APPOSITIVE
        if target is None:
            target, confidence = self._subject_of(nominal, syntax), SAID_OF_NAME
        if target is not None:
            self._learn(target, nominal)
        elif lemma not in _NO_THINGS and _is_plain_definite(nominal, tokens):
            target, confidence = self._definite(nominal, lemma)
        if target is None:
            cluster = Cluster(len(self._clusters), nominal)
            self._clusters.append(cluster)
        else:
            target.add(nominal, confidence)
        self._latest[lemma, nominal.plural] = nominal

    def _apposed(self, nominal: Markable, tokens: Sequence[Token]) -> Cluster | None:
        token = tokens[nominal.head]
        other = None
        if nominal.role == APPOSITION and token.dep == "appos":
            other = self._names.get(nominal.place - nominal.head + token.head)
        else:
            for index in range(nominal.end, min(nominal.end + 4, len(tokens))):
                if tokens[index].dep == "appos" and tokens[index].head == nominal.head:
                    other = self._names.get(nominal.place - nominal.head + index)
                    break
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
        cluster.gender = cluster.gender or nominal.gender
        cluster.person = cluster.person or nominal.person
        self._enter(nominal.words[0], cluster)

    def _definite(self, nominal: Markable, lemma: str) -> tuple[Cluster | None, float]:
        before = self._latest.get((lemma, nominal.plural))
        if (
            before is not None
            and nominal.sentence - before.sentence <= _REPEAT_SENTENCES
            and before.sentence < nominal.sentence
        ):
            return self._again(before, nominal, lemma)
        if nominal.plural:
            return None, 0.0
        near = [c for c in self._kinds.get(lemma, ()) if _last_before(c, nominal) >= nominal.sentence - _NAME_SENTENCES]
        if lemma in _TERRITORIES and self._page_is_one:
            page = [c for c in self._kinds.get(lemma, ()) if c.titled and _last_before(c, nominal) >= 0]
            return (page[0], KIND_OF_PAGE) if page else (None, 0.0)
        if len(near) != 1:
            return None, 0.0
        close = nominal.sentence - _last_before(near[0], nominal) <= _NEAR_SENTENCES
        return near[0], KIND_OF_NAME if close else KIND_OF_FAR_NAME

    def _again(self, before: Markable, nominal: Markable, lemma: str) -> tuple[Cluster, float]:
        """The cluster of a noun that is repeated, or of what has been named by that noun since."""
        rivals = [
            c
            for c in self._kinds.get(lemma, ())
            if c is not before.cluster and any(before.begin < m.begin < nominal.begin for m in c.mentions)
        ]
        if rivals:
            return rivals[-1] if len(rivals) == 1 else before.cluster, KIND_OF_FAR_NAME
        known = before.cluster.links.get(before.order, 1.0)
        if not known:
            return before.cluster, KIND_OF_NAME
        determiner = self._syntaxes[nominal.sentence].tokens[nominal.start].text.lower()
        return before.cluster, min(REPEATED_OTHER if determiner == "that" else self._repeated(before), known)

    def _repeated(self, before: Markable) -> float:
        """The probability that "the club" is the club mentioned before, by the form of that mention."""
        tokens = self._syntaxes[before.sentence].tokens
        first = tokens[before.start].text.lower()
        modified = before.end - before.start > 1 + (first in _DEFINITE or first in ("a", "an"))
        specified = _has_complement(before, tokens)
        if first in _DEFINITE and not modified and not specified:
            return REPEATED
        return REPEATED_SHORT if modified and specified else REPEATED_OTHER


def _last_before(cluster: Cluster, nominal: Markable) -> int:
    """The sentence of the cluster's last mention before a nominal, or -1000."""
    for mention in reversed(cluster.mentions):
        if mention.begin < nominal.begin:
            return mention.sentence
    return -1000


def _is_plain_definite(nominal: Markable, tokens: Sequence[Token]) -> bool:
    """Whether a nominal is a determiner and a noun: "the club", not "the new club" or "the club of Rome"."""
    if (
        nominal.kind != NOMINAL
        or nominal.end - nominal.start != 2
        or tokens[nominal.start].text.lower() not in _DEFINITE
    ):
        return False
    after = tokens[nominal.end : nominal.end + 3]
    return not _has_complement(nominal, tokens) and not any(
        t.head == nominal.head and t.dep in ("appos", "conj", "nummod") for t in after
    )


def _has_complement(nominal: Markable, tokens: Sequence[Token]) -> bool:
    after = tokens[nominal.end : nominal.end + 3]
    return any(t.head == nominal.head and t.dep in ("prep", "relcl", "acl") for t in after)
