"""An "it" that means nothing."""

from __future__ import annotations

from rules.coreference import lexicon
from rules.coreference.markables import PRONOUN, Markable
from rules.coreference.pleonastic import EMPTY, pleonastic
from rules.coreference.syntax import Syntax
from rules.discofuse.parse import Parse


def is_empty(parse: Parse, position: int) -> bool:
    """Whether an "it" has no referent: "it must be remembered that", "it was near the river that", "it rained", "it
    took a year to build"."""
    if parse.lower[position] != "it":
        return False
    token = parse.tokens[position]
    predicates = [k for k in parse.children(token.head) if parse.tokens[k].dep in ("acomp", "oprd")]
    below = [k for at in (token.head, *predicates) for k in parse.children(at)]
    clauses = [k for k in below if parse.tokens[k].dep in ("ccomp", "csubj")]
    reported = any(parse.lower[j] == "that" for k in clauses for j in parse.children(k))
    if token.dep == "expl" or reported and (token.dep == "nsubjpass" or token.dep == "nsubj" and predicates):
        return True
    if token.dep == "nsubj" and (_is_cleft(parse, token.head) or _takes_time(parse, token.head)):
        return True
    syntax = Syntax(parse.tokens)
    pronoun = Markable(0, position, position + 1, position, 0, PRONOUN, syntax)
    pronoun.gender = lexicon.NEUTER
    return pleonastic(pronoun, syntax) in EMPTY


def _is_cleft(parse: Parse, verb: int) -> bool:
    """Whether an adverbial stands between "be" and "that": "it was during the second year that he left"."""
    if parse.tokens[verb].lemma != "be" or parse.child(verb, "attr", "acomp") is not None:
        return False
    adverbial = next((k for k in parse.children(verb) if k > verb and parse.tokens[k].dep == "prep"), None)
    return adverbial is not None and "that" in parse.lower[adverbial : parse.right_edge(verb)]


def _takes_time(parse: Parse, verb: int) -> bool:
    """Whether the verb is "take" with an infinitive: "it would take until 1866 for them to agree"."""
    if parse.tokens[verb].lemma != "take":
        return False
    below = [k for k in parse.children(verb) if parse.tokens[k].dep in ("advcl", "ccomp", "xcomp")]
    return any(parse.tokens[j].tag == "TO" for k in below for j in parse.children(k))
