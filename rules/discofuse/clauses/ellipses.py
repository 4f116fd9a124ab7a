"""What a second clause leaves out because the first one says it: the frame that a general statement needs, the noun of
"those"."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.clauses.frames import frame
from gistmill.rules.discofuse.clauses.own_frames import has_own_frame
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R

# What opens a sentence and limits all of it to a place or period.
_FRAMING = frozenset(
    """
    in within across throughout among inside outside near along around under before prior during until here there
    thereafter formerly
    """.split()
)
# Words of a noun that the text has named, or of which it says only that there are some: it is true anywhere.
_KNOWN = frozenset("the this these that those such both all other others some several few".split())
_DEMONSTRATIVES = frozenset(("that", "those"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two clauses, of the verbs ``first`` and ``second``: the second has a ``subject`` of its own, and is ``framed``
    where it has got the frame of the first one."""

    first: int
    second: int
    cc: int
    framed: bool
    subject: int | None


def problem_of_clause(parse: Parse, first: int, second: int, cc: int, *, framed: bool) -> Reason | None:
    """Returns the reason against a second clause that cannot do without the first one.

    Args:
        parse: the sentence.
        first, second: the verbs of the two clauses.
        cc: the last word of the conjunction.
        framed: whether the second clause has got the frame of the first.
    """
    return first_reason(CHECKS, parse, Pair(first, second, cc, framed, parse.subject(second, after=cc)))


def _has_owned_frame(parse: Parse, pair: Pair) -> bool:
    """Whether it is unclear whose frame both clauses have: "In her years there , Ada grew and Bea learnt"."""
    return pair.framed and any(w.tag == "PRP$" for w in frame(parse, pair.first))


def _lacks_noun(parse: Parse, pair: Pair) -> bool:
    """Whether an owner stands for what is owned, or "those in the north" for what only the first clause names."""
    if pair.subject is None:
        return False
    below = parse.children(pair.subject)
    owner = any(parse.tokens[k].tag == "POS" and k + 1 < len(parse) and parse.is_verb(k + 1) for k in below)
    told_apart = any(k > pair.subject and parse.tokens[k].dep == "prep" for k in below)
    return owner or told_apart and parse.lower[pair.subject] in _DEMONSTRATIVES


def _needs_frame(parse: Parse, pair: Pair) -> bool:
    """Whether the first clause opens with a place or period, and what is said of things in general may be true only
    there."""
    if pair.framed or pair.subject is None or not _is_general(parse, pair.subject) or not _is_framed(parse, pair.first):
        return False
    return parse.past(pair.first) == parse.past(pair.second) and not has_own_frame(parse, pair.second, pair.cc)


def _is_general(parse: Parse, noun: int) -> bool:
    """Whether a noun means things of a kind, or a share of them, that no text has named: "most farms"."""
    token = parse.tokens[noun]
    return token.tag == "NNS" and not any(
        parse.tokens[k].dep in ("poss", "nummod") or parse.lower[k] in _KNOWN for k in parse.subtree(noun) if k <= noun
    )


def _is_framed(parse: Parse, verb: int) -> bool:
    """Whether the clause opens with a place or period, at the beginning of the sentence or behind a semicolon."""
    start = max((k + 1 for k in range(verb) if parse.lower[k] == ";"), default=0)
    opening = parse.tokens[start]
    return parse.lower[start] in _FRAMING and opening.head == verb and opening.dep in ("prep", "advmod")


CHECKS: tuple[Check[Pair], ...] = (
    Check("ellipsis.owner", R.AMBIGUOUS, _has_owned_frame,
          "In her time, Ada sold land and the clerk left town.", "In May, Ada sold land and the clerk left town."),
    Check("ellipsis.noun", R.SHARED_PART, _lacks_noun,
          "Kent's crew was old, while Rome's was quite young.",
          "Kent's crew was old, while the miller was quite young."),
    Check("ellipsis.frame", R.SHARED_PART, _needs_frame,
          "In Kent, the wool was dear, but most farms closed fast there.",
          "In Kent, the wool was dear, but these farms closed fast there."),
)  # fmt: skip
