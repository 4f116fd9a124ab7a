"""Why a relative clause between two commas cannot be split off: what its pronoun means, where it ends, what rivals."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.connectives import RELATIVE_PRONOUNS
from gistmill.rules.discofuse.insertions.clausal import may_mean_clause, predicate_kinds
from gistmill.rules.discofuse.insertions.insertion import continues
from gistmill.rules.discofuse.insertions.left_behind import refers_inside
from gistmill.rules.discofuse.insertions.relative_antecedent import another_is_likelier, may_be_one_name
from gistmill.rules.discofuse.insertions.relative_scope import problem_of_scope
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, may_be_person, quantified, rivals
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, NOMINAL_SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

_SINGLE_OUT = frozenset("especially particularly notably mainly mostly primarily including namely chiefly".split())
# "The road was 12 km , which is short": the road is, not the kilometres.
_MEASURED = frozenset(("DATE", "TIME", "PERCENT", "ORDINAL", "QUANTITY", "MONEY", "CARDINAL"))


@dataclass(frozen=True, slots=True)
class RelativeMatch:
    """The commas at ``open`` and ``close`` (or the final mark there) set off the clause of ``verb``; ``antecedent``
    is the head of its antecedent."""

    open: int
    close: int
    verb: int | None
    antecedent: int | None


def problem_of(parse: Parse, match: RelativeMatch) -> Reason | None:
    """Returns the first reason to refuse the clause, or None."""
    if match.verb is None:
        return DiscoFuseReason.WRONG_SCOPE
    if match.antecedent is None or parse.is_verb(match.antecedent) or parse.tokens[match.antecedent].pos == "ADJ":
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    problem = (
        _of_antecedent(parse, match, match.antecedent, match.verb)
        or _of_list(parse, match, match.antecedent)
        or _of_extent(parse, match, match.verb)
        or problem_of_scope(parse, match.antecedent, match.open, match.close)
    )
    personal = parse.lower[match.open + 1] in ("who", "whom")
    if problem is None and refers_inside(parse, match.open, match.close, personal=personal):
        return DiscoFuseReason.UNRESOLVED_ANAPHOR
    if problem is None and not agrees(parse, match.antecedent, match.open + 1, match.verb):
        return DiscoFuseReason.WRONG_SCOPE
    return problem


def _of_antecedent(parse: Parse, match: RelativeMatch, noun: int, verb: int) -> Reason | None:
    """Whether the pronoun stands for the noun: not for a clause, not for a thing of another kind, not for another."""
    if may_mean_clause(parse, verb, noun, match.open):
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    pronoun, kind = parse.lower[match.open + 1], parse.tokens[noun].entity[2:]
    if quantified(parse, noun) or pronoun in ("who", "whom") and not may_be_person(parse, noun):
        return DiscoFuseReason.WRONG_SCOPE
    if pronoun == "which" and (is_personal(parse, noun) or kind in _MEASURED):
        return DiscoFuseReason.WRONG_SCOPE
    number = parse.number(verb) if parse.tokens[match.open + 1].dep in NOMINAL_SUBJECTS else None
    personal = None if pronoun == "whose" else pronoun != "which"
    kinds = predicate_kinds(parse, verb)
    if rivals(parse, noun, match.open, number=number, personal=personal, kinds=kinds):
        return DiscoFuseReason.AMBIGUOUS
    if another_is_likelier(parse, noun, match.open):
        return DiscoFuseReason.AMBIGUOUS
    predicate = parse.child(verb, "attr")
    one = predicate is not None and parse.tokens[predicate].tag == "NN"
    if one and number is None and pronoun == "which" and is_plural(parse, noun):
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    if pronoun == "which" and may_be_one_name(parse, match.open):
        return DiscoFuseReason.AMBIGUOUS
    return None


def _of_list(parse: Parse, match: RelativeMatch, noun: int) -> Reason | None:
    """Whether the clause is in a list, or has swallowed some of its items."""
    if any(parse.lower[c + 1] in RELATIVE_PRONOUNS for c in parse.commas if match.open < c < match.close):
        return DiscoFuseReason.LIST  # "Republicans , who ... , Democrats , who ..."
    if parse.lower[parse.tokens[noun].head] == "between":
        return DiscoFuseReason.LIST  # "between Venus , whom ... , and Aeneas"
    return None


def _of_extent(parse: Parse, match: RelativeMatch, verb: int) -> Reason | None:
    """Whether the clause does not end at the comma, or something around it belongs to it."""
    after = match.close + 1
    if _runs_on(parse, match) or not continues(parse, match.open, match.close, clause=True):
        return DiscoFuseReason.CLAUSE_CUT
    if ";" in parse.lower[match.open : match.close] or _is_followed_by_clause(parse, match):
        return DiscoFuseReason.CLAUSE_CUT
    if after < len(parse) - 1 and parse.tokens[after].tag in ("VBG", "VBN"):
        return DiscoFuseReason.CLAUSE_CUT
    inside = [i for i in range(match.open + 1, match.close) if i != verb and parse.tokens[i].dep not in AUXILIARIES]
    if any(not match.open <= parse.tokens[i].head <= match.close for i in inside if parse.lower[i] != ","):
        return DiscoFuseReason.CLAUSE_CUT
    return DiscoFuseReason.CLAUSE_CUT if parse.right_edge(verb) > match.close else None


def _is_followed_by_clause(parse: Parse, match: RelativeMatch) -> bool:
    """Whether a subordinate clause behind the second comma may be about the first one: "won the war , which was long ,
    though some fled"."""
    after = match.close + 1
    if after >= len(parse) - 1 or parse.tokens[after].dep != "mark":
        return False
    verb = parse.tokens[parse.tokens[after].head].head
    return verb < match.open


