"""The description that the words of a name or noun phrase give: person or thing, gender, number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lemminflect import getAllLemmas

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.kinds import COUNTRIES
from gistmill.rules.coreference.markables import Markable
from gistmill.rules.documents import Token

ARTICLES = frozenset({"the", "a", "an"})


def describe_name(made: Markable, tokens: Sequence[Token]) -> None:
    """Sets the words, gender, number and personhood of a name."""
    start, end, head = made.start, made.end, tokens[made.head]
    lowered = [t.text.lower().rstrip(".") for t in tokens[start:end]]
    words = [w for w in lowered if w and w not in lexicon.TITLES and w not in ARTICLES]
    made.words = tuple(words or lowered)
    if made.words[-1] in lexicon.INSTITUTION_NOUNS and made.entity in ("", "PERSON", "ORG") and end - start > 1:
        made.entity = "ORG"
        return
    if made.words[0] in lexicon.PLACE_NOUNS and made.entity in ("", "PERSON", "ORG") and end - start > 1:
        made.entity = "FAC"
        return
    first = next(
        (t.text for t, w in zip(tokens[start:end], lowered, strict=True) if w not in lexicon.TITLES), tokens[start].text
    )
    known = first in lexicon.FIRST_NAMES
    if head.tag in ("NNPS", "NNS") and made.entity != "PERSON" and not known:
        made.plural = (
            made.entity in ("ORG", "NORP")
            or _has_plural_verb(tokens, made.head)
            or start > 0
            and tokens[start - 1].text.lower() in ("the", "these", "those")
        )
    if made.entity not in ("PERSON", "") and not known or made.plural:
        return
    if made.entity != "PERSON" and made.words in COUNTRIES:  # India, Chad
        return
    for word in _clues(tokens, start, lowered):
        made.gender = lexicon.gender_of_noun(word)
        if made.gender:
            made.titled = True
            break
    else:
        if made.entity == "PERSON" or end - start > 1 or not in_dictionary(first.lower()):
            made.gender = lexicon.gender_of_first_name(first)
    made.person = made.entity == "PERSON" or made.entity == "" and (bool(made.gender) or known)


def _has_plural_verb(tokens: Sequence[Token], noun: int) -> bool:
    """Whether a noun is the subject of a verb that shows the plural: "Aardwolves are shy"."""
    token = tokens[noun]
    if token.dep not in ("nsubj", "nsubjpass") or tokens[token.head].tag == "MD":
        return False
    group = [t for i, t in enumerate(tokens) if i == token.head or t.head == token.head and t.dep in ("aux", "auxpass")]
    return any(t.tag == "VBP" or t.text.lower() == "were" for t in group)


def namesake_end(made: Markable, tokens: Sequence[Token]) -> int:
    """Returns where the person's name ends that an institution's begins with ("[Andrei Tarkovsky] Museum"), else 0."""
    if made.words[-1] not in lexicon.INSTITUTION_NOUNS or tokens[made.start].text not in lexicon.FIRST_NAMES:
        return 0
    end = made.start
    while end < made.end and tokens[end].text[0].isupper():
        if tokens[end].text.lower() in lexicon.INSTITUTION_NOUNS:
            break
        end += 1
    return end if 2 <= end - made.start <= 3 else 0


def _clues(tokens: Sequence[Token], start: int, lowered: list[str]) -> list[str]:
    """Words at a name that may tell its gender: the title in front or inside, descriptions in front ("the actress Ann
    Lee").
    """
    clues = [lowered[0]]
    before = start - 1
    while before >= 0 and start - before <= 3 and tokens[before].pos in ("NOUN", "PROPN"):
        clues.append(tokens[before].text.lower().rstrip("."))
        before -= 1
    return clues


def describe_nominal(made: Markable, tokens: Sequence[Token]) -> None:
    """Sets the lemma, gender, number and personhood of a noun phrase."""
    head = tokens[made.head]
    lemma = head.lemma.lower()
    made.words = (lemma,)
    made.gender = lexicon.gender_of_noun(lemma) or lexicon.gender_of_noun(head.text.lower())
    made.person = bool(made.gender) or lemma in lexicon.PERSON_NOUNS
    made.plural = head.tag == "NNS"
    if made.person and not made.gender and made.head > made.start:
        before = tokens[made.head - 1].text.lower()
        made.gender = {"male": lexicon.MALE, "female": lexicon.FEMALE}.get(before, lexicon.gender_of_noun(before))


@lru_cache(maxsize=4096)
def in_dictionary(word: str) -> bool:
    """Whether a lower-case word is in the dictionary of English."""
    return bool(getAllLemmas(word))
