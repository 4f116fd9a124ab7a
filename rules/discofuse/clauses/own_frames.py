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
# A date that only tells more of a noun: "a morning show", "one year in jail".
_ATTRIBUTES = frozenset("compound poss amod nmod dobj attr conj appos".split())
# Adverbs and conjunctions that give a clause a time of its own.
_OWN_TIMES = frozenset(
    """
    then later subsequently eventually now still since today currently presently soon shortly afterwards afterward
    finally again ultimately thereafter recently previously already yet until after before when while as once during by
    ago
    """.split()
)


def stands_apart(parse: Parse, first: int, second: int, cc: int, *, timed: bool, placed: bool) -> bool:
    """Whether the second clause has a tense, or where the frame has one a time or place, of its own."""
    if parse.finite(second) and (
        parse.past(first) != _told_past(parse, second) or _modal(parse, first) and not _modal(parse, second)
    ):
        return True
    rest = _outside_brackets(parse, cc + 1, parse.right_edge(second) + 1)
    dated = timed and any(tells_time(parse, k) and _is_of_clause(parse, k, second) for k in rest)
    return dated or placed and any(_names_place(parse, k) for k in rest)


def _is_of_clause(parse: Parse, k: int, verb: int) -> bool:
    """Whether a word that gives a time gives it to the clause of the verb, not to a noun or a clause inside it."""
    token = parse.tokens[k]
    if token.entity[2:] in TIME_ENTITIES and parse.lower[k] not in _OWN_TIMES:
        while parse.tokens[token.head].entity[2:] == token.entity[2:] and parse.tokens[token.head] is not token:
            k, token = token.head, parse.tokens[token.head]
        behind = parse.lower[token.head] if token.dep == "pobj" else ""
        season = behind == "of" and parse.tokens[parse.tokens[token.head].head].lemma in TIME_NOUNS
        year = len(parse.lower[k]) == 4 and parse.lower[k].isdigit()  # "the 1980 rent"
        if token.dep in _ATTRIBUTES and not year or behind in _OF_NOUNS and not season:
            return False
    while k != verb and parse.tokens[k].head != k:
        if parse.tokens[k].dep in _NESTED:
            return False
        k = parse.tokens[k].head
    return True


def has_own_frame(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the clause of ``verb`` behind ``cc`` has a time or a place by name, or opens with a phrase of its own."""
    rest = _outside_brackets(parse, cc + 1, parse.right_edge(verb) + 1)
    return opens_otherwise(parse, verb, cc) or any(
        tells_time(parse, k) and _is_of_clause(parse, k, verb) or _names_place(parse, k) for k in rest
    )


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
    """Whether a word is part of a date, or gives a time.

    The "by" of an agent or a means gives none, "as" with a noun ("known as"), and an adverb that joins phrases: "to
    Rome and finally to Bari".
    """
    token, word = parse.tokens[k], parse.lower[k]
    if token.dep == "agent" or token.tag == "RB" and parse.tokens[token.head].pos == "ADP":
        return False
    if word == "as" and token.dep != "mark":
        return False
    if word == "by":
        means = parse.child(k, "pobj", "pcomp")
        return means is None or parse.tokens[means].lemma in TIME_NOUNS or parse.lower[means] == "end"
    dated = token.entity[2:] in TIME_ENTITIES and word not in _RATES
    return dated or word in _OWN_TIMES


def opens_otherwise(parse: Parse, second: int, cc: int) -> bool:
    """Whether the second clause has a phrase of its own before its subject or verb: "and in 1839 led"."""
    subject = parse.subject(second, after=cc)
    for k in range(cc + 1, second if subject is None else parse.left_edge(subject)):
        token = parse.tokens[k]
        if token.tag == "DT" and parse.tokens[token.head].dep == "npadvmod":
            return True  # "and every year"
        if token.dep in SUBJECTS or parse.left_edge(second) <= k and token.dep in ("det", "poss", "amod", "compound"):
            return False
        if token.pos in ("ADP", "SCONJ", "NUM") or token.entity[2:] in TIME_ENTITIES:
            return True
    return False


def _modal(parse: Parse, verb: int) -> bool:
    return any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(verb))


def _told_past(parse: Parse, verb: int) -> bool:
    """Whether a clause tells of the past, be it of what may have been: "may have been moved"."""
    return parse.past(verb) or _modal(parse, verb) and parse.perfect(verb)
