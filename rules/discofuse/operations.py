"""Operations on token lists (paper, Table 13), and the conversion of a token list into a sentence.

Every operation keeps the spacing of natural text correct, so that the tokenised and the natural form of a sentence can
be made from the same list. Lists are never changed in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gistmill.rules.discofuse.parse import ARTICLES, FINITE, Word, Words


def be(*, past: bool, plural: bool, person: int = 3) -> Word:
    """Returns the form of "be" for the given tense, number and person."""
    forms = ("was", "were", "was") if past else ("am", "are", "is")
    text = forms[1 if plural else person - 1]
    tag = "VBD" if past else "VBZ" if text == "is" else "VBP"
    return Word(text, True, tag, "AUX", "ROOT", "be")


@lru_cache(maxsize=8192)
def finite(lemma: str, *, past: bool, plural: bool, person: int = 3) -> Word | None:
    """Returns the finite form of a verb; None when its inflection is unknown.

    >>> finite("state", past=True, plural=False).text
    'stated'
    """
    if lemma == "be":
        return be(past=past, plural=plural, person=person)
    from lemminflect import getInflection  # takes half a second to import, and most processes never need it

    tag = "VBD" if past else "VBP" if plural or person != 3 else "VBZ"
    forms = getInflection(lemma, tag, inflect_oov=True)  # the most common form first: "traveled", "lay"
    return Word(forms[0], True, tag, "VERB", "ROOT", lemma) if forms else None


@lru_cache(maxsize=8192)
def is_word(text: str, *, upos: str | None = None) -> bool:
    """Whether the lower-case text is an English word (of class ``upos``) in lemminflect's tables; few surnames are."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(text, upos=upos))


@lru_cache(maxsize=8192)
def is_participle_only(text: str) -> bool:
    """Whether the lower-case text is a past participle but neither a past tense nor a base form: "begun", "taken"."""
    if text.endswith("ed"):
        return False
    from lemminflect import getAllLemmas, getInflection

    lemmas = getAllLemmas(text, upos="VERB").get("VERB", ())
    participle = text.endswith("n") or any(text in getInflection(lemma, "VBN") for lemma in lemmas)
    other = any(text == lemma or text in getInflection(lemma, "VBD") for lemma in lemmas)
    return participle and bool(lemmas) and not other


OPENING = frozenset(("(", "[", "{", "``", "“", "‘"))
CLOSING = frozenset((")", "]", "}", "''", "”", "’"))
_CLOSING_BRACKETS = frozenset((")", "]", "}"))
QUOTES = frozenset(("''", "”", "’", "'", '"'))
TERMINAL = frozenset((".", "?", "!", "..."))
# Marks that may be left over at either end of part of a sentence.
HANGING = frozenset((",", ";", ":", "-", "--", "---"))
# Tokens that follow the previous word without a space.
_NO_SPACE_BEFORE = CLOSING | TERMINAL | frozenset((",", ";", ":", "'s", "n't", "'", "%"))
_JOINED = {"'re": "are", "'ve": "have", "'ll": "will", "'s": "is", "'d": "would"}
_PERFECT = {"'s": ("has", "VBZ"), "'d": ("had", "VBD")}


def join(*parts: Sequence[Word]) -> Words:
    """Concatenates parts, separated by a space unless the next part opens with closing punctuation."""
    out: list[Word] = []
    for part in parts:
        if not part:
            continue
        if out:
            opening = part[0].original or part[0].text
            out[-1] = out[-1]._replace(space=opening not in _NO_SPACE_BEFORE)
        out.extend(part)
    return tuple(out)


def delete(words: Sequence[Word], start: int, count: int) -> Words:
    """DELETE: removes ``count`` words, starting at position ``start``."""
    return join(words[:start], words[start + count :])


def replace(words: Sequence[Word], start: int, end: int, new: Sequence[Word]) -> Words:
    """REPLACE: substitutes ``new`` for words [start, end); the spacing after them is kept."""
    if not new or start >= end:
        return tuple(words)
    new = (*new[:-1], new[-1]._replace(space=words[end - 1].space))
    return (*words[:start], *new, *words[end:])


def spelled_out(words: Sequence[Word], position: int) -> Words:
    """Spells out a verb contracted with the preceding pronoun: "they 've left" becomes "the men have left"."""
    if position >= len(words) or words[position].text not in _JOINED or words[position].tag not in FINITE:
        return tuple(words)
    verb, before = words[position], words[position - 1]
    following = next((w for w in words[position + 1 :] if w.pos in ("VERB", "AUX")), verb)
    active = verb.dep == "aux" or any(w.dep == "dobj" and w.head == following.position for w in words)
    if verb.text in _PERFECT and following.tag == "VBN" and (active or following.text in ("been", "got")):
        full, tag = _PERFECT[verb.text]  # "it 's been made", "it 's made cloth", but "it 's made"
        verb = verb._replace(tag=tag, lemma="have")
    else:
        full = "has" if verb.text == "'s" and verb.lemma == "have" else _JOINED[verb.text]
    written = before._replace(space=True), verb._replace(text=full, original="")
    return (*words[: position - 1], *written, *words[position + 1 :])


