"""Why a relative clause between two commas cannot be split off: what its pronoun means, where it ends, what rivals."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.connectives import RELATIVE_PRONOUNS
from gistmill.rules.discofuse.insertions.clausal import may_mean_clause, predicate_kinds
from gistmill.rules.discofuse.insertions.insertion import continues
from gistmill.rules.discofuse.insertions.left_behind import refers_inside
from gistmill.rules.discofuse.insertions.relative_antecedent import (
    another_is_likelier,
    is_only_possible,
    is_told_by_speaker,
)
from gistmill.rules.discofuse.insertions.relative_doubts import doubt_of
from gistmill.rules.discofuse.insertions.relative_nouns import problem_of_noun
from gistmill.rules.discofuse.insertions.relative_scope import problem_of_scope
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, may_be_person, nouns_above, quantified, rivals
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at
from gistmill.rules.discofuse.parse import ARTICLES, AUXILIARIES, FINITE, NOMINAL_SUBJECTS, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

_SINGLE_OUT = frozenset("especially particularly notably mainly mostly primarily including namely chiefly".split())
# "The road was 12 km , which is short": the road is, not the kilometres.
_MEASURED = frozenset(("DATE", "TIME", "PERCENT", "ORDINAL", "QUANTITY", "MONEY", "CARDINAL"))
_PRO_FORMS = frozenset(("it", "so", "this", "that"))
_GROUPS = frozenset((Kind.PERSON, Kind.GROUP))
_AMOUNTS = frozenset("some many most several few half part".split())


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
    if _is_not_an_argument(parse, match.open + 1, match.verb):
        return DiscoFuseReason.CLAUSE_CUT
    problem = (
        _of_antecedent(parse, match, match.antecedent, match.verb)
        or problem_of_noun(parse, match.antecedent, match.verb, match.open)
        or _of_list(parse, match, match.antecedent)
        or _of_extent(parse, match, match.verb)
        or doubt_of(parse, match.antecedent, match.verb, match.open, match.close)
        or problem_of_scope(parse, match.antecedent, match.verb, match.open, match.close)
    )
    personal = parse.lower[match.open + 1] in ("who", "whom")
    if problem is None and (
        _does_it(parse, match.verb) or refers_inside(parse, match.open, match.close, personal=personal)
    ):
        return DiscoFuseReason.UNRESOLVED_ANAPHOR
    if problem is None and not agrees(parse, match.antecedent, match.open + 1, match.verb):
        return DiscoFuseReason.WRONG_SCOPE
    return problem


def _is_not_an_argument(parse: Parse, pronoun: int, verb: int) -> bool:
    """Whether the antecedent cannot stand where the pronoun's gap is: "which person swept", "whom recognised as", or
    "which I ordered to be painted"."""
    word, above = parse.lower[pronoun], parse.tokens[pronoun].head
    if word in ("which", "what") and (parse.tokens[pronoun].dep == "det" or _is_read_as_object(parse, pronoun)):
        return True
    if word == "whom" and parse.tokens[pronoun].dep != "pobj" and parse.subject(verb) in (None, pronoun):
        return True
    return parse.tokens[above].dep == "xcomp" and parse.child(above, "auxpass") is not None and above != verb


def _is_read_as_object(parse: Parse, pronoun: int) -> bool:
    """Whether a determiner was taken for an object: no person is named by a bare noun, "which person swept"."""
    noun = parse.tokens[pronoun + 1]
    return noun.tag == "NN" and noun.dep in SUBJECTS and noun.lemma.lower() in PERSON_NOUNS


def _does_it(parse: Parse, verb: int) -> bool:
    """Whether the clause's verb stands for one of an earlier text: "Lee , who did so twice , climbs the hill"."""
    return parse.tokens[verb].lemma == "do" and any(
        parse.lower[k] in _PRO_FORMS and parse.tokens[k].dep in ("dobj", "advmod") for k in parse.children(verb)
    )


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
    if another_is_likelier(parse, noun, verb, match.open):
        return DiscoFuseReason.AMBIGUOUS
    if is_only_possible(parse, noun) or is_told_by_speaker(parse, noun, match.close):
        return DiscoFuseReason.NOT_ASSERTED
    if personal and _is_in_description(parse, noun) or _is_counted_from(parse, noun):
        return DiscoFuseReason.AMBIGUOUS
    # "the sections of the International , who"
    if pronoun == "who" and kind == "ORG" and any(_may_be_many(parse, k) for k in nouns_above(parse, noun)):
        return DiscoFuseReason.AMBIGUOUS
    predicate = parse.child(verb, "attr")
    one = predicate is not None and parse.tokens[predicate].tag == "NN"
    if one and number is None and pronoun == "which" and is_plural(parse, noun):
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    return None


