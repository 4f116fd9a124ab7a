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
    inner = (k for k in parse.subtree(noun) if noun < k < opening and _is_inner(parse, k, noun))
    if any(_may_be_meant(parse, k, wanted, noun) for k in inner):
        return True
    if token.dep == "conj":
        return number != "singular"
    if token.dep not in ("pobj", "dobj") or personal and token.entity.endswith("PERSON"):
        return False
    above = (k for k in nouns_above(parse, noun, certain=wanted.sure and token.pos == "PROPN") if k < opening)
    return any(_may_be_meant(parse, k, wanted, noun) for k in above)


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
    ("adapted from the animal in the strip") unless the phrase is ``certain`` to be meant beside it, and the noun of a
    clause that the phrase ends ("the offer to marry Paul").
    """
    found: list[int] = []
    at = noun
    while parse.tokens[at].dep in ("pobj", "dobj") or parse.tokens[at].pos == "ADJ":
        above = parse.tokens[at].head
        if parse.tokens[at].dep == "pobj":
            preposition, above = above, parse.tokens[above].head
            if parse.is_verb(above):
                found.extend(_beside(parse, above, preposition, adjacent=not certain))
        if parse.is_verb(above):
            ends = parse.tokens[at].dep == "pobj" or not parse.finite(above)
            if ends and parse.tokens[above].dep in ("acl", "relcl"):
                found.append(parse.tokens[above].head)  # "the Grant enacted by Congress , which"
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


def _may_be_meant(parse: Parse, other: int, wanted: _Wanted, noun: int) -> bool:
    """Whether neither number nor kind forbids that another noun is meant, and it is no part of the same name."""
    token, kinds = parse.tokens[other], kinds_at(parse, other)
    if token.pos not in NOUNS or wanted.number and is_plural(parse, other) != (wanted.number == "plural"):
        return False
    if not may_agree(wanted.kinds, kinds) or _one_name(parse, min(noun, other), max(noun, other)):
        return False
    if wanted.sure and kinds and token.pos == "NOUN" and not agree(wanted.kinds, kinds):
        return False
    if wanted.personal is None:
        return True
    if wanted.personal:
        return may_be_person(parse, other)
    return not is_personal(parse, other) or token.lemma in _OF_AGE_OR_SEX
