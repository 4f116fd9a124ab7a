"""Features of a pronoun with a candidate antecedent: each is the number of an active indicator, so that a row is a
list of ints.

The blocks below are conjunctions of a few properties; the scorer learns an embedding for every number. BLOCKS is the
layout that the fitted weights were made for; the scorer refuses weights of another layout.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from rules.coreference import layout, lexicon
from rules.coreference.mentions import NAME, Candidate
from rules.coreference.names import Cluster
from rules.coreference.persons import personhood
from rules.coreference.relations import animacy_of, relation_of
from rules.coreference.syntax import (
    CLAUSES,
    CONTENT,
    OBJECTS,
    POSSESSIVE,
    PREDICATE,
    SUBJECTS,
    Syntax,
)
from rules.records import Token

_CLASS_OF = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_MARKS = {
    word: group
    for group, words in enumerate(
        (
            "when while as after before until once",
            "because since so",
            "although though whereas",
            "if unless whether",
            "that",
            "where why how",
        ),
        1,
    )
    for word in words.split()
}
_GOVERNORS = {
    lemma: group
    for group, lemmas in enumerate(
        (
            "tell inform ask advise warn convince persuade assure remind order command beg urge instruct teach "
            "show invite encourage",
            "make force cause let have help lead leave see find catch keep get allow enable send bring take give "
            "prompt",
            "say claim state announce declare think believe know feel admit argue reveal insist suggest hope "
            "realize report write learn discover",
        ),
        1,
    )
    for lemma in lemmas.split()
}
_TOKEN_LIMITS = (2, 4, 7, 11, 16, 24, 36, 55, 85)
NEAR, FAR_AFTER = 200, 70


def role_group(role: int) -> int:
    """Returns 0 for a subject, 1 for a possessive, 2 for an object, 3 for the rest."""
    return 0 if role in SUBJECTS else 1 if role == POSSESSIVE else 2 if role in OBJECTS else 3


class PronounView:
    """What features ask of one pronoun, computed once for all its candidates."""

    __slots__ = (
        "pronoun",
        "syntax",
        "group",
        "kind",
        "clause_type",
        "quoted",
        "speaker",
        "speech",
        "opening",
        "parents",
        "verb",
        "paragraph",
        "owned",
        "partner",
        "mark",
        "person",
    )

    def __init__(self, pronoun: Candidate, syntax: Syntax, paragraph: int) -> None:
        tokens = syntax.tokens
        self.pronoun, self.syntax, self.paragraph = pronoun, syntax, paragraph
        self.kind = _CLASS_OF[pronoun.gender]
        self.group = role_group(pronoun.role)
        self.clause_type = syntax.clause_type(pronoun.clause)
        self.quoted = int(syntax.quoted is not None and syntax.quoted[pronoun.head])
        self.opening = int(pronoun.start < 2)
        self.owned, self.partner = self._owned(tokens)
        self.person = personhood(pronoun, syntax)
        self.parents: dict[int, int] = {}  # clauses above the pronoun's own -> type of the clause under each on the way
        clause, kind = pronoun.clause, self.clause_type
        self.speaker, self.speech = -1, 0
        while True:
            above = syntax.parent_clause(clause)
            if above == clause or above in self.parents:
                break
            if self.speaker < 0 and kind == CONTENT:
                self.speaker, self.speech = above, 1 + (tokens[above].lemma in lexicon.SPEECH_LEMMAS)
            self.parents[above] = kind * 2 + (len(self.parents) > 0)
            clause, kind = above, syntax.clause_type(above)
        self.verb = tokens[pronoun.clause].lemma
        self.mark = next(
            (
                _MARKS.get(t.text.lower(), 7)
                for t in tokens[: pronoun.clause]
                if t.head == pronoun.clause and (t.dep == "mark" or t.dep == "advmod" and t.tag == "WRB")
            ),
            0,
        )

    def _owned(self, tokens: Sequence[Token]) -> tuple[int, int]:
        """What a possessive owns: 0 a subject, 1 an object, 2 a predicate, 3 something else, 4 nothing; and whom it is
        joined to.
        """
        if self.group != 1:
            return 4, -1
        index = tokens[self.pronoun.head].head
        role = self.syntax.role(index)
        partner = tokens[index].head if tokens[index].dep == "conj" else -1
        return 0 if role in SUBJECTS else 1 if role in OBJECTS else 2 if role == PREDICATE else 3, partner


class Surroundings(NamedTuple):
    """What the other candidates of a pronoun and the document say of one of them.

    Attributes:
        ranks: how many other clusters stand nearer; of those, how many agree with the pronoun; how many agreeing ones
            stand nearer as subjects.
        agreeing: how many of the pronoun's candidate clusters agree in gender and animacy.
        between: how many pronouns of the same gender stand between.
        title: 0 the document has no title, 1 the title names the candidate, 2 it names another, 3 it names none of
            the document's names.
        first: 0 the candidate's cluster opens the document, 1 it is the second, 2 later.
        dominance: how much the document's pronouns are of the pronoun's gender, from 0 to 3; 4 for things.
        most: how often the candidate cluster with the most mentions before the pronoun has been mentioned.
    """

    ranks: tuple[int, int, int]
    agreeing: int
    between: int
    title: int
    first: int
    dominance: int
    most: int


def mentioned_before(cluster: Cluster, p: Candidate) -> int:
    """Returns how many mentions of a cluster stand in reach before a pronoun."""
    return bisect_left(cluster.places, p.place) - bisect_left(cluster.places, p.place - NEAR)


def pair_row(view: PronounView, x: Candidate, x_syntax: Syntax, x_paragraph: int, around: Surroundings) -> list[int]:
    """Returns the active features of a candidate ``x``, which stands in the sentence ``x_syntax``."""
    sentences = view.pronoun.sentence - x.sentence
    follows = x.begin > view.pronoun.begin
    distance = (0 if sentences == 0 else 1) if follows else min(sentences, 5) + 2
    row = _place_features(view, x, x_paragraph, around, distance, follows)
    row += _clause_features(view, x, x_syntax, sentences == 0, follows)
    row += _entity_features(view, x, around, sentences)
    return row


def _place_features(
    view: PronounView, x: Candidate, x_paragraph: int, around: Surroundings, distance: int, follows: bool
) -> list[int]:
    """Roles of the two, and how far apart they stand."""
    p, group = view.pronoun, view.group
    x_group = role_group(x.role)
    same = x.sentence == p.sentence
    return [
        layout.CLASS + view.kind,
        layout.ROLES + x.role * 4 + group,
        layout.DISTANCE + distance * 4 + group,
        layout.TOKENS + bisect_left(_TOKEN_LIMITS, abs(p.place - x.place)) * 2 + follows,
        layout.RANK + min(around.ranks[0], 5) * 4 + group,
        layout.AGREEING_RANK + min(around.ranks[1], 4) * 4 + group,
        layout.SUBJECT_RANK + (min(around.ranks[2], 3) * 4 + x_group) * 4 + group,
        layout.ROLE_DISTANCE + (x_group * 8 + distance) * 4 + group,
        layout.PARAGRAPH + min(abs(view.paragraph - x_paragraph), 2),
        layout.OPENING + (view.opening * 2 + (x_group == 0)) * 4 + min(distance, 5) // 2,
        layout.BETWEEN + min(around.between, 3) * 2 + same,
    ]


def _clause_features(view: PronounView, x: Candidate, x_syntax: Syntax, same: bool, follows: bool) -> list[int]:
    """How the clauses of the two hang together, and what their verbs say."""
    group, x_group = view.group, role_group(x.role)
    relation = relation_of(view, x, x_syntax)
    verb = x_syntax.tokens[x.clause].lemma
    path = control = 0
    if relation == 1:
        way = view.parents[x.clause]
        path = way * 4 + x_group + 4
        control = (way // 2 * 4 + _GOVERNORS.get(verb, 0)) * 4 + x_group + 16
    speaks = view.speech if same and x_group == 0 and x.clause == view.speaker else 0
    shape = x.shape
    return [
        layout.CLAUSES + (relation * 4 + x_group) * 4 + group,
        layout.PATH + path,
        layout.MARK + (view.mark * 4 + x_group) * 2 + (relation == 1),
        layout.CONTROL + control,
        layout.CLAUSE_TYPES + shape.clause_type * CLAUSES + view.clause_type,
        layout.OWNED + ((view.owned * 4 + x_group) * 2 + (relation == 0)) * 2 + follows,
        layout.QUOTES + (view.quoted * 2 + shape.quoted) * 2 + same,
        layout.SPEECH + (speaks * 4 + group) * 2 + view.quoted,
        layout.VERB + (verb == view.verb and not same) * 2 + (x_group == 0),
    ]


def _entity_features(view: PronounView, x: Candidate, around: Surroundings, sentences: int) -> list[int]:
    """What the candidate is: its form, its gender, how often its cluster appears, whether the title names it."""
    p, kind, cluster, shape = view.pronoun, view.kind, x.cluster, x.shape
    agreement = 0 if not cluster.gender else 1 if cluster.gender == p.gender else 2
    agrees = agreement != 2 and (kind != 0 or cluster.person)
    near = 0 if sentences == 0 else 1 if sentences in (1, -1) else 2
    here = bisect_left(cluster.places, p.place)
    earlier = mentioned_before(cluster, p)
    share = 2 if around.most < 2 else 0 if earlier == around.most else 1
    later = bisect_left(cluster.places, p.place + FAR_AFTER) - here
    leaning = 0
    if not cluster.gender and x.kind is NAME and kind == 0:
        leaning = 3 if not cluster.leaning else 1 + (cluster.leaning == p.gender)
        if not cluster.person:
            leaning = 4 + (cluster.leaning == p.gender)
    return [
        layout.TYPE + shape.type * 3 + kind,
        layout.AGREEMENT + (agreement * 2 + cluster.person) * 3 + kind,
        layout.FORM + shape.form,
        layout.CONJUNCT + shape.conjunct,
        layout.LEANING + leaning,
        layout.PERSON + ((shape.person * 2 + (x.entity == "PERSON")) * 2 + cluster.person) * 3 + kind,
        layout.TOPIC + shape.topic * 3 + near,
        layout.FREQUENCY + min(earlier, 6) * 2,
        layout.FREQUENCY + min(later, 6) * 2 + 1,
        layout.FIRST + around.first * 4 + min(earlier, 3),
        layout.TITLE + (around.title * 4 + view.group) * 3 + kind,
        layout.ANIMATE + (view.person * 4 + animacy_of(x)) * 3 + kind,
        layout.DOMINANCE + (around.dominance * 4 + around.title) * 3 + agreement,
        layout.MOST + (share * 4 + view.group) * 2 + agrees,
        layout.DETERMINER + shape.determiner * 3 + kind,
        layout.BEFORE + shape.before,
        layout.AFTER + shape.after,
        layout.CHOICE + (min(around.agreeing, 3) * 2 + agrees) * 3 + kind,
    ]


def none_row(view: PronounView, *, candidates: int, agreeing: int, title: int, pleonastic: int) -> list[int]:
    """Returns the active features of the answer "no antecedent here".

    Args:
        view: the pronoun.
        candidates: how many candidates there are.
        agreeing: as in ``pair_row``.
        title: 0 the document has no title, 1 the title names a cluster of the document, 2 it names none.
        pleonastic: what ``pleonastic`` returns.
    """
    kind, p = view.kind, view.pronoun
    return [
        layout.NONE + kind * 4 + view.group,
        layout.NONE_CHOICE + min(agreeing, 3) * 3 + kind,
        layout.NONE_CANDIDATES + min(candidates // 2, 4) * 3 + kind,
        layout.NONE_PLACE + (min(p.sentence, 3)) * 3 + kind,
        layout.NONE_IT + pleonastic,
        layout.NONE_TITLE + title * 2 + (kind == 0),
    ]
