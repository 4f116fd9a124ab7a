"""Agreement of third-person pronouns with noun phrases in number, gender and animacy."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.noun_kinds import NO_KINDS, Kind, kinds_of_noun
from gistmill.rules.discofuse.parse import NOUNS, Parse

_NOT_HEADS = frozenset(("compound", "amod", "nmod", "npadvmod", "quantmod", "nummod"))
# Times and amounts, which no pronoun means.
NOT_THINGS = frozenset(("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY", "LANGUAGE"))
_PLACES = frozenset(("GPE", "LOC", "FAC", "EVENT", "LAW", "NORP", "LANGUAGE"))
# Pronouns of persons, and of several, without reflexives.
PERSONAL_WORDS = frozenset(("he", "him", "his", "she", "her", "hers"))
PLURAL_WORDS = frozenset(("they", "them", "their"))
_PERSONS_PLACES = frozenset(("nsubj", "nsubjpass", "poss"))

_KINDS_OF_NAMES = {
    "PERSON": frozenset((Kind.PERSON,)),
    "GPE": frozenset((Kind.PLACE, Kind.GROUP)),
    "LOC": frozenset((Kind.PLACE, Kind.THING)),
    "FAC": frozenset((Kind.PLACE, Kind.THING, Kind.GROUP)),
    "ORG": frozenset((Kind.GROUP, Kind.PLACE, Kind.WORK, Kind.THING)),
    "NORP": frozenset((Kind.GROUP, Kind.PERSON)),
    "EVENT": frozenset((Kind.EVENT,)),
    "WORK_OF_ART": frozenset((Kind.WORK, Kind.THING)),
}


def heads(parse: Parse, start: int, end: int) -> Iterator[int]:
    """Yields the heads of noun phrases among tokens [start, end), other than times and amounts."""
    for i in range(start, end):
        token = parse.tokens[i]
        if token.pos in NOUNS and token.dep not in _NOT_HEADS and token.entity[2:] not in NOT_THINGS:
            yield i


def agrees(parse: Parse, head: int, gender: str, *, named: bool = False) -> bool:
    """Whether a pronoun of the class (m, f, n, p) can stand for the noun phrase of ``head``.

    ``named`` says that it is a name, where the tagger took it for a common noun.
    """
    token = parse.tokens[head]
    entity, plural, lemma = token.entity[2:], token.tag in ("NNS", "NNPS"), token.lemma.lower()
    named = named or token.pos == "PROPN" or entity == "PERSON"
    if gender == lexicon.PLURAL:
        return plural or entity in ("NORP", "ORG") or lemma in lexicon.GROUP_NOUNS or _is_team(parse, head)
    if not named:
        return not plural and _agrees_with_noun(lemma, gender)
    if gender == lexicon.NEUTER:
        return entity not in ("PERSON", "NORP") or not _is_person(parse, head)
    placed = entity in _PLACES and token.dep not in _PERSONS_PLACES
    return not plural and not placed and _gender_of_name(parse, head) in ("", gender)


def _agrees_with_noun(lemma: str, gender: str) -> bool:
    if gender == lexicon.NEUTER or lemma not in lexicon.PERSON_NOUNS:
        return gender == lexicon.NEUTER and lemma not in lexicon.PERSON_NOUNS
    return lexicon.gender_of_noun(lemma) in ("", gender)


def kinds(parse: Parse, head: int) -> frozenset[Kind]:
    """Returns the kinds of what a noun phrase names; none where its name or noun does not tell."""
    token = parse.tokens[head]
    if token.pos == "PROPN" or token.entity:
        entity = token.entity[2:]
        if entity == "PERSON" and not _is_person(parse, head):
            return NO_KINDS
        return _KINDS_OF_NAMES.get(entity, NO_KINDS)
    return kinds_of_noun(token.lemma.lower()) if token.pos == "NOUN" else NO_KINDS


def _is_team(parse: Parse, head: int) -> bool:
    """Whether a name looks like a team's: "the Seahawks"."""
    named = parse.tokens[head].pos == "PROPN" and parse.lower[head].endswith("s")
    return named and any(parse.lower[k] == "the" for k in parse.children(head))


def _first_word(parse: Parse, head: int) -> int:
    while head and parse.tokens[head - 1].dep in ("compound", "nmod") and parse.tokens[head - 1].tag in ("NNP", "NNPS"):
        head -= 1
    return head


def _gender_of_name(parse: Parse, head: int) -> str:
    start = _first_word(parse, head)
    word = parse.tokens[start].text
    known = lexicon.gender_of_first_name(word)
    if start == head:  # alone it may be a surname, as many a man's first name is
        return known if known == lexicon.FEMALE else ""
    return known if known or word in lexicon.FIRST_NAMES else lexicon.leaning_of_first_name(word)


def _is_person(parse: Parse, head: int) -> bool:
    """Whether a name that was taken for a person's has a first name or a title, or is one word without an article: not
    "the Panther"."""
    start = _first_word(parse, head)
    determiner = parse.child(head, "det")
    if parse.tokens[head].entity.endswith("PERSON") and determiner == start - 1 and not _is_team(parse, head):
        return False
    return start == head or any(
        parse.tokens[k].text in lexicon.FIRST_NAMES or parse.lower[k] in lexicon.TITLES for k in range(start, head)
    )
