"""Whether a sentence in the past tells of the days in which its text was written, so that what it adds still holds; and
whether it tells of days long ago."""

from __future__ import annotations

from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import Parse

# Verbs of news: of an old author it is said what he "wrote", "argued" or "believed".
_TELLING = frozenset("say tell add announce report warn explain note".split())
# Days counted from the one on which the text was written.
_NEAR = frozenset(("yesterday", "today", "tonight", "recently"))
_COUNTED = frozenset("week weekend month night morning afternoon evening".split())
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
# Since then borders, places and firms are mostly as they are now.
RECENT = 1950
_YEAR = 4  # digits
_ERAS = frozenset(("bc", "bce", "b.c.", "century", "centuries"))
_BEFORE_YEAR = frozenset(("in", "of", "by", "from", "until", "since"))
# A member of a group is so as long as there is the group.
_OF_MEMBERS = frozenset(("include", "comprise", "feature"))
# Who does or suffers these may no longer be what the text calls him.
_OF_ENDS = frozenset(
    """
    abdicate assassinate behead bury close collapse depart die disband dismiss dissolve drown end execute expire fire
    hang kill leave lose merge murder mourn oust perish quit remember remove replace resign retire sack shoot shut slay
    step strike succeed succumb suspend death departure funeral killing loss memorial obituary resignation
    retirement
    """.split()
)


def is_of_today(parse: Parse, noun: int, verb: int) -> bool:
    """Whether the clause of ``verb``, in which the noun stands, tells of the text's own days.

    It does with a time counted from the day of writing ("Last week Lee met Bo"), unless it tells of an end.
    """
    return _is_near(parse, verb) and not ends(parse, noun)


def is_old(parse: Parse) -> bool:
    """Whether the sentence has a date that is long ago."""
    war = any(pair == ("world", "war") for pair in zip(parse.lower, parse.lower[1:]))
    return war or not _ERAS.isdisjoint(parse.lower) or any(year < RECENT for year in years(parse))


def years(parse: Parse) -> list[int]:
    """The years of a sentence: "1968", "1990s"; "in 58" and "the spring of 58", but not "in 58 days"."""
    found = []
    for i, token in enumerate(parse.tokens):
        text = token.text.removesuffix("s")
        season = i > 1 and parse.lower[i - 1] == "of" and parse.tokens[i - 2].entity.endswith("DATE")
        if not (token.entity.endswith("DATE") or season) or not text.isdecimal() or len(text) > _YEAR:
            continue
        behind = parse.tokens[i + 1].pos if i + 1 < len(parse) else ""
        early = i > 0 and parse.lower[i - 1] in _BEFORE_YEAR and behind in ("PUNCT", "ADP", "CCONJ", "VERB", "AUX")
        if len(text) == _YEAR or early:
            found.append(int(text))
    return found


def _is_near(parse: Parse, verb: int) -> bool:
    """Whether a time near the text's is told by the clause of the verb, by one that reports it ("Last month they said
    that"), or by that in which there is its group."""
    clauses = {verb}
    if parse.tokens[verb].dep == "ccomp" and parse.tokens[parse.tokens[verb].head].lemma in _TELLING:
        clauses.add(parse.tokens[verb].head)
    if parse.tokens[verb].dep == "relcl" and parse.tokens[verb].lemma in _OF_MEMBERS:
        clauses.add(_clause_of(parse, parse.tokens[verb].head))
    return any(
        _is_near_time(parse, k) and not parse.in_quotation(k) and _clause_of(parse, k) in clauses
        for k in range(len(parse))
    )


def _is_near_time(parse: Parse, position: int) -> bool:
    """Whether a word is a time counted from that of the text: no name of a show, and no "had recently come"."""
    word, token = parse.lower[position], parse.tokens[position]
    if word == "recently":
        told = parse.is_verb(token.head) and parse.finite(token.head)  # not "his recently departed men"
        return told and not any(parse.lower[k] in ("had", "'d") for k in parse.auxiliaries(token.head))
    if not token.entity.endswith(("DATE", "TIME")):
        return False
    if word in _WEEKDAYS:
        return _is_bare(parse, position)
    return word in _NEAR or word in _COUNTED and position > 0 and parse.lower[position - 1] in ("last", "this")


def _is_bare(parse: Parse, position: int) -> bool:
    """Whether a weekday is all that its date has, as news have it: "after Monday 's meeting", no "Monday , 5 May"."""
    if parse.tokens[position].entity != "B-DATE":
        return False
    behind = [token for token in parse.tokens[position + 1 : position + 4] if token.text != ","]
    return not any(token.entity.endswith("DATE") and token.tag != "POS" for token in behind)


def _clause_of(parse: Parse, position: int) -> int:
    """The finite verb above a word."""
    at = position
    while parse.tokens[at].head != at:
        at = parse.tokens[at].head
        if parse.is_verb(at) and parse.finite(at):
            break
    return at


def ends(parse: Parse, noun: int) -> bool:
    """Whether a person or body is in an end that the sentence tells of: "Last week Lee , a judge , died". A place
    outlasts them."""
    if not is_personal(parse, noun) and parse.tokens[noun].entity.endswith(("GPE", "LOC", "FAC")):
        return False
    at = noun
    while parse.tokens[at].head != at and parse.tokens[at].dep != "relcl":  # "shot by men who worked for Acme , a bank"
        at = parse.tokens[at].head
        if parse.tokens[at].lemma.lower() in _OF_ENDS:
            return True
    return False
