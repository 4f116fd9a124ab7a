"""Noun phrases as copied by the rules: without dependent appositions, relative clauses and brackets."""

from __future__ import annotations

import itertools

from gistmill.rules.coreference.lexicon import PERSON_NOUNS, TITLES
from gistmill.rules.discofuse.operations import CLOSING, OPENING, join, lowered, without_hanging
from gistmill.rules.discofuse.parse import FINITE, NAME_TAGS, NOMINAL, PLURAL_TAGS, QUOTES, WORDS, Parse, Word, Words
from gistmill.rules.documents import Mention

# Words before a plural: "some villagers" are "the villagers" when mentioned again.
INDEFINITE = frozenset(("some", "several", "certain", "various"))
# Marks that may precede the first word of a sentence: "( 3 ) The Senate".
_OPENERS = frozenset((")", ":", ";", "-", "--", "*", "."))
ARTICLE = Word("the", True, "DT", "DET", "det", "the")


def core(parse: Parse, head: int, *, start: int = 0, end: int | None = None) -> Words:
    """Returns the noun phrase of ``head`` without its loose parts, limited to positions [start, end).

    Loose parts are set off by a comma or a bracket: appositions, relative and participle clauses, text in brackets. An
    adverb after the noun belongs to the clause.
    """
    end = len(parse) if end is None else end
    keep = {i for i in parse.subtree(head) if start <= i < end}
    for i in sorted(keep - {head}):
        if _is_loose(parse, i, head, keep):
            keep.difference_update(parse.subtree(i))
    _complete_entity(parse, keep, start, end)
    depth, positions = 0, []
    for i in sorted(keep):
        depth += parse.tokens[i].text in OPENING
        if depth == 0:
            positions.append(i)
        depth -= depth > 0 and parse.tokens[i].text in CLOSING
    if not any(parse.tokens[i].dep == "conj" for i in positions):
        # without coordination, a comma only separates dropped parts, or a loose part with another label
        commas = (i for i in positions if i > head and parse.lower[i] == "," and not parse.tokens[i].entity)
        cut = next(commas, len(parse))
        positions = [i for i in positions if i < cut]
    while len(positions) > 1 and parse.lower[positions[0]] in WORDS["focus"] and positions[0] != head:
        positions = positions[1:]
    runs = itertools.groupby(enumerate(positions), key=lambda place: place[1] - place[0])
    return without_hanging(join(*([parse.words[i] for _, i in run] for _, run in runs)))


def _is_loose(parse: Parse, part: int, head: int, keep: set[int]) -> bool:
    """Whether a part is set off from the noun, or is an adverb that belongs to the clause: "the king later", "once the
    king", but not "most famously the salamanders", "naturally occurring acids" and "about 200 men"."""
    token, left = parse.tokens[part], parse.left_edge(part)
    if token.dep in ("appos", "relcl", "acl", "parataxis", "advcl"):
        return (left > head and parse.lower[left - 1] in (",", "(", "--")) or parse.lower[left] in (",", "(")
    if token.dep != "advmod" or token.head != head or part > head:
        return token.dep == "advmod" and token.head == head and token.tag == "RB"
    approximate = parse.lower[part] in WORDS["approximate"] and parse.tokens[part + 1].tag == "CD"
    return left - 1 not in keep and not approximate and parse.tokens[part + 1].tag not in ("VBG", "VBN")


def _complete_entity(parse: Parse, keep: set[int], start: int, end: int) -> None:
    """Adds the rest of a name split by the tree: "the Great" after "Alexander"."""
    if not keep:
        return
    first, last = min(keep), max(keep)
    while first > start and parse.tokens[first].entity.startswith("I-"):
        first -= 1
        keep.add(first)
    while last + 1 < end and parse.tokens[last].entity and parse.tokens[last + 1].entity.startswith("I-"):
        last += 1
        keep.add(last)


