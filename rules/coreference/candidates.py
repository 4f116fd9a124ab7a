"""Questions: every third-person pronoun with its candidate antecedents and their features."""

from __future__ import annotations

from collections.abc import Sequence

from rules.coreference import features, lexicon
from rules.coreference.mentions import GROUP, NAME, PRONOUN, Candidate
from rules.coreference.names import Cluster
from rules.coreference.pleonastic import EMPTY, pleonastic
from rules.coreference.shapes import shape_of
from rules.coreference.syntax import OBJECTS, POSSESSIVE, SUBJECTS, Syntax
from rules.records import Sentence

# How far a pronoun looks back, in tokens and sentences, and how many candidates it weighs.
PERSON_TOKENS, OTHER_TOKENS, OTHER_SENTENCES, AFTER_TOKENS, MOST = 150, 80, 3, 70, 40
_PEOPLES = frozenset({"ORG", "NORP", "GPE", ""})


class Question:
    """A pronoun, its candidates, and a row of features for "none" and for each candidate.

    ``subject`` is set for a reflexive whose antecedent is the pronoun that is the subject of its clause; it has no
    candidates then.
    """

    __slots__ = ("pronoun", "candidates", "rows", "subject", "view")

    def __init__(self, pronoun: Candidate, view: features.PronounView) -> None:
        self.pronoun, self.view = pronoun, view
        self.candidates: list[Candidate] = []
        self.rows: list[list[int]] = []
        self.subject: Candidate | None = None


