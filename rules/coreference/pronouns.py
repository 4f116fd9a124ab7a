"""Questions: third-person pronouns, each with its candidate antecedents and their features."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from gistmill.core import deadline
from gistmill.rules.coreference import features, lexicon, preferences
from gistmill.rules.coreference.features import GENDERS, IntArray, Pairs, Pronouns, PronounView, Shape
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

# How far back to look for antecedents, in tokens and sentences; how far ahead, in tokens; and the number of candidates.
PERSON_TOKENS, OTHER_TOKENS, OTHER_SENTENCES, AFTER_TOKENS, MOST = 150, 80, 3, 70, 40
# Prepositions after which a pronoun may refer to the subject: "she looked around her", "he had a dog with him".
_AROUND = frozenset(
    "about above after around before behind below beneath beside between near over round under with".split()
)
# Distance, in tokens, within which a cluster's earlier and later mentions are counted.
_EARLIER, _LATER = 200, 70
_FAR = 12  # maximum number of mentions between which pronouns are counted
_PEOPLES = frozenset({"ORG", "NORP", "GPE"})


@dataclass(slots=True, eq=False)
class AntecedentQuestion:
    """The question of which antecedent a pronoun has.

    Attributes:
        pronoun, view: the pronoun, and its properties used in the features.
        candidates: the possible antecedents; each belongs to a cluster.
        rows: the features of "none" and of each candidate, in this order, of shape (1 + candidates, features); SIZE
            stands for no feature. Empty without candidates.
        subject: for a reflexive, the pronoun that is the subject of its clause and so its antecedent. The question has
            no candidates then.
        apart: a pronoun that must have another antecedent: the subject of the verb whose object this one is.
    """

    pronoun: Markable
    view: PronounView
    candidates: list[Markable] = field(default_factory=list)
    rows: IntArray = field(default_factory=lambda: np.empty((0, 0), np.intp))
    subject: Markable | None = None
    apart: Markable | None = None


class QuestionBuilder:
    """Builds the questions for one document.

    Args:
        sentences, syntaxes: the document's sentences and their syntax.
        mentions: its numbered markables in text order; all except pronouns belong to clusters.
        titled: the cluster named by the document's title, if any.
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
        self._paragraphs = np.array([s.paragraph for s in sentences])
        self._syntaxes, self._mentions, self._titled, self._has_title = syntaxes, mentions, titled, has_title
        self._by_place = {m.place: m for m in mentions if m.kind != GROUP}
        first = [m.cluster for m in mentions if m.kind == NAME]
        self._first = {c.number: k for k, c in enumerate(dict.fromkeys(first[:12])) if k < 2}
        self._genders = Counter(m.gender for m in mentions if m.kind == PRONOUN)

    def questions(self) -> list[AntecedentQuestion]:
        """Returns a question for every pronoun, in text order, except for a pleonastic "it" ("it rains")."""
        found: list[AntecedentQuestion] = []
        for mention in self._mentions:
            if mention.kind == PRONOUN and pleonastic(mention, self._syntaxes[mention.sentence]) not in EMPTY:
                if len(found) % deadline.STRIDE == 0:
                    deadline.check()
                found.append(self._question(mention))
        asked = [q for q in found if q.candidates]
        if asked:
            self._set_rows(asked)
        return found

    def _question(self, p: Markable) -> AntecedentQuestion:
        syntax = self._syntaxes[p.sentence]
        question = AntecedentQuestion(p, PronounView(p, syntax))
        reflexive = syntax.tokens[p.head].text.lower() in lexicon.REFLEXIVES
        # the explicit or understood subject of the verb whose object the pronoun is: "Tom came to hit him"
        index = syntax.subject(p.clause) if reflexive or p.role in OBJECTS else None
        subject = None if index is None else self._by_place.get(p.place - p.head + index)
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
        return question

    def _candidates(self, p: Markable, syntax: Syntax, barred: Cluster | None) -> list[Markable]:
        def fits(x: Markable) -> bool:
            if x.kind == PRONOUN or x.cluster is barred or not _compatible(p, x):
                return False
            return x.sentence != p.sentence or not _barred(p, x, syntax)

        person, mentions, found = p.gender in lexicon.GENDERED, self._mentions, list[Markable]()
        reach = p.begin - (PERSON_TOKENS if person else OTHER_TOKENS)
        for index in range(p.order - 1, -1, -1):  # the preceding mentions, nearest first
            x = mentions[index]
            if x.begin < reach or len(found) == MOST or (not person and p.sentence - x.sentence > OTHER_SENTENCES):
                break
            if fits(x) and not self._is_predicate(x):
                found.append(x)
        for index in range(p.order + 1, len(mentions)):  # names, and subjects in the same sentence, that it may precede
            x = mentions[index]
            if x.begin > p.begin + AFTER_TOKENS or x.sentence - p.sentence > person:
                break
            if (x.kind == NAME or (x.sentence == p.sentence and x.role in SUBJECTS)) and fits(x):
                found.append(x)
        titled = self._titled
        if titled is not None and all(x.cluster is not titled for x in found):
            last = next((m for m in reversed(titled.mentions) if m.begin < p.begin), None)
            if last is not None and fits(last):
                found.append(last)
        return found

    def _is_predicate(self, x: Markable) -> bool:
        """Whether a noun is the predicate of a subject that is itself a candidate: "algae are [a group]"."""
        if x.role != PREDICATE or x.kind != NOMINAL or x.cluster.mentions[0].kind == NAME:
            return False
        syntax = self._syntaxes[x.sentence]
        subject = syntax.subject(x.clause) if syntax.tokens[x.clause].lemma == "be" else None
        return subject is not None and x.place - x.head + subject in self._by_place

    def _set_rows(self, questions: Sequence[AntecedentQuestion]) -> None:
        """Sets the rows of questions with candidates."""
        mentions = {x.order: x for q in questions for x in q.candidates}
        shapes = [features.shape_of(x, self._syntaxes[x.sentence]) for x in mentions.values()]
        number = {order: k for k, order in enumerate(mentions)}
        of_pair = [number[x.order] for q in questions for x in q.candidates]
        sizes = [len(q.candidates) for q in questions]
        owner = np.repeat(np.arange(len(questions)), sizes)
        of_questions, of_pairs = zip(*map(self._numbers, questions), strict=True)
        pronouns = np.array(of_questions, np.intp).T
        p, x = Pronouns(*pronouns[:, owner]), Shape(*np.array(shapes, np.intp)[of_pair].T)
        verbs = np.array([q.view.verb for q in questions])
        others = np.array([self._syntaxes[m.sentence].tokens[m.clause].lemma for m in mentions.values()])
        unknown = str(preferences.UNKNOWN) * preferences.CLASSES
        preferred = np.array([list(map(int, q.view.preferences or unknown)) for q in questions])
        of_each = [
            *np.array([numbers for question in of_pairs for numbers in question], np.intp).T,
            abs(self._paragraphs[p.sentence] - self._paragraphs[x.sentence]),
            (verbs[owner] == others[of_pair]) & (p.sentence != x.sentence),
            preferred[owner, x.referent],
            self._between(p, x),
        ]
        elsewhere = 0 if not self._has_title else 3 if self._titled is None else 2
        columns = features.pair_features(p, x, Pairs(*of_each), elsewhere=elsewhere)
        none = features.none_features(Pronouns(*pronouns), title=(elsewhere + 1) // 2)
        ends = np.cumsum([0, *(size + 1 for size in sizes)])
        table = np.full((len(columns), ends[-1]), features.SIZE, np.intp)
        table[: len(none), ends[:-1]] = none
        table[:, np.arange(len(owner)) + owner + 1] = columns
        for question, (start, end) in zip(questions, pairwise(ends), strict=True):
            question.rows = table[:, start:end].T

    def _numbers(self, question: AntecedentQuestion) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        """Returns a question's numbers for ``Pronouns``, and each candidate's first numbers for ``Pairs``."""
        p, view = question.pronoun, question.view
        standing: dict[int, tuple[int, ...]] = {}
        subjects: set[int] = set()
        agreeing = most = 0
        for x in question.candidates:
            cluster = x.cluster
            number = cluster.number
            agrees = cluster.gender in ("", p.gender) and (view.kind != 0 or cluster.person)
            if number not in standing:
                places = cluster.places
                here = bisect_left(places, p.place)
                earlier = here - bisect_left(places, p.place - _EARLIER)
                later = bisect_left(places, p.place + _LATER) - here
                first = self._first.get(number, 2)
                standing[number] = len(standing), agreeing, len(subjects), earlier, later, first
                agreeing += agrees
                most = max(most, earlier)
            if agrees and x.role in SUBJECTS:
                subjects.add(number)
        pairs = []
        for x in question.candidates:
            relation, above = 4, 0
            if x.sentence == p.sentence:
                relation = features.relation_of(view, x)
                above = view.parents[x.clause] if relation == 1 else 0
            fit = preferences.predicate_fit(view.predicate, x, preferences.class_of(x)) if view.predicate else 0
            pairs.append((*standing[x.cluster.number], relation, above, fit))
        size, empty = len(question.candidates), pleonastic(p, view.syntax)
        return (*view.numbers, size, agreeing, self._dominance(p), most, empty), pairs

    def _dominance(self, p: Markable) -> int:
        """Returns how far the pronoun's gender dominates the document's "he" and "she": 0 for less than two thirds, 1
        for more, 2 for all, 3 for all of three or more; 4 for things and plurals."""
        if p.gender not in lexicon.GENDERED:
            return 4
        same = self._genders[p.gender]
        persons = self._genders[lexicon.MALE] + self._genders[lexicon.FEMALE]
        return (2 + (same > 2)) if same == persons else int(3 * same >= 2 * persons)

    def _between(self, p: Pronouns, x: Shape) -> IntArray:
        """Counts the pronouns of the same gender between each pronoun and its candidate."""
        gender = np.array([GENDERS[m.gender] if m.kind == PRONOUN else -1 for m in self._mentions])
        seen = (gender[:, None] == np.arange(len(GENDERS))).cumsum(axis=0)
        low, high = np.minimum(p.order, x.order), np.maximum(p.order, x.order)
        return np.where(high - low > _FAR, 3, seen[high - 1, p.gender] - seen[low, p.gender])


def _compatible(p: Markable, x: Markable) -> bool:
    """Whether number and animacy allow a mention to be an antecedent; gender is left to the scorer."""
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
    """Whether syntax rules out a mention in the pronoun's sentence: one contains the other, or they share a verb."""
    if x.start <= p.head < x.end or _inside(p, x, syntax):
        return True
    tokens = syntax.tokens
    if tokens[p.head].text.lower() in lexicon.REFLEXIVES:
        return False
    if p.role == POSSESSIVE:
        # "Ann and her brother": the owner is not the noun owned, nor coordinated with it after it
        owned = tokens[p.head].head
        return owned == x.head or (tokens[x.head].dep in ("conj", "appos") and tokens[x.head].head == owned)
    if tokens[p.head].dep == "conj" and syntax.base(p.head) == syntax.base(x.head):
        return True
    if tokens[x.head].dep == "conj" and syntax.base(x.head) == p.head:
        return True
    apart = x.clause == p.clause and (p.role in SUBJECTS) != (x.role in SUBJECTS)
    return apart and _is_direct(p, syntax) and _is_direct(x, syntax)


def _is_direct(m: Markable, syntax: Syntax) -> bool:
    """Whether a mention is an argument of its clause's verb or in its prepositional phrase, if not of place ("looked
    behind him")."""
    if m.role in SUBJECTS or m.role in OBJECTS:
        return True
    token = syntax.tokens[syntax.base(m.head)]
    preposition = syntax.tokens[token.head]
    return token.dep == "pobj" and preposition.head == m.clause and preposition.text.lower() not in _AROUND


def _inside(p: Markable, x: Markable, syntax: Syntax) -> bool:
    """Whether a pronoun is part of the mention above it: "[her mother]", but not "[a man] who lost his way", "[Ann] and
    her son" or "[a boy] with his dog"."""
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
