"""Relative clause between two commas (paper, Table 14, row 8): "Kubler , who retired in 1957 , remained ..."."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.discofuse.clauses.frames import before_subject
from gistmill.rules.discofuse.connectives import RELATIVE_PRONOUNS
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.insertions.insertion import Insertion, antecedent_of, closing_of, without_insertion
from gistmill.rules.discofuse.insertions.relative_problems import agrees, problem_of
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, with_article
from gistmill.rules.discofuse.nouns.references import IMPERSONAL
from gistmill.rules.discofuse.operations import in_role, join, lowered
from gistmill.rules.discofuse.parse import AUXILIARIES, NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Word, Words

# A bare noun has none of these.
_DETERMINING = ("det", "poss", "nummod", "predet", "appos", "conj")


def find(parse: Parse) -> Insertion | None:
    """Finds the clause in a sentence of exactly two commas, as the released data does: one that the parse does not have
    is found too, with its pronoun as the head."""
    if len(parse.commas) != 2 or parse.commas[1] >= len(parse) - 2:
        return None
    opening, closing = parse.commas
    if opening == 0 or closing - opening < 3 or parse.lower[opening + 1] not in RELATIVE_PRONOUNS:
        return None
    verb = _verb_above(parse, opening)
    if verb is None:
        return Insertion(opening, closing, opening + 1, opening - 1)
    return Insertion(opening, closing, verb, _antecedent(parse, opening, verb))


def find_all(parse: Parse) -> Iterator[Insertion]:
    """Finds every clause that a comma opens and a comma or the sentence's end closes, wherever the parse has one."""
    for opening in parse.commas:
        if not 0 < opening < len(parse) - 4 or parse.lower[opening + 1] not in RELATIVE_PRONOUNS:
            continue
        verb = _verb_above(parse, opening)
        closing = closing_of(parse, verb) if verb is not None else None
        if verb is not None and closing is not None and closing - opening >= 3:
            yield Insertion(opening, closing, verb, _antecedent(parse, opening, verb))


def _verb_above(parse: Parse, opening: int) -> int | None:
    """Returns the verb of the clause that the pronoun behind the comma stands in, where it hangs on a word before."""
    at = opening + 1
    while parse.tokens[at].head != at and parse.tokens[at].head > opening:
        at = parse.tokens[at].head
        if parse.tokens[at].dep == "relcl" and parse.tokens[at].head < opening:
            return at
    return None


def _antecedent(parse: Parse, opening: int, verb: int) -> int:
    """The noun that the clause hangs on; a higher one of the same phrase if that one cannot be meant."""
    at = parse.tokens[verb].head
    while not _may_be_meant(parse, at, opening, verb):
        above = parse.tokens[at].head
        noun = parse.tokens[above].head
        if parse.tokens[at].dep != "pobj" or parse.tokens[above].dep != "prep" or parse.tokens[noun].pos not in NOUNS:
            break
        at = noun
    return at


def _may_be_meant(parse: Parse, noun: int, opening: int, verb: int) -> bool:
    """Whether the pronoun may stand for the noun: "who" is not a place or date, and a verb agrees with its subject."""
    kind = parse.tokens[noun].entity[2:]
    group = kind in IMPERSONAL or kind == "ORG" and parse.number(verb) == "singular"
    return not (group and parse.lower[opening + 1] in ("who", "whom")) and agrees(parse, noun, opening + 1, verb)


def apply(parse: Parse, match: Insertion) -> Halves:
    """Cuts the clause out, and puts its antecedent in the place that the relative pronoun had."""
    words = parse.words
    # the clause's verb is the new sentence's main verb
    clause = tuple(
        w._replace(dep="ROOT", head=w.position) if w.position == match.head else w
        for w in words[match.open + 2 : match.close]
    )
    antecedent = antecedent_of(parse, match)
    if antecedent and _is_particular(parse, match):
        antecedent = with_article(antecedent)
    second = _rebuilt(parse, match, clause, antecedent) if antecedent else None
    problem = problem_of(parse, match)
    return Halves(
        first=without_insertion(parse, match),
        second=clause if second is None else second,
        boundary=match.open + 2,
        problem=problem or (DiscoFuseReason.WRONG_SCOPE if second is None else None),
    )


def _is_particular(parse: Parse, match: Insertion) -> bool:
    """Whether a clause tells of a bare plural something that happened: "the murders of women , who had come from Ulm";
    "women had come from Ulm" would be about any.

    The subject of a clause may be all there are: "Ants , which appeared late , are insects".
    """
    token, verbs = parse.tokens[match.antecedent], parse.auxiliaries(match.head)
    if token.tag != "NNS" or token.entity or parse.child(match.antecedent, *_DETERMINING) is not None:
        return False
    happened = any(parse.tokens[k].tag == "VBD" or parse.lower[k] in ("have", "has") for k in verbs)
    return (happened or parse.tokens[match.head].tag == "VBD") and token.dep in ("pobj", "dobj")


