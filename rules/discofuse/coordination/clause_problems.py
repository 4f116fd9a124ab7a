"""Why a clause behind a conjunction cannot be split off: whose subject and verb it has, and what it shares."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.coordination import copied_subjects
from gistmill.rules.discofuse.coordination.conjunctions import Conjunct
from gistmill.rules.discofuse.parse import SUBJECTS, Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R

_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp", "oprd")
# Verbs that take a year for a subject.
_OF_YEARS = frozenset(("see", "witness", "mark", "bring"))


@dataclass(frozen=True, slots=True)
class OwnClause:
    """A second clause that has a subject of its own."""

    cc: int
    verb: int
    subject: int


def problem_of_clause(parse: Parse, part: Conjunct) -> Reason | None:
    """Returns the reason against the subject of the second clause."""
    if part.subject is not None:
        return first_reason(CHECKS, parse, OwnClause(part.cc, part.verb, part.subject))
    shared = parse.shared_subject(part.verb)
    return R.NO_SUBJECT if shared is None or shared > part.cc else first_reason(copied_subjects.CHECKS, parse, shared)


def has_mark(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the clause of the verb has a subordinator behind the conjunction: "if", "that"."""
    return any(k > cc and parse.tokens[k].dep == "mark" for k in parse.children(verb))


def _is_subordinate(parse: Parse, clause: OwnClause) -> bool:
    return has_mark(parse, clause.verb, clause.cc)


def _is_relative(parse: Parse, clause: OwnClause) -> bool:
    """Whether the subject is a relative pronoun, or has one in it: "none of which", or is "that" for a second time."""
    before = parse.tokens[: clause.cc] if parse.lower[clause.subject] == "that" else ()
    again = any(token.text == "that" and token.tag == "WDT" for token in before)
    return again or any(
        parse.tokens[k].tag in ("WDT", "WP", "WP$") for k in parse.subtree(clause.subject) if k > clause.cc
    )


def _is_mixed(parse: Parse, clause: OwnClause) -> bool:
    """Whether something between the conjunction and the subject does not belong to the second clause."""
    for i in range(clause.cc + 1, clause.subject):
        last = next((k for k in (i, *parse.ancestors(i)) if k <= clause.cc or k == clause.verb), clause.verb)
        if last <= clause.cc and parse.tokens[i].pos != "PUNCT":
            return True
    return False


def _is_adverbial(parse: Parse, clause: OwnClause) -> bool:
    """Whether the subject is one by mistake: the object of a preposition, a date, or one of two."""
    before = parse.left_edge(clause.subject) - 1
    if parse.tokens[before].pos == "ADP" and parse.lower[before] != "but":
        return True
    if parse.tokens[clause.subject].entity.endswith("-DATE") and parse.tokens[clause.verb].lemma not in _OF_YEARS:
        return parse.child(clause.verb, "dobj") is not None
    inside = range(clause.cc + 1, clause.verb)
    return sum(parse.tokens[k].dep in SUBJECTS for k in parse.children(clause.verb) if k in inside) > 1


def _is_inverted(parse: Parse, clause: OwnClause) -> bool:
    if clause.verb == clause.cc + 1 and clause.verb < clause.subject:
        return True
    return any(clause.cc < k < clause.subject for k in parse.auxiliaries(clause.verb))


def _shares_auxiliary(parse: Parse, clause: OwnClause) -> bool:
    """Whether the second verb may be a participle that shares the first one's auxiliary.

    Its form has to be that of both. It is tagged as a participle, or the first is a passive and nothing follows it or
    its tense would be another ("Dough is made and water added slowly"); an object tells that it is not one.
    """
    verb, head = parse.tokens[clause.verb], parse.tokens[clause.verb].head
    if parse.auxiliaries(clause.verb):
        return False
    if not may_be_past(parse.lower[clause.verb]):
        return morphology.is_participle_only(parse.lower[clause.verb])  # "and the family gone", taken for a past tense
    if verb.tag == "VBN":
        return parse.child(clause.verb, *_OBJECTS) is None
    behind = [k for k in parse.children(clause.verb) if k > clause.verb and parse.tokens[k].pos != "PUNCT"]
    bare = all(parse.tokens[k].dep not in _OBJECTS or parse.tokens[k].dep == "xcomp" for k in behind)
    passive = head < clause.cc and parse.child(head, "auxpass") is not None
    return passive and (not behind or bare and not parse.past(head))


CHECKS: tuple[Check[OwnClause], ...] = (
    Check("clause.subordinate", R.WRONG_SCOPE, _is_subordinate,
          "She stays at home, and if it rains the mill floods the yard.", "The war began and the price doubled."),
    Check("clause.relative", R.NO_SUBJECT, _is_relative,
          "He saw parts, and none of which moved.", "He saw parts, and none of them moved."),
    Check("clause.mixed", R.WRONG_SCOPE, _is_mixed,
          "Nets do not kill fish, but rather fish are simply the way by which men see the nets.",
          "The war began and the price doubled."),
    Check("clause.adverbial", R.NO_SUBJECT, _is_adverbial,
          "It rained hard, and May 5 caused floods.", "It rained hard, and the dam caused floods."),
    Check("clause.inverted", R.INVERSION, _is_inverted,
          "He did not ever win, nor did they lose.", "The war began and the price doubled."),
    Check("clause.shared-auxiliary", R.SHARED_PART, _shares_auxiliary,
          "The mill was sold and the family displaced.", "The mill was closed and the men went."),
)  # fmt: skip
