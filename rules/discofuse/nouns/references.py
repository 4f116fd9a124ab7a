"""The possible referents of a relative clause or an apposition: persons, things, rival nouns."""

from __future__ import annotations

from typing import NamedTuple

from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import NO_KINDS
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.referent_kinds import Kinds, agree, kinds_at, may_agree
from gistmill.rules.discofuse.parse import NOUNS, Parse

_PEOPLE = frozenset(
    """
    people men women children person persons family families police team band group crew army staff couple pair others
    those some many most all both one everyone someone anyone he she they we i you him her them us whom
    """.split()
)
# Animals are called so too.
_OF_AGE_OR_SEX = frozenset("adult juvenile male female young infant parent mother father offspring".split())
_QUANTIFIERS = frozenset("no any each every another neither either none nothing nobody both".split())
IMPERSONAL = frozenset(
    ("GPE", "LOC", "FAC", "DATE", "TIME", "EVENT", "WORK_OF_ART", "MONEY", "QUANTITY", "PERCENT", "LANGUAGE", "LAW")
)


def is_personal(parse: Parse, noun: int) -> bool:
    """Whether the noun names a person beyond doubt."""
    token = parse.tokens[noun]
    return token.entity.endswith("PERSON") or not token.entity and token.lemma in PERSON_NOUNS


def may_be_person(parse: Parse, noun: int) -> bool:
    """Whether "who" can stand for the noun: a person, people, or a name of an unknown kind."""
    token = parse.tokens[noun]
    kind = token.entity[2:]
    if kind in IMPERSONAL:
        return False
    if kind or token.pos == "PROPN":
        return True
    return token.lemma.lower() in PERSON_NOUNS or parse.lower[noun] in _PEOPLE


def quantified(parse: Parse, noun: int) -> bool:
    """Whether the noun phrase has no particular referent and cannot be mentioned again: "no man", "each town"."""
    return any(parse.lower[k] in _QUANTIFIERS for k in (noun, *parse.children(noun)) if k <= noun)


def rivals(
    parse: Parse, noun: int, opening: int, *, number: str | None, personal: bool | None, kinds: Kinds = NO_KINDS
) -> bool:
    """Whether another noun before the comma may be meant as well.

    A rival is the noun of a phrase that the antecedent belongs to ("a treatise in the Arabic language , which"), the
    object beside it, or a conjunct of it, if it agrees in number with the clause's verb as far as that shows. Another
    rival is a noun inside the antecedent's phrase ("the religion of Israel , which"). A person's name before "who" has
    no rivals.

    Args:
        parse: the sentence.
        noun: the head of the antecedent.
        opening: the comma.
        number: the number of the verb, or of the apposition; None where none shows.
        personal: whether persons are meant; None: persons or things, as with "whose".
        kinds: the kinds of the apposition or of the clause's predicate noun; none where there is none.
    """
    token = parse.tokens[noun]
    wanted = _Wanted(number, personal, kinds, agree(kinds, kinds_at(parse, noun)))
    for below in parse.subtree(noun):
        if (
            noun < below < opening
            and _is_inner(parse, below, noun)
            and parse.tokens[below].pos in NOUNS
            and not _one_name(parse, noun, below)
            and not _kept_apart(parse, below, wanted)
        ):
            return True
    while token.dep == "appos" and token.head < noun:
        noun = token.head
        token = parse.tokens[noun]
    if token.dep == "conj":
        return number != "singular"
    if token.dep not in ("pobj", "dobj"):
        return False
    if personal and parse.tokens[noun].entity.endswith("PERSON"):
        return token.dep == "pobj" and _is_of_persons(parse, token.head, number)
    for other in nouns_above(parse, noun, certain=wanted.sure and token.pos == "PROPN"):
        if _one_name(parse, other, noun):
            continue
        stands = parse.tokens[other].pos in NOUNS
        stands = stands or parse.lower[other] == "one" and parse.tokens[other].dep == "appos"
        if other < opening and stands and not _kept_apart(parse, other, wanted):
            return True
    return False


