"""What a pronoun, a candidate antecedent, and the two together look like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import (
    CONTENT,
    GROUP,
    NAME,
    OBJECTS,
    POSSESSIVE,
    PREDICATE,
    SUBJECTS,
    Markable,
    Syntax,
)
from gistmill.rules.coreference.preferences import class_of, context_of, personhood, predicate_noun, preferences_of
from gistmill.rules.documents import Token

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
        owned, partner: what a possessive owns, and the token that this is joined to.
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
        self.owned, self.partner = self._owned(tokens)
        self.person = personhood(pronoun, syntax)
        self.preferences = preferences_of(context_of(pronoun, syntax))
        self.predicate = predicate_noun(pronoun, syntax)
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
        self.mark = next(
            (
                _MARKS.get(t.text.lower(), 7)
                for t in tokens[: pronoun.clause]
                if t.head == pronoun.clause and (t.dep == "mark" or (t.dep == "advmod" and t.tag == "WRB"))
            ),
            0,
        )

    def _owned(self, tokens: Sequence[Token]) -> tuple[int, int]:
        """Returns the role of what a possessive owns (0 subject, 1 object, 2 predicate, 3 other, 4 no possessive), and
        the token that it is joined to, or -1.
        """
        if self.group != 1:
            return 4, -1
        index = tokens[self.pronoun.head].head
        role = self.syntax.role(index)
        partner = tokens[index].head if tokens[index].dep == "conj" else -1
        return 0 if role in SUBJECTS else 1 if role in OBJECTS else 2 if role == PREDICATE else 3, partner


_ENTITY = {
    "PERSON": 0,
    "": 1,
    "ORG": 2,
    "GPE": 3,
    "NORP": 4,
    "LOC": 5,
    "FAC": 5,
    "PRODUCT": 6,
    "WORK_OF_ART": 7,
    "EVENT": 8,
    "LAW": 7,
    "LANGUAGE": 7,
}
_BEFORE_WORDS = {"by": 1, "with": 2, "and": 3, "of": 4, ",": 5, "(": 6, "to": 7}
_DETERMINERS = {"the": 1, "this": 2, "that": 2, "these": 2, "those": 2, "a": 3, "an": 3}
_GROUP, _PERSONS, _THINGS, _PERSON, _THING = 9, 10, 11, 12, 13


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
        person=personhood(x, syntax),
        referent=class_of(x),
    )


def _type(x: Markable) -> int:
    if x.kind == NAME:
        return 0 if x.cluster.person else _ENTITY.get(x.entity, 7)
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