def definite(words: Words) -> Words:
    """Returns a noun phrase for its second mention.

    "A mill", "one mill" and "a certain mill" become "the mill", "five mills" "the five mills", "some mills", "a few
    mills" and "a number of mills" "the mills", and "an Ada Grey" "Ada Grey".
    """
    if len(words) < 2 or (words[0].position > 0 and words[0].text.istitle()):
        return words  # "An American Requiem", "One Last Dance": the first word is part of a title
    opening, following = words[0].text.lower(), words[1].text.lower()
    if words[0].tag == "CD" and (words[0].dep == "nummod" or following == "-"):
        number = () if opening == "one" else (words[0]._replace(text=opening),)
        return words if words[0].entity.endswith("DATE") else (_the(words[0]), *number, *words[1:])
    if opening in INDEFINITE and following != "of":
        # the head noun may be followed by a complement: "some mills in Kent"
        inside = {w.position for w in words}
        noun = next((w for w in words if w.head not in inside or w.head == w.position), words[-1])
        return (_the(words[0]), *words[1:]) if noun.tag in PLURAL_TAGS else words
    if opening not in ("a", "an") or words[0].dep not in ("det", "dep", "quantmod", ""):
        return words
    if following in ("few", "certain") and len(words) > 2:
        return (_the(words[0]), *words[2:])
    if len(words) > 3 and following in ("couple", "handful", "number", "variety") and words[2].text.lower() == "of":
        return (_the(words[0]), *words[3:])
    person = all(w.tag == "NNP" and w.entity.endswith("PERSON") for w in words[1:])
    return words[1:] if person else (_the(words[0]), *words[1:])


def with_article(words: Words) -> Words:
    """Adds the definite article to a bare noun phrase: "orders" becomes "the orders". Other phrases are unchanged, as
    are titles, recognised by a capital inside the sentence ("Old Roads") or a number ("Mill 451")."""
    first = words[0]
    numbered = words[-1].tag == "CD"
    if len(words) > 1 and (first.position > 0 or numbered) and all(not w.text[0].islower() for w in words):
        return words
    if first.tag not in ("NN", "NNS", "JJ", "JJR", "RB", "VBG", "VBN") or (first.entity and first.pos == "PROPN"):
        return words
    return (ARTICLE._replace(text="The" if first.position == 0 else "the"), *lowered(words))


def opens_behind_marks(parse: Parse, words: Words) -> bool:
    """Whether a phrase is capitalised because it opens its sentence after marks or a number: "( 3 ) The Senate", "*
    Local officials". Titles are always capitalised ("* Old Roads"), as is text in quotation marks."""
    begin, end = words[0].position, words[-1].position + 1
    before = parse.lower[: max(begin, 0)]
    if not before or before[-1].isalnum():
        return False
    if words[0].tag == "DT" and before[-1] in _OPENERS:
        return True
    if any(len(t) > 1 and t.isalpha() for t in before) or not QUOTES.isdisjoint(parse.lower[end : end + 1]):
        return False
    return words[0].tag == "DT" or len(words) == 1 or any(w.text[0].islower() for w in words[1:])


def can_return(words: Words) -> bool:
    """Whether a noun phrase has the same meaning when it is repeated.

    It does not if it is quantified or compared ("both brothers", "no man", "other alchemists"), is a selection ("one of
    the men"), or gives an approximate number ("about 200 people", "one or several men").
    """
    lower = [w.text.lower() for w in words]
    if lower[0] in WORDS["quantifying"] or not WORDS["compared"].isdisjoint(lower):
        return False
    return lower[1:2] != ["of"] or words[0].tag not in ("CD", "DT", "JJ", "JJR", "JJS", "RB")


def _the(word: Word) -> Word:
    """Returns the article that replaces another word or precedes it."""
    text = "The" if word.text[0].isupper() else "the"
    if word.dep == "nummod":
        return ARTICLE._replace(text=text)
    return word._replace(text=text, tag="DT", pos="DET", dep="det", lemma="the")


def is_plural(parse: Parse, head: int) -> bool:
    """Whether the noun phrase of ``head`` takes a plural verb."""
    token = parse.tokens[head]
    if token.tag in PLURAL_TAGS or (parse.lower[head] in WORDS["plural_words"] and token.tag != "NNP"):  # "the US"
        return True
    below = parse.children(head)
    joined = any(k > head and parse.tokens[k].dep == "conj" and parse.tokens[k].pos in NOMINAL for k in below)
    return joined and any(parse.lower[k] == "and" for k in below)


