"""Inflection: the two places where splitting changes a word form (paper, A.1), by lemminflect's tables."""

from __future__ import annotations

from functools import lru_cache

from gistmill.rules.discofuse.words import Word

_BE = {
    # (past, plural, person)
    (False, False, 1): "am",
    (False, False, 2): "are",
    (False, False, 3): "is",
    (True, False, 1): "was",
    (True, False, 2): "were",
    (True, False, 3): "was",
}


def be(*, past: bool, plural: bool, person: int = 3) -> Word:
    """Returns the form of "be" for tense, number and person."""
    text = _BE[past, False, person] if not plural else ("were" if past else "are")
    tag = "VBD" if past else "VBZ" if text == "is" else "VBP"
    return Word(text, True, tag, "AUX", "ROOT", "be")


def finite(lemma: str, *, past: bool, plural: bool, person: int = 3) -> Word | None:
    """Returns the finite form of a verb; None when its inflection is unknown.

    >>> finite("state", past=True, plural=False).text
    'stated'
    """
    if lemma == "be":
        return be(past=past, plural=plural, person=person)
    tag = "VBD" if past else "VBP" if plural or person != 3 else "VBZ"
    text = _inflect(lemma, tag)
    return Word(text, True, tag, "VERB", "ROOT", lemma) if text else None


@lru_cache(maxsize=8192)
def is_word(text: str, *, upos: str | None = None) -> bool:
    """Whether the lower-case text is an English word (of the class ``upos``) of the tables; most surnames are not."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(text, upos=upos))


@lru_cache(maxsize=8192)
def is_participle_only(text: str) -> bool:
    """Whether the lower-case text is a past participle and neither a past tense nor a base form: "begun", "taken"."""
    if text.endswith("ed"):
        return False
    from lemminflect import getAllLemmas, getInflection

    lemmas = getAllLemmas(text, upos="VERB").get("VERB", ())
    participle = text.endswith("n") or any(text in getInflection(lemma, "VBN") for lemma in lemmas)
    return participle and bool(lemmas) and not any(text in (lemma, *getInflection(lemma, "VBD")) for lemma in lemmas)


@lru_cache(maxsize=8192)
def _inflect(lemma: str, tag: str) -> str | None:
    from lemminflect import getInflection  # takes half a second to import, and most processes never need it

    # lists give the common form first ("traveled", "lay")
    forms = getInflection(lemma, tag, inflect_oov=True)
    return forms[0] if forms else None
