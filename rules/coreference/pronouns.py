"""Questions: each third-person pronoun with its candidate antecedents and their features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from gistmill.core import deadline
from gistmill.rules.coreference import features, lexicon
from gistmill.rules.coreference.features import PronounView, Shape, shape_of
from gistmill.rules.coreference.markables import (
    GROUP,
    NAME,
    NOMINAL,
    OBJECTS,
    POSSESSIVE,
    PREDICATE,
    PRONOUN,
    SUBJECTS,
    Cluster,
    Markable,
    Syntax,
)
from gistmill.rules.coreference.preferences import EMPTY, pleonastic
from gistmill.rules.documents import Sentence

# How far a pronoun looks back, in tokens and sentences, and how many candidates it weighs.
PERSON_TOKENS, OTHER_TOKENS, OTHER_SENTENCES, AFTER_TOKENS, MOST = 150, 80, 3, 70, 40
# Prepositions after which a pronoun may mean the subject: "she looked around her", "he had a dog with him".
_AROUND = frozenset(
    "about above after around before behind below beneath beside between near over round under with".split()
)
_PEOPLES = frozenset({"ORG", "NORP", "GPE"})


@dataclass(slots=True, eq=False)
class AntecedentQuestion:
    """The question which antecedent a pronoun has.

    Attributes:
        pronoun, view: the pronoun, and its properties that the features need.
        candidates: the possible antecedents; each belongs to a cluster.
        rows: a row of features for "none" and for each candidate, in this order; no rows without candidates.
        subject: for a reflexive, the pronoun that is the subject of its clause and so its antecedent. The question
            has no candidates then.
        apart: the pronoun that must have another antecedent: the subject of the verb whose object this one is.
    """

    pronoun: Markable
    view: PronounView
    candidates: list[Markable] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    subject: Markable | None = None
    apart: Markable | None = None


class QuestionBuilder:
    """Builds the questions of one document.

    Args:
        sentences, syntaxes: the document's sentences and their syntax.
        mentions: its markables in text order, numbered; those other than pronouns belong to clusters.
        titled: the cluster that the document's title names, if any.
        has_title: whether the document has a title.
    """

    def __init__(
        self,
        sentences: Sequence[Sentence],
        syntaxes: Sequence[Syntax],
        mentions: Sequence[Markable],
        titled: Cluster | None,
        has_title: bool,
    ) -> None:
        self._paragraphs = [s.paragraph for s in sentences]
        self._syntaxes, self._mentions, self._titled, self._has_title = syntaxes, mentions, titled, has_title
        self._by_place = {m.place: m for m in mentions if m.kind != GROUP}
        first = [m.cluster for m in mentions if m.kind == NAME]
        self._first = {c.number: k for k, c in enumerate(dict.fromkeys(first[:12])) if k < 2}
        self._shapes: dict[int, Shape] = {}
        self._genders = Counter(m.gender for m in mentions if m.kind == PRONOUN)

    def questions(self) -> list[AntecedentQuestion]:
        """Returns a question for every pronoun, in text order; a pleonastic "it" ("it rains") has none."""
        found: list[AntecedentQuestion] = []
        for mention in self._mentions:
            if mention.kind == PRONOUN and pleonastic(mention, self._syntaxes[mention.sentence]) not in EMPTY:
                if len(found) % deadline.STRIDE == 0:
                    deadline.check()
                found.append(self._question(mention))
        return found

    def _question(self, p: Markable) -> AntecedentQuestion:
        syntax = self._syntaxes[p.sentence]
        question = AntecedentQuestion(p, PronounView(p, syntax, self._paragraphs[p.sentence]))
        reflexive = syntax.tokens[p.head].text.lower() in lexicon.REFLEXIVES
        # the subject, own or understood, of the verb whose object the pronoun is: "Tom came to hit him"
        subject = self._clause_subject(p, syntax) if reflexive or p.role in OBJECTS else None
        if reflexive and subject is not None and (subject.kind != PRONOUN or subject.gender == p.gender):
            if subject.kind == PRONOUN:
                question.subject = subject
                return question
            question.candidates = [subject]
        else:
            barred = None
            if subject is not None and not reflexive:
                if subject.kind == PRONOUN:
                    question.apart = subject
                else:
                    barred = subject.cluster
            question.candidates = self._candidates(p, syntax, barred)
        question.rows = self._rows(question)
        return question

    def _clause_subject(self, p: Markable, syntax: Syntax) -> Markable | None:
        index = syntax.subject(p.clause)
        return None if index is None else self._by_place.get(p.place - p.head + index)

    def _candidates(self, p: Markable, syntax: Syntax, barred: Cluster | None) -> list[Markable]:
        def fits(x: Markable) -> bool:
            return x.cluster is not barred and _compatible(p, x) and not _barred(p, x, syntax)

        person = p.gender in lexicon.GENDERED
        before = (x for x in self._before(p, person=person) if fits(x) and not self._is_predicate(x))
        found = [*islice(before, MOST), *filter(fits, self._after(p, person=person))]
        titled = self._titled
        if titled is not None and all(x.cluster is not titled for x in found):
            last = next((m for m in reversed(titled.mentions) if m.begin < p.begin), None)
            if last is not None and fits(last):
                found.append(last)
        return found

    def _before(self, p: Markable, *, person: bool) -> Iterator[Markable]:
        """Yields the names, nominals and groups that a pronoun looks back to, the nearest first."""
        reach = p.begin - (PERSON_TOKENS if person else OTHER_TOKENS)
        for index in range(p.order - 1, -1, -1):
            x = self._mentions[index]
            if x.begin < reach or (not person and p.sentence - x.sentence > OTHER_SENTENCES):
                break
            if x.kind != PRONOUN:
                yield x

    def _after(self, p: Markable, *, person: bool) -> Iterator[Markable]:
        """Yields the names, and the subjects of the sentence, that a pronoun may precede."""
        for index in range(p.order + 1, len(self._mentions)):
            x = self._mentions[index]
            if x.begin > p.begin + AFTER_TOKENS or x.sentence - p.sentence > person:
                break
            if x.kind == NAME or (x.kind != PRONOUN and x.sentence == p.sentence and x.role in SUBJECTS):
                yield x

    def _is_predicate(self, x: Markable) -> bool:
        """Whether a noun is the predicate of a subject that is a candidate in its place: "algae are [a group]"."""
        if x.role != PREDICATE or x.kind != NOMINAL or x.cluster.mentions[0].kind == NAME:
            return False
        syntax = self._syntaxes[x.sentence]
        subject = syntax.subject(x.clause) if syntax.tokens[x.clause].lemma == "be" else None
        return subject is not None and x.place - x.head + subject in self._by_place

    def _rows(self, question: AntecedentQuestion) -> list[list[int]]:
        p, view = question.pronoun, question.view
        seen: dict[int, tuple[int, int, int]] = {}
        subjects: set[int] = set()
        agreeing = 0
        for x in question.candidates:
            cluster = x.cluster
            agrees = cluster.gender in ("", p.gender) and (view.kind != 0 or cluster.person)
            if cluster.number not in seen:
                seen[cluster.number] = len(seen), agreeing, len(subjects)
                agreeing += agrees
            if agrees and x.role in SUBJECTS:
                subjects.add(cluster.number)
        dominance = self._dominance(p)
        most = max((features.mentioned_before(x.cluster, p) for x in question.candidates), default=0)
        elsewhere = 0 if not self._has_title else 3 if self._titled is None else 2
        size, empty = len(question.candidates), pleonastic(p, view.syntax)
        # of a document with a title: 1 if it names a cluster, 2 if none
        title = {0: 0, 2: 1, 3: 2}[elsewhere]
        rows = [features.none_row(view, candidates=size, agreeing=agreeing, title=title, pleonastic=empty)]
        for x in question.candidates:
            x_syntax = self._syntaxes[x.sentence]
            shape = self._shapes.get(x.order)
            if shape is None:
                shape = self._shapes[x.order] = shape_of(x, x_syntax)
            around = features.Surroundings(
                ranks=seen[x.cluster.number],
                dominance=dominance,
                most=most,
                agreeing=agreeing,
                between=self._between(p, x),
                title=1 if x.cluster.titled else elsewhere,
                first=self._first.get(x.cluster.number, 2),
            )
            rows.append(features.pair_row(view, x, shape, x_syntax, self._paragraphs[x.sentence], around))
        return rows

    def _dominance(self, p: Markable) -> int:
        """Returns how far one gender dominates the document's "he" and "she": 0 where fewer than two thirds have the
        pronoun's gender, 1 for more, 2 for all, 3 for all of three or more; 4 for things and plurals."""
        if p.gender not in lexicon.GENDERED:
            return 4
        same = self._genders[p.gender]
        persons = self._genders[lexicon.MALE] + self._genders[lexicon.FEMALE]
        return (2 + (same > 2)) if same == persons else int(3 * same >= 2 * persons)

    def _between(self, p: Markable, x: Markable) -> int:
        low, high = (x.order, p.order) if x.order < p.order else (p.order, x.order)
        if high - low > 12:
            return 3
        return sum(m.kind == PRONOUN and m.gender == p.gender for m in self._mentions[low + 1 : high])


