"""Binding: where a name cannot be said again for what it names, and a pronoun not mean a subject (Chomsky, 1981)."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, SUBJECTS, Parse

_OBJECTS = frozenset(("dobj", "dative", "iobj", "agent"))
_OBJECT_PLACES = frozenset(("dobj", "dative", "iobj", "pobj"))
_OBJECT_FORMS = frozenset(("him", "her", "them"))


def commands(parse: Parse, name: int, position: int) -> bool:
    """Whether a name rules over a position, so that a pronoun has to stand there: "Lincoln met his cabinet".

    A subject or object rules over its verb's clause and all below it, but not over a coordinated clause with a subject
    of its own ("Lincoln left , and he"). What stands in a prepositional phrase rules over its own clause. A possessor,
    and what is inside another noun phrase, rules over nothing: "Lincoln 's plan ended his career".
    """
    token = parse.tokens[name]
    if token.dep in SUBJECTS or token.dep in _OBJECTS:
        return _is_below(parse, position, token.head)
    if token.dep == "pobj":
        verb = parse.tokens[token.head].head
        return parse.is_verb(verb) and _clause(parse, position) == verb
    return token.dep not in ("poss", "compound", "nmod")


def _clause(parse: Parse, position: int) -> int:
    """The nearest verb above a position."""
    at = parse.tokens[position].head
    while not parse.is_verb(at) and parse.tokens[at].head != at:
        at = parse.tokens[at].head
    return at


def _is_below(parse: Parse, position: int, verb: int) -> bool:
    at = position
    while at != verb:
        token = parse.tokens[at]
        if token.head == at or token.dep == "conj" and parse.is_verb(at) and parse.subject(at) is not None:
            return False
        at = token.head
    return True


def barred_subject(parse: Parse, position: int) -> int | None:
    """Returns the subject that an object cannot refer to, as that would take a reflexive ("Walsh saw him", "Walsh
    arranged for him to play": principle B); None for pronouns that are free."""
    token = parse.tokens[position]
    at = token.head
    if token.dep in NOMINAL_SUBJECTS and parse.lower[position] in _OBJECT_FORMS:
        at = parse.tokens[at].head
    elif token.dep not in _OBJECT_PLACES:
        return None
    while (subject := parse.subject(at)) is None and parse.tokens[at].head != at:
        at = parse.tokens[at].head
    return None if subject == position else subject
