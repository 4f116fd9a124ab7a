"""Inner connective: "A because B" (paper, Table 14, row 4). Only B may stand between it and the sentence's end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses import ellipses
from gistmill.rules.discofuse.clauses.assertion import in_report, is_purpose
from gistmill.rules.discofuse.clauses.conditions import under_condition
from gistmill.rules.discofuse.clauses.frames import SOURCES, shared_frame, within
from gistmill.rules.discofuse.clauses.reports import is_remark
from gistmill.rules.discofuse.connectives import INNER, MODIFIERS, by_first_word, match_at
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.operations import delete, split, trim
from gistmill.rules.discofuse.parse import NOMINAL, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Words

_TABLE = by_first_word(INNER)
# Every connective has one of these.
_KEYWORDS = frozenset(next(w for w in c.words if w not in ("and", "now", "so") or len(c.words) == 1) for c in INNER)
_STOPS = frozenset((",", ";", ":", "(", ")", "--"))
# A colon before this position closes the name of a speaker.
_LABEL = 4
_CONTRASTS = frozenset(("while", "whereas"))
# Before "unless" these make the first part say that something never is so.
_DENIALS = frozenset(
    """
    not n't never no nobody nothing none neither nor hardly rarely seldom cannot without
    refuse decline forbid prohibit ban prevent
    """.split()
)
# What these verbs have for their clause is only a sign of it, or a guess.
_SIGNS = frozenset(
    """
    indicate imply hint rumor rumour calculate caution conjecture figure forecast infer opine presume reckon surmise
    """.split()
)
# Nouns of what is told: "Rumours spread that".
_TALES = frozenset("rumor rumour report allegation accusation suspicion speculation gossip legend myth story".split())
_MINIMUM_FIRST, _MINIMUM_SECOND = 4, 3


@dataclass(frozen=True, slots=True)
class InnerMatch:
    """The connective is words [start, end); ``comma`` says whether one stands before it, ``whole`` that its clause is
    all that follows, whatever punctuation it has."""

    start: int
    end: int
    comma: bool
    text: str
    whole: bool = False


def find(parse: Parse) -> InnerMatch | None:
    """Finds the first connective without a comma, semicolon, colon or bracket between it and the end."""
    lower = parse.lower
    last_stop = max((i for i in range(len(lower) - 1) if lower[i] in _STOPS), default=-1)
    return next(_matches(parse, max(1, last_stop + 1)), None)


def find_all(parse: Parse) -> Iterator[InnerMatch]:
    """Finds every connective whose clause, by the parse, is all that follows."""
    for match in _matches(parse, 1, any_comma=True):
        verb = _clause(parse, match)
        if verb is not None and parse.right_edge(verb) >= len(parse) - 2:
            if match.text == "meaning" and parse.lower[match.end] == "that":
                match = replace(match, end=match.end + 1, text="meaning that")
            yield replace(match, whole=True)


def _clause(parse: Parse, match: InnerMatch) -> int | None:
    """Returns the verb of the clause that the connective opens; None if it opens none, or one of another kind."""
    last = match.end - 1
    token = parse.tokens[last]
    if token.dep == "mark":
        return token.head if parse.tokens[token.head].head < last else None
    if match.text == "meaning":
        # ", meaning (that) nobody came", not "a word meaning house"
        said = parse.child(last, "ccomp") if match.comma and token.dep == "advcl" and token.head < match.start else None
        return said if said is not None and _opens_clause(parse, said, match.end) else None
    if match.text == "hence" and token.dep == "advmod" and token.head > last:
        verb = token.head
        joined = parse.tokens[verb].dep in ("conj", "advcl", "ccomp", "parataxis", "ROOT")
        return verb if joined and _opens_clause(parse, verb, match.end) else None
    return None


def _opens_clause(parse: Parse, verb: int, start: int) -> bool:
    """Whether the subject of a finite verb stands at ``start`` (or behind "that")."""
    subject = parse.subject(verb, after=start - 1)
    if subject is None or not parse.finite(verb):
        return False
    return parse.left_edge(subject) in (start, start + (parse.lower[start] == "that"))


def _matches(parse: Parse, start: int, *, any_comma: bool = False) -> Iterator[InnerMatch]:
    """Yields the connectives from ``start`` on; ``any_comma``: also where the paper's list has none before them."""
    lower = parse.lower
    if _KEYWORDS.isdisjoint(lower):
        return
    for i in range(start, len(lower) - _MINIMUM_SECOND):
        if lower[i] not in _TABLE:
            continue
        connective = match_at(_TABLE, lower, i)
        if connective is None:
            continue
        end, comma = i + len(connective.words), lower[i - 1] == ","
        if lower[end] == "of" or not comma and not connective.bare or comma and not (connective.comma or any_comma):
            continue
        if i - comma >= _MINIMUM_FIRST and len(lower) - 1 - end >= _MINIMUM_SECOND:
            yield InnerMatch(i, end, comma, connective.text)


def apply(parse: Parse, match: InnerMatch) -> Halves:
    """Splits before the connective, deletes it, trims the second half at its first punctuation mark."""
    first, second = split(parse.words, match.start)
    second = delete(second, 0, match.end - match.start)
    if not match.whole:
        second = trim(second)
    bare = second
    second = _in_frame(parse, second, match)
    problem = _problem(parse, match) or _problem_of_clause(parse, match, framed=second is not bare)
    connective = f", {match.text}" if match.comma else match.text
    return Halves(first=first, second=second, connective=connective, boundary=match.end, problem=problem)


