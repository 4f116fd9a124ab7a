"""Features of a pronoun and a candidate antecedent: each row contains the numbers of its active indicators.

Each block of the layout combines a few properties of the pronoun, of the candidate or of both. The scorer has an
embedding for every number, and the fitted weights depend on this layout: a block can change only with a new fit.

Properties are computed once for each pronoun and each candidate. The rows of all pairs in a document are then computed
together, as columns of NumPy arrays. Their order is fixed too, because the scorer adds embeddings in it.
"""

from __future__ import annotations

from collections import namedtuple
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from gistmill.rules.coreference import lexicon, markables, preferences
from gistmill.rules.coreference.markables import (
    CONTENT,
    GROUP,
    NAME,
    OBJECTS,
    POSSESSIVE,
    SUBJECTS,
    Markable,
    Syntax,
)

IntArray = npt.NDArray[np.intp]

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
(
    CLASS, TYPE, AGREEMENT, ROLES, DISTANCE, TOKENS, RANK, AGREEING_RANK, SUBJECT_RANK, ROLE_DISTANCE, CLAUSES, PATH,
    MARK, CONTROL, CLAUSE_TYPES, FORM, CONJUNCT, OWNED, LEANING, PERSON, TOPIC, FREQUENCY, FIRST, TITLE, QUOTES,
    ANIMATE, DOMINANCE, MOST, DETERMINER, SPEECH, PARAGRAPH, BEFORE, AFTER, OPENING, CHOICE, BETWEEN, VERB, REFERENT,
    PREFERENCE, PREDICATE, CHAIN, CHAIN_NEXT, CHAIN_OTHER, CHAIN_MEAN, NONE, NONE_CHOICE, NONE_CANDIDATES, NONE_PLACE,
    NONE_IT, NONE_TITLE, NONE_CHAIN,
) = START.values()  # fmt: skip


def _groups(*words: str) -> dict[str, int]:
    """Maps each word to the number of its group, starting at 1."""
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
_TOKEN_LIMITS = np.array((2, 4, 7, 11, 16, 24, 36, 55, 85))
GENDERS = {"": 0, lexicon.MALE: 1, lexicon.FEMALE: 2, lexicon.NEUTER: 3, lexicon.PLURAL: 4}
_CLASS_OF = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}


def role_group(role: int) -> int:
    """Returns 0 for a subject, 1 for a possessive, 2 for an object, 3 for all other roles."""
    return 0 if role in SUBJECTS else 1 if role == POSSESSIVE else 2 if role in OBJECTS else 3


class PronounView:
    """Properties of a pronoun used in the features, computed once for all its candidates.

    Attributes:
        pronoun, syntax: the pronoun and its sentence.
        kind: 0 for "he" and "she", 1 for "it", 2 for "they".
        group: its role, as returned by ``role_group``.
        clause_type: type of its clause.
        quoted, opening: whether it is between quotation marks, and whether it opens the sentence.
        speaker, speech: the verb above that introduces the pronoun's clause (-1 if none), and 2 for a verb of saying, 1
            for another verb, 0 for none.
        parents: the clauses above its own, each with the type of the clause below it on the path.
        verb: lemma of its clause's verb.
        owned: role of the noun that a possessive owns: 0 subject, 1 object, 2 predicate, 3 other; 4 for no possessive.
        partner: the token with which the owned noun is coordinated, or -1.
        mark: group of the conjunction that opens its clause, 0 for none.
        person: how strongly its context indicates a person, as returned by ``personhood``.
        preferences, predicate: the classes preferred by its context, and its predicate noun, from ``preferences``.
    """

    __slots__ = tuple(
        "pronoun syntax group kind clause_type quoted speaker speech opening parents verb owned partner "
        "mark person preferences predicate".split()
    )

    def __init__(self, pronoun: Markable, syntax: Syntax) -> None:
        tokens = syntax.tokens
        self.pronoun, self.syntax = pronoun, syntax
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

    @property
    def numbers(self) -> tuple[int, ...]:
        """The first properties in ``Pronouns``, in the same order."""
        p = self.pronoun
        own = self.kind, self.group, self.clause_type, self.quoted, self.opening, self.speaker, self.speech, self.owned
        return (*own, self.mark, self.person, GENDERS[p.gender], p.sentence, p.begin, p.place, p.order)


