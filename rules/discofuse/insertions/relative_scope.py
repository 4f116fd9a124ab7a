"""Relative clauses that are in somebody's words, or about less, more or another than the noun before their comma."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, may_be_person
from gistmill.rules.discofuse.parse import NOUNS, QUOTES, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# A clause behind one of these nouns is what somebody says or thinks.
_REPORTS = frozenset(
    """
    report claim belief idea rumor rumour allegation suggestion theory fear hope view statement assertion argument hint
    story warning hypothesis speculation suspicion opinion notion
    """.split()
)
_DOMAINS = frozenset(
    """
    art astrology cartoon comic fable fiction film folklore game heraldry iconography legend literature lore myth
    mythology novel poetry religion scripture story symbolism tale theology tradition
    """.split()
)
_HINTING = frozenset("suggest indicate imply hint".split()) | REPORTING


def problem_of_scope(parse: Parse, noun: int, verb: int, opening: int, closing: int) -> Reason | None:
    """Returns the reason against a clause that its place in the sentence makes doubtful, or None.

    Args:
        parse: the sentence.
        noun: the head of the antecedent.
        verb: the clause's verb.
        opening, closing: the commas around the clause.
    """
    if _ends_report(parse, noun, opening) or _is_in_domain(parse, noun, verb):
        return DiscoFuseReason.NOT_ASSERTED
    if _has_inner_noun(parse, noun, verb, opening) or _is_description(parse, noun) or _is_of_two(parse, noun, opening):
        return DiscoFuseReason.AMBIGUOUS
    return None


def _ends_report(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the clause ends what somebody says or thinks, and may be told by them: "He said that he met Lee , who was
    ill", "reports that a ship had left Ulm , which". In the subject of what is said the author adds it: "He said that
    Lee , who was ill , had left"."""
    at = noun
    while parse.tokens[at].head != at:
        token = parse.tokens[at]
        above = token.head
        if token.dep in SUBJECTS and at < above:
            return False
        if token.dep == "ccomp" and parse.tokens[above].lemma in _HINTING and above < at:
            return parse.right_edge(at) >= opening
        if token.dep in ("acl", "ccomp", "relcl") and parse.tokens[above].lemma.lower() in _REPORTS:
            mark = parse.child(at, "mark")
            if mark is not None and parse.lower[mark] == "that":
                return True
        at = above
    return False


def _is_in_domain(parse: Parse, noun: int, verb: int) -> bool:
    """Whether the sentence opens with a domain, in which the clause, about another thing than the subject, may hold
    too: "In folklore the elder is known by its leaves , which are red"."""
    if parse.lower[0] != "in" or parse.past(verb):
        return False
    domain = parse.child(0, "pobj")
    return domain is not None and domain < noun and parse.tokens[domain].lemma.lower() in _DOMAINS


def _has_inner_noun(parse: Parse, noun: int, verb: int, opening: int) -> bool:
    """Whether a clause in the antecedent's phrase ends in a noun that may be meant as well: "the day when we played
    Snap , which was a game"."""
    if parse.lower[opening - 1] in QUOTES:
        return False
    clauses = [
        k for k in parse.children(noun) if noun < k < opening and parse.tokens[k].dep in ("relcl", "acl") and k != verb
    ]
    personal = parse.lower[opening + 1] in ("who", "whom")
    plural = is_plural(parse, noun)
    for clause in clauses:
        for k in parse.subtree(clause):
            if not clause < k < opening or parse.tokens[k].pos not in NOUNS:
                continue
            if parse.tokens[k].dep not in ("dobj", "pobj", "conj") or parse.tokens[k].entity.endswith(("DATE", "TIME")):
                continue
            meant = may_be_person(parse, k) if personal else not is_personal(parse, k)
            if meant and (parse.number(verb) is None or is_plural(parse, k) == plural):
                return True
    return False


def _is_description(parse: Parse, noun: int) -> bool:
    """Whether the noun only says who the one named before it is, of whom the clause tells: "Lee , his son , who"."""
    token = parse.tokens[noun]
    return (
        token.dep == "appos"
        and token.pos == "NOUN"
        and token.head < noun
        and parse.tokens[token.head].pos == "PROPN"
        and is_personal(parse, token.head)
    )


def _is_of_two(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the clause is of "both", and its noun not of two: "met Ann and the clerks Bo and Lee , who both left"."""
    if parse.lower[opening + 2] != "both":
        return False
    joined, todo = 0, [noun]
    while todo:
        found = [k for k in parse.children(todo.pop()) if parse.tokens[k].dep in ("conj", "appos") and k < opening]
        joined += len(found)
        todo += found
    return joined > 1
