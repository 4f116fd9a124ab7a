"""Features of a pronoun with a candidate antecedent: a row is a list of the numbers of its active indicators.

Each block of the layout combines a few properties of the pronoun, of the candidate and of the two together. The scorer
has an embedding for every number, and the fitted weights belong to this layout: neither the order nor the size of a
block may change without a new fit.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from gistmill.rules.coreference import lexicon, markables, preferences
from gistmill.rules.coreference.markables import (
    CONTENT,
    GROUP,
    NAME,
    OBJECTS,
    POSSESSIVE,
    SUBJECTS,
    Cluster,
    Markable,
    Syntax,
)

BLOCKS = {
    name: int(size)
    for name, size in (
        pair.split(":")
        for pair in (
            f"class:3 type:42 agreement:18 roles:{markables.ROLES * 4} distance:32 tokens:20 rank:24 "
            "agreeing_rank:20 subject_rank:64 role_distance:128 clauses:128 path:64 mark:64 control:128 "
            f"clause_types:{markables.CLAUSES * markables.CLAUSES} form:8 conjunct:3 owned:80 leaning:6 person:60 "
            "topic:12 frequency:14 first:12 title:48 quotes:8 animate:60 dominance:60 most:24 determiner:15 "
            "speech:24 paragraph:3 before:8 after:7 opening:16 choice:24 between:8 verb:4 "
            f"referent:{preferences.CLASSES * 12} preference:{preferences.BUCKETS * 12} "
            f"predicate:{preferences.PREDICATES * 3} chain:270 chain_next:12 chain_other:5 chain_mean:15 none:12 "
            "none_choice:12 none_candidates:15 none_place:12 none_it:10 none_title:6 none_chain:15"
        ).split()
    )
}
START: dict[str, int] = dict(zip(BLOCKS, accumulate(BLOCKS.values(), initial=0), strict=False))
SIZE = sum(BLOCKS.values())
# Module-level integers, because an enumeration's members are slower where features are made.
(
    CLASS, TYPE, AGREEMENT, ROLES, DISTANCE, TOKENS, RANK, AGREEING_RANK, SUBJECT_RANK, ROLE_DISTANCE, CLAUSES, PATH,
    MARK, CONTROL, CLAUSE_TYPES, FORM, CONJUNCT, OWNED, LEANING, PERSON, TOPIC, FREQUENCY, FIRST, TITLE, QUOTES,
    ANIMATE, DOMINANCE, MOST, DETERMINER, SPEECH, PARAGRAPH, BEFORE, AFTER, OPENING, CHOICE, BETWEEN, VERB, REFERENT,
    PREFERENCE, PREDICATE, CHAIN, CHAIN_NEXT, CHAIN_OTHER, CHAIN_MEAN, NONE, NONE_CHOICE, NONE_CANDIDATES, NONE_PLACE,
    NONE_IT, NONE_TITLE, NONE_CHAIN,
) = START.values()  # fmt: skip


def _groups(*words: str) -> dict[str, int]:
    """The number, from 1 on, of the group that each word is in."""
    return {word: number for number, group in enumerate(words, 1) for word in group.split()}


_GOVERNORS = _groups(
    "tell inform ask advise warn convince persuade assure remind order command beg urge instruct teach show invite "
    "encourage",
    "make force cause let have help lead leave see find catch keep get allow enable send bring take give prompt",
    "say claim state announce declare think believe know feel admit argue reveal insist suggest hope realize report "
    "write learn discover",
)
# Conjunctions that open a clause.
_MARKS = _groups(
    "when while as after before until once",
    "because since so",
    "although though whereas",
    "if unless whether",
    "that",
    "where why how",
)
_TOKEN_LIMITS = (2, 4, 7, 11, 16, 24, 36, 55, 85)
NEAR, FAR_AFTER = 200, 70
_CLASS_OF = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}


def role_group(role: int) -> int:
    """Returns 0 for a subject, 1 for a possessive, 2 for an object, 3 for the rest."""
    return 0 if role in SUBJECTS else 1 if role == POSSESSIVE else 2 if role in OBJECTS else 3


class PronounView:
    """Properties of one pronoun that the features need, computed once for all its candidates.

    Attributes:
        pronoun, syntax, paragraph: the pronoun, its sentence and the index of its paragraph.
        kind: 0 for "he" and "she", 1 for "it", 2 for "they".
        group: its role, as ``role_group`` has it.
        clause_type: type of its clause.
        quoted, opening: whether it stands between quotation marks, whether it opens the sentence.
        speaker, speech: the verb above that introduces what is said (-1 where there is none), and 2 for a verb of
            saying, 1 for another, 0 for none.
        parents: the clauses above its own, with the type of the clause under each on the way.
        verb: lemma of its clause's verb.
        owned: role of what a possessive owns: 0 subject, 1 object, 2 predicate, 3 other; 4 for no possessive.
        partner: the token that what it owns is joined to, or -1.
        mark: group of the conjunction that opens its clause, 0 for none.
        person: how much its context is a person's, as ``personhood`` has it.
        preferences, predicate: what its context prefers, and what it is said to be, as ``preferences`` has them.
    """

    __slots__ = tuple(
        "pronoun syntax group kind clause_type quoted speaker speech opening parents verb paragraph owned partner "
        "mark person preferences predicate".split()
    )

    def __init__(self, pronoun: Markable, syntax: Syntax, paragraph: int) -> None:
        tokens = syntax.tokens
        self.pronoun, self.syntax, self.paragraph = pronoun, syntax, paragraph
        self.kind = _CLASS_OF[pronoun.gender]
        self.group = role_group(pronoun.role)
        self.clause_type = syntax.clause_type(pronoun.clause)
        self.quoted = int(syntax.quoted is not None and syntax.quoted[pronoun.head])
        self.opening = int(pronoun.start < 2)
        self.owned, self.partner = 4, -1
        if self.group == 1:
            owned = tokens[pronoun.head].head
            role = syntax.role(owned)
            self.owned = 0 if role in SUBJECTS else 1 if role in OBJECTS else 2 if role == markables.PREDICATE else 3
            self.partner = tokens[owned].head if tokens[owned].dep == "conj" else -1
        self.person = preferences.personhood(pronoun, syntax)
        self.preferences = preferences.preferences_of(preferences.context_of(pronoun, syntax))
        self.predicate = preferences.predicate_noun(pronoun, syntax)
        self.parents: dict[int, int] = {}
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
        below = (t for t in tokens[: pronoun.clause] if t.head == pronoun.clause)
        marks = (t for t in below if t.dep == "mark" or (t.dep == "advmod" and t.tag == "WRB"))
        self.mark = next((_MARKS.get(t.text.lower(), 7) for t in marks), 0)


# Types of names, and of the other candidates.
_ENTITY = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 5, "FAC": 5, "PRODUCT": 6, "EVENT": 8}
_OTHER_ENTITY, _GROUP, _PERSONS, _THINGS, _PERSON, _THING = 7, 9, 10, 11, 12, 13
_BEFORE_WORDS = {"by": 1, "with": 2, "and": 3, "of": 4, ",": 5, "(": 6, "to": 7}
_DETERMINERS = {"the": 1, "this": 2, "that": 2, "these": 2, "those": 2, "a": 3, "an": 3}


class Shape(NamedTuple):
    """Properties of a candidate as small numbers, for the blocks of the layout.

    Attributes:
        type: entity type of a name, coordination, persons, things, person or thing.
        form: number of words of a name, and whether the first is a known first name.
        topic: whether it is the subject of the main clause, and whether it opens the sentence.
        determiner: none, "the", demonstrative, "a" or possessive, of a nominal.
        before, after: what kind of word stands in front and behind.
        clause_type: type of its clause.
        quoted: whether it stands between quotation marks.
        conjunct: 0 outside coordinations, 1 followed by "and", 2 a later conjunct.
        person: whether its context is a person's, from 0 (unknown) to 4.
        referent: class of what it refers to, as ``class_of`` has it.
    """

    type: int
    form: int
    topic: int
    determiner: int
    before: int
    after: int
    clause_type: int
    quoted: int
    conjunct: int
    person: int
    referent: int


def shape_of(x: Markable, syntax: Syntax) -> Shape:
    """Returns the shape of a candidate in its sentence; its cluster must be complete."""
    tokens = syntax.tokens
    first, head = tokens[x.start], tokens[x.head]
    after = 0
    if x.end < len(tokens):
        follower = tokens[x.end]
        after = {",": 1, "(": 2, "'s": 3, "and": 4}.get(follower.text, 5 if follower.pos in ("VERB", "AUX") else 6)
    main_subject = head.dep in ("nsubj", "nsubjpass") and tokens[head.head].dep == "ROOT"
    return Shape(
        type=_type(x),
        form=(min(len(x.words), 4) - 1) * 2 + (first.text in lexicon.FIRST_NAMES),
        topic=main_subject * 2 + (x.start < 4),
        determiner=0 if x.kind == NAME else _DETERMINERS.get(first.text.lower(), 4 if first.tag == "PRP$" else 0),
        before=_BEFORE_WORDS.get(tokens[x.start - 1].text.lower(), 0) if x.start else 0,
        after=after,
        clause_type=syntax.clause_type(x.clause),
        quoted=int(syntax.quoted is not None and syntax.quoted[x.head]),
        conjunct=2 if head.dep == "conj" else int(after == 4),
        person=preferences.personhood(x, syntax),
        referent=preferences.class_of(x),
    )


def _type(x: Markable) -> int:
    if x.kind == NAME:
        return 0 if x.cluster.person else _ENTITY.get(x.entity, _OTHER_ENTITY)
    if x.kind == GROUP:
        return _GROUP
    if x.plural:
        return _PERSONS if x.person else _THINGS
    return _PERSON if x.person else _THING


_DEEPEST = 12


def relation_of(view: PronounView, x: Markable, x_syntax: Syntax) -> int:
    """Returns the relation of the two clauses.

    0: they are the same; 1: the candidate's is above; 2: it is below; 3: neither; 4: it is in another sentence; 5: they
    are joined by "and"; 6: the candidate is joined to the noun that the pronoun owns ("Ann and her son"); 7: the
    pronoun stands in a phrase of the candidate.
    """
    p = view.pronoun
    if x.sentence != p.sentence:
        return 4
    if x.start < p.start and _under(view.syntax, p.head, x.head):
        return 7
    if x.clause == p.clause:
        return 0
    if x.head == view.partner:
        return 6
    if x.clause in view.parents:
        return 1
    if x_syntax.parent_clause(x.clause) == p.clause:
        return 2
    return 5 if x_syntax.base(x.clause) == x_syntax.base(p.clause) else 3


def _under(syntax: Syntax, index: int, above: int) -> bool:
    """Whether a token stands under another one within its clause."""
    tokens, clause = syntax.tokens, syntax.clauses[index]
    for _ in range(_DEEPEST):
        if index == above:
            return True
        if index == clause:
            return False
        index = tokens[index].head
    return False


def animacy_of(x: Markable) -> int:
    """Returns 0 for persons, 1 for groups of persons, 2 for other names, 3 for things."""
    if x.person or x.cluster.person:
        return 0
    if x.entity in ("ORG", "NORP", "GPE") or x.kind == GROUP or x.words[-1] in lexicon.GROUP_NOUNS:
        return 1
    return 2 if x.kind == NAME else 3


class Surroundings(NamedTuple):
    """The place of one candidate among the others of its pronoun and in the document.

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


