"""Verb-phrase coordination: the second predicate gets the first one's subject (paper, Table 14, row 7)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.discofuse.coordination import conjunctions, joined_verbs, label, problem_of
from rules.discofuse.halves import Halves
from rules.discofuse.noun_phrases import core
from rules.discofuse.operations import delete, join, lowered, split
from rules.discofuse.parse import FINITE, Parse
from rules.discofuse.words import Words
from rules.verdict import Reason

_VERB_GROUP = frozenset(("aux", "auxpass", "neg", "advmod"))
_NEGATIONS = frozenset(("not", "n't", "never"))


@dataclass(frozen=True, slots=True)
class PredicateMatch:
    """The conjunction at ``cc`` joins the predicate of ``verb`` to that of ``head``."""

    cc: int
    verb: int
    head: int


def find(parse: Parse) -> PredicateMatch | None:
    """Finds a conjoined verb without a subject of its own; one that belongs to the main clause is preferred."""
    fallback = None
    for cc in conjunctions(parse):
        for verb in _candidates(parse, cc):
            if parse.subject(verb, after=cc) is not None:
                continue
            head = parse.tokens[verb].head
            if parse.on_main_line(head):
                return PredicateMatch(cc, verb, head)
            if fallback is None and parse.is_verb(_first_conjunct(parse, head)):
                fallback = PredicateMatch(cc, verb, head)
            break
    return fallback


def _candidates(parse: Parse, cc: int) -> list[int]:
    if parse.lower[cc] in ("so", "for"):
        return []
    return joined_verbs(parse, cc)


def _first_conjunct(parse: Parse, verb: int) -> int:
    while parse.tokens[verb].dep == "conj":
        verb = parse.tokens[verb].head
    return verb


def apply(parse: Parse, match: PredicateMatch) -> Halves:
    """Splits at the conjunction, and puts the subject and shared auxiliaries before the second predicate."""
    first, second = split(parse.words, match.cc)
    second = delete(second, 0, 1)
    subject = parse.shared_subject(match.head)
    problem = problem_of(parse, match.cc, match.verb) or _shared(parse, match)
    if subject is None or subject > match.cc or parse.tokens[subject].dep == "expl":
        problem = problem or Reason.NO_SUBJECT
    else:
        auxiliaries = _auxiliaries(parse, match)
        if auxiliaries is None:
            problem = problem or Reason.SHARED_PART
        second = _with_subject(parse, match, second, join(core(parse, subject, end=match.cc), auxiliaries or ()))
    return Halves(first=first, second=second, connective=label(parse, match.cc), boundary=match.cc + 1, problem=problem)


def _with_subject(parse: Parse, match: PredicateMatch, second: Words, subject: Words) -> Words:
    """Puts the subject before the predicate, behind a phrase that opens it: "and in 1839 led" -> "in 1839 he led"."""
    start = match.verb
    helpers = {k for k in parse.children(match.verb) if parse.tokens[k].dep in _VERB_GROUP}
    while start - 1 > match.cc and start - 1 in helpers:
        start -= 1
    fronted = [w for w in second if w.index < start]
    if not any(w.pos in ("ADP", "SCONJ", "NOUN", "PROPN", "NUM") for w in fronted):
        return join(subject, second)
    return join(fronted, lowered(subject), [w for w in second if w.index >= start])


def _auxiliaries(parse: Parse, match: PredicateMatch) -> Words | None:
    """Returns the auxiliaries that the second verb needs from the first; None when it cannot do with them."""
    token = parse.tokens[match.verb]
    own = [k for k in parse.auxiliaries(match.verb) if k > match.cc]
    if any(parse.tokens[k].tag == "TO" for k in own):
        return None
    if token.tag in FINITE or any(parse.tokens[k].tag in FINITE for k in own):
        return ()
    carrier = match.head
    while not parse.auxiliaries(carrier) and parse.tokens[carrier].dep == "conj":
        carrier = parse.tokens[carrier].head
    shared = [k for k in parse.auxiliaries(carrier) if k < match.cc and parse.tokens[k].tag != "TO"]
    if not shared:
        # "was closed ... and razed" has an auxiliary; "closed and raced" is a past tense read as a participle
        return () if token.tag == "VBN" and parse.tokens[carrier].tag == "VBD" and not own else None
    if any(parse.lower[k] in _NEGATIONS for k in parse.children(carrier) if k < carrier):
        return None
    words = parse.words
    return tuple(words[k]._replace(space=True) for k in shared)


def _shared(parse: Parse, match: PredicateMatch) -> Reason | None:
    """ "He wrote and produced the film": the first verb would lose its object."""
    before = match.cc - 1 - (parse.lower[match.cc - 1] == ",")
    if before != match.head and parse.tokens[before].dep != "prt":
        return None
    own = any(k > match.cc for k in parse.auxiliaries(match.verb))
    if own and parse.child(match.head, "auxpass") is not None:
        return None  # "was not imprisoned , but was fined": a passive lacks no object
    return Reason.SHARED_PART
