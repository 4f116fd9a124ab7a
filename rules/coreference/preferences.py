"""What a context prefers: what has a population is a place, and what is released is a work (Dagan and Itai, 1990).

``research/preferences.py`` counts how often things of each class stand in each context, and writes
``data/preferences.txt``: a line for each context, such as "p population" (role, lemma), with a digit for each class.
"""

from __future__ import annotations

from importlib.resources import files

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import GROUP, NAME, Markable
from gistmill.rules.coreference.noun_kinds import Kind, kinds_of_noun, main_kind
from gistmill.rules.coreference.syntax import (
    AGENT,
    OBJECTS,
    OF,
    PASSIVE,
    PLACE,
    POSSESSIVE,
    PREPOSITION,
    SUBJECTS,
    TO,
    WITH,
    Syntax,
)

# The classes of referents: those of common nouns, then countries and towns, whose governments act, then all others.
_KINDS = {kind: number for number, kind in enumerate(Kind)}
STATES, OTHERS = len(_KINDS), len(_KINDS) + 1
CLASSES = len(_KINDS) + 2
_ENTITIES = {
    "PERSON": Kind.PERSON,
    "ORG": Kind.GROUP,
    "NORP": Kind.GROUP,
    "LOC": Kind.PLACE,
    "FAC": Kind.PLACE,
    "PRODUCT": Kind.THING,
    "WORK_OF_ART": Kind.WORK,
    "LAW": Kind.WORK,
    "EVENT": Kind.EVENT,
}
# How much likelier a class is in a context than elsewhere in its role, from 0 to 4.
UNKNOWN, BUCKETS = 5, 6
LIMITS = (0.3, 0.7, 1.4, 3.0)
_PREPOSITIONS = frozenset({AGENT, OF, WITH, TO, PLACE, PREPOSITION})
# Of a predicate noun and a candidate: there is none; the same noun; the same kind; another that fits; none that does.
NO_PREDICATE, SAME_NOUN, SAME_KIND, FITTING, APART = range(5)
PREDICATES = 5


def _read() -> dict[tuple[str, str], str]:
    lines = files(__package__).joinpath("data", "preferences.txt").read_text(encoding="utf-8").splitlines()
    return {(role, lemma): digits for role, lemma, digits in (line.split(" ") for line in lines)}


_CONTEXTS = _read()


def class_of(mention: Markable) -> int:
    """Returns the class of what a name or nominal refers to, from 0 to CLASSES - 1; its cluster must be complete."""
    if mention.person or mention.cluster.person:
        return _KINDS[Kind.PERSON]
    if mention.kind == GROUP:
        return OTHERS
    if mention.kind == NAME:
        entity = mention.cluster.entity or mention.entity
        if entity == "GPE":
            return STATES
        kind = _ENTITIES.get(entity)
    else:
        kind = Kind.GROUP if mention.words[-1] in lexicon.GROUP_NOUNS else main_kind(mention.words[0])
    return OTHERS if kind is None else _KINDS[kind]


def context_of(mention: Markable, syntax: Syntax) -> tuple[str, str] | None:
    """Returns the context of a mention as (role, lemma), or None.

    The roles are: s, subject of a verb; o, its object, or its subject in the passive; b, subject of "be" with an
    adjective or noun, which is the lemma; p, owner of a noun; r, behind a preposition, which is the lemma.
    """
    tokens = syntax.tokens
    role = mention.role
    governor = tokens[syntax.base(mention.head)].head
    lemma = tokens[governor].lemma.lower()
    if role in SUBJECTS:
        if role == PASSIVE:
            return "o", lemma
        if lemma == "be":
            predicate = predicate_of(governor, syntax)
            return None if predicate is None else ("b", tokens[predicate].lemma.lower())
        return "s", lemma
    if role in OBJECTS:
        return "o", lemma
    if role == POSSESSIVE:
        return "p", lemma
    return ("r", lemma) if role in _PREPOSITIONS else None


def predicate_of(verb: int, syntax: Syntax) -> int | None:
    """Returns the noun or adjective that a form of "be" says of its subject, or None."""
    return next(
        (k for k, t in enumerate(syntax.tokens) if t.head == verb and t.dep in ("attr", "acomp") and k != verb), None
    )


def preferences_of(context: tuple[str, str] | None) -> str | None:
    """Returns a digit for each class, "0" (hardly ever) to "4" (by preference); None for a context without enough
    examples."""
    return None if context is None else _CONTEXTS.get(context)


def predicate_noun(pronoun: Markable, syntax: Syntax) -> str:
    """Returns the lemma of what a pronoun is said to be ("it is a ship"), or ""."""
    verb = syntax.tokens[pronoun.head].head
    if pronoun.role not in SUBJECTS or syntax.tokens[verb].lemma not in ("be", "become", "remain"):
        return ""
    predicate = predicate_of(verb, syntax)
    if predicate is None or syntax.tokens[predicate].pos != "NOUN":
        return ""
    return syntax.tokens[predicate].lemma.lower()


def predicate_fit(noun: str, mention: Markable, referent: int) -> int:
    """Returns how a candidate of class ``referent`` fits the noun that the pronoun is said to be."""
    if not noun:
        return NO_PREDICATE
    if mention.kind != NAME and mention.words[0] == noun:
        return SAME_NOUN
    kinds = {_KINDS[kind] for kind in kinds_of_noun(noun)}
    if not kinds or referent == OTHERS:
        return FITTING
    if referent == STATES:
        referent = _KINDS[Kind.PLACE]
    main = main_kind(noun)
    if main is not None and referent == _KINDS[main]:
        return SAME_KIND
    return FITTING if referent in kinds else APART