def mentioned_before(cluster: Cluster, p: Markable) -> int:
    """Returns how many mentions of a cluster stand in reach before a pronoun."""
    return bisect_left(cluster.places, p.place) - bisect_left(cluster.places, p.place - NEAR)


def pair_row(
    view: PronounView, x: Markable, shape: Shape, x_syntax: Syntax, x_paragraph: int, around: Surroundings
) -> list[int]:
    """Returns the active features of a candidate.

    Args:
        view: the pronoun.
        x: the candidate; it must belong to a cluster.
        shape: the candidate's shape.
        x_syntax, x_paragraph: the sentence of the candidate, and the index of its paragraph.
        around: its place among the other candidates.
    """
    p, group, x_group = view.pronoun, view.group, role_group(x.role)
    sentences = p.sentence - x.sentence
    same, follows = sentences == 0, x.begin > p.begin
    distance = (0 if same else 1) if follows else min(sentences, 5) + 2
    return [
        # roles of the two, and how far apart they are
        CLASS + view.kind,
        ROLES + x.role * 4 + group,
        DISTANCE + distance * 4 + group,
        TOKENS + bisect_left(_TOKEN_LIMITS, abs(p.place - x.place)) * 2 + follows,
        RANK + min(around.ranks[0], 5) * 4 + group,
        AGREEING_RANK + min(around.ranks[1], 4) * 4 + group,
        SUBJECT_RANK + (min(around.ranks[2], 3) * 4 + x_group) * 4 + group,
        ROLE_DISTANCE + (x_group * 8 + distance) * 4 + group,
        PARAGRAPH + min(abs(view.paragraph - x_paragraph), 2),
        OPENING + (view.opening * 2 + (x_group == 0)) * 4 + min(distance, 5) // 2,
        BETWEEN + min(around.between, 3) * 2 + same,
        *_clause_features(view, x, shape, x_syntax, same, follows),
        *_entity_features(view, x, shape, around, sentences),
    ]


