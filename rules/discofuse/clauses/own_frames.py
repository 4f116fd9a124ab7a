"""What a second clause has of its own beside the frame of the first: a time, a place, a tense, an opening phrase."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import SUBJECTS, Parse

TIME_ENTITIES = frozenset(("DATE", "TIME"))
TIME_NOUNS = frozenset(
    """
    time year day month week century decade moment period season morning afternoon evening night era age summer winter
    spring autumn fall hour minute war battle reign tenure
    """.split()
)
PLACE_ENTITIES = frozenset(("GPE", "LOC", "FAC", "ORG"))
# Such a DATE only says how often a thing is counted: "its annual revenue".
_RATES = frozenset("annual daily weekly monthly quarterly yearly".split())
# Clauses with a time of their own, which is not that of the clause they stand in: "took Seoul , which fell in May".
_NESTED = frozenset(("relcl", "acl", "ccomp"))
# A date behind them is a measure ("sentenced to one year") or goes with a noun ("the winner of 1990").
_OF_NOUNS = frozenset("to of with against about than as like".split())
# Adverbs and conjunctions that give a clause a time of its own.
_OWN_TIMES = frozenset(
    """
    then later subsequently eventually now still since today currently presently soon shortly afterwards afterward
    finally again ultimately thereafter recently previously already yet until after before when while as once during
    ago
    """.split()
)


def stands_apart(parse: Parse, first: int, second: int, cc: int, *, timed: bool, placed: bool) -> bool:
    """Whether the second clause has a tense, or where the frame has one a time or place, of its own."""
    if parse.finite(second) and parse.past(first) != parse.past(second):
        return True
    rest = _outside_brackets(parse, cc + 1, parse.right_edge(second) + 1)
    return any(timed and _times(parse, k, second) or placed and _names_place(parse, k) for k in rest)


def has_own_frame(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the clause of ``verb`` behind ``cc`` has a time or a place by name, or opens with a phrase of its own."""
    rest = _outside_brackets(parse, cc + 1, parse.right_edge(verb) + 1)
    return opens_otherwise(parse, verb, cc) or any(_times(parse, k, verb) or _names_place(parse, k) for k in rest)


def _times(parse: Parse, k: int, verb: int) -> bool:
    """Whether a word gives a time to the clause of the verb, not to a noun or a clause inside it."""
    token = parse.tokens[k]
    if not tells_time(parse, k):
        return False
    if token.entity[2:] in TIME_ENTITIES:
        while parse.tokens[token.head].entity[2:] == token.entity[2:] and token.head != k:
            k, token = token.head, parse.tokens[token.head]
        if token.dep == "pobj" and parse.lower[token.head] in _OF_NOUNS:
            return False
    while k != verb and parse.tokens[k].head != k:
        if parse.tokens[k].dep in _NESTED:
            return False
        k = parse.tokens[k].head
    return True


def _names_place(parse: Parse, k: int) -> bool:
    """Whether a word ends the name of a place that a preposition stands before."""
    return parse.tokens[k].entity[2:] in PLACE_ENTITIES and parse.tokens[k].dep == "pobj"


def _outside_brackets(parse: Parse, start: int, end: int) -> list[int]:
    """The positions from ``start`` to ``end`` that no bracket encloses: "( see the list in Kent )" is a mere note."""
    found, depth = [], 0
    for k in range(start, end):
        depth += parse.lower[k] == "("
        if depth == 0:
            found.append(k)
        depth -= parse.lower[k] == ")" and depth > 0
    return found


def tells_time(parse: Parse, k: int) -> bool:
    """Whether a word is part of a date, or gives a time; "as" with a noun ("known as") gives none."""
    word = parse.lower[k]
    if word == "as" and parse.tokens[k].dep != "mark":
        return False
    return word in _OWN_TIMES or parse.tokens[k].entity[2:] in TIME_ENTITIES and word not in _RATES


def opens_otherwise(parse: Parse, second: int, cc: int) -> bool:
    """Whether the second clause has a phrase of its own before its subject or verb: "and in 1839 led"."""
    subject = parse.subject(second, after=cc)
    for k in range(cc + 1, second if subject is None else parse.left_edge(subject)):
        if parse.tokens[k].dep in SUBJECTS:
            return False
        if parse.tokens[k].pos in ("ADP", "SCONJ", "NUM"):
            return True
    return False
