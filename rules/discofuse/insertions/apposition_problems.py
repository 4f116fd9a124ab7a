"""Why an apposition between two commas cannot be split off: what it is to, where it ends, and whether it is one."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.insertions.apposition_doubts import doubt_of
from gistmill.rules.discofuse.insertions.apposition_place import ends_in_place, is_named_so, is_only_said, may_go_on
from gistmill.rules.discofuse.insertions.apposition_sense import fits, names_many, owner_is_unknown, sums_up
from gistmill.rules.discofuse.insertions.apposition_tense import tense_is_open
from gistmill.rules.discofuse.insertions.insertion import continues, is_measure, reaches
from gistmill.rules.discofuse.insertions.left_behind import refers_inside
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, quantified, rivals
from gistmill.rules.discofuse.nouns.referent_kinds import described_kinds
from gistmill.rules.discofuse.nouns.whole_phrases import names_again
from gistmill.rules.discofuse.parse import NOUNS, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Words

# "each with a name", "both of them", "some of which": not what the noun is. The released data has some all the same.
PARTITIVE = frozenset(
    "each both all some most many one two three none neither either this that these those no not".split()
)
# Prepositions of phrases that a noun or a verb may have.
_ATTACHED = frozenset(("with", "without", "including", "excluding", "except"))


@dataclass(frozen=True, slots=True)
class AppositionMatch:
    """The commas at ``open`` and ``close`` (or the final mark there) set off the apposition headed by ``head`` to the
    noun at ``antecedent``."""

    open: int
    close: int
    head: int
    antecedent: int


def problem_of(parse: Parse, match: AppositionMatch, antecedent: Words) -> Reason | None:
    """Returns the first reason to refuse the apposition to ``antecedent``, or None."""
    if parse.is_verb(match.antecedent) or sums_up(parse, match.antecedent, match.head):
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    if parse.lower[match.open + 1] in PARTITIVE:
        return DiscoFuseReason.WRONG_SCOPE
    if not reaches(parse, antecedent, match.open) or not names_again(parse, antecedent, match.antecedent):
        return DiscoFuseReason.WRONG_SCOPE
    if is_named_so(parse, match.antecedent) or is_only_said(parse, match.antecedent):
        return DiscoFuseReason.WRONG_SCOPE
    if is_measure(parse, match.antecedent):
        return DiscoFuseReason.WRONG_SCOPE
    if parse.tokens[match.antecedent].pos not in (*NOUNS, "PRON") or parse.tokens[match.head].lemma == "one":
        return DiscoFuseReason.WRONG_SCOPE
    if owner_is_unknown(parse, match.head, match.antecedent) or refers_inside(
        parse, match.open, match.close, personal=is_personal(parse, match.head)
    ):
        return DiscoFuseReason.UNRESOLVED_ANAPHOR
    if quantified(parse, match.antecedent) or _differ(parse, match) or not fits(parse, match.antecedent, match.head):
        return DiscoFuseReason.WRONG_SCOPE
    if _lists(parse, match) or _names_others(parse, match):
        return DiscoFuseReason.LIST
    if any(a.text == "," and b.pos == "DET" for a, b in zip(antecedent, antecedent[1:])):
        return DiscoFuseReason.LIST
    number = "plural" if is_plural(parse, match.head) else "singular"
    if rivals(
        parse,
        match.antecedent,
        match.open,
        number=number,
        personal=is_personal(parse, match.head),
        kinds=described_kinds(parse, match.head),
    ):
        return DiscoFuseReason.AMBIGUOUS
    if reason := _of_number(parse, match) or _of_extent(parse, match):
        return reason
    if reason := doubt_of(parse, match.antecedent, match.head, match.open, match.close):
        return reason
    return DiscoFuseReason.VERB_FORM if tense_is_open(parse, match.antecedent, match.head) else None


def _of_number(parse: Parse, match: AppositionMatch) -> Reason | None:
    """Whether it is about several nouns, or says of one what is many."""
    if any(
        parse.tokens[k].dep in ("conj", "cc")
        and k > match.close
        and parse.tokens[k].head <= match.close
        and not parse.is_verb(parse.tokens[k].head)
        and parse.tokens[k].head >= match.antecedent
        for k in parse.subtree(match.antecedent)
    ):
        return DiscoFuseReason.LIST
    if is_plural(parse, match.antecedent):
        # a name in the plural may be one thing: "The Lovers of Achilles was a play"
        if not is_plural(parse, match.head) and not parse.tokens[match.antecedent].entity:
            return DiscoFuseReason.NUMBER
    elif names_many(parse, match.head, match.antecedent):
        return DiscoFuseReason.NUMBER
    return None


def _of_extent(parse: Parse, match: AppositionMatch) -> Reason | None:
    """Whether it does not end at the second comma, or the sentence needs what stands around it."""
    if _takes_in_role(parse, match) or _splits_cleft(parse, match):
        return DiscoFuseReason.CLAUSE_CUT
    if not continues(parse, match.open, match.close, clause=False):
        return DiscoFuseReason.CLAUSE_CUT
    if _is_followed_by_loose(parse, match) or ends_in_place(parse, match.head, match.close):
        return DiscoFuseReason.CLAUSE_CUT
    if may_go_on(parse, match.antecedent, match.open, match.close):
        return DiscoFuseReason.CLAUSE_CUT
    if any(parse.tokens[c + 1].pos == "ADP" for c in parse.commas if match.open < c < match.close):
        return DiscoFuseReason.CLAUSE_CUT  # "a new term , the cosmological constant , to the equations"
    # a clause behind the second comma may hang on the apposition: "the Lion , a sculpture ... , which had ..."
    behind = [k for k in parse.subtree(match.head) if k > match.close]
    clauses = {j for k in behind if parse.tokens[k].dep in ("relcl", "acl") for j in parse.subtree(k)}
    if set(behind) - clauses or any(
        not match.open <= parse.tokens[i].head <= match.close
        for i in range(match.open + 1, match.close)
        if i != match.head
    ):
        return DiscoFuseReason.CLAUSE_CUT
    return None


def _is_followed_by_loose(parse: Parse, match: AppositionMatch) -> bool:
    """Whether a phrase behind the second comma may be about the apposition: "joined the League , a union of teams ,
    with members in Rome". Between a subject and its verb it would not be such a phrase."""
    after = match.close + 1
    return after < len(parse) and parse.lower[after] in _ATTACHED and parse.tokens[match.antecedent].head < match.open


