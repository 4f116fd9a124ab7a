"""What sentence coordination and verb-phrase coordination have in common: finding conjunctions and what they join."""

from __future__ import annotations

from rules.discofuse.connectives import CONJUNCTIONS
from rules.discofuse.parse import NOMINAL, Parse
from rules.verdict import Reason

_WORDS = {c.words[0]: c for c in CONJUNCTIONS}
# How far from the conjunction the conjoined verb may stand (Table 14: j <= i + 5).
_REACH = 5


def conjunctions(parse: Parse) -> list[int]:
    """Returns the positions of coordinating conjunctions that have text on both sides."""
    found = []
    for i, word in enumerate(parse.lower):
        if word not in _WORDS or not 0 < i < len(parse) - 3:
            continue
        if parse.tokens[i].pos in ("PROPN", "NOUN"):
            continue
        if not _WORDS[word].bare and (parse.lower[i - 1] != "," or not _conjunction(parse, i)):
            continue
        found.append(i)
    return found


def _conjunction(parse: Parse, i: int) -> bool:
    """ "so" and "for" after a comma: not "so that", "so far", "for example", "for him"."""
    token = parse.tokens[i]
    if parse.lower[i] == "so":
        return parse.lower[i + 1] not in ("that", "far", "much", "many", "long", "as", "to", ",")
    return token.dep in ("cc", "mark") and parse.finite(token.head if token.dep == "mark" else i)


def label(parse: Parse, cc: int) -> str:
    """Returns the conjunction as it is recorded, with its comma: ", but"."""
    return f", {parse.lower[cc]}" if parse.lower[cc - 1] == "," else parse.lower[cc]


def joins_phrases(parse: Parse, cc: int) -> bool:
    """Whether the conjunction joins nouns, adjectives or the like."""
    head = parse.tokens[cc].head
    if parse.tokens[cc].dep != "cc" or parse.tokens[head].pos not in (*NOMINAL, "ADJ"):
        return False
    return any(
        k > cc and parse.tokens[k].dep == "conj" and parse.tokens[k].pos in (*NOMINAL, "ADJ")
        for k in parse.children(head)
    )


def joined_verbs(parse: Parse, cc: int) -> list[int]:
    """Returns the verbs within reach behind the conjunction that are conjuncts of something before it."""
    if joins_phrases(parse, cc):
        return []
    end = min(len(parse), cc + 1 + _REACH)
    return [
        i
        for i in range(cc + 1, end)
        if parse.tokens[i].dep == "conj" and parse.tokens[i].head < cc and parse.is_verb(i)
    ]


def _ends_list(parse: Parse, cc: int) -> bool:
    """Whether it joins the last of three or more: "he came , saw and won" must not leave "he came , saw"."""
    head = parse.tokens[cc].head
    if head > cc or not parse.is_verb(head):
        return False
    if parse.tokens[head].dep == "conj":
        above = parse.tokens[head].head
        if not any(parse.tokens[k].dep == "cc" and k < head for k in parse.children(above)):
            return True
    return any(parse.tokens[k].dep == "conj" and k < cc and parse.is_verb(k) for k in parse.children(head)) and not any(
        parse.tokens[k].dep == "cc" and k < cc for k in parse.children(head)
    )


def problem_of(parse: Parse, cc: int, verb: int) -> Reason | None:
    """Says what is wrong with splitting here: the coordination stands below another clause, or loses a shared part."""
    head = parse.tokens[verb].head
    if parse.tokens[verb].dep == "conj" and head < cc and not parse.on_main_line(head):
        return Reason.WRONG_SCOPE
    if _ends_list(parse, cc):
        return Reason.LIST
    if cc > 0 and parse.lower[cc - 1] in ("either", "neither", "both", "not"):
        return Reason.DANGLING
    return None
