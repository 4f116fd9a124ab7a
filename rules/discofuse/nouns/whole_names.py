"""Names said in full: with what follows "of", with their article, and not a piece of a longer one."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS, TITLES
from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.parse import NAME_TAGS, Parse
from gistmill.rules.discofuse.words import Word, Words
from gistmill.rules.documents import Mention

_WHOLE = frozenset(("PERSON", "NORP", "GPE"))
_ARTICLE = Word("the", True, "DT", "DET", "det", "the")
# Before "of" and a name these have an article: "the University of Leeds".
_INSTITUTIONS = frozenset(
    """
    academy archdiocese army association bank battle board borough bureau cathedral chamber church city college colony
    council county court department diocese district duchy faculty federation gulf house institute isle kingdom league
    library ministry monastery municipality museum office order parish port principality province republic school siege
    society state town treaty university
    """.split()
)


def end_of_name(first: Parse, antecedent: Mention) -> int:
    """Returns where a name ends with the complement that its mention lacks: "the Roll" of "the Roll of Honour".

    That of a person, people or country has none: "Ada of Leeds" is Ada, "the cession by Britain of Leeds" Britain's.
    """
    at = antecedent.end
    if antecedent.kind != "name" or first.tokens[antecedent.head].tag not in NAME_TAGS:
        return at
    if first.tokens[antecedent.head].entity[2:] in _WHOLE or first.lower[at : at + 1] != ["of"]:
        return at
    end = at + 2 if first.lower[at + 1 : at + 2] == ["the"] else at + 1
    begin = end
    while end < len(first) and first.tokens[end].tag in NAME_TAGS:
        end += 1
    return end if end > begin else at


def with_article_of_name(words: Words, head: int) -> Words:
    """Returns the name of an institution or place with the article that a headline leaves out: "University of Leeds"
    becomes "the University of Leeds"; other phrases as they are."""
    place = next((i for i, w in enumerate(words) if w.position == head), None)
    if place is None or [w.text.lower() for w in words[place + 1 : place + 2]] != ["of"]:
        return words
    bare = all(w.tag in NAME_TAGS or w.tag.startswith("JJ") for w in words[: place + 1])
    if not bare or words[place].text.lower() not in _INSTITUTIONS:
        return words
    return (_ARTICLE, *words)


def before_name(words: Words) -> Words:
    """Returns the noun with the definite article before the name that modifies it; one that is owned gets none: "the
    Leeds mills", "Ada 's mills"."""
    return words if any(w.tag == "POS" for w in words) else (_ARTICLE, *words)


def is_mere_title(first: Parse, antecedent: Mention) -> bool:
    """Whether a title or an office was taken for somebody's name: "Ambassador" of "his work as Ambassador to Chad"."""
    head = antecedent.head
    if antecedent.kind != "name" or antecedent.end - antecedent.start != 1 or first.tokens[head].entity:
        return False
    if first.lower[head] not in TITLES and first.lower[head] not in PERSON_NOUNS:
        return False
    token = first.tokens[head]
    of_place = first.lower[head + 1 : head + 2] in (["of"], ["to"], ["for"]) and first.tokens[head + 1].head == head
    held = token.dep in ("attr", "oprd", "appos") or token.dep == "pobj" and first.lower[token.head] == "as"
    return of_place or held


def is_piece(first: Parse, words: Words, head: int) -> bool:
    """Whether a phrase begins inside a name ("Ada game" of "the Legend of Ada game"), or has run into the
    participle before it ("Leaving Ada , they")."""
    begin = words[0].position
    if first.tokens[begin].entity.startswith("I-"):
        return True
    if words[0].tag not in NAME_TAGS:
        return False
    joined = begin > 1 and first.tokens[begin - 1].text == "of" and first.tokens[begin - 2].tag in NAME_TAGS
    if joined and first.tokens[head].pos == "NOUN":
        return True
    opening = words[0].text.lower()
    person = first.tokens[head].entity.endswith("PERSON")
    return begin == 0 < head and person and opening.endswith("ing") and is_word(opening, upos="VERB")
