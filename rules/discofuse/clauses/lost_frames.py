"""Openings that limit a whole sentence ("Usually ,", "Until it rained ,", "Of the 131 seats ,"): a second part loses
them with the split, though both may stand in them."""

from __future__ import annotations

from gistmill.rules.discofuse.clauses.conditions import INVERTED
from gistmill.rules.discofuse.clauses.frames import OPENERS, OTHERS, has_gerund, is_beginning, opening_of
from gistmill.rules.discofuse.clauses.own_frames import TIME_ENTITIES, TIME_NOUNS, has_own_frame
from gistmill.rules.discofuse.parse import Parse

# "From this he drew a map and sent it": no limit, but a source.
_LIMITING = OPENERS - {"from"} | {"of"}
# What opens a clause that says when or whether a thing is so; not what only gives its cause, or a contrast.
_WHEN = frozenset("when whenever if once until unless wherever before after".split())
# Adverbs that say how often, or in what stretch of time.
_HOW_OFTEN = frozenset(
    """
    often sometimes usually generally normally typically frequently rarely seldom occasionally traditionally
    historically commonly mostly increasingly initially originally
    """.split()
)
_GOING_ON = frozenset(("and", "so", "for", "while", "whereas"))
# What is in contrast to the opening itself: "In many towns it is held in streets , while others hold it in halls".


def is_left(parse: Parse, first: int, second: int, cc: int) -> bool:
    """Whether a part that goes on in the same tense loses an opening that limits the first one: "Under Lee , the firm
    grew , and it became known".

    Args:
        parse: the sentence.
        first, second: the verbs of the two parts.
        cc: the last word of the conjunction.
    """
    past = parse.past(first)
    if past != parse.past(second):
        return False
    if not past and parse.perfect(first) != parse.perfect(second):
        return False  # "Since 1990 , it has closed two mills , and plans another"
    # what stands behind "but" may have been so at any other time
    goes_on = parse.lower[cc] in _GOING_ON or parse.lower[cc] == "but" and not past
    if not goes_on or OTHERS.intersection(parse.lower[cc + 1 : cc + 3]) or has_own_frame(parse, second, cc):
        return False
    return _is_limited(parse, first)


def _is_limited(parse: Parse, verb: int) -> bool:
    """Whether a phrase before the subject of the verb limits what is said."""
    start, end = opening_of(parse, verb)
    words = parse.words[start:end]
    of_some = bool(words) and words[0].text.lower() == "of"  # "Of the total 131 seats ,"
    if len(words) > 1 and not of_some and (is_beginning(words) and words[0].pos == "ADP" or has_gerund(words)):
        return False
    heads = (k for k in parse.children(verb) if start <= k < end and parse.tokens[k].pos not in ("PUNCT", "CCONJ"))
    head = next(heads, None)
    return head is not None and _limits(parse, head, verb)


def _limits(parse: Parse, head: int, verb: int) -> bool:
    token, word = parse.tokens[head], parse.lower[head]
    if token.dep == "advcl":
        opener = parse.lower[parse.left_edge(head)]
        told = parse.finite(head) and parse.past(head) == parse.past(verb)
        return opener in _WHEN and told or opener in INVERTED
    if token.dep == "prep":
        return word in _LIMITING or word == "as" and parse.lower[head + 1] in ("of", "at")
    if token.dep == "npadvmod":
        return token.entity[2:] in TIME_ENTITIES or token.lemma in TIME_NOUNS
    below = (k for k in parse.children(head) if k > head)
    return token.dep == "advmod" and (word in _HOW_OFTEN or any(parse.lower[k] in OPENERS for k in below))