def agrees(parse: Parse, noun: int, pronoun: int, verb: int | None) -> bool:
    """Whether the noun has the number of the verb that the relative pronoun is the subject of, as far as that shows."""
    if verb is None or parse.tokens[pronoun].dep not in NOMINAL_SUBJECTS:
        return True
    number = parse.number(verb)
    # a name in the plural may be one thing, a name in the singular is not many, two names are not one
    named = parse.tokens[noun].pos == "PROPN" and number == "singular" and not _has_other_name(parse, noun, pronoun)
    return number is None or named or is_plural(parse, noun) == (number == "plural")


def _has_other_name(parse: Parse, noun: int, end: int) -> bool:
    """Whether "and" joins a name of its own to a name: "Lee and Kim", but not the firm "Lee and Kim"."""
    joined = (k for k in parse.children(noun) if noun < k < end and parse.tokens[k].dep == "conj")
    return any(not parse.tokens[i].entity.startswith("I-") for k in joined for i in range(noun + 1, k))


def _runs_on(parse: Parse, match: RelativeMatch) -> bool:
    """Whether a phrase behind a comma may belong to the clause or to what is around it.

    "an actress , who has had many roles , most notably as"; "joined the band , which included Parker , in 1941";
    "Lee , who paid for it , albeit reluctantly , left".
    """
    after = match.close + 1
    if after < len(parse):
        verb = parse.tokens[after].head if parse.tokens[after].dep in AUXILIARIES else after
        subject = parse.shared_subject(verb)
        joined = parse.tokens[after].dep == "conj" and parse.subject(after) is None
        alone = subject is None or subject > match.open or joined
        if parse.tokens[after].tag in FINITE and alone:
            return True  # "with Ryder , who was rich , paid the costs": a verb without a subject before
        if parse.tokens[after].tag == "TO":
            return True  # "grass , which dries up , to be replaced by"
        most = parse.lower[after] == "most" and parse.tokens[after + 1].tag == "RB"
        return parse.lower[after] in _SINGLE_OUT or most
    commas = [c for c in parse.commas if match.open < c < match.close]
    if not commas or parse.tokens[commas[-1] + 1].tag != "IN" or parse.tokens[commas[-1] + 1].dep != "prep":
        return False
    # a comma that closes an apposition is not one of its own: "to Hingham , Massachusetts , in 1638"
    inside = range(commas[-2] + 1, commas[-1]) if len(commas) > 1 else range(0)
    return not any(parse.tokens[i].dep == "appos" and parse.tokens[i].head < inside.start for i in inside)
