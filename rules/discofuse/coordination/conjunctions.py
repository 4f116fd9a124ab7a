"""Conjunctions, and the part that follows one: for sentence coordination and verb-phrase coordination."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.rules.discofuse.clauses.frames import shared_frame, within
from gistmill.rules.discofuse.connectives import CONJUNCTIONS
from gistmill.rules.discofuse.parse import NOMINAL, Parse
from gistmill.rules.discofuse.words import Words

_WORDS = {c.words[0]: c for c in CONJUNCTIONS}
# Behind "so" they make something else than a conjunction: "so that", "so far".
_BEHIND_SO = frozenset(("that", "far", "much", "many", "long", "as", "to", ","))
_PHRASES = NOMINAL | {"ADJ"}
# How far from the conjunction the conjoined verb may stand (Table 14: j <= i + 5).
_REACH = 5


@dataclass(frozen=True, slots=True)
class Conjunct:
    """The conjunction stands at ``cc``; ``verb`` heads the second part, with its ``subject`` (None if shared)."""

    cc: int
    verb: int
    subject: int | None = None


def conjunctions(parse: Parse) -> list[int]:
    """Returns the positions of coordinating conjunctions that have text on both sides."""
    return [i for i in range(1, len(parse) - 3) if parse.lower[i] in _WORDS and _is_conjunction(parse, i)]


def _is_conjunction(parse: Parse, i: int) -> bool:
    """Whether a word is no noun; and "so" or "for" behind a comma not of "so that", "so far", "for him"."""
    token, word = parse.tokens[i], parse.lower[i]
    if token.pos in ("PROPN", "NOUN") or not _WORDS[word].bare and parse.lower[i - 1] != ",":
        return False
    if word == "so":
        return parse.lower[i + 1] not in _BEHIND_SO
    return _WORDS[word].bare or token.dep in ("cc", "mark") and parse.finite(token.head if token.dep == "mark" else i)


def label(parse: Parse, cc: int) -> str:
    """Returns the conjunction as it is recorded, with its comma: ", but"."""
    return f", {parse.lower[cc]}" if parse.lower[cc - 1] == "," else parse.lower[cc]


def joins_phrases(parse: Parse, cc: int) -> bool:
    """Whether the conjunction joins nouns, adjectives or the like."""
    head = parse.tokens[cc].head
    joined = [k for k in parse.children(head) if k > cc and parse.tokens[k].dep == "conj"]
    return parse.tokens[cc].dep == "cc" and any(all(parse.tokens[i].pos in _PHRASES for i in (head, k)) for k in joined)


def joined_verbs(parse: Parse, cc: int) -> list[int]:
    """Returns the verbs within reach behind the conjunction that are conjuncts of something before it."""
    reach = range(cc + 1, 1 if joins_phrases(parse, cc) else min(len(parse), cc + 1 + _REACH))
    return [i for i in reach if parse.tokens[i].dep == "conj" and parse.tokens[i].head < cc and parse.is_verb(i)]


def in_frame(parse: Parse, second: Words, part: Conjunct, *, first: int) -> Words:
    """Puts the frame of the first clause, that of verb ``first`` ("In 1990 ,"), before the second, if it holds there.

    The first clause may itself stand in that of one before: "In 1990 the roof fell and the wall was moved and sold".
    """
    own = part.subject is not None
    found = shared_frame(parse, first, part.verb, part.cc, own_subject=own)
    above = parse.tokens[first].head
    joints = (k for k in parse.children(above) if above < k < first and parse.tokens[k].dep == "cc")
    joint = next(joints, None) if parse.tokens[first].dep == "conj" else None
    if not found and joint is not None and shared_frame(parse, above, first, joint, own_subject=True):
        found = shared_frame(parse, above, part.verb, part.cc, own_subject=own)
    return within(found, second)
