"""The antecedents of a document's mentions: the fuller phrase that can stand for a pronoun, a name or "the mill".

``discofuse`` looks for one in the sentence before. Here it may be anywhere before the mention. In a part that is to
stand alone, mentions give way to their antecedents where the link is sure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gistmill.rules.discofuse.anaphora import antecedents as phrases
from gistmill.rules.discofuse.anaphora import mentions
from gistmill.rules.discofuse.anaphora.mentions import AnaphorMatch, Replacement, problem
from gistmill.rules.discofuse.anaphora.places_of_links import support
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.nouns.references import barred_subject, commands
from gistmill.rules.discofuse.operations import capitalised, is_word
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, QUOTES, Parse, Word, Words, as_natural
from gistmill.rules.documents import Mention, natural_text
from gistmill.rules.propositions.splitting import Part

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
        self._parses = parses
        self._title = title.partition(" (")[0].partition(", ")[0].lower().split()
        self._inner_names = {t.text for p in parses for t in p.tokens[1:] if t.pos == "PROPN"}
        # Full names by their last word: those of the document, and the title's. Somebody named once is in no cluster.
        self._bearers: dict[str, set[str]] = {}
        names = [self._title, *(name for parse in parses for name in _persons(parse))]
        for m in (m for cluster in clusters for m in cluster if m.kind == "name"):
            names.append([w for w in parses[m.sentence].lower[m.start : m.end] if w not in _MARKS])
        for words in names:
            if len(words) > 1:
                self._bearers.setdefault(words[-1], set()).add(" ".join(words))

    def is_title(self, name: Mention) -> bool:
        """Whether a name is the title's."""
        return self._parses[name.sentence].lower[name.start : name.end] == self._title

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
        if self._is_another(words):
            return True
        if mention.kind == "name":  # both may be a person's: not "Washington", the state
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
        """Whether a name is not that of what the text is about, but ends like it, or ends in a whole other name: "Hans
        Einstein" and "Hans Albert Einstein" on a page about Albert Einstein, "Greater Kent" on one about Kent."""
        name = [w.text.lower() for w in words if w.text.lower() not in _MARKS]
        other = name[0] not in self._title and name[0][0] not in [word[0] for word in self._title if "." in word]
        person = words[-1].entity.endswith("PERSON")  # who may go by the surname alone
        if self._title and name[-1] == self._title[-1] and other and (len(self._title) > 1 or not person):
            return True
        inner = " ".join(name[-2:])
        return len(name) > 2 and inner in self._bearers.get(name[-1], ())


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
        if mention.kind == "nominal" and not _is_short(second, mention):
            return None
        if second.lower[mention.head] in _PLURAL:
            pronouns = (self._parses[m.sentence].lower[m.head] for m in self._clusters[number] if m.kind == "pronoun")
            if not _NEUTER.isdisjoint(pronouns):  # it is "they", and the text says "it" of the same
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
        asked = antecedent, possessive  # every later mention of the cluster asks for the phrase
        if asked not in self._phrases:
            self._phrases[asked] = phrases.phrase(first, antecedent, limit=self._max_tokens, possessive=possessive)
        words = self._phrases[asked]
        if not words or self._is_doubtful(antecedent, words, mention):
            return ()
        if not phrases.is_fuller(first, antecedent, second, mention, words):
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


_MODIFIERS = frozenset(("compound", "nmod", "amod"))


@dataclass(frozen=True, slots=True)
class Replaced:
    """A mention that has given way.

    Attributes:
        start, end: its tokens in the part.
        here: its head there, which is the position of the words that stand for it.
        mention: it, in its sentence.
        antecedent: what stands for it.
        words: the words that do, in the form that the place asks for.
    """

    start: int
    end: int
    here: int
    mention: Mention
    antecedent: Antecedent
    words: Words


@dataclass(frozen=True, slots=True)
class Decontextualisation:
    """A part that stands alone as far as its links are sure.

    Attributes:
        words: its words.
        replaced: the mentions that have given way, in order.
        explained: positions of tokens that need nothing: they are replaced, or mean what the part itself names.
    """

    words: Words
    replaced: tuple[Replaced, ...]
    explained: frozenset[int]


def stand_alone(part: Part, sentence: int, antecedents: Antecedents) -> Decontextualisation:
    """Replaces the mentions of a part whose antecedents are sure.

    The first mention of each cluster gives way. Those behind it stay, as the part then says what they mean.

    Args:
        part: the part of a sentence, or a whole one.
        sentence: index of the sentence in the document.
        antecedents: those of the document.
    """
    parse = part.parse
    clusters: dict[int, list[_Placed]] = {}
    for number, placed in _placed(part, antecedents.mentions(sentence)):
        clusters.setdefault(number, []).append(placed)
    found: list[Replaced] = []
    explained: set[int] = set()
    start = min((o for o in part.origins if o >= 0), default=0)
    for number, group in clusters.items():
        made, plain = _of_cluster(parse, number, group, antecedents, start)
        found += made
        explained |= plain
    replaced: list[Replaced] = []
    for item in sorted(found, key=lambda r: (r.start, -r.end)):
        if not replaced or item.start >= replaced[-1].end:  # of two that overlap the longer one stays
            replaced.append(item)
    words = parse.words
    if replaced:
        given = [Replacement(r.start, r.end, r.words, r.mention.kind, r.antecedent.confidence, None) for r in replaced]
        words = mentions.apply(words, given)
        words = tuple(  # without the space before a comma that a replacement has written: "in Bath, the mill burned"
            w._replace(space=False) if following.text == "," and following.position < 0 else w
            for w, following in zip(words, (*words[1:], words[-1]), strict=True)
        )
    explained |= {k for r in replaced for k in range(r.start, r.end)}
    if capitalised(parse.words) == parse.words:  # a sentence that the parser cut goes on in lower case
        words = capitalised(words)
    return Decontextualisation(words, tuple(replaced), frozenset(explained))


