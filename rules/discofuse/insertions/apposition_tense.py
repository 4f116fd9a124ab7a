"""The tense of the sentence that an apposition makes, and where no tense is sure."""

from __future__ import annotations

from gistmill.rules.discofuse.insertions.lasting import NO_MORE, is_home, lasts, may_last
from gistmill.rules.discofuse.insertions.text_time import is_of_today, is_old
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.nouns.referent_kinds import TRANSPARENT
from gistmill.rules.discofuse.parse import Parse

# The object of these loses its office, or leaves one for another.
_OF_CHANGE = frozenset(
    """
    appoint depose dethrone dismiss fire hire lure name oust outbid overthrow poach recruit remove replace retire sack
    succeed suspend topple unseat
    """.split()
)
_NAMING = frozenset(("name", "rename", "call", "christen"))
_HONORS = frozenset(("honor", "honour", "memory"))


def is_past(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether the new sentence is in the past.

    It is as the clause of the antecedent, unless the apposition has a clause in the present ("a role it still holds"),
    or says what lasts: what a place or a work is ("Ireland , a nation of"), and what holds while the text is written. A
    person after whom something is called was what he was.
    """
    if _is_told_in_present(parse, head):
        return False
    verb = _verb_above(parse, antecedent)
    if _is_namesake(parse, antecedent):
        return True
    return _tells_of_past(parse, verb) and not (
        lasts(parse, antecedent, head) or is_of_today(parse, antecedent, verb) and not is_old(parse)
    )


def tense_is_open(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether neither tense is sure.

    So it is where a thing of the past may be what it was ("Acme , a bank , moved"), where the text tells of the past
    and the present, where the apposition holds at a date that the new sentence is not about ("is a strong state in
    2008"), where it may end by what the clause tells ("They hire Lee , the firm's head"), and where it is a home, which
    passes to others.
    """
    if is_home(parse, antecedent, head):
        return True
    if is_past(parse, antecedent, head):
        if may_last(parse, antecedent, head) or _is_out_of_office(parse, head):
            return True
        return not is_old(parse) and _is_told_beside_present(parse, antecedent)
    verb = parse.tokens[antecedent].head
    if parse.tokens[antecedent].dep in ("dobj", "nsubjpass") and parse.tokens[verb].lemma in _OF_CHANGE:
        return is_personal(parse, antecedent) and parse.lower[parse.left_edge(head)] not in ("a", "an")
    for k in (head, *(j for j in parse.children(head) if parse.tokens[j].dep == "conj")):
        for preposition in parse.children(k):
            year = parse.child(preposition, "pobj")
            if parse.lower[preposition] == "in" and year is not None and parse.tokens[year].entity == "B-DATE":
                return parse.lower[year].isdigit()
    return False


def _is_namesake(parse: Parse, antecedent: int) -> bool:
    """Whether something is called after the person: "It is named after Lee", "named in honor of Lee"."""
    preposition = parse.tokens[antecedent].head
    honor = parse.tokens[preposition].head
    honored = parse.lower[preposition] == "of" and parse.tokens[honor].lemma in _HONORS
    preposition = parse.tokens[honor].head if honored else preposition
    verb = parse.tokens[preposition].head
    return (
        parse.tokens[antecedent].dep == "pobj"
        and parse.lower[preposition] in (("in",) if honored else ("after", "for"))
        and parse.tokens[verb].lemma in _NAMING
        and is_personal(parse, antecedent)
    )


def _tells_of_past(parse: Parse, verb: int) -> bool:
    """Whether a clause tells of the past; one with "should" or "must" does as the clause above it: "ruled that Lee , a
    judge , should go"."""
    modal = any(parse.lower[k] in ("should", "must") for k in parse.auxiliaries(verb))
    above = parse.tokens[verb].head
    if modal and parse.tokens[verb].dep == "ccomp" and above != verb and parse.finite(above):
        return parse.past(above)
    return parse.tells_of_past(verb)


def _is_told_beside_present(parse: Parse, antecedent: int) -> bool:
    """Whether the text tells of the present too: in a main clause beside that of the antecedent ("Orbit , its carrier ,
    sent food , and a ship is due"), or above it ("The question is whether Trump met Biden , his rival")."""
    verb = _verb_above(parse, antecedent)
    near = [k for k in parse.children(verb) if parse.tokens[k].dep == "conj"]
    if parse.tokens[verb].dep == "conj":
        near.append(parse.tokens[verb].head)
    if any(parse.subject(k) is not None and parse.finite(k) and not parse.past(k) for k in near):
        return True
    root = parse.root()
    at = verb
    while parse.tokens[at].head != at and parse.tokens[at].dep != "ccomp":
        at = parse.tokens[at].head
    return at != root and parse.tokens[at].dep == "ccomp" and parse.finite(root) and not parse.past(root)


def _is_told_in_present(parse: Parse, head: int) -> bool:
    """Whether a clause of the apposition is in the present; one behind "part of the brain" is about the part."""
    nouns = [head]
    if parse.tokens[head].lemma in TRANSPARENT:
        nouns += [j for k in parse.children(head) if parse.lower[k] == "of" for j in parse.children(k)]
    clauses = [k for noun in nouns for k in parse.children(noun) if parse.tokens[k].dep == "relcl"]
    # "an alias used by men who hide": what is so of them is so of it
    told = (k for noun in nouns for k in parse.children(noun) if parse.tokens[k].dep == "acl")
    clauses += [j for k in told for j in parse.subtree(k) if parse.tokens[j].dep == "relcl"]
    return any(parse.finite(k) and not parse.past(k) for k in clauses)


def _is_out_of_office(parse: Parse, head: int) -> bool:
    """Whether somebody is called by what he was before, which "was the former captain" puts one step further back."""
    before = {parse.lower[k] for k in parse.children(head) if k < head}
    return "the" in before and not NO_MORE.isdisjoint(before)


def _verb_above(parse: Parse, noun: int) -> int:
    """Returns the finite verb of the clause that the noun stands in."""
    at = noun
    while parse.tokens[at].head != at:
        at = parse.tokens[at].head
        if parse.is_verb(at) and parse.finite(at):
            return at
    return parse.root()
