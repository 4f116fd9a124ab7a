"""Nouns before a relative clause that it is hardly about, though they stand right before its comma."""

from __future__ import annotations

from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.insertions.clausal import predicate_of
from gistmill.rules.discofuse.insertions.relative_doubts import RELATIVES, is_kin_of_named
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import FINITE, NOUNS, Parse

_BELOW_NOUNS = frozenset(("pobj", "prep", "conj", "appos"))
_MODIFIERS = frozenset(("amod", "compound", "advmod", "punct"))
_POSSIBLE = frozenset(("could", "may", "might", "should"))
_REPUTED = REPORTING | {"repute", "rumor", "rumour", "purport"}
_LIKELY = frozenset("likely possible potential probable hypothetical".split())
_HAVING = frozenset("have contain possess own comprise include carry bear hold feature".split())
_SETS = frozenset("pair set series group row trio number couple list array range cluster collection".split())
_DETERMINING = frozenset(("det", "poss", "nummod", "predet", "appos", "conj"))
# They are somebody's, whom their phrase names.
_KIN = RELATIVES | {"pupil", "student", "disciple"}
_PRO_NOUNS = frozenset(("one", "ones", "that", "those"))


def another_is_likelier(parse: Parse, noun: int, verb: int, opening: int) -> bool:
    """Whether the clause is rather about another noun than the one before its comma, or about several.

    Args:
        parse: the sentence.
        noun: the head of the noun phrase before the comma.
        verb: the clause's verb.
        opening: the comma.
    """
    return (
        _is_of_kind(parse, noun)
        or _is_one_of_others(parse, noun, verb)
        or _is_alternative(parse, noun, opening)
        or _is_agent_of_insertion(parse, noun)
        or _is_in_place_of_noun(parse, noun)
        or _is_kin(parse, noun, opening)
    )


def is_only_possible(parse: Parse, noun: int) -> bool:
    """Whether nobody says that there is such a thing: "may build a mill , which"; "the likely cause is a leak
    , which"; "is reputed to be a king , who"."""
    if parse.lower[parse.left_edge(noun)] not in ("a", "an") or parse.tokens[noun].dep not in ("attr", "dobj"):
        return False
    verb = parse.tokens[noun].head
    subject = parse.subject(verb)
    if parse.tokens[verb].dep == "xcomp" and parse.tokens[parse.tokens[verb].head].lemma in _REPUTED:
        return True
    likely = subject is not None and any(parse.lower[k] in _LIKELY for k in parse.children(subject))
    return likely or any(parse.lower[k] in _POSSIBLE for k in parse.auxiliaries(verb))