def _of_list(parse: Parse, match: RelativeMatch, noun: int) -> Reason | None:
    """Whether the clause is in a list, or has swallowed some of its items."""
    if any(parse.lower[c + 1] in RELATIVE_PRONOUNS for c in parse.commas if match.open < c < match.close):
        return DiscoFuseReason.LIST  # "Republicans , who ... , Democrats , who ..."
    if _has_its_like(parse, match, noun):
        return DiscoFuseReason.LIST  # "the mills , which burned , and the kilns , which fell"
    if _takes_in_items(parse, match) or parse.lower[parse.tokens[noun].head] == "between":
        return DiscoFuseReason.LIST  # "between Venus , whom ... , and Aeneas"
    return None


def _has_its_like(parse: Parse, match: RelativeMatch, noun: int) -> bool:
    """Whether a noun joined to it behind the clause has a relative clause too, which would be one of both."""
    joined = [k for k in parse.children(noun) if k > match.close and parse.tokens[k].dep == "conj"]
    return any(parse.tokens[j].dep == "relcl" and j > k for k in joined for j in parse.children(k))


def _of_extent(parse: Parse, match: RelativeMatch, verb: int) -> Reason | None:
    """Whether the clause does not end at the comma, or something around it belongs to it."""
    after = match.close + 1
    if (
        _runs_on(parse, match)
        or _goes_on(parse, match, verb)
        or not continues(parse, match.open, match.close, clause=True)
    ):
        return DiscoFuseReason.CLAUSE_CUT
    if ";" in parse.lower[match.open : match.close] or _is_followed_by_clause(parse, match):
        return DiscoFuseReason.CLAUSE_CUT
    if after < len(parse) - 1 and parse.tokens[after + _is_adverb_of_next(parse, after)].tag in ("VBG", "VBN"):
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


def _goes_on(parse: Parse, match: RelativeMatch, verb: int) -> bool:
    """Whether a second predicate behind a comma may be the main clause's: "took the bag , which was red , and left"."""
    for k in parse.children(verb):
        if parse.tokens[k].dep != "conj" or not verb < k < match.close or parse.subject(k) is not None:
            continue
        cc = max((c for c in parse.children(verb) if c < k and parse.tokens[c].dep == "cc"), default=0)
        if cc > verb and parse.lower[cc - 1] == "," and parse.is_verb(k):
            return True
    return False


def _is_adverb_of_next(parse: Parse, position: int) -> bool:
    """Whether an adverb stands before its present participle: ", thereby inciting"."""
    token = parse.tokens[position]
    return token.dep == "advmod" and token.head == position + 1 and parse.tokens[token.head].tag == "VBG"


def _is_counted_from(parse: Parse, noun: int) -> bool:
    """Whether the clause may be about a number of them, and not about all: "lost two of his men , who were old"."""
    preposition = parse.tokens[noun].head
    if parse.tokens[noun].dep != "pobj" or parse.lower[preposition] != "of" or not is_plural(parse, noun):
        return False
    number = parse.tokens[preposition].head
    return parse.tokens[number].tag == "CD" or parse.lower[number] in _AMOUNTS


def _is_in_description(parse: Parse, noun: int) -> bool:
    """Whether the noun is in an apposition that says which person is meant: "Schulze , the author of Emile , who"."""
    preposition = parse.tokens[noun].head
    if parse.tokens[noun].dep != "pobj" or parse.lower[preposition] != "of":
        return False
    described = parse.tokens[preposition].head
    return parse.tokens[described].dep == "appos" and is_personal(parse, described)


def _may_be_many(parse: Parse, noun: int) -> bool:
    """Whether the noun may be people: several of something, a group, a person."""
    return is_plural(parse, noun) or not _GROUPS.isdisjoint(kinds_at(parse, noun))


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


def _takes_in_items(parse: Parse, match: RelativeMatch) -> bool:
    """Whether the clause may have swallowed the next items of a list: "the Kabyles , who live ... , the Chaoui"."""
    if match.antecedent is None:
        return False
    article = parse.lower[parse.left_edge(match.antecedent)]
    for c in parse.commas:
        if (
            match.open < c < match.close
            and parse.lower[c + 1] == article
            and article in ARTICLES
            and parse.tokens[parse.tokens[c + 1].head].dep in ("conj", "appos", "dobj", "pobj", "attr")
        ):
            return True
    return False


def _is_manner(parse: Parse, start: int) -> bool:
    """Whether adverbs alone stand before the next mark, the last one of manner: ", albeit reluctantly ,"."""
    end = next((k for k in range(start, len(parse)) if parse.tokens[k].pos == "PUNCT"), start)
    adverbs = all(parse.tokens[k].tag in ("RB", "IN") for k in range(start, end))
    return end > start + 1 and adverbs and parse.lower[end - 1].endswith("ly")


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
        return parse.lower[after] in _SINGLE_OUT or most or _is_manner(parse, after)
    commas = [c for c in parse.commas if match.open < c < match.close]
    if not commas or parse.tokens[commas[-1] + 1].tag != "IN" or parse.tokens[commas[-1] + 1].dep != "prep":
        return False
    # a comma that closes an apposition is not one of its own: "to Hingham , Massachusetts , in 1638"
    inside = range(commas[-2] + 1, commas[-1]) if len(commas) > 1 else range(0)
    return not any(parse.tokens[i].dep == "appos" and parse.tokens[i].head < inside.start for i in inside)
