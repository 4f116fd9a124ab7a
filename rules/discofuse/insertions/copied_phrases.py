"""Antecedents of insertions whose phrase is not whole, or means something else once the second half says it."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.words import Words, first_of_text

# A noun that only tells when or by how much something is has been read for what is described: "ran Line 4 , a road".
_OF_MEASURE = frozenset(("npadvmod", "dep", "intj"))


def is_whole(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether the phrase to copy is a whole one that is right in the second half.

    Args:
        parse: the sentence.
        antecedent: the phrase.
        head: the position of its noun.
    """
    return not (
        _is_cut_at_hyphen(parse, antecedent)
        or _is_cut_at_comma(parse, antecedent, head)
        or _has_time_of_clause(parse, antecedent, head)
        or _is_vague(parse, antecedent, head)
        or parse.tokens[head].dep in _OF_MEASURE
    )


def _is_cut_at_hyphen(parse: Parse, antecedent: Words) -> bool:
    """Whether the antecedent's phrase begins in the middle of a word with a hyphen: "Mayor Lee" of "ex-Mayor Lee"."""
    start = first_of_text(antecedent).position
    return start > 0 and parse.lower[start - 1] == "-"


def _is_cut_at_comma(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether a comma inside a name was taken for one between nouns: "Kent Market Area" of "the Dover , Kent Market
    Area"."""
    start = first_of_text(antecedent).position
    if start < 2 or parse.lower[start - 1] != "," or parse.tokens[head].pos != "PROPN":
        return False
    before = parse.tokens[start - 2]
    many = sum(word.pos == "PROPN" for word in antecedent) > 1
    return before.entity.endswith("GPE") and many and not antecedent[-1].entity and antecedent[0].tag == "NNP"


def _has_time_of_clause(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether a date behind a name was taken for a part of its phrase, but is the clause's: "ran as Line 4 in 1917"."""
    if parse.tokens[head].pos != "PROPN":
        return False
    return any(
        w.dep == "prep" and w.head == head and w.text.lower() != "of" and _is_dated(parse, w.position)
        for w in antecedent
        if w.position > head
    )


def _is_dated(parse: Parse, preposition: int) -> bool:
    time = parse.child(preposition, "pobj")
    return time is not None and parse.tokens[time].entity.endswith(("DATE", "TIME"))


def _is_vague(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether it is said of some of many, which "the" would make all, or of no sure number: "some old members", "one or
    more spines"."""
    first = first_of_text(antecedent).position
    if first != head and parse.lower[first] == "some":
        return True
    return len(antecedent) > 1 and antecedent[1].text.lower() == "or"