def trim(words: Sequence[Word]) -> Words:
    """TRIM: removes the first punctuation mark (comma, semicolon, colon, bracket, full stop) and all after it."""
    for i, word in enumerate(words):
        if word.text in HANGING - {"-"} or word.text in OPENING or word.text in CLOSING or word.text in TERMINAL:
            return tuple(words[:i])
    return tuple(words)


def without_hanging(words: Sequence[Word]) -> Words:
    """Removes commas, dashes and similar marks from both ends."""
    start, end = 0, len(words)
    while start < end and words[start].text in HANGING:
        start += 1
    while end > start and words[end - 1].text in HANGING:
        end -= 1
    return tuple(words[start:end])


def capitalised(words: Sequence[Word]) -> Words:
    """Capitalises the first word, unless it has a capital (``iPhone``) or an editor's bracket (``[c]ities``)."""
    for i, word in enumerate(words):
        text = word.text
        if text in OPENING or text in ("'", '"'):
            continue
        if text[0].islower() and text[1:2] != "]" and not any(c.isupper() for c in text):
            return (*words[:i], word._replace(text=text[0].upper() + text[1:]), *words[i + 1 :])
        break
    return tuple(words)


def lowered(words: Sequence[Word], *, opening: int = 0) -> Words:
    """Lower-cases a former first word that moves inside a sentence, except for names, acronyms and "I".

    Only a word that opened its sentence is changed: elsewhere, its capital is part of its spelling.

    Args:
        words: the words to move.
        opening: position of the word that opened the sentence; greater than 0 after punctuation marks.
    """
    if not words or words[0].position != opening:
        return tuple(words)
    first = words[0]
    text = first.text
    if text.lower() in ARTICLES:
        named = first.entity.endswith("WORK_OF_ART")
    else:
        named = first.tag in ("NNP", "NNPS") or text == "I" or _is_proper(first)
    if named or (len(text) > 1 and not text[1:].islower()):
        return tuple(words)
    if first.tag == "NN" and text.lower() not in ARTICLES and not is_word(text.lower()):
        return tuple(words)  # a name tagged as a noun
    return (first._replace(text=text.lower()), *words[1:])


def _is_proper(word: Word) -> bool:
    """Whether a word that opened its sentence is always capitalised. The entity recogniser takes "Solar cells" for a
    name because of its capital, and misses many peoples: "Somali" is not an adjective in lower case."""
    if word.tag.startswith("JJ"):
        text = word.text.lower()
        if is_word(text):
            return word.entity[2:] in ("NORP", "GPE", "LANGUAGE")
        return bool(word.entity) or text.endswith(("i", "an", "ese", "ish", "ite"))
    return bool(word.entity) and word.tag != "CD"


def in_role(words: Sequence[Word], head: int, dep: str, verb: int) -> Words:
    """Moves a copied phrase in the tree: the word from position ``head`` becomes a ``dep`` of ``verb``."""
    return tuple(w._replace(dep=dep, head=verb) if w.position == head else w for w in words)


def sentence(words: Sequence[Word], mark: str = ".") -> Words:
    """Turns a part into a sentence: no hanging marks at its ends, a capital, and final punctuation.

    Args:
        words: the part.
        mark: final mark to add if the part has none. An abbreviation's full stop serves as the final one.
    """
    words = capitalised(_without_comma_of_note(without_hanging(words)))
    if len(words) > 2 and words[-1].text in QUOTES and words[-2].text == ",":  # ... of our century , "
        words = (*words[:-2], words[-2]._replace(text=mark, tag=".", lemma=mark), words[-1])
    if not words or _ends(words):
        return words
    last = words[-1]
    if mark == "." and last.text.endswith(".") and len(last.text) > 1:
        return words
    return (*words[:-1], last._replace(space=False), Word(mark, False, ".", "PUNCT", "punct", mark))


def _without_comma_of_note(words: Words) -> Words:
    """Removes a final comma before the mark of a note: "of Illyrian ancestry , [ 10 ]"."""
    start = len(words)
    while start and words[start - 1].text == "]":
        start = opening_of(words, start - 1)
    noted = 0 < start < len(words) and words[start - 1].text == ","
    return delete(words, start - 1, 1) if noted else words


def opening_of(words: Sequence[Word], closing: int) -> int:
    """Returns the position of the bracket closed at ``closing``; 0 if there is none."""
    depth = 0
    for k in range(closing, -1, -1):
        depth += (words[k].text in _CLOSING_BRACKETS) - (words[k].text in OPENING)
        if depth == 0:
            return k
    return 0


def _ends(words: Sequence[Word]) -> bool:
    """Whether the last mark ends the sentence, rather than text in a bracket within it: "( free video ! )"."""
    end = len(words)
    while end:
        word = words[end - 1]
        if word.text in TERMINAL:
            return True
        if word.text in _CLOSING_BRACKETS:
            start = opening_of(words, end - 1)
            if start and words[start - 1].text not in TERMINAL:
                return False
        elif word.text not in QUOTES:
            return False
        end -= 1
    return False
