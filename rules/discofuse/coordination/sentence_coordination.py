"""Sentence coordination: a conjunction, then a clause with its own subject (paper, Table 14, row 6).

A second predicate with "be" and without a subject counts here too, as in the released data; it gets the subject of
the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.discofuse.checks import Halves
from gistmill.rules.discofuse.clauses import frames
from gistmill.rules.discofuse.coordination.conjunctions import (
    Conjunct,
    conjunctions,
    in_frame,
    joined_verbs,
    joins_phrases,
    label,
    subject_phrase,
    with_subject,
)
from gistmill.rules.discofuse.coordination.problems import has_mark, problem_of_clause, problem_of_conjunct
from gistmill.rules.discofuse.operations import delete, split
from gistmill.rules.discofuse.parse import AUXILIARIES, SUBJECTS, Parse

_JOINED = frozenset(("conj", "ROOT", "ccomp", "advcl", "dep"))
# How far from the conjunction the subject may stand: "but when he saw that ... , he".
_REACH = 14


def find(parse: Parse) -> Conjunct | None:
    """Finds the first conjunction that is followed by a clause of its own."""
    found = conjunctions(parse)
    return next(_matches(parse, found), None) or _fragment(parse, found)


def find_all(parse: Parse) -> Iterator[Conjunct]:
    """Finds every such conjunction."""
    return _matches(parse, conjunctions(parse))


def _matches(parse: Parse, found: Sequence[int]) -> Iterator[Conjunct]:
    for cc in found:
        match = _clause(parse, cc) or _copula(parse, cc)
        if match is not None:
            yield match


def _clause(parse: Parse, cc: int) -> Conjunct | None:
    for i in range(cc + 1, 1 if joins_phrases(parse, cc) else min(len(parse), cc + 1 + _REACH)):
        if parse.lower[i] in ("but", "yet", ";") and parse.tokens[i].dep in ("cc", "punct"):
            break
        if parse.tokens[i].dep not in SUBJECTS:
            continue
        verb = parse.tokens[i].head
        if parse.tokens[verb].dep in AUXILIARIES:
            verb = parse.tokens[verb].head  # "events are no longer observed" with the subject on "are"
        if verb > cc and parse.finite(verb) and _opens_clause(parse, verb, cc):
            return Conjunct(cc, verb, i)
    return None


def _opens_clause(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the verb's clause hangs directly on what stands before the conjunction (or is the root)."""
    token = parse.tokens[verb]
    if has_mark(parse, verb, cc):  # ", but only if he agreed" counts as a clause, "and that he agreed" does not
        return token.dep == "conj" and token.head < cc and parse.on_main_line(token.head)
    if token.head == verb or token.head < cc:
        return token.dep in _JOINED or (token.dep == "parataxis" and parse.lower[cc + 1] != ",")
    if token.dep not in ("ccomp", "advcl", "conj", "parataxis") or parse.tokens[token.head].dep != "ROOT":
        return False
    return verb < token.head and parse.subject(token.head, after=cc) is None


def _copula(parse: Parse, cc: int) -> Conjunct | None:
    for verb in joined_verbs(parse, cc):
        if (
            parse.lower[verb] in ("is", "was", "are", "were", "be", "been")
            and parse.tokens[verb].pos == "AUX"
            and parse.subject(verb, after=cc) is None
            and parse.child(verb, "attr", "acomp", "prep", "oprd", "advmod") is not None
        ):
            return Conjunct(cc, verb)
    return None


def _fragment(parse: Parse, found: list[int]) -> Conjunct | None:
    """ ", but only if ..." and the like: a "but" after a comma with nothing that it joins."""
    for cc in found:
        if parse.lower[cc] == "but" and parse.lower[cc - 1] == "," and not joined_verbs(parse, cc):
            return Conjunct(cc, cc + 1)
    return None


def apply(parse: Parse, match: Conjunct) -> Halves:
    """Splits at the conjunction and deletes it; a shared subject is copied, and a frame that holds for both."""
    first, second = split(parse.words, match.cc)
    second = delete(second, 0, 1)
    problem = problem_of_conjunct(parse, match) or problem_of_clause(parse, match)
    shared = parse.shared_subject(match.verb) if match.subject is None else None
    if shared is not None and shared < match.cc:
        phrase = subject_phrase(parse, shared, match.cc, match.verb)
        second = with_subject(parse, second, phrase, verb=match.verb, cc=match.cc)
    head = parse.tokens[match.verb].head
    if head < match.cc:
        bare = second
        second = in_frame(parse, second, match, first=head)
        framed = second is not bare
        problem = problem or frames.problem_of_clause(parse, head, match.verb, match.cc, framed=framed)
    return Halves(first=first, second=second, connective=label(parse, match.cc), boundary=match.cc + 1, problem=problem)
