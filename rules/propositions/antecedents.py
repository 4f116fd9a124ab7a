"""The antecedents of a document's mentions: the fuller phrase that can stand for a pronoun, a name or "the mill".

``discofuse`` looks for one in the sentence before. Here it may stand anywhere before the mention.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.rules.discofuse.anaphora import antecedents as phrases
from gistmill.rules.discofuse.anaphora.antecedents import is_fuller
from gistmill.rules.discofuse.anaphora.places_of_links import support
from gistmill.rules.discofuse.anaphora.replacement_checks import AnaphorMatch, problem
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.operations import is_word
from gistmill.rules.discofuse.parse import QUOTES, Parse, Words
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
        if self._is_another(words) or (mention.kind == "name" and not self._are_of_person(antecedent, mention)):
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


_FAR = 8  # sentences; a common noun that was named further back may be another one by now
_POINTING = frozenset(("the", "this", "that", "these", "those"))
_SOME = frozenset(("these", "those"))
_PLURAL = frozenset("they them their theirs".split())
_NEUTER = frozenset(("it", "its"))
_SHORT = 3  # tokens of a nominal that may give way to a name: "the old mill"


@dataclass(frozen=True, slots=True)
class Antecedent:
    """What stands for a mention.

    Attributes:
        mention: the antecedent.
        words: its phrase, with positions in its own sentence.
        confidence: how sure the link is, with what the places of both mentions add.
    """

    mention: Mention
    words: Words
    confidence: float


class Antecedents:
    """The mentions of a document by sentence, and their antecedents.

    Args:
        clusters: coreference of the document.
        parses: of its sentences.
        title: title of the document.
        max_tokens: the most tokens that a phrase may have.
        cut: the confidence that a link must have.
    """

    def __init__(
        self,
        clusters: Sequence[Sequence[Mention]],
        parses: Sequence[Parse],
        *,
        title: str = "",
        max_tokens: int,
        cut: float,
    ) -> None:
        self._clusters, self._parses, self._max_tokens, self.cut = clusters, parses, max_tokens, cut
        self._there: dict[int, list[tuple[int, Mention]]] = {}
        for number, cluster in enumerate(clusters):
            for mention in cluster:
                self._there.setdefault(mention.sentence, []).append((number, mention))
        self._names_of_document = Names(clusters, parses, title)
        self._fuller: dict[int, tuple[list[Mention], list[Mention]]] = {}
        self._phrases: dict[tuple[Mention, bool], Words] = {}

    def mentions(self, sentence: int) -> Sequence[tuple[int, Mention]]:
        """Returns the mentions of a sentence, each with the number of its cluster."""
        return self._there.get(sentence, ())

    def parse(self, mention: Mention) -> Parse:
        """Returns the parse of a mention's sentence."""
        return self._parses[mention.sentence]

    def of(self, number: int, mention: Mention, *, start: int) -> Antecedent | None:
        """Returns the antecedent of a mention, if the link to it is sure and nothing speaks against its phrase.

        Args:
            number: of the mention's cluster.
            mention: it.
            start: where the clause of the mention begins in its sentence.
        """
        second = self._parses[mention.sentence]
        if (mention.kind == "nominal" and not _is_short(second, mention)) or self._mixes_numbers(number, mention):
            return None
        possessive = phrases.is_possessive(second, mention)
        for antecedent in self._before(number, mention):
            first = self._parses[antecedent.sentence]
            words = self._fitting(antecedent, mention, possessive=possessive)
            if not words:
                continue
            confidence = mention.confidence
            if mention.sentence - antecedent.sentence < 2:
                begins = start if first is second else 0
                confidence += support(first, antecedent, second, mention, begins) if begins <= mention.start else 0.0
            sure = confidence >= self.cut and not self._names_of_document.has_namesake(words, mention)
            if sure and not self._has_problem(self._clusters[number], antecedent, words, mention):
                return Antecedent(antecedent, words, min(confidence, 1.0))
            return None
        return None

    def _fitting(self, antecedent: Mention, mention: Mention, *, possessive: bool) -> Words:
        """The phrase of an antecedent as the place of a mention has to say it; () where it does not fit there."""
        first, second = self._parses[antecedent.sentence], self._parses[mention.sentence]
        words = self._phrase(antecedent, possessive=possessive)
        if not words or self._is_doubtful(antecedent, words, mention):
            return ()
        if not is_fuller(first, antecedent, second, mention, words):
            return ()
        return phrases.with_owners(
            words,
            antecedent,
            mention,
            clusters=[self._clusters[n] for n, _ in self._there[antecedent.sentence]],
            parses=self._parses,
            cut=self.cut,
            limit=self._max_tokens,
        )

    def _mixes_numbers(self, number: int, mention: Mention) -> bool:
        """Whether a mention is "they", and the text says "it" of the same."""
        if self._parses[mention.sentence].lower[mention.head] not in _PLURAL:
            return False
        words = (self._parses[m.sentence].lower[m.head] for m in self._clusters[number] if m.kind == "pronoun")
        return not _NEUTER.isdisjoint(words)

    def _phrase(self, antecedent: Mention, *, possessive: bool) -> Words:
        """The phrase of an antecedent. Every later mention of its cluster asks for it, so it is kept."""
        asked = antecedent, possessive
        if asked not in self._phrases:
            first = self._parses[antecedent.sentence]
            self._phrases[asked] = phrases.phrase(first, antecedent, limit=self._max_tokens, possessive=possessive)
        return self._phrases[asked]

    def _is_doubtful(self, antecedent: Mention, words: Words, mention: Mention) -> bool:
        """Whether a phrase may not be what is meant: one with a nickname, which may be cut (of "Mia " Farrow"), or all
        mills for "these mills"."""
        if any(w.text in QUOTES for w in words):
            return True
        if antecedent.kind == "name":
            return self._names_of_document.may_be_another(antecedent, words, mention)
        some = self._parses[mention.sentence].lower[mention.start] in _SOME
        return some and mention.kind == antecedent.kind == "nominal"

    def _has_problem(self, cluster: Sequence[Mention], antecedent: Mention, words: Words, mention: Mention) -> bool:
        first, second = self._parses[antecedent.sentence], self._parses[mention.sentence]
        end = mention.start if first is second else len(first)
        near = [m for m in cluster if m.sentence in (antecedent.sentence, mention.sentence)]
        half = Region(antecedent.sentence, 0, end)
        return problem(AnaphorMatch(first, half, antecedent, words, second, mention, near)) is not None

    def _before(self, number: int, mention: Mention) -> list[Mention]:
        """The mentions that may stand for another one, the best first: the first full name, then the nearest noun."""
        if number not in self._fuller:
            self._fuller[number] = self._names(number), [m for m in self._clusters[number] if m.kind == "nominal"]
        names, nouns = self._fuller[number]
        place = (mention.sentence, mention.start)
        begin = bisect_left(nouns, mention.sentence - _FAR, key=lambda m: m.sentence)
        end = bisect_left(nouns, place, key=lambda m: (m.sentence, m.start))
        near = sorted(nouns[begin:end], key=lambda m: (-m.sentence, m.start))
        return [*(m for m in names if (m.sentence, m.start) < place), *near]

    def _names(self, number: int) -> list[Mention]:
        """The names of a cluster, each form where it stands first: the title's, full ones, others."""
        forms: dict[str, Mention] = {}
        for m in self._clusters[number]:
            if m.kind == "name":
                forms.setdefault(" ".join(self._parses[m.sentence].lower[m.start : m.end]), m)
        return sorted(
            forms.values(),
            key=lambda m: (not self._names_of_document.is_title(m), m.end - m.start < 2, m.sentence, m.start),
        )


def _is_short(parse: Parse, mention: Mention) -> bool:
    """Whether a nominal only points to what it means: "the mill", "this old mill"."""
    inside = parse.tokens[mention.start : mention.end]
    pointing = parse.lower[mention.start] in _POINTING and len(inside) <= _SHORT
    behind = any(
        k >= mention.end and parse.tokens[k].dep in ("prep", "relcl", "acl", "appos")
        for k in parse.children(mention.head)
    )
    return pointing and not behind and not any(t.entity for t in inside)