class Asker:
    """Makes the questions of one document."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        syntaxes: Sequence[Syntax],
        mentions: Sequence[Candidate],
        titled: Cluster | None,
        has_title: bool,
    ) -> None:
        self._paragraphs = [s.paragraph for s in sentences]
        self._syntaxes, self._mentions, self._titled, self._has_title = syntaxes, mentions, titled, has_title
        self._by_place = {m.place: m for m in mentions if m.kind is not GROUP}
        first = [m.cluster for m in mentions if m.cluster is not None and m.kind is NAME]
        self._first = {c.number: k for k, c in enumerate(dict.fromkeys(first[:12])) if k < 2}

    def questions(self) -> list[Question]:
        """Returns a question for every pronoun, in text order; an "it" that is surely empty ("it rains") has none."""
        return [self._question(m) for m in self._mentions if m.kind is PRONOUN and not self._empty(m)]

    def _empty(self, p: Candidate) -> bool:
        return pleonastic(p, self._syntaxes[p.sentence]) in EMPTY

    def _question(self, p: Candidate) -> Question:
        syntax = self._syntaxes[p.sentence]
        question = Question(p, features.PronounView(p, syntax, self._paragraphs[p.sentence]))
        only = None
        if syntax.tokens[p.head].text.lower() in lexicon.REFLEXIVES:
            only = self._clause_subject(p, syntax)
            if only is not None and only.kind is PRONOUN:
                question.subject = only
                return question
        found = [only] if only is not None and only.cluster is not None else self._candidates(p, syntax)
        question.candidates = found
        question.rows = self._rows(question)
        return question

    def _clause_subject(self, p: Candidate, syntax: Syntax) -> Candidate | None:
        index = syntax.subject(p.clause)
        if index is None:
            return None
        token = syntax.tokens[index]
        if token.tag in ("WP", "WDT") and syntax.tokens[p.clause].dep == "relcl":
            index = syntax.tokens[p.clause].head
        found = self._by_place.get(p.place - p.head + index)
        return None if found is None or found.kind is PRONOUN and found.gender != p.gender else found

    def _candidates(self, p: Candidate, syntax: Syntax) -> list[Candidate]:
        mentions, person = self._mentions, p.gender in (lexicon.MALE, lexicon.FEMALE)
        reach = p.begin - (PERSON_TOKENS if person else OTHER_TOKENS)
        found = []
        for index in range(p.order - 1, -1, -1):
            x = mentions[index]
            if x.begin < reach or not person and p.sentence - x.sentence > OTHER_SENTENCES or len(found) == MOST:
                break
            if x.kind is not PRONOUN and _compatible(p, x) and not _barred(p, x, syntax):
                found.append(x)
        for index in range(p.order + 1, len(mentions)):
            x = mentions[index]
            if x.begin > p.begin + AFTER_TOKENS or x.sentence - p.sentence > (1 if person else 0):
                break
            if x.kind is NAME or x.kind is not PRONOUN and x.sentence == p.sentence and x.role in SUBJECTS:
                if _compatible(p, x) and not _barred(p, x, syntax):
                    found.append(x)
        if self._titled is not None and person and all(x.cluster is not self._titled for x in found):
            before = [m for m in self._titled.mentions if m.begin < p.begin]
            if before and _compatible(p, before[-1]) and not _barred(p, before[-1], syntax):
                found.append(before[-1])
        return found

    def _rows(self, question: Question) -> list[list[int]]:
        p, view = question.pronoun, question.view
        seen: dict[int, int] = {}
        agreeing = 0
        for x in question.candidates:
            cluster = x.cluster
            if cluster.number not in seen:
                seen[cluster.number] = len(seen)
                agreeing += cluster.gender in ("", p.gender) and (view.kind != 0 or cluster.person)
        elsewhere = 0 if not self._has_title else 3 if self._titled is None else 2
        rows = [
            features.none_row(
                view,
                candidates=len(question.candidates),
                agreeing=agreeing,
                title=min(elsewhere, 2) and (1 if self._titled is not None else 2),
                pleonastic=pleonastic(p, view.syntax),
            )
        ]
        for x in question.candidates:
            x_syntax = self._syntaxes[x.sentence]
            if x.shape is None:
                x.shape = shape_of(x, x_syntax)
            around = features.Surroundings(
                rank=seen[x.cluster.number],
                agreeing=agreeing,
                between=self._between(p, x),
                title=1 if x.cluster.titled else elsewhere,
                first=self._first.get(x.cluster.number, 2),
            )
            rows.append(features.pair_row(view, x, x_syntax, self._paragraphs[x.sentence], around))
        return rows

    def _between(self, p: Candidate, x: Candidate) -> int:
        low, high = (x.order, p.order) if x.order < p.order else (p.order, x.order)
        if high - low > 12:
            return 3
        return sum(1 for m in self._mentions[low + 1 : high] if m.kind is PRONOUN and m.gender == p.gender)


def _compatible(p: Candidate, x: Candidate) -> bool:
    """Whether a mention can be an antecedent by number and animacy; gender is left to the scorer: names mislead."""
    if p.gender == lexicon.PLURAL:
        return (
            x.plural
            or x.kind is GROUP
            or x.entity in _PEOPLES
            and x.kind is NAME
            and not x.cluster.person
            or x.words[0] in lexicon.GROUP_NOUNS
        )
    if x.plural or x.kind is GROUP:
        return False
    if p.gender == lexicon.NEUTER:
        return x.entity not in ("PERSON", "NORP") and not x.cluster.person and not x.person
    return x.kind is NAME or x.person


def _barred(p: Candidate, x: Candidate, syntax: Syntax) -> bool:
    """Whether syntax forbids that a pronoun refers to a mention: one holds the other, or both are arguments of one
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
        return owned == x.head or tokens[x.head].dep in ("conj", "appos") and tokens[x.head].head == owned
    if (
        tokens[p.head].dep == "conj"
        and syntax.base(p.head) == syntax.base(x.head)
        or tokens[x.head].dep == "conj"
        and (syntax.base(x.head) == p.head)
    ):
        return True
    if x.clause != p.clause:
        return False
    p_direct, x_direct = _is_direct(p, syntax), _is_direct(x, syntax)
    return p_direct and x_direct and (p.role in SUBJECTS) != (x.role in SUBJECTS)


def _is_direct(m: Candidate, syntax: Syntax) -> bool:
    """Whether a mention is an argument of its clause's verb, or stands in a prepositional phrase right under it."""
    if m.role in SUBJECTS or m.role in OBJECTS:
        return True
    token = syntax.tokens[syntax.base(m.head)]
    return token.dep == "pobj" and syntax.tokens[token.head].head == m.clause


def _inside(p: Candidate, x: Candidate, syntax: Syntax) -> bool:
    """Whether a pronoun is a part of the mention above it: "[her mother]", but not "[a man] who lost his way" or
    "[Ann] and her son".
    """
    tokens = syntax.tokens
    index = p.head
    for _ in tokens:
        if index == x.head:
            return True
        if tokens[index].dep in ("relcl", "conj"):
            return False
        index = tokens[index].head
    return False
