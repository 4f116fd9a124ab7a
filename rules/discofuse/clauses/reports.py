"""Whose words a half is: one that loses the tag of a report says as a fact what somebody said."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.parse import FINITE, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# Nouns of what somebody thinks.
_OPINIONS = frozenset(
    """
    theory view idea belief opinion argument claim hypothesis suggestion possibility assumption objection explanation
    interpretation proposal contention position thesis speculation
    """.split()
)
_COMPLEMENTS = frozenset(("ccomp", "dobj", "xcomp"))
# Their object is who hears it: "It is old , he told the press".
_TO_HEARERS = frozenset(("tell", "inform", "assure", "remind", "warn", "advise"))


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
    return DiscoFuseReason.NOT_ASSERTED if parted else None


def _tags(parse: Parse) -> Iterator[int]:
    """The verbs of saying that tell whose words stand before them or around them: "It is old , he said"."""
    for k, token in enumerate(parse.tokens):
        if token.tag not in FINITE or token.lemma not in REPORTING or parse.subject(k) is None:
            continue
        said = [c for c in parse.children(k) if parse.tokens[c].dep in _COMPLEMENTS]
        hearer = parse.child(k, "dobj") if token.lemma in _TO_HEARERS else None
        if any(c > k and c != hearer for c in said):
            continue
        if any(parse.tokens[c].dep == "ccomp" for c in said) or token.dep == "parataxis" and _follows_words(parse, k):
            yield k


def _follows_words(parse: Parse, tag: int) -> bool:
    """Whether something that is said stands before the tag."""
    start = parse.left_edge(tag)
    above = parse.tokens[tag].head
    return above < start or any(c < start and parse.tokens[c].dep not in ("punct", "cc") for c in parse.children(above))


def is_remark(parse: Parse, head: int, verb: int) -> bool:
    """Whether ", although" adds a remark by the author to what somebody says: "She claims that it is new , although it
    has rust".

    Where no "that" tells the two apart, the clause has to differ in tense as well: "Lee says it is new , although few
    are" may be Lee's as a whole.
    """
    at = head
    while parse.tokens[at].head != at and parse.tokens[at].dep != "ccomp":
        at = parse.tokens[at].head
    if parse.tokens[at].dep != "ccomp" or any(parse.lower[k] == "that" for k in parse.children(at) if k < at):
        return True
    return parse.past(head) != parse.past(verb)


def states_opinion(parse: Parse) -> bool:
    """Whether the sentence as a whole is what somebody says or thinks: "Lee argued that", "One theory is that"."""
    root = parse.root()
    if not any(root < k and parse.tokens[k].dep == "ccomp" for k in parse.children(root)):
        return False
    subject = parse.subject(root)
    theory = subject is not None and parse.tokens[root].lemma == "be" and parse.tokens[subject].lemma in _OPINIONS
    return theory or reports(parse)


def reports(parse: Parse) -> bool:
    """Whether the main verb is one of saying or thinking."""
    return parse.tokens[parse.root()].lemma in REPORTING