def _problem_of_clause(parse: Parse, match: InnerMatch, *, framed: bool) -> Reason | None:
    """The reason against what the clause leaves out, or against the row of clauses that it closes."""
    verb = _clause(parse, match)
    if verb is None or not parse.finite(verb):
        return None
    first, last = parse.tokens[verb].head, match.end - 1
    if first >= match.start:
        return None
    if _closes_row(parse, first):
        return DiscoFuseReason.LIST
    return ellipses.problem_of_clause(parse, first, verb, last, framed=framed)


def _closes_row(parse: Parse, verb: int) -> bool:
    """Whether a comma alone joins the clause of ``verb`` to one before it, so that what follows is the last of a row:
    "Some sing , others dance , while"."""
    token = parse.tokens[verb]
    if token.dep != "conj" or token.head > verb or parse.subject(verb) is None or not parse.is_verb(token.head):
        return False
    start = next(k for k in range(parse.left_edge(verb), verb + 1) if parse.tokens[k].pos != "PUNCT")
    joined = any(parse.tokens[k].dep == "cc" for k in parse.children(token.head) if k < start)
    return not joined and parse.lower[start - 1] == ","


def _in_frame(parse: Parse, second: Words, match: InnerMatch) -> Words:
    """Puts the frame of the first clause before one that contrasts with it ("In odd years , A while B"), and the source
    of both before any."""
    contrast = match.text in _CONTRASTS
    verb = _clause(parse, match) if contrast or parse.lower[0] in SOURCES else None
    if verb is None or not parse.finite(verb):
        return second
    first = parse.tokens[verb].head
    return within(shared_frame(parse, first, verb, match.end - 1, own_subject=True, contrast=contrast), second)


def _goes_on(parse: Parse, match: InnerMatch, verb: int) -> bool:
    """Whether what follows the clause may not be its own: a second predicate behind a comma ("because he fell , and
    went home"), or the same connective again ("Ada because she was old and Bea because of her youth")."""
    word = parse.lower[match.end - 1]
    for k in parse.children(verb):
        if k < verb or parse.tokens[k].dep not in ("conj", "prep", "advcl"):
            continue
        if word in parse.lower[match.end : parse.right_edge(k) + 1] and match.text == "because":
            return True
        joint = max((c for c in parse.children(verb) if c < k and parse.tokens[c].dep == "cc"), default=0)
        apart = joint > verb and parse.lower[joint - 1] == "," and not match.comma
        if apart and parse.is_verb(k) and parse.subject(k) is None:
            return True
        if apart and parse.tokens[k].dep == "conj" and parse.tokens[k].pos in NOMINAL:
            return True  # no verb is joined to a noun: "kills her husband because he left , and Cassandra"
    return False


def _is_told(parse: Parse, verb: int) -> bool:
    """Whether the clause of ``verb`` is what signs or tales say: "Tests indicate that it is old , meaning that", "A
    rumour spread that he left because"."""
    at = verb
    while parse.tokens[at].head != at:
        above = parse.tokens[at].head
        if parse.tokens[at].dep in ("ccomp", "acl") and above < at:
            subject = parse.subject(above)
            tale = subject is not None and subject < at and parse.tokens[subject].lemma.lower() in _TALES
            told = parse.tokens[above].lemma.lower()
            if tale or told in _SIGNS or parse.tokens[at].dep == "acl" and told in _TALES:
                return True
        at = above
    return False


def _problem(parse: Parse, match: InnerMatch) -> Reason | None:
    before = match.start - 1 - match.comma
    if parse.lower[before] in MODIFIERS:
        return DiscoFuseReason.DANGLING
    much = parse.lower[before] == "much"
    if match.text == "so that" and (much or parse.tokens[before].tag == "VBN" and not match.comma):
        return DiscoFuseReason.DANGLING  # "was designed so that it could turn", "so much so that"
    if ":" in parse.lower[: min(_LABEL, match.start)]:
        return DiscoFuseReason.NOT_ASSERTED  # "Rick : We won because ..."
    if match.text == "unless" and not _DENIALS.isdisjoint(t.lemma.lower() for t in parse.tokens[: before + 1]):
        return DiscoFuseReason.NOT_ASSERTED  # "It does not open unless we pay": without the condition it never does
    verb = _clause(parse, match)
    if verb is None or not parse.finite(verb):
        return None
    if match.whole and _is_told(parse, parse.tokens[verb].head):
        return DiscoFuseReason.NOT_ASSERTED
    focus = parse.tokens[before]
    if focus.dep == "advmod" and focus.head == verb:
        return DiscoFuseReason.DANGLING  # "sold it specifically because"
    if parse.lower[before - 1] == "so" and focus.tag == "VBN" and parse.tokens[before - 1].head == before:
        return DiscoFuseReason.DANGLING  # "is so called because"
    if under_condition(parse, match.start, verb):
        return DiscoFuseReason.NOT_ASSERTED
    if _goes_on(parse, match, verb):
        return DiscoFuseReason.SHARED_PART
    if match.text == "so that" and is_purpose(parse, verb, comma=match.comma):
        return DiscoFuseReason.NOT_ASSERTED
    # the clause must hang on the main line, or the first half loses what it was about
    head = parse.tokens[verb].head
    if head >= match.start:
        return None
    remark = match.comma and match.text.endswith("although") and is_remark(parse, head, verb)
    if not remark and in_report(parse, head):
        return DiscoFuseReason.NOT_ASSERTED
    if not parse.is_verb(head):
        return None
    if match.text == "because" and not match.comma and parse.child(head, "neg") is not None:
        return DiscoFuseReason.NOT_ASSERTED  # "It is not dry because it is old"
    return None if parse.on_main_line(head) or parse.tokens[head].dep == "ccomp" else DiscoFuseReason.WRONG_SCOPE
