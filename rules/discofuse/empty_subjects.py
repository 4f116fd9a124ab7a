"""An "it" that means nothing."""

from __future__ import annotations

from rules.coreference import lexicon
from rules.coreference.markables import PRONOUN, Markable
from rules.coreference.pleonastic import EMPTY, pleonastic
from rules.coreference.syntax import Syntax
from rules.discofuse.parse import Parse
from rules.discofuse.references import is_personal

# Of these the subject is an infinitive behind them.
_OF_INFINITIVES = frozenset(("take", "cost", "hurt"))


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
    if token.dep == "nsubj" and (_is_cleft(parse, token.head) or _stands_for_infinitive(parse, token.head)):
        return True
    syntax = Syntax(parse.tokens)
    pronoun = Markable(0, position, position + 1, position, 0, PRONOUN, syntax)
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


def _stands_for_infinitive(parse: Parse, verb: int) -> bool:
    """Whether an infinitive is what takes, costs, hurts or makes sense: "it would take until 1866 to agree"."""
    thing = parse.child(verb, "dobj")
    sense = parse.tokens[verb].lemma == "make" and thing is not None and parse.lower[thing] == "sense"
    if parse.tokens[verb].lemma not in _OF_INFINITIVES and not sense:
        return False
    below = [k for k in parse.children(verb) if parse.tokens[k].dep in ("advcl", "ccomp", "xcomp")]
    return any(parse.tokens[j].tag == "TO" for k in below for j in parse.children(k))