def _is_kin(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the clause may be about the person whose kin the noun is: "He was the son of Lee , who was ill"."""
    return parse.lower[opening + 1] in ("who", "whom") and is_kin_of_named(parse, noun, opening, _KIN)


def _is_of_kind(parse: Parse, noun: int) -> bool:
    """Whether the noun only says of what kind the subject's things are, which may be meant: "Physics and chemistry are
    sciences , which are taught"."""
    if parse.tokens[noun].dep != "attr" or parse.tokens[noun].tag != "NNS":
        return False
    subject = parse.subject(parse.tokens[noun].head)
    several = parse.number(parse.tokens[noun].head) == "plural"
    if subject is None or not several and not is_plural(parse, subject) and parse.child(subject, "conj") is None:
        return False
    before = [k for k in parse.children(noun) if k < noun]
    return all(parse.tokens[k].dep in _MODIFIERS for k in before)


def _is_one_of_others(parse: Parse, noun: int, verb: int) -> bool:
    """Whether the clause says what another noun of the antecedent's phrase is: "the distance of an electron from
    the nucleus , which is an outer electron"."""
    predicate = predicate_of(parse, verb)
    if predicate is None or parse.tokens[predicate].lemma == parse.tokens[noun].lemma:
        return False
    lemma = parse.tokens[predicate].lemma
    top = noun
    while parse.tokens[top].dep in _BELOW_NOUNS and not parse.is_verb(parse.tokens[top].head):
        top = parse.tokens[top].head
    return any(parse.tokens[k].lemma == lemma for k in parse.subtree(top) if k < noun)


def _is_alternative(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the antecedent has its like beside it after "or": "limbs , fins or legs , which may be lost"."""
    return any(
        parse.lower[k] == "or" and parse.tokens[parse.tokens[k].head].pos in NOUNS
        for k in parse.subtree(noun)
        if k < opening
    )


def _is_agent_of_insertion(parse: Parse, noun: int) -> bool:
    """Whether the noun is the agent of a participle between commas, and another may be meant: "the queen , played
    by Ann Lane , who"."""
    by = parse.tokens[noun].head
    verb = parse.tokens[by].head
    return (
        parse.tokens[by].dep == "agent"
        and parse.tokens[verb].dep == "acl"
        and parse.lower[parse.left_edge(verb) - 1] == ","
    )


def _is_in_place_of_noun(parse: Parse, noun: int) -> bool:
    """Whether the noun, no person, only tells which one of several is meant: "the one from Leeds , which"."""
    if is_personal(parse, noun):
        return False  # "older than that of Ann , who"
    at = noun
    while parse.tokens[at].dep in ("pobj", "prep"):
        at = parse.tokens[at].head
        if parse.lower[at] in _PRO_NOUNS and parse.tokens[at].dep != "prep":
            return True
    return False


def means_some(parse: Parse, noun: int, verb: int) -> bool:
    """Whether a bare plural means some, who are "the" ones when they are mentioned again."""
    return _is_part_of_known(parse, noun) or _is_particular(parse, noun, verb)


def _is_particular(parse: Parse, noun: int, verb: int) -> bool:
    """Whether a clause tells of a bare plural something that happened: "the murders of women , who had come from Ulm";
    "women had come from Ulm" would be about any.

    The subject of a clause may be all there are: "Ants , which appeared late , are insects".
    """
    token = parse.tokens[noun]
    if token.tag != "NNS" or token.entity or any(parse.tokens[k].dep in _DETERMINING for k in parse.children(noun)):
        return False
    happened = parse.tokens[verb].tag == "VBD" or any(
        parse.tokens[k].tag == "VBD" or parse.lower[k] in ("have", "has") for k in parse.auxiliaries(verb)
    )
    return happened and token.dep in ("pobj", "dobj")


def _is_part_of_known(parse: Parse, noun: int) -> bool:
    """Whether a bare plural means some that one thing has, "the" ones when they are mentioned again: "The mill has
    a pair of wheels , which" or "The mill has wheels , which"; without the article it would mean all wheels."""
    token = parse.tokens[noun]
    if token.tag != "NNS" or any(parse.tokens[k].dep in ("det", "poss", "nummod") for k in parse.children(noun)):
        return False
    if any(parse.tokens[k].dep == "appos" and k == noun + 1 for k in parse.children(noun)):
        return False  # "includes storms Ann and Bob": names, which say the same when they are mentioned again
    if token.dep == "pobj" and parse.lower[token.head] == "of":
        return parse.tokens[parse.tokens[token.head].head].lemma in _SETS
    subject = parse.subject(token.head)
    had = token.dep == "dobj" and parse.tokens[token.head].lemma in _HAVING
    return had and subject is not None and (parse.tokens[subject].pos == "PROPN" or _is_known(parse, subject))


def _is_known(parse: Parse, noun: int) -> bool:
    """Whether the phrase means one thing or things that were named: "the mill", "its walls", "it"."""
    first = parse.lower[parse.left_edge(noun)]
    return first in ("the", "this", "these") or parse.tokens[parse.left_edge(noun)].tag in ("PRP", "PRP$")


def is_told_by_speaker(parse: Parse, noun: int, closing: int) -> bool:
    """Whether the clause is the end of what somebody says, as the words behind its comma tell: "They built a mill ,
    which burned , he said". Behind a subject the author rather adds it: "Lee , who was ill , came home , he said"."""
    for k in range(closing + 1, len(parse)):
        token = parse.tokens[k]
        if token.tag not in FINITE or token.lemma not in REPORTING:
            continue
        subject = parse.subject(k)
        starts = subject is not None and min(parse.left_edge(subject), k) == closing + 1
        said = next((c for c in parse.children(k) if c < closing and parse.tokens[c].dep == "ccomp"), None)
        if starts and said is not None:
            return parse.left_edge(said) <= noun < closing
    return False
