"""The shape of a candidate: its properties that hold for every pronoun."""

from __future__ import annotations

from typing import NamedTuple

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import GROUP, NAME, Markable
from gistmill.rules.coreference.persons import personhood
from gistmill.rules.coreference.preferences import class_of
from gistmill.rules.coreference.syntax import Syntax

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
