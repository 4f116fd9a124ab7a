"""Whether a statement names what it is about, by the words that it has once mentions are replaced."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gistmill.rules.coreference.noun_kinds import kinds_of_noun
from gistmill.rules.discofuse.parse import NOUNS, Parse
from gistmill.rules.discofuse.words import Word, Words
from gistmill.rules.propositions import open_words as lists
from gistmill.rules.propositions.open_references import Kind

_WORD = re.compile(r"\w+")


def is_nameless(words: Words, parse: Parse, title: str) -> bool:
    """Whether a statement does not name what its document is about: of a document about Kent "Spring is short", and
    "Ada was a witness". Without a title, whether it tells of the past or gives a figure, and names nothing.

    Args:
        words: of the statement, after mentions were replaced.
        parse: before.
        title: title of the document.
    """
    names = _WORD.findall(title.partition(" (")[0])
    subject = {name.lower() for name in names} - lists.SMALL
    if subject:
        said = [w for before, w in zip((None, *words), words, strict=False) if _is_said(before, w, subject)]
        return not said or _is_given_name(said, names)
    if any((w.pos == "PROPN" or w.entity) and w.entity[2:] not in lists.DATES for w in words):
        return False
    counted = any(w.tag == "CD" and w.text[0].isdigit() for w in words)
    return (counted or parse.past(parse.root())) and any(w.pos in NOUNS for w in words)


def _is_said(before: Word | None, word: Word, subject: Collection[str]) -> bool:
    """Whether a word is one of a title's, and does not end another name."""
    same = word.text.lower() in subject or word.lemma.lower() in subject
    return same and not _ends_other_name(before, word, subject)


def _ends_other_name(before: Word | None, word: Word, subject: Collection[str]) -> bool:
    """Whether a word of a title ends the name of somebody or something else: "Island" of "Clare Island", "Einstein" of
    "Elsa Einstein"."""
    if before is None or before.pos != "PROPN" or before.text.lower() in subject or not word.text[0].isupper():
        return False
    if kinds_of_noun(before.text.lower()) or before.text.endswith("."):
        return False  # "President Lincoln", "J. Lincoln"
    return before.entity.endswith("PERSON") or bool(kinds_of_noun(word.text.lower()))


def _is_given_name(said: Sequence[Word], names: Sequence[str]) -> bool:
    """Whether words of a title say no more than a person's first name: "Ada" of "Ada Lovelace", but not "Elizabeth" of
    "Elizabeth II" or "Leonardo" of "Leonardo da Vinci". Surnames that come first are taken for first names."""
    if len(names) < 2 or not all(name.istitle() for name in names):
        return False
    return all(w.text == names[0] and w.entity[2:] in ("", "PERSON") for w in said)


def open_kind(words: Words) -> Kind | None:
    """Returns what of a phrase that stands for a mention does not stand alone itself: "the man" and "the head of the
    house" are definite, "her father" has a pronoun. None where it does: "the head of Kent".

    Args:
        words: the phrase.
    """
    if any(w.tag in ("PRP", "PRP$") and not any(v.pos == "PROPN" for v in words[:k]) for k, w in enumerate(words)):
        return Kind.PRONOUN
    if words[0].text.lower() != "the":
        return None
    if any(w.pos == "PROPN" or w.entity and w.entity[2:] not in lists.DATES for w in words):
        return None
    told = any(w.pos == "ADP" for w in words) and not any(w.text == "the" for w in words[1:])
    return None if told else Kind.DEFINITE
