"""What a second clause leaves out because the first one says it: the frame that a general statement needs, the noun of
"those"."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.frames import frame
from gistmill.rules.discofuse.clauses.own_frames import has_own_frame
from gistmill.rules.discofuse.clauses.verb_ellipsis import is_elliptical
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

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


def problem_of_clause(parse: Parse, first: int, second: int, cc: int, *, framed: bool) -> Reason | None:
    """Returns the reason against a second clause that cannot do without the first one.

    Args:
        parse: the sentence.
        first, second: the verbs of the two clauses.
        cc: the last word of the conjunction.
        framed: whether the second clause has got the frame of the first.
    """
    if framed and any(w.tag == "PRP$" for w in frame(parse, first)):
        return DiscoFuseReason.AMBIGUOUS  # "In her years there , Ada grew and Bea learnt": whose years
    if parse.tokens[second].lemma == "do" and is_elliptical(parse, second):
        return DiscoFuseReason.SHARED_PART  # "Men need air , while stones do not"
    subject = parse.subject(second, after=cc)
    if subject is not None and (_lacks_noun(parse, subject) or _is_told_apart(parse, subject)):
        return DiscoFuseReason.SHARED_PART
    left = not framed and (_needs_frame(parse, first, second, cc) or _is_one_of_frames(parse, first))
    return DiscoFuseReason.SHARED_PART if left else None


def _lacks_noun(parse: Parse, subject: int) -> bool:
    """Whether an owner stands for what is owned: "Ada 's crew was old , while Bea 's was young"."""
    marks = [k for k in parse.children(subject) if parse.tokens[k].tag == "POS"]
    return any(k + 1 == len(parse) or parse.is_verb(k + 1) for k in marks)


def _is_told_apart(parse: Parse, subject: int) -> bool:
    """Whether the subject is "those in the north", of which only the first clause says what they are."""
    return parse.lower[subject] in _DEMONSTRATIVES and any(
        k > subject and parse.tokens[k].dep == "prep" for k in parse.children(subject)
    )


def _needs_frame(parse: Parse, first: int, second: int, cc: int) -> bool:
    """Whether a statement on things in general is true only in the place or period that the first clause opens with:
    "In Kent , wool was dear , but farms closed"."""
    subject = parse.subject(second, after=cc)
    if subject is None or not _is_general(parse, subject) or not _is_framed(parse, first):
        return False
    return parse.past(first) == parse.past(second) and not has_own_frame(parse, second, cc)


def _is_one_of_frames(parse: Parse, verb: int) -> bool:
    """Whether the first clause stands in a frame that is in contrast to one before: "In the film she wins , but in the
    book she loses , because she is ill"."""
    above = parse.tokens[verb].head
    joined = parse.tokens[verb].dep == "conj" and above < verb
    return joined and bool(frame(parse, verb)) and bool(frame(parse, above))


def _is_general(parse: Parse, noun: int) -> bool:
    """Whether a noun means things of a kind, or a share of them, that no text has named: "most farms"."""
    token = parse.tokens[noun]
    return token.tag == "NNS" and not any(
        parse.tokens[k].dep in ("poss", "nummod") or parse.lower[k] in _KNOWN for k in parse.subtree(noun) if k <= noun
    )


def _is_framed(parse: Parse, verb: int) -> bool:
    """Whether the clause opens with a place or period, before its subject and a comma."""
    subject = parse.subject(verb)
    if subject is None:
        return False
    end = parse.left_edge(subject)
    start = max((k + 1 for k in range(end) if parse.lower[k] == ";"), default=0)
    opening = parse.tokens[start]
    return parse.lower[start] in _FRAMING and opening.head == verb and opening.dep in ("prep", "advmod")
