"""Why a relative clause between two commas cannot be split off: what its pronoun means, where it ends, what rivals."""

from __future__ import annotations

from gistmill.rules.coreference.noun_kinds import NO_KINDS
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.insertions.clausal import is_done_by_fact, is_judged, predicate_of
from gistmill.rules.discofuse.insertions.insertion import Insertion, goes_on, is_cut
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, may_be_person, rivals
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R

# "The road was 12 km , which is short": the road is, not the kilometres.
_MEASURED = frozenset(("DATE", "TIME", "PERCENT", "ORDINAL", "QUANTITY", "MONEY", "CARDINAL"))


def problem_of(parse: Parse, match: Insertion) -> R | None:
    """Returns the first reason to refuse the clause, or None."""
    return first_reason(CHECKS, parse, match) if parse.tokens[match.head].dep == "relcl" else R.WRONG_SCOPE


def _is_not_a_person(parse: Parse, match: Insertion) -> bool:
    return parse.lower[match.open + 1] in ("who", "whom") and not may_be_person(parse, match.antecedent)


def _is_not_a_thing(parse: Parse, match: Insertion) -> bool:
    """Whether "which" would stand for a person, or for how many there are."""
    kind = parse.tokens[match.antecedent].entity[2:]
    return parse.lower[match.open + 1] == "which" and (is_personal(parse, match.antecedent) or kind in _MEASURED)


def _has_rival(parse: Parse, match: Insertion) -> bool:
    pronoun, predicate = parse.lower[match.open + 1], predicate_of(parse, match.head)
    return rivals(
        parse,
        match.antecedent,
        match.open,
        number=parse.number(match.head) if parse.tokens[match.open + 1].dep in NOMINAL_SUBJECTS else None,
        personal=None if pronoun == "whose" else pronoun != "which",
        kinds=NO_KINDS if predicate is None else kinds_at(parse, predicate),
    )


def agrees(parse: Parse, noun: int, pronoun: int, verb: int) -> bool:
    """Whether the noun has the number of the verb that the relative pronoun is the subject of, as far as that shows."""
    number = parse.number(verb) if parse.tokens[pronoun].dep in NOMINAL_SUBJECTS else None
    # a name in the plural may be one thing, a name in the singular is not many, two names are not one
    joined = any(parse.tokens[k].dep == "conj" for k in parse.children(noun) if k < pronoun)
    named = parse.tokens[noun].pos == "PROPN" and number == "singular" and not joined
    return number is None or named or is_plural(parse, noun) == (number == "plural")


def _disagrees(parse: Parse, match: Insertion) -> bool:
    return not agrees(parse, match.antecedent, match.open + 1, match.head)


CHECKS: tuple[Check[Insertion], ...] = (
    Check("relative.no-person", R.WRONG_SCOPE, _is_not_a_person,
          "A man came to the mill, who had lost his hat.", "The town thanked the miller, who gave bread to the poor."),
    Check("relative.no-thing", R.WRONG_SCOPE, _is_not_a_thing,
          "The road climbs for nine miles, which felt shorter than that.", "The road was a path, which felt shorter."),
    Check("relative.judged", R.CLAUSAL_ANTECEDENT, is_judged,
          "They sell ivory, which is illegal in most countries.",
          "They sell ivory, which is popular in most countries."),
    Check("relative.fact", R.CLAUSAL_ANTECEDENT, is_done_by_fact,
          "The firm closed the old factory, which upset the mayor.",
          "The firm closed the old factory, which stood near the river."),
    Check("relative.rival", R.AMBIGUOUS, _has_rival,
          "He drew the roof of a house, which stood in Leeds.", "He drew a house, which stood in Leeds."),
    Check("relative.goes-on", R.CLAUSE_CUT, goes_on,
          "The army joined the union, which included Malta, in 1950.",
          "The army joined the union, which included Malta."),
    Check("relative.number", R.WRONG_SCOPE, _disagrees,
          "The road joins Upton and Norton, which has mills.", "The road joins Upton and Norton, which have mills."),
    Check("relative.cut-phrase", R.WRONG_SCOPE, is_cut,
          "Other methods, which are slower, are used in Japan.", "Two methods, which are slower, are used in Japan."),
)  # fmt: skip
