"""Noun phrases before a relative clause that the clause is not about, by what they say and where they stand."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# "A lot of sand , which": there is no "the lot of sand".
_VAGUE_AMOUNTS = frozenset(("lot", "bit", "deal", "plenty"))
# "A capacity of 70 men" is not of certain men.
_MEASURES = frozenset(
    "capacity total average maximum minimum population membership enrollment enrolment attendance audience".split()
)
# In what respect things differ or change: "varies in size".
_RESPECTS = frozenset(
    """
    age appearance area behavior behaviour character color colour composition content depth diameter direction duration
    form frequency height importance intensity length mass nature number origin popularity position price quality
    quantity rank scale scope shape size speed strength structure style taste temperature texture thickness time tone
    value volume weight width
    """.split()
)
_OF_QUALITIES = frozenset("measure indicator indication property ability tendency term word".split())
_FOR_MOST = frozenset(
    """
    chiefly commonly generally largely mainly mostly normally often predominantly primarily principally sometimes
    typically usually
    """.split()
)
# Names of places are joined without being one name.
_PLACES = frozenset(("GPE", "LOC", "FAC"))


def problem_of_noun(parse: Parse, noun: int, verb: int, opening: int) -> Reason | None:
    """Returns the reason against a clause that cannot be about the noun alone, or None.

    Args:
        parse: the sentence.
        noun: the head of the noun phrase before the comma.
        verb: the clause's verb.
        opening: the comma; the pronoun follows it.
    """
    pronoun = parse.lower[opening + 1]
    if _is_vague(parse, noun) or _are_certain(parse, noun, verb) or _is_in_clause(parse, noun, verb, opening):
        return DiscoFuseReason.WRONG_SCOPE
    if pronoun == "which" and (_is_respect(parse, noun) or _is_adjective(parse, noun)):
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    if (
        _is_measured(parse, noun)
        or _is_quality(parse, noun, verb)
        or _is_last_of_predicates(parse, noun)
        or _is_singled_out(parse, noun)
        or pronoun == "whose"
        and _is_persons(parse, noun)
        or pronoun == "which"
        and _may_be_one_name(parse, opening)
    ):
        return DiscoFuseReason.AMBIGUOUS
    return None


def _is_vague(parse: Parse, noun: int) -> bool:
    """Whether the noun is only an amount, which cannot be mentioned again: "a lot of sand , which"."""
    return parse.tokens[noun].lemma in _VAGUE_AMOUNTS and parse.lower[parse.left_edge(noun)] in ("a", "an")


def _are_certain(parse: Parse, noun: int, verb: int) -> bool:
    """Whether what always is so is said of certain things only: "certain mills , which run at night"."""
    certain = any(parse.lower[k] == "certain" for k in parse.children(noun) if k < noun)
    return certain and is_plural(parse, noun) and not parse.past(verb)


def _is_in_clause(parse: Parse, noun: int, verb: int, opening: int) -> bool:
    """Whether the clause names one of those joined before it, so that it is about the others: "Fox and Lee , whom Fox
    had called"."""
    subject = parse.subject(verb)
    if subject is None or subject <= opening + 1 or parse.tokens[subject].pos != "PROPN":
        return False
    noun = parse.first_conjunct(noun)
    return any(parse.lower[k] == parse.lower[subject] for k in parse.subtree(noun) if k < opening)


def _is_respect(parse: Parse, noun: int) -> bool:
    """Whether the noun only says in what respect things differ, and what they do is meant: "vary in size , which"."""
    token = parse.tokens[noun]
    bare = token.tag == "NN" and parse.left_edge(noun) == noun
    return bare and token.dep == "pobj" and parse.lower[token.head] == "in" and token.lemma in _RESPECTS


def _is_adjective(parse: Parse, noun: int) -> bool:
    """Whether the name says of what people, faith or party the subject is: "Most are Catholic , which"."""
    token = parse.tokens[noun]
    bare = token.tag in ("NN", "NNP") and parse.left_edge(noun) == noun
    return bare and token.dep == "attr" and token.entity.endswith("NORP")


def _is_quality(parse: Parse, noun: int, verb: int) -> bool:
    """Whether the clause says what a quality is, not what this degree of it is: "has low relief , which is a measure
    of"."""
    predicate = parse.child(verb, "attr")
    bare = parse.tokens[noun].tag == "NN" and parse.child(noun, "det", "poss") is None
    return (
        bare
        and parse.child(noun, "amod") is not None
        and predicate is not None
        and parse.tokens[predicate].lemma in _OF_QUALITIES
    )


def _is_measured(parse: Parse, noun: int) -> bool:
    """Whether the noun is what a measure counts, and none in particular are meant: "a capacity of 70 men , who"."""
    preposition = parse.tokens[noun].head
    counted = parse.tokens[noun].dep == "pobj" and parse.child(noun, "nummod") is not None
    return (
        counted and parse.lower[preposition] == "of" and parse.tokens[parse.tokens[preposition].head].lemma in _MEASURES
    )


def _is_last_of_predicates(parse: Parse, noun: int) -> bool:
    """Whether the noun is the last of several things that one is said to be, who is meant: "Lee is a poet , critic and
    teacher , who"."""
    token = parse.tokens[noun]
    if token.tag != "NN" or token.dep != "conj" or parse.child(noun, "det", "poss") is not None:
        return False
    noun = parse.first_conjunct(noun)
    return parse.tokens[noun].dep == "attr" and parse.lower[parse.left_edge(noun)] in ("a", "an")


def _is_singled_out(parse: Parse, noun: int) -> bool:
    """Whether the phrase, behind a comma, says what most of those before it are, who may be meant: "older people ,
    mainly men , who"."""
    if parse.tokens[noun].pos != "NOUN":
        return False
    start = parse.left_edge(noun)
    adverb = next((k for k in range(max(start - 1, 1), noun) if parse.lower[k] in _FOR_MOST), None)
    return adverb is not None and parse.lower[adverb - 1] == "," and adverb <= start


def _is_persons(parse: Parse, noun: int) -> bool:
    """Whether the noun is a thing of a person or a name that "whose" may be said of: "Ann 's return , whose song"."""
    owner = parse.child(noun, "poss")
    if owner is None or parse.tokens[noun].lemma in PERSON_NOUNS:
        return False
    token = parse.tokens[owner]
    named = token.pos == "PROPN" and token.entity[2:] not in _PLACES
    return named or token.pos == "NOUN" and token.lemma in PERSON_NOUNS


def _may_be_one_name(parse: Parse, opening: int) -> bool:
    """Whether the name before the comma, behind "and the", may be the end of a title: "Beauty and the Beast ,
    which"."""
    at = next((k for k in range(opening - 1, 1, -1) if parse.tokens[k].pos != "PROPN"), 0)
    if parse.lower[at - 1 : at + 1] != ["and", "the"] or at < 2 or at == opening - 1:
        return False
    before, last = parse.tokens[at - 2], parse.tokens[opening - 1]
    return before.pos == "PROPN" and not {before.entity[2:], last.entity[2:]} & _PLACES