def _compatible(p: Markable, x: Markable) -> bool:
    """Whether a mention can be an antecedent by number and animacy; the scorer judges gender."""
    several = x.plural or x.kind == GROUP
    if p.gender == lexicon.PLURAL:
        people = x.entity in _PEOPLES and x.kind == NAME and not x.cluster.person
        return several or people or x.words[-1] in lexicon.GROUP_NOUNS
    if several:
        return False
    if p.gender == lexicon.NEUTER:
        return x.entity not in ("PERSON", "NORP") and not x.cluster.person and not x.person
    return x.kind == NAME or x.person


def _barred(p: Markable, x: Markable, syntax: Syntax) -> bool:
    """Whether syntax forbids that a pronoun refers to a mention: one contains the other, or both are arguments of one
    verb.
    """
    if x.sentence != p.sentence:
        return False
    if x.start <= p.head < x.end or _inside(p, x, syntax):
        return True
    tokens = syntax.tokens
    if tokens[p.head].text.lower() in lexicon.REFLEXIVES:
        return False
    if p.role == POSSESSIVE:
        # "Ann and her brother": the owner is not what is owned, nor joined to it after it
        owned = tokens[p.head].head
        return owned == x.head or (tokens[x.head].dep in ("conj", "appos") and tokens[x.head].head == owned)
    if tokens[p.head].dep == "conj" and syntax.base(p.head) == syntax.base(x.head):
        return True
    if tokens[x.head].dep == "conj" and syntax.base(x.head) == p.head:
        return True
    apart = x.clause == p.clause and (p.role in SUBJECTS) != (x.role in SUBJECTS)
    return apart and _is_direct(p, syntax) and _is_direct(x, syntax)


def _is_direct(m: Markable, syntax: Syntax) -> bool:
    """Whether a mention is an argument of its clause's verb, or stands in a prepositional phrase right under it that is
    not one of place ("looked behind him")."""
    if m.role in SUBJECTS or m.role in OBJECTS:
        return True
    token = syntax.tokens[syntax.base(m.head)]
    preposition = syntax.tokens[token.head]
    return token.dep == "pobj" and preposition.head == m.clause and preposition.text.lower() not in _AROUND


def _inside(p: Markable, x: Markable, syntax: Syntax) -> bool:
    """Whether a pronoun is a part of the mention above it: "[her mother]", but not "[a man] who lost his way", "[Ann]
    and her son" or "[a boy] with his dog"."""
    tokens = syntax.tokens
    index, loose = p.head, p.role == POSSESSIVE or x.kind == NAME
    for _ in tokens:
        if index == x.head:
            return True
        token = tokens[index]
        if token.dep in ("relcl", "conj") or (loose and token.dep in ("acl", "appos")):
            return False
        if loose and token.dep == "prep" and token.text.lower() != "of":
            return False
        index = token.head
    return False
