"""Relative clause between two commas (paper, Table 14, row 8): "Kubler , who retired in 1957 , remained ..."."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gistmill.rules.discofuse.clauses.frames import before_subject
from gistmill.rules.discofuse.connectives import RELATIVE_PRONOUNS
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.insertions.insertion import closing_of, is_measure, reaches, without_insertion
from gistmill.rules.discofuse.insertions.relative_antecedent import means_some
from gistmill.rules.discofuse.insertions.relative_problems import RelativeMatch, agrees, problem_of
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite, is_plural, with_article
from gistmill.rules.discofuse.nouns.references import IMPERSONAL
from gistmill.rules.discofuse.nouns.whole_phrases import names_again
from gistmill.rules.discofuse.operations import in_role, join, lowered
from gistmill.rules.discofuse.parse import AUXILIARIES, NOMINAL, NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Word, Words

_CLAUSES = frozenset(("relcl", "acl", "advcl", "ccomp", "pcomp", "csubj"))
_LONGEST_OWNER = 7


class _Clause(NamedTuple):
    """A clause whose verb and antecedent are known.

    Attributes:
        verb, noun: positions of its verb and of the head of its antecedent.
        words: its words behind the relative pronoun.
        antecedent: the antecedent's noun phrase.
    """

    verb: int
    noun: int
    words: Words
    antecedent: Words


def find(parse: Parse) -> RelativeMatch | None:
    """Finds the clause in a sentence of exactly two commas, as the released data does."""
    if len(parse.commas) != 2:
        return None
    opening, closing = parse.commas
    if (
        opening == 0
        or closing - opening < 3
        or closing >= len(parse) - 2
        or parse.lower[opening + 1] not in RELATIVE_PRONOUNS
    ):
        return None
    verb = _verb(parse, opening, closing)
    return RelativeMatch(opening, closing, verb, _antecedent(parse, opening, verb))


def find_all(parse: Parse) -> Iterator[RelativeMatch]:
    """Finds every clause that a comma opens and a comma or the sentence's end closes, wherever the parse has one."""
    for opening in parse.commas:
        if not 0 < opening < len(parse) - 4 or parse.lower[opening + 1] not in RELATIVE_PRONOUNS:
            continue
        verb = _labelled_above(parse, opening)
        closing = closing_of(parse, verb) if verb is not None else None
        if closing is not None and closing - opening >= 3:
            yield RelativeMatch(opening, closing, verb, _antecedent(parse, opening, verb))


def _labelled_above(parse: Parse, opening: int) -> int | None:
    at = opening + 1
    while parse.tokens[at].head != at and parse.tokens[at].head > opening:
        at = parse.tokens[at].head
        if parse.tokens[at].dep == "relcl" and parse.tokens[at].head < opening:
            return at
    return None


def _verb(parse: Parse, opening: int, closing: int) -> int | None:
    for i in range(opening + 1, closing):
        if parse.tokens[i].dep == "relcl" and parse.tokens[i].head < opening:
            return i
    at = opening + 1  # not labelled: climb from the pronoun to the highest word inside
    while opening < parse.tokens[at].head < closing and parse.tokens[at].head != at:
        at = parse.tokens[at].head
    return at if parse.is_verb(at) else None


def _antecedent(parse: Parse, opening: int, verb: int | None) -> int | None:
    """The noun that the clause hangs on; a higher one of the same phrase if that one cannot be meant."""
    if verb is not None and parse.tokens[verb].dep == "relcl" and parse.tokens[verb].head < opening:
        at = parse.tokens[verb].head
    else:
        found = _noun_before(parse, opening)
        if found is None:
            return None
        at = found
    while not _may_be_meant(parse, at, opening, verb):
        above = parse.tokens[at].head
        if parse.tokens[at].dep != "pobj" or parse.tokens[above].dep != "prep":
            break
        noun = parse.tokens[above].head
        if parse.tokens[noun].pos not in NOUNS:
            break
        at = noun
    return at


