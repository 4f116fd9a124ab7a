"""Phrases that do not fit where they are said again, as they say more of their noun than its second mention means."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import SUBJECTS, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

_NOW = frozenset(("current", "present", "present-day", "modern", "modern-day", "existing"))
_RANKS = frozenset("first second third fourth last next former latter only same main other".split())


def is_no_longer(first: Parse, antecedent: Mention, words: Words, second: Parse, mention: Mention) -> bool:
    """Whether the phrase is of today, and what is said of it was so in the past: "The current road is new . It ran
    along the river". What was done to it in the past may still hold: "It was built in 1900"."""
    if all(w.text.lower() not in _NOW for w in words if w.position < antecedent.head):
        return False
    token = second.tokens[mention.head]
    if token.dep != "nsubj" or not second.finite(token.head):
        return False
    above = first.tokens[antecedent.head]
    return (
        second.past(token.head)
        and not second.perfect(token.head)
        and not (first.is_verb(above.head) and first.past(above.head))
    )


def is_passing_description(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether a noun that the text knew before is described only where it stands, behind a preposition: "money for the
    poor town . It is said to have robbed the town".

    A rank or a people tells which one it is ("the first town", "the Swiss towns"), and a subject is the one just named.
    """
    head = antecedent.head
    if second.tokens[mention.head].dep in SUBJECTS:
        return False
    determiner = first.child(head, "det")
    if first.tokens[head].dep != "pobj" or determiner is None or first.lower[determiner] != "the":
        return False
    described = [k for k in first.children(head) if first.tokens[k].dep == "amod"]
    return bool(described) and all(
        first.tokens[k].text.islower()
        and not first.tokens[k].entity
        and first.tokens[k].tag == "JJ"
        and first.lower[k] not in _RANKS
        for k in described
    )