def _differ(parse: Parse, match: AppositionMatch) -> bool:
    """Whether one of the two is a person and the other a place, a time or the like."""
    kinds = parse.tokens[match.antecedent].entity[2:], parse.tokens[match.head].entity[2:]
    persons = is_personal(parse, match.antecedent), is_personal(parse, match.head)
    places = {"GPE", "LOC", "FAC", "DATE", "TIME", "WORK_OF_ART", "ORG", "EVENT"}
    return persons[0] and kinds[1] in places or persons[1] and kinds[0] in places - {"ORG"}


def _takes_in_role(parse: Parse, match: AppositionMatch) -> bool:
    """Whether a phrase with "as" may belong to the clause or to both: "cast Ada Grey , a poet as the queen", "her
    friend , a servant , as keeper"."""
    role = parse.child(match.head, "prep")
    inner = role is not None and parse.lower[role] == "as" and is_personal(parse, match.antecedent)
    noun_above = parse.tokens[parse.tokens[match.close + 1].head] if match.close + 1 < len(parse) else None
    outer = noun_above is not None and parse.lower[match.close + 1] == "as" and noun_above.pos in NOUNS
    return inner or outer


def _splits_cleft(parse: Parse, match: AppositionMatch) -> bool:
    """Whether the sentence needs the clause behind the apposition: "It was Leo , her brother , who did it"."""
    verb = parse.tokens[match.antecedent].head
    subject = parse.subject(verb)
    if subject is None or parse.lower[subject] != "it" or parse.tokens[verb].lemma != "be":
        return False
    return any(parse.lower[c + 1] in ("who", "that", "which") for c in parse.commas if match.open < c)


def _names_others(parse: Parse, match: AppositionMatch) -> bool:
    """Whether the names of others follow a person's: "the poet Ada Grey , the climber Leo Brown and ..."."""
    if not parse.tokens[match.antecedent].entity.endswith("PERSON"):
        return False
    names = [i for i in range(match.open + 1, match.close) if parse.tokens[i].entity == "B-PERSON"]
    return sum(not _is_below_preposition(parse, i, match) for i in names) > 1


def _is_below_preposition(parse: Parse, position: int, match: AppositionMatch) -> bool:
    """Whether a word of the apposition hangs on a preposition, a possessive or a verb in it: "the son of Ada"."""
    at = position
    while match.open < at < match.close and at != match.head:
        if parse.tokens[at].dep in ("pobj", "poss") or parse.is_verb(at):
            return True
        at = parse.tokens[at].head
    return False


def _lists(parse: Parse, match: AppositionMatch) -> bool:
    """Whether the phrase may be an item of a list, or not belong to the noun right before it.

    That is so with conjuncts behind a comma, and after a prepositional phrase that a comma opens ("fathered , with a
    servant , a daughter").
    """
    for k in range(match.open + 2, match.close):
        if k != match.head and parse.tokens[k].dep in ("conj", "appos") and "," in parse.lower[match.open + 1 : k]:
            return True
    at = match.antecedent
    while parse.tokens[at].dep in ("pobj", "prep"):
        at = parse.tokens[at].head
    if parse.tokens[at].dep in ("conj", "appos") and parse.lower[parse.left_edge(at) - 1] in (",", "and", "or"):
        return True
    if any(k != match.head and parse.tokens[k].dep in ("conj", "appos") for k in parse.children(match.antecedent)):
        return True
    joined = parse.child(match.head, "conj")
    if joined is not None and match.close >= len(parse) - 1:
        alike = parse.lower[match.open + 1] == "the" == parse.lower[parse.left_edge(match.antecedent)]
        both = {parse.lower[match.open + 1], parse.lower[parse.left_edge(match.antecedent)]} <= {"a", "an"}
        indefinite = both or parse.lower[parse.left_edge(joined)] in ("a", "an")
        if (alike or indefinite) and not parse.tokens[match.antecedent].entity.endswith("PERSON"):
            # "a field of Welford F.C. , a youth centre and a park", "the president , the government and parliament",
            # "has a manual , a tutorial and some tests"
            return True
    if parse.tokens[match.head].lemma == parse.tokens[match.antecedent].lemma:
        return True  # "an asexual phase , a sexual phase"
    if parse.tokens[match.antecedent].dep == "pobj":
        preposition = parse.tokens[match.antecedent].head
        if preposition and parse.lower[preposition - 1] == ",":
            return True
    return (
        match.close + 1 < len(parse)
        and parse.lower[match.close + 1] in ("and", "or", "&")
        and _noun_follows(parse, match.close + 2)
    )


def _noun_follows(parse: Parse, start: int) -> bool:
    """Whether a noun phrase without a verb of its own starts here: the next item of a list."""
    for i in range(start, min(start + 6, len(parse))):
        if parse.is_verb(i) and parse.tokens[i].dep != "amod":
            return False
        if parse.tokens[i].pos in NOUNS:
            return parse.tokens[i].dep not in SUBJECTS
    return False