def _noun_before(parse: Parse, opening: int) -> int | None:
    """The head of the innermost noun phrase that ends at the comma."""
    at = opening - 1
    while parse.tokens[at].pos not in NOMINAL or parse.tokens[at].dep == "compound":
        if parse.tokens[at].head == at or parse.tokens[at].head > opening:
            return None
        at = parse.tokens[at].head
    return at


def _may_be_meant(parse: Parse, noun: int, opening: int, verb: int | None) -> bool:
    """Whether the pronoun may stand for the noun: "who" is not a place or date, and a verb agrees with its subject."""
    kind = parse.tokens[noun].entity[2:]
    if parse.lower[opening + 1] in ("who", "whom") and (
        kind in IMPERSONAL or kind == "ORG" and verb is not None and parse.number(verb) == "singular"
    ):
        return False
    return agrees(parse, noun, opening + 1, verb)


def apply(parse: Parse, match: RelativeMatch) -> Halves:
    """Cuts the clause out, and puts its antecedent in the place that the relative pronoun had."""
    words = parse.words
    first = without_insertion(parse, match.open, match.close)
    problem = problem_of(parse, match)
    # the clause's verb is the new sentence's main verb
    clause = tuple(
        w._replace(dep="ROOT", head=w.position) if w.position == match.verb else w
        for w in words[match.open + 2 : match.close]
    )
    boundary = match.open + 2
    if match.verb is None or match.antecedent is None:
        return Halves(first=first, second=clause, boundary=boundary, problem=problem)
    antecedent = definite(core(parse, match.antecedent, end=match.open))
    whole = bool(antecedent) and not is_measure(parse, match.antecedent)
    if antecedent and means_some(parse, match.antecedent, match.verb):
        antecedent = with_article(antecedent)
    if not whole or not reaches(parse, antecedent, match.open) or not names_again(parse, antecedent, match.antecedent):
        problem = problem or DiscoFuseReason.WRONG_SCOPE
    second = _rebuilt(parse, match, _Clause(match.verb, match.antecedent, clause, antecedent)) if antecedent else None
    if second is None:
        return Halves(first=first, second=clause, boundary=boundary, problem=problem or DiscoFuseReason.WRONG_SCOPE)
    return Halves(first=first, second=second, boundary=boundary, problem=problem)


def _rebuilt(parse: Parse, match: RelativeMatch, clause: _Clause) -> Words | None:
    """Returns the clause with its antecedent in place of the relative pronoun; None where that fails."""
    verb, words, antecedent = clause.verb, clause.words, clause.antecedent
    pronoun = match.open + 1
    if not words or words[0].text.startswith("'") or _asks_again(parse, match, verb):
        return None
    if parse.lower[pronoun] == "whose":
        if not _takes_possessive(antecedent, clause.noun):
            return None
        possessor = (*antecedent[:-1], antecedent[-1]._replace(space=False), _possessive(parse, match, antecedent))
        noun = parse.tokens[pronoun].head
        owned = parse.words[pronoun + 1 : parse.right_edge(noun) + 1] if noun < match.close else ()
        if not owned or parse.tokens[noun].dep in NOMINAL_SUBJECTS:
            told = parse.child(noun, "relcl")  # "whose rights he says have been taken"
            other = told is not None and told < verb or _has_other_subject(parse, verb, noun)
            return None if other else join(possessor, words)
        if parse.tokens[noun].dep != "dobj" or parse.child(verb, "nsubjpass") is not None:
            return None  # "whose film Vertigo is considered": a name that was taken for the subject
        return _object(parse, match, clause, join(possessor, owned), start=parse.right_edge(noun) + 1)
    if parse.tokens[pronoun].dep in ("dobj", "dative") or parse.lower[pronoun] == "whom":
        return _object(parse, match, clause, antecedent, start=pronoun + 1)
    if parse.tokens[pronoun].dep == "pobj" or parse.tokens[pronoun].head not in (verb, *parse.auxiliaries(verb)):
        return None  # "which they say has ...": the pronoun belongs to a clause further down
    if _has_other_subject(parse, verb, pronoun):
        return None
    subject = in_role(antecedent, clause.noun, "nsubj", verb)
    start = verb
    group = {k for k in parse.children(verb) if parse.tokens[k].dep in (*AUXILIARIES, "neg", "advmod")}
    while start - 1 in group:
        start -= 1
    start = min(start, *parse.auxiliaries(verb), verb)  # "was in turn recast"
    fronted = [w for w in words if w.position < start]
    if not any(w.pos in ("ADP", "SCONJ") or w.tag == "WRB" for w in fronted):
        return join(subject, words)
    # "who at that time headed" -> "at that time he headed"
    if fronted[0].text == ",":
        fronted = fronted[1:]
    rest = [w for w in words if w.position >= start]
    return before_subject(tuple(fronted), subject, tuple(rest))


