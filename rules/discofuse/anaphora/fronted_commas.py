"""The comma between a phrase before the subject and a name that has replaced the subject's pronoun: "according to the
clerk Lee she left" becomes "according to the clerk Lee , Ann left"."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import NOUNS, SUBJECTS
from gistmill.rules.discofuse.words import Word, Words

_TIMES = frozenset(("DATE", "TIME"))
_FRONTED = frozenset(("prep", "advcl", "npadvmod", "agent"))


def before(words: Words, at: int) -> Words:
    """Returns the comma to put before the pronoun at index ``at``, for which a noun phrase will stand; () if none.

    There is one behind the noun of a phrase that opens its clause, unless that is a date or a lone noun: "in May Ann
    left". "The mill she sold" has none: the noun's own clause follows it.
    """
    pronoun, last = words[at], words[at - 1] if at else None
    if last is None or pronoun.tag != "PRP" or pronoun.dep not in SUBJECTS or last.pos not in NOUNS:
        return ()
    if last.entity[2:] in _TIMES:
        return ()
    by_position = {w.position: w for w in words}
    top = last
    while top.head != pronoun.head and top.head in by_position and top.head != top.position:
        top = by_position[top.head]
    fronted = top is not last and top.head == pronoun.head and top.dep in _FRONTED
    return (Word(",", True, ",", "PUNCT", "punct", ","),) if fronted else ()