# Types of names, followed by those of other candidates.
_ENTITY = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 5, "FAC": 5, "PRODUCT": 6, "EVENT": 8}
_OTHER_ENTITY, _GROUP, _PERSONS, _THINGS, _PERSON, _THING = 7, 9, 10, 11, 12, 13
_BEFORE_WORDS = {"by": 1, "with": 2, "and": 3, "of": 4, ",": 5, "(": 6, "to": 7}
_DETERMINERS = {"the": 1, "this": 2, "that": 2, "these": 2, "those": 2, "a": 3, "an": 3}


class Shape(
    namedtuple(
        "Shape",
        "sentence clause begin place order role type form topic determiner before after clause_type quoted conjunct "
        "person referent group governor animacy is_name is_person gender leaning of_person titled",
    )
):
    """Properties of a candidate as small numbers; arrays for several candidates.

    Attributes:
        sentence, clause, begin, place, order, role: as in Markable.
        type: entity type of a name, or coordination, persons, things, person or thing.
        form: number of words in a name, and whether the first is a known first name.
        topic: whether it is the subject of the main clause, and whether it opens the sentence.
        determiner: a nominal's determiner: none, "the", demonstrative, "a" or possessive.
        before, after: kinds of the words before and after.
        clause_type: type of its clause.
        quoted: whether it is between quotation marks.
        conjunct: 0 outside coordinations, 1 followed by "and", 2 a later conjunct.
        person: how strongly its context indicates a person, from 0 (unknown) to 4.
        referent: class of its referent, from ``class_of``.
        group: its role, as returned by ``role_group``.
        governor: group of its clause's verb by the complement it takes, 0 for none.
        animacy: 0 for persons, 1 for groups of persons, 2 for other names, 3 for things.
        is_name, is_person: whether it is a name, and whether its entity type is PERSON.
        gender, leaning: those of its cluster, numbered as in GENDERS.
        of_person, titled: whether its cluster is a person, and whether the title names the cluster.
    """

    __slots__ = ()


