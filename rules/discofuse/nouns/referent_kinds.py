"""Whether two noun phrases can be about the same thing: the kinds of their heads have to agree."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import NO_KINDS, Kind, kinds_of_noun
from gistmill.rules.discofuse.parse import Parse

Kinds = frozenset[Kind]

_OF_ENTITY = {
    "PERSON": "p",
    "NORP": "gp",
    "ORG": "g",
    "GPE": "gl",
    "LOC": "l",
    "FAC": "l",
    "EVENT": "e",
    "WORK_OF_ART": "w",
    "LAW": "w",
    "LANGUAGE": "w",
    "PRODUCT": "tw",
    **dict.fromkeys(("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"), "m"),
}
_KINDS_OF_ENTITY: dict[str, Kinds] = {label: frozenset(map(Kind, letters)) for label, letters in _OF_ENTITY.items()}
_NUMBERS = frozenset(("PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "DATE", "TIME"))
# A phrase of one kind may describe a thing of the other: a company is a maker, a city a community, a book an object.
_AKIN = frozenset(
    frozenset(map(Kind, pair)) for pair in ("pa", "pg", "gl", "ga", "lt", "wt", "wi", "ei", "is", "es", "ig", "ia")
)
# "a kind of termite" is a termite.
TRANSPARENT = frozenset(
    """
    type kind sort form variety species genus family brand piece part series set pair group number example member
    collection version class subspecies breed order
    """.split()
)
_PERSON = frozenset((Kind.PERSON,))


def kinds_at(parse: Parse, noun: int) -> Kinds:
    """Returns the kinds that the noun's entity type and its lemma allow; none where nothing is known.

    A name has those of its last word too ("the Alabama State Capitol"), because entity types are often wrong.
    """
    token = parse.tokens[noun]
    label = token.entity[2:]
    lemma = token.lemma.lower()
    if token.pos == "PRON":
        return _PERSON if lemma in ("he", "she", "who", "i", "we", "you") else NO_KINDS
    of_entity = _KINDS_OF_ENTITY.get(label, NO_KINDS)
    if token.pos == "PROPN":
        described = any(k < noun for k in parse.children(noun))  # not a bare "Mark" or "Bill"
        return of_entity | (kinds_of_noun(lemma) if described or not label else NO_KINDS)
    found = kinds_of_noun(lemma) | (_PERSON if lemma in PERSON_NOUNS else NO_KINDS)
    found |= _kinds_of_complement(parse, noun) if lemma in TRANSPARENT else NO_KINDS
    return found if found and label in _NUMBERS else found | of_entity


def described_kinds(parse: Parse, noun: int) -> Kinds:
    """Returns the kinds that a noun says its referent has: of a name only those of its own word ("a Frenchman")."""
    token = parse.tokens[noun]
    if token.pos != "PROPN" or token.entity.endswith("PERSON"):
        return kinds_at(parse, noun)
    return kinds_of_noun(token.lemma.lower())


def _kinds_of_complement(parse: Parse, noun: int) -> Kinds:
    for preposition in parse.children(noun):
        if preposition > noun and parse.lower[preposition] == "of":
            inner = parse.child(preposition, "pobj")
            return NO_KINDS if inner is None else kinds_at(parse, inner)
    return NO_KINDS


def may_agree(one: Kinds, other: Kinds) -> bool:
    """Whether both can be kinds of one thing; unknown kinds agree with all."""
    if not one or not other or one & other:
        return True
    return any(frozenset((a, b)) in _AKIN for a in one for b in other)


def agree(one: Kinds, other: Kinds) -> bool:
    """Whether a kind is common to both."""
    return not one.isdisjoint(other)
