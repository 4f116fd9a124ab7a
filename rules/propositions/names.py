"""The names in a document: the bearers of a name, the name in the title, and the full name for a surname."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.rules.coreference.lexicon import (
    FIRST_NAMES,
    PARTICLES,
    PRONOUNS,
    TITLES,
    gender_of_first_name,
    kinds_of_noun,
)
from gistmill.rules.discofuse.operations import is_word
from gistmill.rules.discofuse.parse import Parse, Word, Words
from gistmill.rules.documents import Mention

_PERSONAL = frozenset("he she him her his hers".split())
_MARKS = frozenset(("'s", "'", "the"))
# Roles in which a name containing a known surname is a person's, whatever its label.
_OF_OWNERS = frozenset(("nsubj", "poss"))
_OF_PERSONS = _OF_OWNERS | {"nsubjpass", "dobj", "pobj"}
_OFTEN = 3  # number of times that the title's surname occurs alone, or that a sentence begins with "he" or "she"
_SUBJECTS = (["he"], ["she"])
_NO_PERSONS = frozenset(("GPE", "LOC", "FAC", "NORP"))
_RIGHT = 0.98  # share of correct full names for surnames, in a reading


@dataclass(frozen=True, slots=True)
class Antecedent:
    """The antecedent of a mention.

    Attributes:
        mention: the antecedent; in sentence -1 if it is only in the title.
        words: its phrase, with positions in its own sentence.
        confidence: confidence of the link, including the support of both mentions' positions.
    """

    mention: Mention
    words: Words
    confidence: float


class Names:
    """The names in a document.

    Args:
        clusters: the document's coreference clusters.
        parses: the parses of its sentences.
        title: title of the document.
    """

    def __init__(self, clusters: Sequence[Sequence[Mention]], parses: Sequence[Parse], title: str) -> None:
        self._parses = parses
        self._title = title.partition(" (")[0].partition(", ")[0].lower().split()
        self._inner_names = {t.text for p in parses for t in p.tokens[1:] if t.pos == "PROPN"}
        # Full names by their first and last words. Someone named only once is in no cluster.
        self._bearers: dict[str, set[str]] = {}
        names = [self._title, *(parse.lower[a:b] for parse in parses for a, b in person_names(parse))]
        for m in (m for cluster in clusters for m in cluster if m.kind == "name"):
            names.append([w for w in parses[m.sentence].lower[m.start : m.end] if w not in _MARKS])
        for words in names:
            for word in {words[0], words[-1]} if len(words) > 1 else ():
                self._bearers.setdefault(word, set()).add(" ".join(words))

    def is_title(self, name: Mention) -> bool:
        """Whether a name or common noun is the title."""
        own = self._parses[name.sentence].lower[name.start : name.end]
        return self._title in (own, own[own[:1] == ["the"] :])

    def has_namesake(self, words: Words, mention: Mention) -> bool:
        """Whether somebody else has the same name: "Einstein" may refer to Albert or Hans Einstein."""
        if mention.kind != "name":
            return False
        own = self._parses[mention.sentence].lower[mention.head]
        full = {w.text.lower() for w in words}
        return any(
            not full.issuperset(name.split()) and not full.issubset(name.split()) for name in self._bearers.get(own, ())
        )

    def may_be_another(self, antecedent: Mention, words: Words, mention: Mention) -> bool:
        """Whether a name may belong to something other than the referent. It may include the capitalised first word of
        the sentence ("Overnight Ada Lee"), begin with "the" when a person is meant, name Betty for "he" or a cup for
        "the war", or be longer than the name that it replaces ("Greater Kent" for "Kent"), unless it is a person's.

        Args:
            antecedent: the mention with the name.
            words: its phrase.
            mention: the mention that it would replace.
        """
        first, own = self._parses[antecedent.sentence].tokens, self._parses[mention.sentence].lower[mention.head]
        gender = gender_of_first_name(words[0].text)
        if gender and own in _PERSONAL and PRONOUNS.get(own, gender) != gender:
            return True
        if self._is_another(words):
            return True
        if mention.kind == "name":  # both must possibly be a person's: not "Washington", the state
            entity = self._parses[mention.sentence].tokens[mention.head].entity
            if not first[antecedent.head].entity.endswith("PERSON") or entity[2:] not in ("", "PERSON"):
                return True
        if own in _PERSONAL and words[0].text.lower() == "the" and not self.is_title(antecedent):
            return True
        event = mention.kind == "nominal" and first[antecedent.head].entity.endswith("EVENT")
        if event and own not in [w.text.lower() for w in words]:
            return True
        opening = first[0].text
        known = opening.lower() in ("the", *self._title) or opening in self._inner_names
        return words[0].position == 0 and len(words) > 1 and is_word(opening.lower()) and not known

    def _is_another(self, words: Words) -> bool:
        """Whether a name ends like the name in the title, or with another complete name, but is not the title's: "Hans
        Einstein" or "Hans Albert Einstein" on a page about Albert Einstein, "Greater Kent" on one about Kent."""
        name = [w.text.lower() for w in words if w.text.lower() not in _MARKS]
        other = name[0] not in self._title and name[0][0] not in [word[0] for word in self._title if "." in word]
        person = words[-1].entity.endswith("PERSON")  # a person may be called by the surname alone
        if self._title and name[-1] == self._title[-1] and other and (len(self._title) > 1 or not person):
            return True
        inner = " ".join(name[-2:])
        return len(name) > 2 and inner in self._bearers.get(name[-1], ())


