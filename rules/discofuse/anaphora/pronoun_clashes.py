"""Signs that a pronoun does not mean its antecedent: what else is said of either in the same breath."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.kinds import COUNTRIES
from gistmill.rules.coreference.noun_kinds import Kind, main_kind
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.parse import SUBJECTS, Parse
from gistmill.rules.documents import Mention

_ANYONE = frozenset("a an any each every no".split())
_OPPOSITE = {
    lexicon.PLURAL: lexicon.NEUTER,
    lexicon.NEUTER: lexicon.PLURAL,
    lexicon.MALE: lexicon.FEMALE,
    lexicon.FEMALE: lexicon.MALE,
}
# Whoever does these is somebody else in the end: "the boy grew up to be Dr. Lane".
_BECOMING = frozenset(("become", "grow", "turn"))
_COMPLEMENTS = frozenset(("attr", "oprd", "acomp", "xcomp", "prep"))


def clashes(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether something tells that the pronoun means another than its antecedent."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return (
        _is_one_and_many(first, antecedent, cluster, gender, end=mention.start if first is second else len(first))
        or _is_country(first, antecedent, gender)
        or _is_anyone_s(second, mention, gender)
        or _has_become_another(first, antecedent)
        or _is_change(first, antecedent, second, mention)
    )


def _is_one_and_many(first: Parse, antecedent: Mention, cluster: Sequence[Mention], gender: str, *, end: int) -> bool:
    """Whether the antecedent is "they" where it stands, before position ``end``, and "it" now, or the other way round:
    "the band sold their album . It"; or "he" there and "she" now."""
    other = _OPPOSITE.get(gender)
    return other is not None and any(
        m.kind == "pronoun"
        and m.sentence == antecedent.sentence
        and antecedent.head < m.head < end
        and lexicon.PRONOUNS.get(first.lower[m.head]) == other
        for m in cluster
    )


def _is_country(first: Parse, antecedent: Mention, gender: str) -> bool:
    """Whether "he" or "she" would be a country; elsewhere a person's name may have been taken for a place's."""
    return gender in lexicon.GENDERED and tuple(first.lower[antecedent.start : antecedent.end]) in COUNTRIES


def _is_anyone_s(second: Parse, mention: Mention, gender: str) -> bool:
    """Whether a possessive says what is anybody's: "the highest pay of a player in his first year", whatever the parser
    hangs the preposition on."""
    token = second.tokens[mention.head]
    owned = second.tokens[token.head]
    if token.dep != "poss" or owned.dep != "pobj":
        return False
    before = owned.head - 1
    determiner = second.child(before, "det") if before >= 0 else None
    return (
        determiner is not None
        and second.lower[determiner] in _ANYONE
        and second.tokens[before].dep not in SUBJECTS
        and second.tokens[before].lemma.lower() in lexicon.PERSON_NOUNS
        and (gender == lexicon.PLURAL or agrees(second, before, gender))
    )


def _has_become_another(first: Parse, antecedent: Mention) -> bool:
    """Whether the antecedent's noun no longer fits at the end of the half: "the boy grew up to be Dr. Lane . He"."""
    token = first.tokens[antecedent.head]
    if antecedent.kind == "name" or token.dep != "nsubj" or first.tokens[token.head].lemma not in _BECOMING:
        return False
    return token.lemma.lower() in lexicon.PERSON_NOUNS and first.child(token.head, *_COMPLEMENTS) is not None


def _is_change(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether "their" would be that of events that sum up the text before, and is that of what they befell: "These
    changes lengthened the ships . Their weight"."""
    token = first.tokens[antecedent.head]
    return (
        second.tokens[mention.head].dep == "poss"
        and first.lower[antecedent.start] in ("this", "these")
        and main_kind(token.lemma.lower()) is Kind.EVENT
    )
