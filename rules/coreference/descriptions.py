"""The description that the words of a name or noun phrase give: person or thing, gender, number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lemminflect import getAllLemmas

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import COUNTRIES
from gistmill.rules.coreference.markables import Markable
from gistmill.rules.coreference.names import without_ending
from gistmill.rules.documents import Token

ARTICLES = frozenset({"the", "a", "an"})
_NOT_OF_NAME = lexicon.TITLES | ARTICLES


def describe_name(made: Markable, tokens: Sequence[Token]) -> None:
    """Sets the words, gender, number and personhood of a name."""
    start = made.start
    lowered = [w.rstrip(".") for w in without_ending([t.text.lower() for t in tokens[start : made.end]])]
    words = [w for w in lowered if w and w not in _NOT_OF_NAME]
    made.words = tuple(words or lowered)
    if made.entity == "ORG" and len(lowered) < made.end - start:
        return  # "Tom Ford, Inc." is not a man
    if other := _entity_by_noun(made):
        made.entity = other
        return
    first = tokens[start + next((k for k, word in enumerate(lowered) if word not in lexicon.TITLES), 0)].text
    known = first in lexicon.FIRST_NAMES
    made.plural = not known and _is_plural_name(made, tokens)
    # ``known``: whether it begins with a first name, as the names of some countries do: India, Chad.
    if made.plural or not (made.entity == "PERSON" or ((known or not made.entity) and made.words not in COUNTRIES)):
        return
    by_noun = next(filter(None, map(lexicon.gender_of_noun, _clues(tokens, start, lowered))), "")
    made.titled = bool(by_noun)
    made.gender = by_noun if by_noun or _is_single_word(made, first) else lexicon.gender_of_first_name(first)
    made.person = made.entity == "PERSON" or (not made.entity and (bool(made.gender) or known))


def _is_single_word(name: Markable, word: str) -> bool:
    """Whether a name may be no more than a word at the beginning of a sentence: "Will", "Grace"."""
    return name.entity != "PERSON" and name.end - name.start == 1 and in_dictionary(word.lower())


def _entity_by_noun(name: Markable) -> str:
    """The type of a name that a noun in it tells better than the recogniser: "Rhodes [College]", "[Mount] Ararat"."""
    if name.end - name.start == 1 or name.entity not in ("", "PERSON", "ORG"):
        return ""
    if name.words[-1] in lexicon.INSTITUTION_NOUNS:
        return "ORG"
    return "FAC" if name.words[0] in lexicon.PLACE_NOUNS else ""


def _is_plural_name(name: Markable, tokens: Sequence[Token]) -> bool:
    if tokens[name.head].tag not in ("NNPS", "NNS") or name.entity == "PERSON":
        return False
    before = tokens[name.start - 1].text.lower() if name.start else ""
    return name.entity in ("ORG", "NORP") or before in ("the", "these", "those") or _has_plural_verb(tokens, name.head)


def _has_plural_verb(tokens: Sequence[Token], noun: int) -> bool:
    """Whether a noun is the subject of a verb that shows the plural: "Aardwolves are shy"."""
    token = tokens[noun]
    if token.dep not in ("nsubj", "nsubjpass") or tokens[token.head].tag == "MD":
        return False
    group = [
        t for i, t in enumerate(tokens) if i == token.head or (t.head == token.head and t.dep in ("aux", "auxpass"))
    ]
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