class _Placed(NamedTuple):
    """A mention in its sentence, ``own``, and ``here`` in the part."""

    own: Mention
    here: Mention


def _placed(part: Part, there: Sequence[tuple[int, Mention]]) -> Iterator[tuple[int, _Placed]]:
    """The mentions that the part has whole, in order."""
    place: dict[int, int] = {}
    for i, origin in enumerate(part.origins):
        if origin >= 0:
            place.setdefault(origin, i)
    found = []
    for number, own in there:
        at = [place.get(k, -1) for k in range(own.start, own.end)]
        if at[0] >= 0 and at == list(range(at[0], at[0] + len(at))):
            here = replace(own, start=at[0], end=at[-1] + 1, head=place[own.head])
            found.append((number, _Placed(own, here)))
    yield from sorted(found, key=lambda pair: (pair[1].here.start, -pair[1].here.end))


def _of_cluster(
    parse: Parse, number: int, group: Sequence[_Placed], antecedents: Antecedents, start: int
) -> tuple[list[Replaced], set[int]]:
    """What gives way of the mentions of one cluster, and the pronouns that need not."""
    named: Mention | None = None
    found: list[Replaced] = []
    explained: set[int] = set()
    for placed in group:
        here = placed.here
        pronoun = here.kind == "pronoun"
        if pronoun and _is_named(parse, here, named, group, antecedents.cut):
            explained.add(here.head)
            continue
        antecedent = None if named or _is_fixed(parse, here) else antecedents.of(number, placed.own, start=start)
        if antecedent is not None and pronoun and _is_someone_else(parse, here, antecedent):
            continue
        if antecedent is not None and pronoun and _is_said(parse, here, antecedent):
            explained.add(here.head)
        elif antecedent is not None:
            words = phrases.shaped(antecedent.words, antecedents.parse(antecedent.mention), parse, here)
            found.append(Replaced(here.start, phrases.end_of(parse, here), here.head, placed.own, antecedent, words))
            named = here
        elif not pronoun:
            named = here
    return found, explained


def _is_named(parse: Parse, pronoun: Mention, named: Mention | None, group: Sequence[_Placed], cut: float) -> bool:
    """Whether the part says what a pronoun means: before it, or behind it as the subject that rules over it."""
    if parse.lower[pronoun.head].endswith(("self", "selves")):
        return True
    if pronoun.confidence < cut:
        return False
    if named is not None:
        return barred_subject(parse, pronoun.head) != named.head
    return any(
        other.here.kind == "name"
        and other.here.start > pronoun.start
        and parse.tokens[other.here.head].dep in NOMINAL_SUBJECTS
        and commands(parse, other.here.head, pronoun.head)
        for other in group
    )


def _is_said(parse: Parse, pronoun: Mention, antecedent: Antecedent) -> bool:
    """Whether the part says the name that would stand for a pronoun before it, in this form or a shorter one."""
    own = [w.text for w in antecedent.words if w.pos == "PROPN"]
    run: list[str] = []
    for token in parse.tokens[: pronoun.start]:
        if token.pos == "PROPN":
            run.append(token.text)
        elif run:
            if own[-len(run) :] == run:
                return True
            run = []
    return bool(run) and own[-len(run) :] == run


def _is_someone_else(parse: Parse, pronoun: Mention, antecedent: Antecedent) -> bool:
    """Whether a pronoun rules over the name that would stand for it, and so means somebody else: "She knew Ada's song"
    does not say that Ada did."""
    own = {w.text for w in antecedent.words if w.pos == "PROPN"}
    return any(
        token.text in own and token.pos == "PROPN" and commands(parse, pronoun.head, k)
        for k, token in enumerate(parse.tokens[pronoun.end :], pronoun.end)
    )


def _is_fixed(parse: Parse, mention: Mention) -> bool:
    """Whether a mention has to stay: in a quotation, before a noun, or as one of two ("he / she", "his own")."""
    if parse.tokens[mention.head].dep in _MODIFIERS or parse.in_quotation(mention.start):
        return True
    if "/" in parse.lower[max(0, mention.start - 1) : mention.end + 1]:
        return True
    if mention.kind == "name":
        return _shares_surname(parse, mention)
    return mention.kind == "pronoun" and (
        _is_one_of_two(parse, mention.head)
        or parse.lower[mention.end : mention.end + 1] == ["own"]
        or parse.lower[mention.head] in ("mine", "yours", "hers", "ours", "theirs")
    )


def _shares_surname(parse: Parse, name: Mention) -> bool:
    """Whether a surname behind a first name would be read with another one too: "Leo and Ada"."""
    token = parse.tokens[name.head]
    other = parse.tokens[token.head]
    return (
        token.dep == "conj"
        and name.end - name.start == 1
        and other.entity == "B-PERSON"
        and parse.left_edge(token.head) == token.head
    )


def _is_one_of_two(parse: Parse, k: int) -> bool:
    """Whether "or" ties a pronoun to another one: "he or she" is nobody in particular."""
    beside = ((k + 1, k + 2), (k - 1, k - 2))
    return any(
        0 <= other < len(parse) and parse.lower[tie] == "or" and parse.tokens[other].tag in ("PRP", "PRP$")
        for tie, other in beside
    )


def printed(words: Sequence[Word]) -> str:
    """Returns words as natural text, with the marks that they were printed with."""
    return natural_text(as_natural(words, keep_marks=True))
