"""Participle phrases that say how the main clause is meant, and not what its subject does."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import ABILITY, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# Means of what can be done, which nobody says to be in use: "Using a lever , Ann can lift the stone".
_MEANS = frozenset(("using", "employing", "applying", "utilizing", "utilising", "leveraging"))
# Beginnings and ends of what the main clause tells: "Commencing in July , he was one of six on the course".
_OF_COURSE = frozenset("commencing resuming finishing ending concluding".split())
# What a thing may make somebody do.
_CAUSING = frozenset(
    "force leave make cause allow enable prevent keep send drive lead bring put rule help give".split()
)
_COMPLEMENTS = ("dobj", "xcomp", "ccomp", "acomp")
# How something is, not what somebody does with a means.
_STATES = frozenset("be have remain rank stand amount total exceed equal lie".split())


def doubt_of(parse: Parse, comma: int, subject: int) -> Reason | None:
    """Returns the reason against a participle phrase that the main clause needs, or None.

    Args:
        parse: the sentence, which the participle opens.
        comma: closes the phrase.
        subject: of the main clause.
    """
    word = parse.lower[0]
    verb = parse.tokens[subject].head
    if word in _MEANS:
        if any(parse.lower[k] in ABILITY for k in parse.auxiliaries(verb)):
            return DiscoFuseReason.NOT_ASSERTED
        if parse.tokens[verb].lemma in _STATES or not _is_somebody(parse, subject):
            return DiscoFuseReason.DANGLING_PARTICIPLE  # "Using the new method , Spain has a rate of"
    if word == "being" and _is_time(parse, parse.child(0, "attr")) and not _is_time(parse, subject):
        return DiscoFuseReason.DANGLING_PARTICIPLE  # "Being the last week of the year , sales rose"
    if word in _OF_COURSE and parse.child(0, *_COMPLEMENTS) is None:
        return DiscoFuseReason.DANGLING_PARTICIPLE
    if not _is_somebody(parse, subject) and _is_done_to_somebody(parse, verb):
        return DiscoFuseReason.DANGLING_PARTICIPLE
    if _lists_on(parse, comma, subject):
        return DiscoFuseReason.LIST
    if _needs_partner(parse, comma, subject):
        return DiscoFuseReason.SHARED_PART
    return None


def _is_time(parse: Parse, noun: int | None) -> bool:
    """Whether the noun is a day or a period."""
    return noun is not None and parse.tokens[noun].entity.endswith(("DATE", "TIME"))


def _is_somebody(parse: Parse, subject: int) -> bool:
    """Whether a person, persons or a firm are the subject, who use means."""
    token = parse.tokens[subject]
    pronoun = token.pos == "PRON" and parse.lower[subject] not in ("it", "this", "that", "these", "those")
    return pronoun or is_personal(parse, subject) or token.pos == "PROPN" and not token.entity.endswith("GPE")


def _is_done_to_somebody(parse: Parse, verb: int) -> bool:
    """Whether a thing makes somebody do something, who may be the one that the phrase is about: "Having played well , a
    broken leg forced Lee to stay"."""
    if parse.tokens[verb].lemma not in _CAUSING:
        return False
    clause = parse.child(verb, "ccomp")
    made = parse.child(verb, "dobj") if clause is None else parse.subject(clause)
    return made is not None and _is_somebody(parse, made)


def _lists_on(parse: Parse, comma: int, subject: int) -> bool:
    """Whether the subject may be the rest of a list: "Adding parts such as a wheel , a belt and a pump costs more"."""
    begun = any(parse.lower[k : k + 2] == ["such", "as"] or parse.lower[k] == "including" for k in range(comma))
    return begun and parse.child(subject, "cc") is not None


def _needs_partner(parse: Parse, comma: int, subject: int) -> bool:
    """Whether one does something together with whom only the phrase names: "Meeting Bo in Ulm , Ann sang together"."""
    verb = parse.tokens[subject].head
    mine = [k for k in parse.children(verb) if k > comma and parse.lower[k] == "together"]
    return not is_plural(parse, subject) and any(
        parse.lower[k + 1 : k + 2] != ["with"] and parse.child(verb, "dobj") is None for k in mine
    )