def _has_other_subject(parse: Parse, verb: int, subject: int) -> bool:
    return any(parse.tokens[k].dep in NOMINAL_SUBJECTS and k != subject for k in parse.children(verb))


def _asks_again(parse: Parse, match: RelativeMatch, verb: int) -> bool:
    """Whether the clause has a second relative pronoun of its own, which would stay: "who he is and whose son"."""
    for i in range(match.open + 2, match.close):
        if parse.lower[i] not in RELATIVE_PRONOUNS or parse.tokens[i].tag not in ("WP", "WP$", "WDT"):
            continue
        at = parse.tokens[i].head
        while at != verb and parse.tokens[at].dep not in _CLAUSES and parse.tokens[at].head != at:
            at = parse.tokens[at].head
        if at == verb:
            return True
    return False


def _takes_possessive(antecedent: Words, head: int) -> bool:
    """Whether 's reads well behind the phrase: no clause and no prepositional phrase, unless in a name.

    "The University of Oxford's", but not "the bill that became law's".
    """
    behind = [w for w in antecedent if w.position > head]
    if all(w.entity.startswith("I-") for w in behind):
        return len(antecedent) <= _LONGEST_OWNER
    return all(w.dep in ("conj", "cc", "compound", "det", "amod", "poss", "case", "punct") for w in behind)


def _object(parse: Parse, match: RelativeMatch, clause: _Clause, phrase: Words, *, start: int) -> Words | None:
    """Returns the clause with the phrase as its object: "whom she married" becomes "she married PHRASE"."""
    governor = parse.tokens[match.open + 1].head  # the verb of the object, "buy" in "which he wanted to buy"
    if parse.lower[match.open + 1] == "whose":
        governor = parse.tokens[governor].head
    if parse.tokens[governor].lemma == "be":
        return None  # "which he believes to be": not its object
    lower = parse.child(governor, "xcomp")
    if lower is not None and lower < match.close and parse.child(lower, "dobj", "attr", "acomp", "ccomp") is None:
        return None  # "which he sought to avoid": the object may be of either verb
    if governor < start or governor >= match.close or parse.subject(clause.verb) is None:
        return None
    if any(parse.tokens[k].dep == "prep" and not parse.children(k) for k in parse.children(governor)):
        return None  # "which they opted for by law": the object of a preposition
    after = governor + 1
    while after < match.close and parse.tokens[after].dep == "prt":
        after += 1
    before = [w for w in clause.words if start <= w.position < after]
    return join(before, lowered(phrase), [w for w in clause.words if w.position >= after])


def _possessive(parse: Parse, match: RelativeMatch, antecedent: Words) -> Word:
    plural = match.antecedent is not None and is_plural(parse, match.antecedent)
    text = "'" if plural and antecedent[-1].text.endswith("s") else "'s"
    return Word(text, True, "POS", "PART", "case", text)
