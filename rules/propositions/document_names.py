"""The names of a document, and whether one may be another's: "Einstein" may mean Albert or Hans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

_PERSONAL = frozenset("he she him her his hers".split())
_MARKS = frozenset(("'s", "'", "the"))


class Names:
    """The names of a document.

    Args:
        clusters: coreference of the document.
        parses: of its sentences.
        title: title of the document.
    """

    def __init__(self, clusters: Sequence[Sequence[Mention]], parses: Sequence[Parse], title: str) -> None:
        self._clusters, self._parses = clusters, parses
        self._title = title.partition(" (")[0].partition(", ")[0].lower().split()
        self._bearers = self._bearers_of_names()
        self._inner_names = {t.text for p in parses for t in p.tokens[1:] if t.pos == "PROPN"}

    def is_title(self, name: Mention) -> bool:
        """Whether a name is the title's."""
        return self._parses[name.sentence].lower[name.start : name.end] == self._title

    def _bearers_of_names(self) -> dict[str, set[str]]:
        """The full names that end in a name, by it: those of the document, and the title's. Somebody who is named once
        is in no cluster."""
        bearers: dict[str, set[str]] = {}
        names = [self._title, *(name for parse in self._parses for name in _persons(parse))]
        for cluster in self._clusters:
            for m in cluster:
                if m.kind == "name":
                    names.append([w for w in self._parses[m.sentence].lower[m.start : m.end] if w not in _MARKS])
        for words in names:
            if len(words) > 1:
                bearers.setdefault(words[-1], set()).add(" ".join(words))
        return bearers

    def has_namesake(self, words: Words, mention: Mention) -> bool:
        """Whether somebody else has the name too: of Albert and Hans Einstein, "Einstein" may mean either."""
        if mention.kind != "name":
            return False
        own = self._parses[mention.sentence].lower[mention.head]
        full = {w.text.lower() for w in words}
        return any(
            not full.issuperset(name.split()) and not full.issubset(name.split()) for name in self._bearers.get(own, ())
        )

    def may_be_another(self, antecedent: Mention, words: Words, mention: Mention) -> bool:
        """Whether a name may be another one than that of what is meant: one that has run on into the word that opens
        its sentence ("Overnight Ada Lee"), one with "the" for a person, a cup for "the war", or for a short name that
        of another thing ("Greater Kent" for "Kent"); a person goes by a part of the name.

        Args:
            antecedent: it, as a mention.
            words: its phrase.
            mention: what it would stand for.
        """
        first, own = self._parses[antecedent.sentence].tokens, self._parses[mention.sentence].lower[mention.head]
        if self._is_another(words) or mention.kind == "name" and not self._are_of_person(antecedent, mention):
            return True
        if own in _PERSONAL and words[0].text.lower() == "the" and not self.is_title(antecedent):
            return True
        event = mention.kind == "nominal" and first[antecedent.head].entity.endswith("EVENT")
        if event and own not in [w.text.lower() for w in words]:
            return True
        opening = first[0] if words[0].position == 0 and len(words) > 1 else None
        return opening is not None and is_word(opening.text.lower()) and not self._is_again(opening.text)

    def _is_another(self, words: Words) -> bool:
        """Whether a name is not that of what the text is about, but ends like it, or ends in a whole other name: "Hans
        Einstein" and "Hans Albert Einstein" on a page about Albert Einstein, "Greater Kent" on one about Kent."""
        name = [w.text.lower() for w in words if w.text.lower() not in _MARKS]
        other = name[0] not in self._title and name[0][0] not in [word[0] for word in self._title if "." in word]
        person = words[-1].entity.endswith("PERSON")  # who may go by the surname alone
        if self._title and name[-1] == self._title[-1] and other and (len(self._title) > 1 or not person):
            return True
        inner = " ".join(name[-2:])
        return len(name) > 2 and inner in self._bearers.get(name[-1], ())

    def _are_of_person(self, antecedent: Mention, mention: Mention) -> bool:
        """Whether both names may be a person's: not "Washington", the state."""
        own, other = (self._parses[m.sentence].tokens[m.head].entity for m in (mention, antecedent))
        return other.endswith("PERSON") and own[2:] in ("", "PERSON")

    def _is_again(self, word: str) -> bool:
        """Whether the name has the word elsewhere too: in the title, or inside a sentence."""
        return word.lower() in ("the", *self._title) or word in self._inner_names


def _persons(parse: Parse) -> Iterator[list[str]]:
    """The names of persons in a sentence, in lower case, without a possessive mark."""
    name: list[str] = []
    for token, lower in zip(parse.tokens, parse.lower, strict=True):
        if token.entity != "I-PERSON" and name:
            yield name
            name = []
        if token.entity.endswith("PERSON") and lower not in _MARKS:
            name.append(lower)
    if name:
        yield name