def person(parse: Parse, head: int) -> int:
    """Returns the grammatical person of the noun phrase: 1, 2 or 3."""
    word = parse.lower[head]
    return 1 if word in ("i", "we") else 2 if word == "you" else 3


def names_again(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether a copied noun phrase is complete and has the same meaning when repeated.

    It does not if its first word is missing ("a non - Greek but old people", "largely aspen parkland"), if a
    preposition other than in "over 20 people" or a verb was taken for part of it ("from the 19th century Charles
    Darwin", "shoots Cohen"), or if it has no particular referent ("some villagers", "other techniques").
    """
    # in "the two wheels", made from "two wheels", the first word is "two"
    first, inside = next(w for w in antecedent if w.position >= 0), {w.position for w in antecedent}
    if first.pos == "ADP" and (len(antecedent) == 1 or antecedent[1].tag != "CD"):
        return False
    if first.text.lower() in WORDS["others"] and first.position != head:
        return False
    if any(w.tag in FINITE and (w.dep in ("compound", "amod") or w.head not in inside) for w in antecedent):
        return False
    if first is antecedent[0] and first.tag in ("RB", "RBR", "RBS") and not first.entity:
        return False
    return first.position == 0 or parse.lower[first.position - 1] not in ("a", "an", "the", "or", "nor")


def end_of_name(first: Parse, antecedent: Mention) -> int:
    """Returns the end of a name including the complement that its mention lacks: "the Roll" in "the Roll of Honour".

    Persons, peoples and countries have none: "Ada of Leeds" is Ada, "the cession by Britain of Leeds" Britain's.
    """
    at, token = antecedent.end, first.tokens[antecedent.head]
    whole = token.tag not in NAME_TAGS or token.entity[2:] in ("PERSON", "NORP", "GPE")
    if whole or antecedent.kind != "name" or first.lower[at : at + 1] != ["of"]:
        return at
    begin = end = at + 1 + (first.lower[at + 1 : at + 2] == ["the"])
    while end < len(first) and first.tokens[end].tag in NAME_TAGS:
        end += 1
    return end if end > begin else at


def with_article_of_name(words: Words, head: int) -> Words:
    """Returns an institution's or place's name with the article omitted in headlines: "University of Leeds" becomes
    "the University of Leeds". Other phrases are unchanged."""
    place = next((i for i, w in enumerate(words) if w.position == head), 0)
    bare = all(w.tag in NAME_TAGS or w.tag.startswith("JJ") for w in words[: place + 1])
    named = bare and words[place].position == head and words[place].text.lower() in WORDS["institutions"]
    return (ARTICLE, *words) if named and [w.text.lower() for w in words[place + 1 : place + 2]] == ["of"] else words


def is_mere_title(first: Parse, antecedent: Mention) -> bool:
    """Whether a title or office was taken for a person's name: "Ambassador" in "his work as Ambassador to Chad"."""
    head = antecedent.head
    if antecedent.kind != "name" or antecedent.end - antecedent.start != 1 or first.tokens[head].entity:
        return False
    held = first.lower[head + 1 : head + 2] in (["of"], ["to"], ["for"]) and first.tokens[head + 1].head == head
    return held and (first.lower[head] in TITLES or first.lower[head] in PERSON_NOUNS)


DEMONSTRATIVES = frozenset(("this", "that", "these", "those"))


def says_more(first: Parse, antecedent: Mention) -> bool:
    """Whether "the mill" still refers back like "this mill": after a new phrase ("a mill , which"), or one from which
    nothing was dropped (for "the regions they ruled", it would mean any regions, as it does for bare "teeth")."""
    head = antecedent.head
    opening = first.tokens[min(antecedent.start, first.left_edge(head))]
    restricted = any(k > head and first.tokens[k].dep in ("relcl", "acl", "prep") for k in first.children(head))
    new = opening.lemma.lower() in ("a", "an") or not restricted
    return new and opening.text.lower() not in DEMONSTRATIVES and opening.tag != "NNS"


def is_cut(words: Words) -> bool:
    """Whether the phrase is incomplete ("the City of"), has a slash ("TV / film"), or contains an unclosed quote."""
    odd = sum(w.text in QUOTES for w in words) % 2 == 1
    return odd or words[-1].pos in ("ADP", "CCONJ") or any("/" in w.text for w in words)
