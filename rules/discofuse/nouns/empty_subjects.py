"""An "it" that means nothing."""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import PRONOUN, Markable
from gistmill.rules.coreference.pleonastic import EMPTY, pleonastic
from gistmill.rules.coreference.syntax import Syntax
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import Parse

# Before "like" or "as if" with a clause: "it sounds like it will rain".
_OF_IMPRESSIONS = frozenset("sound look seem feel appear".split())
_LIKENESS = frozenset(("like", "as", "though", "if"))
_CLAUSES = frozenset(("xcomp", "advcl", "ccomp"))
_KINDS_OF_DEEDS = frozenset(("matter", "question"))


def is_empty(parse: Parse, position: int) -> bool:
    """Whether an "it" has no referent: "it must be remembered that", "it was near the river that", "it rained"."""
    if parse.lower[position] != "it":
        return False
    token = parse.tokens[position]
    predicates = [k for k in parse.children(token.head) if parse.tokens[k].dep in ("acomp", "oprd")]
    below = [k for at in (token.head, *predicates) for k in parse.children(at)]
    clauses = [k for k in below if parse.tokens[k].dep in ("ccomp", "csubj")]
    reported = any(parse.lower[j] == "that" for k in clauses for j in parse.children(k))
    if token.dep == "expl" or reported and (token.dep == "nsubjpass" or token.dep == "nsubj" and predicates):
        return True
    if token.dep == "nsubj" and (
        _is_cleft(parse, token.head)
        or _is_impression(parse, token.head)
        or _is_decided(parse, token.head)
        or _opens_topic(parse, token.head)
    ):
        return True
    syntax = Syntax(parse.tokens)
    pronoun = Markable(0, position, position + 1, position, offset=0, kind=PRONOUN, syntax=syntax)
    pronoun.gender = lexicon.NEUTER
    return pleonastic(pronoun, syntax) in EMPTY


def _is_cleft(parse: Parse, verb: int) -> bool:
    """Whether an adverbial stands between "be" and "that", or a particular person or a noun without an article before a
    relative clause: "it was during the second year that he left", "it was the owner who left"."""
    if parse.tokens[verb].lemma != "be":
        return False
    noun = parse.child(verb, "attr", "dobj")  # of "'s", which may be taken for "has"
    clause = None if noun is None else parse.child(noun, "relcl")
    if noun is not None and clause is not None:
        opening = parse.left_edge(noun)
        bare = parse.tokens[opening].pos in ("NOUN", "ADJ") and parse.tokens[noun].tag == "NN"
        if bare and parse.left_edge(clause) == noun + 1:
            return True  # "it is human creativity that drives us"
        return parse.lower[opening] not in ("a", "an", "one") and is_personal(parse, noun)
    if parse.child(verb, "attr", "acomp") is not None:
        return False
    adverbial = next((k for k in parse.children(verb) if k > verb and parse.tokens[k].dep == "prep"), None)
    return adverbial is not None and "that" in parse.lower[adverbial : parse.right_edge(verb)]


def _is_impression(parse: Parse, verb: int) -> bool:
    """Whether a clause with "like" or "as if" is all that a verb of seeming has: "it looks as if it will rain"."""
    if parse.tokens[verb].lemma not in _OF_IMPRESSIONS or not parse.finite(verb):
        return False
    clause = parse.child(verb, "advcl", "ccomp")
    if clause is None or not parse.finite(clause) or parse.child(verb, "acomp", "dobj", "oprd") is not None:
        return False
    return any(parse.tokens[k].dep == "mark" and parse.lower[k] in _LIKENESS for k in parse.children(clause))


def _is_decided(parse: Parse, verb: int) -> bool:
    """Whether "be" is said of a deed that somebody is to choose, or that a noun names the kind of: "it is up to her to
    decide", "it is a matter of not wanting to", "it is a question of time"."""
    if parse.tokens[verb].lemma != "be" and parse.lower[verb] != "'s":
        return False
    kind, place = parse.child(verb, "attr"), next((k for k in parse.children(verb) if parse.lower[k] == "up"), None)
    if kind is not None and parse.lower[kind] in _KINDS_OF_DEEDS:
        return parse.lower[kind + 1 : kind + 2] == ["of"]
    chosen = place is not None and parse.lower[place : place + 2] == ["up", "to"]
    return chosen and any(
        parse.tokens[j].tag == "TO" and parse.tokens[k].dep in _CLAUSES
        for k in range(place or verb, parse.right_edge(verb) + 1)
        for j in parse.children(k)
    )


def _opens_topic(parse: Parse, verb: int) -> bool:
    """Whether the clause only says what the next one is about: "when it comes to selling"."""
    below = {parse.lower[k] for k in parse.children(verb)}
    return parse.tokens[verb].lemma == "come" and {"when", "to"} <= below