def _is_of_persons(parse: Parse, preposition: int, number: str | None) -> bool:
    """Whether the noun right before the preposition names persons who may be meant: "his sons by Emma , who".

    Before "of" it is a role that the name explains: "the son of Emma , who".
    """
    before = parse.tokens[preposition - 1]
    if before.pos != "NOUN" or before.lemma.lower() not in PERSON_NOUNS or parse.lower[preposition] == "of":
        return False
    return number is None


def _is_inner(parse: Parse, below: int, noun: int) -> bool:
    """Whether the noun is in a prepositional phrase of the other, or joined to one there and no part of its name."""
    below = parse.first_conjunct(below)
    return parse.tokens[below].dep == "pobj" and below != noun


def _one_name(parse: Parse, first: int, last: int) -> bool:
    """Whether both belong to one name: "the Kingdom of Kongo"."""
    between = parse.tokens[first + 1 : last + 1]
    return bool(parse.tokens[first].entity) and all(t.entity.startswith("I-") for t in between)


def nouns_above(parse: Parse, noun: int, *, certain: bool = False) -> list[int]:
    """Returns the nouns that a phrase may belong to, the nearest first.

    They are those above a prepositional phrase, the object of the verb above it, what stands right before the phrase
    ("adapted from the animal in the strip"), and the noun of a clause that the phrase ends ("the offer to marry Paul").
    Where the phrase is ``certain`` to be meant if nothing is above it, what stands before it does not count.
    """
    found: list[int] = []
    at = noun
    while parse.tokens[at].dep in ("pobj", "dobj") or parse.tokens[at].pos == "ADJ":
        above = parse.tokens[at].head
        if parse.tokens[at].dep == "pobj":
            preposition, above = above, parse.tokens[above].head
            if above == preposition:
                break
            if parse.tokens[preposition].dep == "conj" and parse.tokens[above].pos == "ADP":
                preposition, above = above, parse.tokens[above].head  # "men both in Leeds and around Kent , who"
            if parse.is_verb(above):
                found.extend(_beside(parse, above, preposition, adjacent=not certain))
        if parse.is_verb(above):
            if parse.tokens[above].dep in ("acl", "relcl") and (
                parse.tokens[at].dep == "pobj" or not parse.finite(above)
            ):
                found.append(parse.tokens[above].head)  # "the Grant enacted by Congress , which"
            elif parse.tokens[above].dep == "advcl" and parse.tokens[above].tag == "VBG":
                found.append(above - 1)  # "opened a site using the name , which"
            break
        if above >= at:
            break
        found.append(above)
        at = above
    return found


def _beside(parse: Parse, verb: int, preposition: int, *, adjacent: bool) -> list[int]:
    """The objects of the verb before the prepositional phrase, and a noun that ends right before it (``adjacent``)."""
    before = [k for k in parse.children(verb) if k < preposition]
    found = [k for k in before if parse.tokens[k].dep in ("dobj", "attr")]
    for k in before if adjacent else ():
        if parse.tokens[k].dep == "prep" and parse.right_edge(k) == preposition - 1:
            found.extend(inner for inner in parse.children(k) if parse.tokens[inner].dep == "pobj")
    return found


class _Wanted(NamedTuple):
    """What a referent has to be: ``sure`` where the antecedent has one of the ``kinds``."""

    number: str | None
    personal: bool | None
    kinds: Kinds
    sure: bool


def _kept_apart(parse: Parse, other: int, wanted: _Wanted) -> bool:
    """Whether number or kind forbids that the other noun is meant."""
    if wanted.number is not None and is_plural(parse, other) != (wanted.number == "plural"):
        return True
    kinds = kinds_at(parse, other)
    if not may_agree(wanted.kinds, kinds):
        return True
    if wanted.sure and kinds and parse.tokens[other].pos == "NOUN" and not agree(wanted.kinds, kinds):
        return True
    if wanted.personal is None:
        return False
    if wanted.personal:
        return not may_be_person(parse, other)
    return is_personal(parse, other) and parse.tokens[other].lemma not in _OF_AGE_OR_SEX