def shape_of(x: Markable, syntax: Syntax) -> Shape:
    """Returns the shape of a candidate in its sentence; its cluster must be complete."""
    tokens, cluster = syntax.tokens, x.cluster
    first, head = tokens[x.start], tokens[x.head]
    after = 0
    if x.end < len(tokens):
        follower = tokens[x.end]
        after = {",": 1, "(": 2, "'s": 3, "and": 4}.get(follower.text, 5 if follower.pos in ("VERB", "AUX") else 6)
    main_subject = head.dep in ("nsubj", "nsubjpass") and tokens[head.head].dep == "ROOT"
    return Shape(
        *(x.sentence, x.clause, x.begin, x.place, x.order, x.role),
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
        group=role_group(x.role),
        governor=_GOVERNORS.get(tokens[x.clause].lemma, 0),
        animacy=_animacy_of(x),
        is_name=x.kind == NAME,
        is_person=x.entity == "PERSON",
        gender=GENDERS[cluster.gender],
        leaning=GENDERS[cluster.leaning],
        of_person=cluster.person,
        titled=cluster.titled,
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


def relation_of(view: PronounView, x: Markable) -> int:
    """Returns the relation between the clauses of a pronoun and a candidate in the same sentence.

    0: they are the same; 1: the candidate's is above; 2: it is below; 3: neither; 5: they are joined by "and"; 6: the
    candidate is joined to the noun that the pronoun owns ("Ann and her son"); 7: the pronoun is inside the candidate's
    phrase.
    """
    p, syntax = view.pronoun, view.syntax
    if x.start < p.start and _under(syntax, p.head, x.head):
        return 7
    if x.clause == p.clause:
        return 0
    if x.head == view.partner:
        return 6
    if x.clause in view.parents:
        return 1
    if syntax.parent_clause(x.clause) == p.clause:
        return 2
    return 5 if syntax.base(x.clause) == syntax.base(p.clause) else 3


def _under(syntax: Syntax, index: int, above: int) -> bool:
    """Whether a token is below another token in the same clause."""
    tokens, clause = syntax.tokens, syntax.clauses[index]
    for _ in range(_DEEPEST):
        if index == above:
            return True
        if index == clause:
            return False
        index = tokens[index].head
    return False


def _animacy_of(x: Markable) -> int:
    if x.person or x.cluster.person:
        return 0
    if x.entity in ("ORG", "NORP", "GPE") or x.kind == GROUP or x.words[-1] in lexicon.GROUP_NOUNS:
        return 1
    return 2 if x.kind == NAME else 3


class Pronouns(
    namedtuple(
        "Pronouns",
        "kind group clause_type quoted opening speaker speech owned mark person gender sentence begin place order "
        "candidates agreeing dominance most pleonastic",
    )
):
    """Properties of pronouns, one number each: those in ``PronounView``, and some that depend on the candidates.

    Attributes:
        gender: numbered as in GENDERS.
        sentence, begin, place, order: as in Markable.
        candidates: number of candidates.
        agreeing: number of candidate clusters that agree in gender and animacy.
        dominance: how far the pronoun's gender dominates in the document, from 0 to 3; 4 for things.
        most: highest number of earlier mentions of a candidate cluster.
        pleonastic: the result of ``pleonastic``.
    """

    __slots__ = ()


class Pairs(
    namedtuple(
        "Pairs",
        "rank agreeing_rank subject_rank earlier later first relation above fit paragraphs same_verb preferred between",
    )
):
    """Properties of pairs of a pronoun and a candidate.

    Attributes:
        rank: number of other clusters that are nearer.
        agreeing_rank, subject_rank: number of those that agree, and of those that agree and are subjects.
        earlier, later: number of the cluster's mentions within reach before and after the pronoun.
        first: 0 if the candidate's cluster opens the document, 1 if it is the second, 2 if it is later.
        relation: 4 for a candidate in another sentence, else as returned by ``relation_of``.
        above: for relation 1, the value of ``PronounView.parents`` for the candidate's clause, else 0.
        fit: the result of ``predicate_fit``.
        paragraphs: number of paragraphs between them.
        same_verb: whether their clauses, in different sentences, have the same verb.
        preferred: how strongly the pronoun's context prefers the candidate's class.
        between: number of pronouns of the same gender between them.
    """

    __slots__ = ()


def pair_features(p: Pronouns, x: Shape, pair: Pairs, *, elsewhere: int) -> list[IntArray]:
    """Returns the active features of pairs, as arrays with one number per pair.

    Args:
        p, x, pair: each pair's pronoun, its candidate, and their joint properties.
        elsewhere: value for clusters not named by the title: 0 if there is no title, 2 if the title names another
            cluster, 3 if it names none.
    """
    return [*_joint_features(p, x, pair), *_candidate_features(p, x, pair, np.where(x.titled == 1, 1, elsewhere))]


def _joint_features(p: Pronouns, x: Shape, pair: Pairs) -> list[IntArray]:
    """Returns features of the roles, distance and clauses of both."""
    group, x_group = p.group, x.group
    sentences = p.sentence - x.sentence
    same, follows, is_subject = sentences == 0, x.begin > p.begin, x_group == 0
    distance = np.where(follows, np.where(same, 0, 1), np.minimum(sentences, 5) + 2)
    governs = pair.relation == 1
    path = np.where(governs, pair.above * 4 + x_group + 4, 0)
    control = np.where(governs, (pair.above // 2 * 4 + x.governor) * 4 + x_group + 16, 0)
    speaks = np.where(same & is_subject & (x.clause == p.speaker), p.speech, 0)
    return [
        CLASS + p.kind,
        ROLES + x.role * 4 + group,
        DISTANCE + distance * 4 + group,
        TOKENS + np.searchsorted(_TOKEN_LIMITS, abs(p.place - x.place)) * 2 + follows,
        RANK + np.minimum(pair.rank, 5) * 4 + group,
        AGREEING_RANK + np.minimum(pair.agreeing_rank, 4) * 4 + group,
        SUBJECT_RANK + (np.minimum(pair.subject_rank, 3) * 4 + x_group) * 4 + group,
        ROLE_DISTANCE + (x_group * 8 + distance) * 4 + group,
        PARAGRAPH + np.minimum(pair.paragraphs, 2),
        OPENING + (p.opening * 2 + is_subject) * 4 + np.minimum(distance, 5) // 2,
        BETWEEN + np.minimum(pair.between, 3) * 2 + same,
        CLAUSES + (pair.relation * 4 + x_group) * 4 + group,
        PATH + path,
        MARK + (p.mark * 4 + x_group) * 2 + governs,
        CONTROL + control,
        CLAUSE_TYPES + x.clause_type * markables.CLAUSES + p.clause_type,
        OWNED + ((p.owned * 4 + x_group) * 2 + (pair.relation == 0)) * 2 + follows,
        QUOTES + (p.quoted * 2 + x.quoted) * 2 + same,
        SPEECH + (speaks * 4 + group) * 2 + p.quoted,
        VERB + pair.same_verb * 2 + is_subject,
    ]


def _candidate_features(p: Pronouns, x: Shape, pair: Pairs, title: IntArray) -> list[IntArray]:
    """Returns features of the candidate: form, gender, frequency of its cluster, and whether the title names it."""
    kind, group = p.kind, p.group
    agreement = np.where(x.gender == 0, 0, np.where(x.gender == p.gender, 1, 2))
    agrees = (agreement != 2) & ((kind != 0) | (x.of_person == 1))
    near = np.minimum(abs(p.sentence - x.sentence), 2)
    share = np.where(p.most < 2, 2, np.where(pair.earlier == p.most, 0, 1))
    leans = x.leaning == p.gender
    leaning = np.where(x.of_person == 1, np.where(x.leaning == 0, 3, 1 + leans), 4 + leans)
    leaning = np.where((x.gender == 0) & (x.is_name == 1) & (kind == 0), leaning, 0)
    return [
        TYPE + x.type * 3 + kind,
        AGREEMENT + (agreement * 2 + x.of_person) * 3 + kind,
        FORM + x.form,
        CONJUNCT + x.conjunct,
        LEANING + leaning,
        PERSON + ((x.person * 2 + x.is_person) * 2 + x.of_person) * 3 + kind,
        TOPIC + x.topic * 3 + near,
        FREQUENCY + np.minimum(pair.earlier, 6) * 2,
        FREQUENCY + np.minimum(pair.later, 6) * 2 + 1,
        FIRST + pair.first * 4 + np.minimum(pair.earlier, 3),
        TITLE + (title * 4 + group) * 3 + kind,
        ANIMATE + (p.person * 4 + x.animacy) * 3 + kind,
        DOMINANCE + (p.dominance * 4 + title) * 3 + agreement,
        MOST + (share * 4 + group) * 2 + agrees,
        DETERMINER + x.determiner * 3 + kind,
        BEFORE + x.before,
        AFTER + x.after,
        CHOICE + (np.minimum(p.agreeing, 3) * 2 + agrees) * 3 + kind,
        REFERENT + (x.referent * 4 + group) * 3 + kind,
        PREFERENCE + (pair.preferred * 4 + group) * 3 + kind,
        PREDICATE + pair.fit * 3 + kind,
    ]


def none_features(p: Pronouns, *, title: int) -> list[IntArray]:
    """Returns the active features of the answer "none", as arrays with one number per pronoun.

    Args:
        p: the pronouns.
        title: 0 if there is no title, 1 if the title names a cluster in the document, 2 if it names none.
    """
    kind = p.kind
    return [
        NONE + kind * 4 + p.group,
        NONE_CHOICE + np.minimum(p.agreeing, 3) * 3 + kind,
        NONE_CANDIDATES + np.minimum(p.candidates // 2, 4) * 3 + kind,
        NONE_PLACE + np.minimum(p.sentence, 3) * 3 + kind,
        NONE_IT + p.pleonastic,
        NONE_TITLE + title * 2 + (kind == 0),
    ]
