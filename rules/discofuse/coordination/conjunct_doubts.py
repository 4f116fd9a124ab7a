"""Doubts whether a second predicate is the main verb's, or shares an adverb or a form with the first one."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.parse import QUOTES, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# Adverbs that say how sure it is, and hold to the end of the sentence.
_DOUBTFUL = frozenset(
    "likely probably possibly perhaps maybe presumably allegedly reportedly supposedly apparently potentially".split()
)
# Adverbs that say how often, which may hold to the end of the sentence too; "usually" or "always" of a habit adds less.
_FREQUENCIES = frozenset("often sometimes rarely seldom occasionally frequently never hardly".split())
_ADVERBS = frozenset(("advmod", "npadvmod", "neg"))
# Their object may be a deed, and one more behind it: "charges for theft and hiding the money".
_OF_DEEDS = frozenset("for of by with without against from about".split())


def problem_of_predicate(parse: Parse, cc: int, verb: int) -> Reason | None:
    """Returns the reason against a second predicate without a subject of its own.

    Args:
        parse: the sentence.
        cc: position of the conjunction.
        verb: the second predicate's verb.
    """
    head = parse.tokens[verb].head
    if parse.lower[cc] == "nor":
        return DiscoFuseReason.SHARED_PART  # "has not burnt nor closed"
    if _is_doubtful(parse, head) or _is_frequent(parse, head, cc, verb):
        return DiscoFuseReason.NOT_ASSERTED
    if _is_not_a_participle(parse, head, cc, verb):
        return DiscoFuseReason.SHARED_PART
    return DiscoFuseReason.WRONG_SCOPE if _continues_clause(parse, head, cc, verb) else None


def _is_doubtful(parse: Parse, head: int) -> bool:
    """Whether an adverb of doubt stands before the first verb: "will probably close and move"."""
    return any(k < head and parse.lower[k] in _DOUBTFUL for k in parse.children(head))


def _is_frequent(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether an adverb before the first verb, or before one between, says how often the rest happens too: "he often
    came and stayed". A second part with a modal, an adverb or a date of its own tells for itself."""
    firsts = (head, *(k for k in parse.children(head) if head < k < cc and parse.tokens[k].dep == "conj"))
    if not any(k < first and parse.lower[k] in _FREQUENCIES for first in firsts for k in parse.children(first)):
        return False
    own = any(
        parse.tokens[k].tag == "MD" or k < verb and parse.tokens[k].dep in _ADVERBS and parse.lower[k] != "instead"
        for k in parse.children(verb)
    )
    return not own and all(parse.tokens[k].entity[2:] != "DATE" for k in range(cc, parse.right_edge(verb)))


def _is_not_a_participle(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether a form in -ing may not be one of the first verb's: behind another form ("was sold by a man with a hat and
    bearing a flag"), or behind a deed in a phrase ("is seeking damages for theft and hiding the money")."""
    if parse.tokens[verb].tag != "VBG" or any(k > cc for k in parse.auxiliaries(verb)):
        return False
    if parse.tokens[head].tag == "VBN":
        return True
    last = parse.last_before(cc)
    return any(
        parse.lower[k] in _OF_DEEDS and parse.tokens[k].dep == "prep" and parse.right_edge(k) == last
        for k in range(head + 1, cc)
    )


def _continues_clause(parse: Parse, head: int, cc: int, verb: int) -> bool:
    """Whether the second verb may be that of a clause which ends at the conjunction without a comma, and has the same
    tense: "left once they knew the man and understood"."""
    if parse.lower[cc - 1] == ",":
        return False
    last = _last_word(parse, cc)
    return any(
        head < k < cc
        and parse.tokens[k].dep == "advcl"
        and parse.right_edge(k) in (last, cc - 1)
        and parse.finite(k)
        and parse.subject(k) is not None
        and parse.past(k) == parse.past(verb)
        for k in parse.children(head)
    )


def _last_word(parse: Parse, cc: int) -> int:
    """The last word before the conjunction that is not a quote, which may hang on another clause."""
    last = cc - 1
    while last > 0 and parse.lower[last] in QUOTES:
        last -= 1
    return last