def _clause_features(
    view: PronounView, x: Markable, shape: Shape, x_syntax: Syntax, same: bool, follows: bool
) -> list[int]:
    """The relation of the two clauses, and their verbs."""
    group, x_group = view.group, role_group(x.role)
    relation = relation_of(view, x, x_syntax)
    verb = x_syntax.tokens[x.clause].lemma
    path = control = 0
    if relation == 1:
        way = view.parents[x.clause]
        path = way * 4 + x_group + 4
        control = (way // 2 * 4 + _GOVERNORS.get(verb, 0)) * 4 + x_group + 16
    speaks = view.speech if same and x_group == 0 and x.clause == view.speaker else 0
    return [
        CLAUSES + (relation * 4 + x_group) * 4 + group,
        PATH + path,
        MARK + (view.mark * 4 + x_group) * 2 + (relation == 1),
        CONTROL + control,
        CLAUSE_TYPES + shape.clause_type * markables.CLAUSES + view.clause_type,
        OWNED + ((view.owned * 4 + x_group) * 2 + (relation == 0)) * 2 + follows,
        QUOTES + (view.quoted * 2 + shape.quoted) * 2 + same,
        SPEECH + (speaks * 4 + group) * 2 + view.quoted,
        VERB + (verb == view.verb and not same) * 2 + (x_group == 0),
    ]


def _entity_features(view: PronounView, x: Markable, shape: Shape, around: Surroundings, sentences: int) -> list[int]:
    """The candidate itself: its form, its gender, how often its cluster appears, whether the title names it."""
    p, kind, cluster = view.pronoun, view.kind, x.cluster
    agreement = 0 if not cluster.gender else 1 if cluster.gender == p.gender else 2
    agrees = agreement != 2 and (kind != 0 or cluster.person)
    near = 0 if sentences == 0 else 1 if sentences in (1, -1) else 2
    here = bisect_left(cluster.places, p.place)
    earlier = mentioned_before(cluster, p)
    share = 2 if around.most < 2 else 0 if earlier == around.most else 1
    later = bisect_left(cluster.places, p.place + FAR_AFTER) - here
    preferred = preferences.UNKNOWN if view.preferences is None else int(view.preferences[shape.referent])
    leaning = 0
    if not cluster.gender and x.kind == NAME and kind == 0:
        leaning = 3 if not cluster.leaning else 1 + (cluster.leaning == p.gender)
        if not cluster.person:
            leaning = 4 + (cluster.leaning == p.gender)
    return [
        TYPE + shape.type * 3 + kind,
        AGREEMENT + (agreement * 2 + cluster.person) * 3 + kind,
        FORM + shape.form,
        CONJUNCT + shape.conjunct,
        LEANING + leaning,
        PERSON + ((shape.person * 2 + (x.entity == "PERSON")) * 2 + cluster.person) * 3 + kind,
        TOPIC + shape.topic * 3 + near,
        FREQUENCY + min(earlier, 6) * 2,
        FREQUENCY + min(later, 6) * 2 + 1,
        FIRST + around.first * 4 + min(earlier, 3),
        TITLE + (around.title * 4 + view.group) * 3 + kind,
        ANIMATE + (view.person * 4 + animacy_of(x)) * 3 + kind,
        DOMINANCE + (around.dominance * 4 + around.title) * 3 + agreement,
        MOST + (share * 4 + view.group) * 2 + agrees,
        DETERMINER + shape.determiner * 3 + kind,
        BEFORE + shape.before,
        AFTER + shape.after,
        CHOICE + (min(around.agreeing, 3) * 2 + agrees) * 3 + kind,
        REFERENT + (shape.referent * 4 + view.group) * 3 + kind,
        PREFERENCE + (preferred * 4 + view.group) * 3 + kind,
        PREDICATE + preferences.predicate_fit(view.predicate, x, shape.referent) * 3 + kind,
    ]


def none_row(view: PronounView, *, candidates: int, agreeing: int, title: int, pleonastic: int) -> list[int]:
    """Returns the active features of the answer "none".

    Args:
        view: the pronoun.
        candidates: how many candidates there are.
        agreeing: as in ``Surroundings``.
        title: 0 the document has no title, 1 the title names a cluster of the document, 2 it names none.
        pleonastic: what ``pleonastic`` returns.
    """
    kind = view.kind
    return [
        NONE + kind * 4 + view.group,
        NONE_CHOICE + min(agreeing, 3) * 3 + kind,
        NONE_CANDIDATES + min(candidates // 2, 4) * 3 + kind,
        NONE_PLACE + min(view.pronoun.sentence, 3) * 3 + kind,
        NONE_IT + pleonastic,
        NONE_TITLE + title * 2 + (kind == 0),
    ]
