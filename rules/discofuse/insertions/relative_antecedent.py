"""Nouns before a relative clause that it is hardly about, though they stand right before its comma."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import NOUNS, Parse

_MODIFIERS = frozenset(("amod", "compound", "advmod", "punct"))
_HAVING = frozenset("have contain possess own comprise include carry bear hold feature".split())
_SETS = frozenset("pair set series group row trio number couple list array range cluster collection".split())
# Names of places are joined without being one name.
_PLACES = frozenset(("GPE", "LOC", "FAC"))
_DETERMINING = frozenset(("det", "poss", "nummod", "predet", "appos", "conj"))


def another_is_likelier(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the clause is rather about another noun than the one before its comma, or about several.

    Args:
        parse: the sentence.
        noun: the head of the noun phrase before the comma.
        opening: the comma.
    """
    return _is_of_kind(parse, noun) or _is_alternative(parse, noun, opening)


def _is_of_kind(parse: Parse, noun: int) -> bool:
    """Whether the noun only says of what kind the subject's things are, which may be meant: "Physics and chemistry are
    sciences , which are taught"."""
    if parse.tokens[noun].dep != "attr" or parse.tokens[noun].tag != "NNS":
        return False
    subject = parse.subject(parse.tokens[noun].head)
    several = parse.number(parse.tokens[noun].head) == "plural"
    if subject is None or not several and not is_plural(parse, subject) and parse.child(subject, "conj") is None:
        return False
    before = [k for k in parse.children(noun) if k < noun]
    return all(parse.tokens[k].dep in _MODIFIERS for k in before)


def _is_alternative(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the antecedent has its like beside it after "or": "limbs , fins or legs , which may be lost"."""
    return any(
        parse.lower[k] == "or" and parse.tokens[parse.tokens[k].head].pos in NOUNS
        for k in parse.subtree(noun)
        if k < opening
    )


def may_be_one_name(parse: Parse, opening: int) -> bool:
    """Whether the name before the comma, behind "and the", may be the end of a title: "Beauty and the Beast ,
    which"."""
    at = next((k for k in range(opening - 1, 1, -1) if parse.tokens[k].pos != "PROPN"), 0)
    if parse.lower[at - 1 : at + 1] != ["and", "the"] or at < 2 or at == opening - 1:
        return False
    before, last = parse.tokens[at - 2], parse.tokens[opening - 1]
    return before.pos == "PROPN" and not {before.entity[2:], last.entity[2:]} & _PLACES


def means_some(parse: Parse, noun: int, verb: int) -> bool:
    """Whether a bare plural means some, who are "the" ones when they are mentioned again."""
    return _is_part_of_known(parse, noun) or _is_particular(parse, noun, verb)


def _is_particular(parse: Parse, noun: int, verb: int) -> bool:
    """Whether a clause tells of a bare plural something that happened: "the murders of women , who had come from Ulm";
    "women had come from Ulm" would be about any.

    The subject of a clause may be all there are: "Ants , which appeared late , are insects".
    """
    token = parse.tokens[noun]
    if token.tag != "NNS" or token.entity or any(parse.tokens[k].dep in _DETERMINING for k in parse.children(noun)):
        return False
    happened = parse.tokens[verb].tag == "VBD" or any(
        parse.tokens[k].tag == "VBD" or parse.lower[k] in ("have", "has") for k in parse.auxiliaries(verb)
    )
    return happened and token.dep in ("pobj", "dobj")


def _is_part_of_known(parse: Parse, noun: int) -> bool:
    """Whether a bare plural means some that one thing has, "the" ones when they are mentioned again: "The mill has
    a pair of wheels , which" or "The mill has wheels , which"; without the article it would mean all wheels."""
    token = parse.tokens[noun]
    if token.tag != "NNS" or any(parse.tokens[k].dep in ("det", "poss", "nummod") for k in parse.children(noun)):
        return False
    if any(parse.tokens[k].dep == "appos" and k == noun + 1 for k in parse.children(noun)):
        return False  # "includes storms Ann and Bob": names, which say the same when they are mentioned again
    if token.dep == "pobj" and parse.lower[token.head] == "of":
        return parse.tokens[parse.tokens[token.head].head].lemma in _SETS
    subject = parse.subject(token.head)
    had = token.dep == "dobj" and parse.tokens[token.head].lemma in _HAVING
    return had and subject is not None and (parse.tokens[subject].pos == "PROPN" or _is_known(parse, subject))


def _is_known(parse: Parse, noun: int) -> bool:
    """Whether the phrase means one thing or things that were named: "the mill", "its walls", "it"."""
    first = parse.lower[parse.left_edge(noun)]
    return first in ("the", "this", "these") or parse.tokens[parse.left_edge(noun)].tag in ("PRP", "PRP$")
