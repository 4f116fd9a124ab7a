"""Continued subjects: the subject of a sentence or clause goes on about the one before (centering; Grosz, Joshi and
Weinstein, 1995).

The place alone says what such a pronoun means if nothing else agrees with it: "Angola scored poorly . It was ranked 39
of 52 ."
"""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.nouns.agreement import agrees, heads, kinds
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse

# Kinds of what is called by its noun later: "It is a town . The town". A success is not.
_NAMING = frozenset((Kind.PERSON, Kind.GROUP, Kind.PLACE, Kind.THING, Kind.WORK))
# The probability that such a pronoun means that subject, by reading: nine of ten, less a margin.
CONFIDENCE = 0.8


def find(first: Parse, second: Parse, antecedents: range, anaphors: range) -> tuple[int, int] | None:
    """Finds a pronoun of the second half that goes on about the subject of the first.

    The pronoun is the second half's subject or possesses it, and nothing before it there may be meant. The first half
    has one subject on its main line that agrees with it. That holds no other noun that does, no other subject is a
    pronoun, and a plural has no other one beside it at all ("The mills hit the markets . They"). Where the subject is a
    pronoun, the noun that says what it is counts ("He was a captain . He").

    Args:
        first, second: the sentences of the two halves; one and the same for the halves of a sentence.
        antecedents, anaphors: the positions of the halves.

    Returns:
        The positions of the noun and of the pronoun; None if there is no such pronoun.
    """
    pronoun = _opening(second, anaphors)
    if pronoun is None:
        return None
    gender = lexicon.PRONOUNS[second.lower[pronoun]]
    found: list[int] = []
    for k in antecedents:
        token = first.tokens[k]
        if token.dep not in NOMINAL_SUBJECTS or not _heads(first, token.head, antecedents):
            continue
        if lexicon.PRONOUNS.get(first.lower[k]) == gender:
            found.append(_predicate(first, k, gender))
        elif agrees(first, k, gender):
            found.append(k)
    if len(found) != 1 or not _is_alone(first, found[0], gender):
        return None
    rivals = heads(first, antecedents.start, antecedents.stop) if gender == lexicon.PLURAL else ()
    return None if any(k != found[0] and is_plural(first, k) for k in rivals) else (found[0], pronoun)


def _opening(second: Parse, anaphors: range) -> int | None:
    """The pronoun of the third person that is, or possesses, the subject of the second half, with nothing before it
    that it could mean."""
    for k in anaphors:
        token = second.tokens[k]
        if token.tag in ("PRP", "PRP$") and second.lower[k] in lexicon.PRONOUNS:
            top = token.head if token.dep == "poss" else k
            fits = second.tokens[top].dep in NOMINAL_SUBJECTS and _heads(second, second.tokens[top].head, anaphors)
            return k if fits and not is_empty(second, k) else None
        if token.pos in (*NOUNS, "PRON", "NUM") and token.dep in (*NOMINAL_SUBJECTS, "expl"):
            return None
    return None


def _heads(parse: Parse, verb: int, half: range) -> bool:
    """Whether the verb heads the half: what it hangs on, or is coordinated with, is outside."""
    at = verb
    while parse.tokens[at].dep == "conj" and parse.tokens[at].head in half:
        at = parse.tokens[at].head
    return at == parse.tokens[at].head or parse.tokens[at].head not in half


def _predicate(parse: Parse, subject: int, gender: str) -> int:
    """The noun that says what a pronoun is, which comes back for it: "He was a captain . The captain". Without one, the
    pronoun."""
    noun = parse.child(parse.tokens[subject].head, "attr")
    if noun is None or noun < subject or parse.tokens[noun].pos not in NOUNS or not agrees(parse, noun, gender):
        return subject
    return noun if gender in lexicon.GENDERED or not _NAMING.isdisjoint(kinds(parse, noun)) else subject


def _is_alone(parse: Parse, subject: int, gender: str) -> bool:
    """Whether a subject agrees beyond doubt, and nothing inside its phrase does: not "the shape of the badge", nor "its
    tail", which has a pronoun for its possessor."""
    if parse.tokens[subject].pos not in NOUNS or parse.child(subject, "conj") is not None:
        return False
    plural, personal = is_plural(parse, subject), is_personal(parse, subject)
    if plural != (gender == lexicon.PLURAL) or not plural and personal == (gender == lexicon.NEUTER):
        return False
    inside = parse.subtree(subject)
    if any(parse.tokens[k].tag == "PRP$" and parse.tokens[k].head == subject for k in inside):
        return False
    name = parse.tokens[subject].entity
    return not any(
        k in inside and k != subject and agrees(parse, k, gender) and not (name and parse.tokens[k].entity)
        for k in heads(parse, inside[0], inside[-1] + 1)
    )
