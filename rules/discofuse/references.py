"""The possible referents of a relative clause or an apposition: persons, things, rival nouns, whole clauses."""

from __future__ import annotations

from rules.coreference.lexicon import PERSON_NOUNS
from rules.discofuse.noun_phrases import is_plural
from rules.discofuse.parse import Parse

_NOUNS = frozenset(("NOUN", "PROPN"))
_PEOPLE = frozenset(
    """
    people men women children person persons family families police team band group crew army staff couple pair others
    those some many most all both one everyone someone anyone he she they we i you him her them us whom
    """.split()
)
# Verbs that take a fact for their subject: with these "which" often stands for the whole clause before it.
_OF_FACTS = frozenset(
    """
    make mean cause allow enable lead result help imply force prevent give suggest explain show indicate
    reduce increase create simplify require demonstrate confirm mark do happen occur prove ensure leave bring
    seem appear become think permit provide affect
    """.split()
)
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


def is_domain(parse: Parse, noun: int) -> bool:
    """Whether the noun is the domain of a person: "of England" in "the king of England"."""
    token = parse.tokens[noun]
    if token.dep != "pobj" or parse.lower[token.head] != "of":
        return False
    return parse.tokens[parse.tokens[token.head].head].lemma.lower() in PERSON_NOUNS


def quantified(parse: Parse, noun: int) -> bool:
    """Whether the noun phrase has no particular referent and cannot be mentioned again: "no man", "each town"."""
    if parse.lower[noun] in _QUANTIFIERS:
        return True
    return any(parse.lower[k] in _QUANTIFIERS for k in parse.children(noun) if k < noun)


def may_mean_clause(parse: Parse, verb: int, noun: int, opening: int) -> bool:
    """Whether "which" may stand for the whole clause before it.

    It may with a verb that takes a fact for its subject, unless the antecedent is a subject or a name; with "do"; and
    behind an infinitive or a gerund.
    """
    pronoun = opening + 1
    if parse.lower[pronoun] != "which":
        return False
    below = parse.tokens[pronoun].head
    if parse.tokens[below].lemma == "do":
        return True
    token = parse.tokens[noun]
    if token.dep in ("nsubj", "nsubjpass"):
        return False
    if token.lemma in ("result", "way", "case", "order", "addition", "time", "number"):
        return True
    if token.entity and token.entity[2:] not in ("CARDINAL", "DATE", "QUANTITY", "PERCENT"):
        return False
    lemmas = {parse.tokens[verb].lemma} | {parse.tokens[k].lemma for k in parse.children(verb) if k < opening + 8}
    if lemmas & _OF_FACTS:
        return True
    if token.dep == "pobj" and parse.is_verb(parse.tokens[token.head].head) and parse.child(verb, "dobj") is not None:
        return True  # "differ by a bit , which simplified the matching"
    governor = token.head
    while parse.tokens[governor].dep in ("prep", "pobj") and parse.tokens[governor].head != governor:
        governor = parse.tokens[governor].head
    return parse.is_verb(governor) and not parse.finite(governor) and parse.tokens[governor].dep in ("pcomp", "xcomp")


def rivals(parse: Parse, noun: int, opening: int, *, number: str | None, personal: bool | None) -> bool:
    """Whether another noun before the comma may be meant as well.

    A rival is the noun of a phrase that the antecedent belongs to ("a treatise in the Arabic language , which"), the
    object beside it, or a conjunct of it, if it agrees in number with the clause's verb as far as that shows. Another
    rival is a noun inside the antecedent's phrase ("the religion of Israel , which"). A person's name before "who" has
    no rivals. ``personal`` says whether persons are meant (None: persons or things, as with "whose").
    """
    token = parse.tokens[noun]
    for below in parse.subtree(noun):
        if (
            noun < below < opening
            and parse.tokens[below].dep == "pobj"
            and parse.tokens[below].pos in _NOUNS
            and not _one_name(parse, noun, below)
            and not _kept_apart(parse, below, number, personal)
        ):
            return True
    while token.dep == "appos" and token.head < noun:
        noun = token.head
        token = parse.tokens[noun]
    if token.dep == "conj":
        return number != "singular" or token.pos != "PROPN" and parse.tokens[token.head].pos == "PROPN"
    if token.dep != "pobj" or personal and parse.tokens[noun].entity.endswith("PERSON"):
        return False
    for other in _governors(parse, noun):
        if _one_name(parse, other, noun):
            continue
        if other < opening and parse.tokens[other].pos in _NOUNS and not _kept_apart(parse, other, number, personal):
            return True
    return False


def _one_name(parse: Parse, first: int, last: int) -> bool:
    """Whether both belong to one name: "the Kingdom of Kongo"."""
    between = parse.tokens[first + 1 : last + 1]
    return bool(parse.tokens[first].entity) and all(t.entity.startswith("I-") for t in between)


def _governors(parse: Parse, noun: int) -> list[int]:
    """The nouns above a prepositional phrase, or the object of the verb above it."""
    found: list[int] = []
    at = noun
    while parse.tokens[at].dep == "pobj":
        preposition = parse.tokens[at].head
        above = parse.tokens[preposition].head
        if above == preposition:
            break
        if parse.is_verb(above):
            before = [k for k in parse.children(above) if k < preposition]
            found.extend(k for k in before if parse.tokens[k].dep in ("dobj", "attr"))
            if parse.tokens[above].dep in ("acl", "relcl"):
                found.append(parse.tokens[above].head)  # "the Grant enacted by Congress , which"
            break
        found.append(above)
        at = above
    return found


def _kept_apart(parse: Parse, other: int, number: str | None, personal: bool | None) -> bool:
    """Whether number or kind forbids that the other noun is meant."""
    if number is not None and is_plural(parse, other) != (number == "plural"):
        return True
    if personal is None:
        return False
    if personal:
        return not may_be_person(parse, other)
    return is_personal(parse, other)
