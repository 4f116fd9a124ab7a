"""Whose words a half is: one that loses the tag or the source of a report says as a fact what somebody said."""

from __future__ import annotations

from collections.abc import Iterator

from rules.discofuse.assertion import REPORTING
from rules.discofuse.halves import Halves
from rules.discofuse.parse import FINITE, Parse
from rules.discofuse.reasons import DiscoFuseReason
from rules.verdict import Reason

_COMPLEMENTS = frozenset(("ccomp", "dobj", "xcomp"))


def problem_of(parse: Parse, halves: Halves, *, inserted: bool) -> Reason | None:
    """Returns the reason for which a half has lost the one whose words it is, or None.

    Args:
        parse: the sentence.
        halves: what a rule cut it into.
        inserted: whether the second half was an insertion, a relative clause or an apposition. Those are mostly added
            by the author, but not inside a quotation.
    """
    if inserted:
        # also where all is quoted: the marks stay with the first half, and the second speaks for the author
        return DiscoFuseReason.NOT_ASSERTED if parse.in_quotation(halves.boundary) else None
    first, second = ({w.position for w in half} for half in (halves.first, halves.second))
    parted = any((k in first) != (k in second) for k in _tags(parse))
    source = _source(parse)
    if parted or source is not None and not (source in first and source in second):
        return DiscoFuseReason.NOT_ASSERTED
    return None


def _tags(parse: Parse) -> Iterator[int]:
    """The verbs of saying that tell whose words stand before them or around them: "It is old , he said"."""
    for k, token in enumerate(parse.tokens):
        if token.tag not in FINITE or token.lemma not in REPORTING:
            continue
        if _is_loose(parse, k):
            yield k
        if parse.subject(k) is None:
            continue
        said = [c for c in parse.children(k) if parse.tokens[c].dep in _COMPLEMENTS]
        if any(c > k for c in said):
            continue
        if any(parse.tokens[c].dep == "ccomp" for c in said) or token.dep == "parataxis" and _follows_words(parse, k):
            yield k


def _is_loose(parse: Parse, verb: int) -> bool:
    """Whether the verb ends a row of clauses without a conjunction, and so is a tag: "It is old , Lee , a clerk , told
    us"."""
    before = parse.lower[parse.left_edge(verb) - 1]
    last = parse.tokens[verb].dep == "conj" and parse.child(verb, "cc", "conj") is None
    return last and before == "," and parse.right_edge(verb) >= len(parse) - 2


def _follows_words(parse: Parse, tag: int) -> bool:
    """Whether something that is said stands before the tag."""
    start = parse.left_edge(tag)
    above = parse.tokens[tag].head
    return above < start or any(c < start and parse.tokens[c].dep not in ("punct", "cc") for c in parse.children(above))


def _source(parse: Parse) -> int | None:
    """The "according" of a source before the subject, which holds to the end of the sentence."""
    if "according" not in parse.lower:
        return None
    k = parse.lower.index("according")
    subject = parse.subject(parse.root())
    before = subject is not None and k < parse.left_edge(subject)
    return k if before and parse.lower[k + 1] == "to" and parse.on_main_line(parse.tokens[k].head) else None
