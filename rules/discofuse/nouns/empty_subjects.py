"""An "it" that means nothing."""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import PRONOUN, Markable
from gistmill.rules.coreference.pleonastic import EMPTY, pleonastic
from gistmill.rules.coreference.syntax import Syntax
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import Parse

# Before "like" or "as if" with a clause.
_OF_IMPRESSIONS = frozenset("sound look seem feel appear".split())
_LIKENESS = frozenset(("like", "as", "though", "if"))
_MATTERS = frozenset(("matter", "question"))


def is_empty(parse: Parse, position: int) -> bool:
    """Whether an "it" has no referent: "it must be remembered that", "it was near the river that", "it rained"."""
    if parse.lower[position] != "it":
        return False
    token = parse.tokens[position]
    if token.dep == "expl" or _stands_for_clause(parse, position):
        return True
    if token.dep == "nsubj" and (_is_cleft(parse, token.head) or _is_set_phrase(parse, token.head)):
        return True
    syntax = Syntax(parse.tokens)
    pronoun = Markable(0, position, position + 1, position, offset=0, kind=PRONOUN, syntax=syntax)
    pronoun.gender = lexicon.NEUTER
    return pleonastic(pronoun, syntax) in EMPTY


def _stands_for_clause(parse: Parse, position: int) -> bool:
    """Whether what is said or judged is a clause with "that"."""
    token = parse.tokens[position]
    predicates = [k for k in parse.children(token.head) if parse.tokens[k].dep in ("acomp", "oprd")]
    below = [k for at in (token.head, *predicates) for k in parse.children(at)]
    clauses = [k for k in below if parse.tokens[k].dep in ("ccomp", "csubj")]
    reported = any(parse.lower[j] == "that" for k in clauses for j in parse.children(k))
    return reported and (token.dep == "nsubjpass" or token.dep == "nsubj" and bool(predicates))


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


def _is_set_phrase(parse: Parse, verb: int) -> bool:
    """Whether it is "it looks as if it will rain", "it is a matter of time" or "when it comes to selling"."""
    lemma, clause, attribute = parse.tokens[verb].lemma, parse.child(verb, "advcl", "ccomp"), parse.child(verb, "attr")
    if (
        clause is not None
        and lemma in _OF_IMPRESSIONS
        and any(parse.lower[k] in _LIKENESS for k in parse.children(clause))
    ):
        return True
    when = lemma == "come" and any(parse.lower[k] == "when" for k in parse.children(verb))
    matter = -1 if attribute is None or parse.lower[attribute] not in _MATTERS else attribute
    return when or matter >= 0 and parse.lower[matter + 1 : matter + 2] == ["of"]