def _rebuilt(parse: Parse, match: Insertion, words: Words, antecedent: Words) -> Words | None:
    """Returns the clause with its antecedent in place of the relative pronoun; None where that fails."""
    verb, pronoun = match.head, match.open + 1
    if words[0].text.startswith("'") or _asks_again(parse, match):
        return None
    if parse.lower[pronoun] == "whose":
        return _possessive(parse, match, words, antecedent)
    if parse.tokens[pronoun].dep in ("dobj", "dative") or parse.lower[pronoun] == "whom":
        return _object(parse, match, words, antecedent, start=pronoun + 1)
    if parse.tokens[pronoun].head not in (verb, *parse.auxiliaries(verb)):
        return None  # "which they say has ...": the pronoun belongs to a clause further down
    if _has_other_subject(parse, verb, pronoun):
        return None
    return _with_subject(parse, verb, words, in_role(antecedent, match.antecedent, "nsubj", verb))


def _with_subject(parse: Parse, verb: int, words: Words, subject: Words) -> Words:
    """Returns the clause with the subject before its verb, or where the pronoun was if no phrase opens the clause:
    "who at that time headed" becomes "at that time he headed"."""
    start = verb
    group = {k for k in parse.children(verb) if parse.tokens[k].dep in (*AUXILIARIES, "neg", "advmod")}
    while start - 1 in group:
        start -= 1
    start = min(start, *parse.auxiliaries(verb), verb)  # "was in turn recast"
    fronted = tuple(w for w in words if w.position < start)
    if not any(w.pos in ("ADP", "SCONJ") or w.tag == "WRB" for w in fronted):
        return join(subject, words)
    return before_subject(fronted[fronted[0].text == "," :], subject, words[len(fronted) :])


def _possessive(parse: Parse, match: Insertion, words: Words, antecedent: Words) -> Words | None:
    """Returns the clause with "PHRASE 's" for "whose"."""
    noun = parse.tokens[match.open + 1].head
    behind = (w for w in antecedent if w.position > match.antecedent and not w.entity)
    if any(w.dep in ("prep", "relcl", "acl") for w in behind):
        return None  # not "the bill that became law 's"
    plural = is_plural(parse, match.antecedent) and antecedent[-1].text.endswith("s")
    mark = Word("'" if plural else "'s", True, "POS", "PART", "case", "'s")
    possessor = (*antecedent[:-1], antecedent[-1]._replace(space=False), mark)
    if parse.tokens[noun].dep in NOMINAL_SUBJECTS:
        told = parse.child(noun, "relcl")  # "whose rights he says have been taken"
        other = told is not None and told < match.head or _has_other_subject(parse, match.head, noun)
        return None if other else join(possessor, words)
    if parse.tokens[noun].dep != "dobj" or parse.child(match.head, "nsubjpass") is not None:
        return None  # "whose film Vertigo is considered": a name that was taken for the subject
    end = parse.right_edge(noun) + 1
    return _object(parse, match, words, join(possessor, parse.words[match.open + 2 : end]), start=end)


def _has_other_subject(parse: Parse, verb: int, subject: int) -> bool:
    return any(parse.tokens[k].dep in NOMINAL_SUBJECTS and k != subject for k in parse.children(verb))


def _asks_again(parse: Parse, match: Insertion) -> bool:
    """Whether a second relative pronoun is joined to the first, which would stay: "who he is and with whose son"."""
    return any(
        parse.tokens[i].tag in ("WP", "WP$", "WDT") and "and" in parse.lower[i - 2 : i]
        for i in range(match.open + 4, match.close)
    )


def _object(parse: Parse, match: Insertion, words: Words, phrase: Words, *, start: int) -> Words | None:
    """Returns the clause with the phrase as its object: "whom she married" becomes "she married PHRASE"."""
    governor = parse.tokens[match.open + 1].head  # the verb of the object, "buy" in "which he wanted to buy"
    if parse.lower[match.open + 1] == "whose":
        governor = parse.tokens[governor].head
    if parse.tokens[governor].lemma == "be":
        return None  # "which he believes to be": not its object
    lower = parse.child(governor, "xcomp")
    if lower is not None and lower < match.close and parse.child(lower, "dobj", "attr", "acomp", "ccomp") is None:
        return None  # "which he sought to avoid": the object may be of either verb
    if not start <= governor < match.close or parse.subject(match.head) is None:
        return None
    after = governor + 1
    while after < match.close and parse.tokens[after].dep == "prt":
        after += 1
    before = [w for w in words if start <= w.position < after]
    return join(before, lowered(phrase), [w for w in words if w.position >= after])
