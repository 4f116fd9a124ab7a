"""Agreement of third-person pronouns with noun phrases in number, gender and animacy."""

from __future__ import annotations

from collections.abc import Iterator

from rules.coreference import lexicon
from rules.discofuse.parse import Parse

_NOT_HEADS = frozenset(("compound", "amod", "nmod", "npadvmod", "quantmod", "nummod"))
_NOT_THINGS = frozenset(("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY", "LANGUAGE"))
_PLACES = frozenset(("GPE", "LOC", "FAC", "EVENT", "LAW", "NORP", "LANGUAGE"))
_PERSONS_PLACES = frozenset(("nsubj", "nsubjpass", "poss"))


def heads(parse: Parse, start: int, end: int) -> Iterator[int]:
    """Yields the heads of noun phrases among tokens [start, end), other than times and amounts."""
    for i in range(start, end):
        token = parse.tokens[i]
        if token.pos in ("NOUN", "PROPN") and token.dep not in _NOT_HEADS and token.entity[2:] not in _NOT_THINGS:
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
    if gender == lexicon.NEUTER:
        if not named:
            return not plural and lemma not in lexicon.PERSON_NOUNS
        return entity not in ("PERSON", "NORP") or not _is_person(parse, head)
    if plural:
        return False
    if not named:
        return lemma in lexicon.PERSON_NOUNS and lexicon.gender_of_noun(lemma) in ("", gender)
    if entity in _PLACES and token.dep not in _PERSONS_PLACES:
        return False
    return _gender_of_name(parse, head) in ("", gender)


def _is_team(parse: Parse, head: int) -> bool:
    """Whether a name looks like a team's: "the Seahawks"."""
    determiner = parse.child(head, "det")
    return (
        parse.tokens[head].pos == "PROPN"
        and parse.lower[head].endswith("s")
        and determiner is not None
        and parse.lower[determiner] == "the"
    )


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
    """Whether a name that was taken for a person's has a first name or a title, or is one word."""
    start = _first_word(parse, head)
    return start == head or any(
        parse.tokens[k].text in lexicon.FIRST_NAMES or parse.lower[k] in lexicon.TITLES for k in range(start, head)
    )
