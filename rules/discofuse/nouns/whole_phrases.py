"""Whether the phrase of a noun, as a split copies it, is a whole one that means the same thing again; names in full."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS, TITLES
from gistmill.rules.discofuse.parse import ARTICLES, FINITE, NAME_TAGS, Parse
from gistmill.rules.discofuse.words import Word, Words, first_of_text
from gistmill.rules.documents import Mention

# They open a noun phrase that means others when it is said again.
_INDEFINITE = frozenset(
    "some other others another certain such any most more enough half part many much few fewer".split()
)

# Before a phrase that lacks its beginning.
_TORN_FROM = ARTICLES | {"or", "nor"}

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


def names_again(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether a copied noun phrase is a full one that means the same thing again.

    It is not where a word is missing at its beginning ("a non - Greek but old people", "largely aspen parkland"), where
    a preposition or a verb was taken for a part of it ("from the 19th century Charles Darwin", "shoots Cohen"), but
    "over 20 people" is, and where it has no particular referent ("some villagers", "other techniques").
    """
    first, inside = first_of_text(antecedent), {w.position for w in antecedent}
    if first.pos == "ADP" and (len(antecedent) == 1 or antecedent[1].tag != "CD"):
        return False
    if first.text.lower() in _INDEFINITE and first.position != head:
        return False
    if any(w.tag in FINITE and (w.dep in ("compound", "amod") or w.head not in inside) for w in antecedent):
        return False
    if first is antecedent[0] and first.tag in ("RB", "RBR", "RBS") and not first.entity:
        return False
    return first.position == 0 or parse.lower[first.position - 1] not in _TORN_FROM


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
    held = first.lower[head + 1 : head + 2] in (["of"], ["to"], ["for"]) and first.tokens[head + 1].head == head
    return held and (first.lower[head] in TITLES or first.lower[head] in PERSON_NOUNS)
