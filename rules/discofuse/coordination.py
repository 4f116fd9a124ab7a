"""Conjunctions and the parts that they join, for sentence coordination and verb-phrase coordination."""

from __future__ import annotations

from rules.discofuse.connectives import CONJUNCTIONS
from rules.discofuse.operations import join, lowered
from rules.discofuse.parse import NOMINAL, Parse
from rules.discofuse.reasons import DiscoFuseReason
from rules.discofuse.words import Words
from rules.verdict import Reason

_WORDS = {c.words[0]: c for c in CONJUNCTIONS}
_VERB_GROUP = frozenset(("aux", "auxpass", "neg", "advmod"))
_SAYING = frozenset("say write state argue claim note explain add think believe recall report".split())
_CORRELATIVE = {"or": ("either", "whether"), "nor": ("neither",), "and": ("both",), "but": ()}
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


def crossings(parse: Parse, end: int, start: int) -> int:
    """Counts the arcs between words [0, end) and [start, ...): a clean cut severs one, that of the second clause."""
    count = 0
    for i, token in enumerate(parse.tokens):
        crosses = token.head >= start if i < end else i >= start and token.head < end
        if crosses and token.dep not in ("punct", "cc", "mark", "preconj") and token.pos != "PUNCT":
            count += 1
    return count


def with_subject(parse: Parse, second: Words, subject: Words, *, verb: int, cc: int) -> Words:
    """Puts the subject before the predicate, behind a phrase that opens it: "and in 1839 led" -> "in 1839 he led"."""
    start = verb
    helpers = {k for k in parse.children(verb) if parse.tokens[k].dep in _VERB_GROUP}
    while start - 1 > cc and start - 1 in helpers:
        start -= 1
    fronted = [w for w in second if w.position < start]
    if not any(w.pos in ("ADP", "SCONJ", "NOUN", "PROPN", "NUM") for w in fronted):
        return join(subject, second)
    return join(fronted, lowered(subject), [w for w in second if w.position >= start])


def _lists_clauses(parse: Parse, cc: int) -> bool:
    """Whether what stands before the conjunction holds clauses that only a comma joins: "he came , she went and"."""
    for i in range(cc):
        token = parse.tokens[i]
        if (
            token.dep in ("ccomp", "parataxis", "conj")
            and token.pos in ("VERB", "AUX")
            and parse.subject(i) is not None
            and (token.head < cc or parse.tokens[token.head].dep == "ROOT" and i < token.head)
        ):
            first, last = min(i, token.head), max(i, token.head)
            if last > cc:
                continue
            between = parse.lower[first + 1 : last]
            joined = parse.child(i, "mark") is not None or any(
                w in _WORDS or w in (";", ":", '"', "``", "''", "that") for w in between
            )
            if "," in between and not joined and parse.tokens[last].lemma not in _SAYING:
                return True
    return False


def _has_correlative(parse: Parse, cc: int) -> bool:
    """Whether a word before the conjunction goes with it: "either ... or", "not only ... but"."""
    lower = parse.lower
    for k in range(cc - 1, -1, -1):
        if lower[k] in _WORDS and lower[k] == lower[cc]:
            return False
        if lower[k] in _CORRELATIVE.get(lower[cc], ()) and (lower[k] != "both" or parse.tokens[k].dep == "preconj"):
            return True
        if lower[k] == "only" and k and lower[k - 1] in ("not", "n't") or parse.tokens[k].dep == "preconj":
            return True
    return False


def problem_of(parse: Parse, cc: int, verb: int) -> Reason | None:
    """Returns the reason against a split here: the coordination stands below another clause, or loses a shared part."""
    head = parse.tokens[verb].head
    if parse.tokens[verb].dep == "conj" and head < cc and not parse.on_main_line(head):
        return DiscoFuseReason.WRONG_SCOPE
    if _ends_list(parse, cc) or _lists_clauses(parse, cc):
        return DiscoFuseReason.LIST
    if crossings(parse, cc, cc + 1) > 1:
        return DiscoFuseReason.WRONG_SCOPE
    if _has_correlative(parse, cc):
        return DiscoFuseReason.DANGLING
    if cc > 0 and parse.lower[cc - 1] in ("either", "neither", "both", "not"):
        return DiscoFuseReason.DANGLING
    return None