class FullNames:
    """The full names of the persons in a document, by their last words.

    Attributes:
        title: the full name of the person, or of a thing named like "Cyclone Mocha", in the title; else None.

    Args:
        parses: the parses of the document's sentences.
        title: title of the document.
    """

    def __init__(self, parses: Sequence[Parse], title: str) -> None:
        self._own = own = tuple(title.partition(" (")[0].split())
        self._bearers: dict[str, dict[tuple[str, ...], Antecedent]] = {}
        alone: Counter[str] = Counter()
        for sentence, parse in enumerate(parses):
            for start, end in person_names(parse):
                texts = tuple(t.text for t in parse.tokens[start:end])
                alone[texts[-1]] += len(texts) == 1
                if len(texts) > 1 and _is_full(texts):
                    found = Antecedent(Mention(sentence, start, end, end - 1, "name"), parse.words[start:end], _RIGHT)
                    self._bearers.setdefault(texts[-1], {}).setdefault(texts, found)
        titled = own in self._bearers.get(own[-1], {}) if own else False
        for surname, known in self._bearers.items():
            if alone[surname] < 2:  # it may not be a person's name: "Pleistocene Aardvark"
                self._bearers[surname] = {t: each for t, each in known.items() if t[0] in FIRST_NAMES or "." in t[0]}
        self.title: Antecedent | None = None
        capital = len(own) > 1 and all(w[0].isupper() or w in PARTICLES for w in own)
        persons = sum(parse.lower[:1] in _SUBJECTS for parse in parses)  # sentences in biographies often begin so
        named = capital and (own[0] in FIRST_NAMES or own in self._bearers.get(own[-1], {}))
        person = named or (capital and (alone[own[-1]] >= _OFTEN or (titled and persons >= _OFTEN)))
        self._by_kind = capital and not person and bool(kinds_of_noun(own[-2].lower())) and not is_word(own[-1].lower())
        if person or self._by_kind:
            words = tuple(Word(w, True, "NNP", "PROPN", "compound", w, "I-PERSON") for w in own)
            only = Antecedent(Mention(-1, 0, len(own), len(own) - 1, "name"), words, _RIGHT)
            self.title = self._bearers.setdefault(own[-1], {}).setdefault(own, only)

    def is_of_title(self, name: Sequence[str]) -> bool:
        """Whether a name, given as words, is the title's or part of it."""
        longer = self._by_kind and name[-1] == self._own[-1]  # "Severe Storm Mocha"
        return self.title is not None and (longer or set(self._own).issuperset(name))

    def mentions(self, parse: Parse) -> Iterator[tuple[int, int]]:
        """Yields the [start, end) of names of persons in a sentence, including the document's known surnames with other
        labels if their role is typical of a person."""
        found = set(person_names(parse))
        inside = {k for start, end in found for k in range(start, end)}
        title = self._own[-1:] if self.title is not None else ()
        for k, token in enumerate(parse.tokens):
            if token.pos != "PROPN" or token.text not in self._bearers or k in inside or token.entity[:1] == "I":
                continue
            behind = parse.tokens[k + 1] if k + 1 < len(parse) else token
            known = token.text in title or token.dep in _OF_PERSONS
            if token.entity[2:] in _NO_PERSONS:
                known = token.text in title and token.dep in _OF_OWNERS
            if known and (not behind.entity.startswith("I-") or behind.tag == "POS"):
                found.add((k, k + 1))
        yield from sorted(found)

    def of(self, surname: Sequence[str]) -> list[Antecedent]:
        """Returns the full names that a surname, given as words, may refer to: only the title's if it is one of them,
        even for a first name. Names with the same initial belong to one person."""
        if tuple(surname) == self._own:
            return []
        if self.title is not None and tuple(surname) in (self._own[:1], self._own[-len(surname) :]):
            return [self.title]
        known = self._bearers.get(surname[-1], {}).items()
        longer = [(texts, each) for texts, each in known if texts[-len(surname) :] == tuple(surname) != texts]
        return list({texts[0][0]: each for texts, each in reversed(longer) if texts[0] not in self._own[-1:]}.values())


def _is_full(texts: Sequence[str]) -> bool:
    """Whether words labelled as a person's name may be one."""
    first, *rest = texts
    known = first in FIRST_NAMES or not is_word(first.lower().removesuffix("."))
    return known and len(texts) < 6 and all(w[0].isupper() or w in PARTICLES for w in rest) and texts[-1][-1] != "."


def person_names(parse: Parse) -> Iterator[tuple[int, int]]:
    """Yields the [start, end) of names labelled as persons in a sentence, without titles and possessive marks."""
    start = 0
    for k, token in enumerate(parse.tokens):
        if not token.entity.endswith("PERSON"):
            continue
        if token.entity[0] == "B":
            start = k
        if k + 1 < len(parse) and parse.tokens[k + 1].entity == "I-PERSON":
            continue
        end = k if token.tag == "POS" else k + 1
        while start < end and parse.lower[start].removesuffix(".") in TITLES | {"the"}:
            start += 1
        if start < end:
            yield start, end
