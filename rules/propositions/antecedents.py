"""The antecedents of a document's mentions: fuller phrases that can replace a pronoun, a name or "the mill".

``discofuse`` looks for an antecedent in the previous sentence; here it may be anywhere before the mention. In a part
that must stand alone, mentions are replaced with their antecedents if the link is certain enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from gistmill.rules.coreference.lexicon import PLURAL, PRONOUNS
from gistmill.rules.discofuse.anaphora import antecedents as phrases
from gistmill.rules.discofuse.anaphora import mentions
from gistmill.rules.discofuse.anaphora.mentions import AnaphorMatch, Replacement, problem
from gistmill.rules.discofuse.anaphora.places_of_links import support
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.nouns.noun_phrases import DEMONSTRATIVES
from gistmill.rules.discofuse.nouns.references import barred_subject, commands
from gistmill.rules.discofuse.operations import capitalised
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, QUOTES, Parse, Word, Words, as_natural
from gistmill.rules.documents import Mention, natural_text
from gistmill.rules.languages.language import english_table
from gistmill.rules.propositions.completion import Completion, Replaced
from gistmill.rules.propositions.names import Antecedent, Names
from gistmill.rules.propositions.open_references import Open
from gistmill.rules.propositions.splitting import Part

_FAR = 8  # sentences; a common noun repeated after more may have another referent
_WORDS = english_table("propositions")
_READABLE = 0.35  # for links within a statement, where nothing is replaced and the reader sees both ends
_SHORT = 3  # maximum number of tokens in a nominal that a name may replace: "the old mill"


class Antecedents:
    """A document's mentions by sentence, and their antecedents.

    Args:
        clusters: the document's coreference clusters.
        parses: the parses of its sentences.
        title: title of the document.
        section_titles: titles of its sections.
        max_tokens: maximum number of tokens in a phrase.
        cut: minimum confidence of a link.
    """

    def __init__(
        self,
        clusters: Sequence[Sequence[Mention]],
        parses: Sequence[Parse],
        *,
        title: str = "",
        section_titles: Sequence[str] = (),
        max_tokens: int,
        cut: float,
    ) -> None:
        self._clusters, self._parses, self._max_tokens, self.cut = clusters, parses, max_tokens, cut
        self._names_of_document = Names(clusters, parses, title)
        self.completion = Completion(parses, title, section_titles)
        self._there: dict[int, list[tuple[int, Mention]]] = {}
        # Clusters most of whose names are the title's: a page's "Lee" is its subject, even if another Lee occurs first.
        self._of_title: set[int] = set()
        for number, cluster in enumerate(clusters):
            for mention in cluster:
                self._there.setdefault(mention.sentence, []).append((number, mention))
            own = [self.completion.names.is_of_title(self._texts(m)) for m in cluster if m.kind == "name"]
            if 3 * sum(own) > 2 * len(own):
                self._of_title.add(number)
        self._fuller: dict[int, tuple[list[Mention], list[Mention]]] = {}
        self._phrases: dict[tuple[Mention, bool], Words] = {}

    def mentions(self, sentence: int) -> Sequence[tuple[int, Mention]]:
        """Returns the mentions in a sentence, each with the number of its cluster."""
        return self._there.get(sentence, ())

    def _texts(self, mention: Mention) -> list[str]:
        return [t.text for t in self._parses[mention.sentence].tokens[mention.start : mention.end]]

    def parse(self, mention: Mention) -> Parse:
        """Returns the parse of a mention's sentence."""
        return self._parses[mention.sentence]

    def of(self, number: int, mention: Mention, *, start: int) -> Antecedent | None:
        """Returns a mention's antecedent, if the link is certain enough and the phrase passes all checks.

        Args:
            number: number of its cluster.
            mention: the mention.
            start: where the mention's clause begins in its sentence.
        """
        second = self._parses[mention.sentence]
        general = self._names_of_document.is_title(mention)  # in "Abacus", "the abacus" is not only the Russian one
        if mention.kind == "nominal" and (general or not _is_short(second, mention)):
            return None
        if PRONOUNS.get(second.lower[mention.head]) == PLURAL:
            pronouns = {self._parses[m.sentence].lower[m.head] for m in self._clusters[number] if m.kind == "pronoun"}
            if pronouns & {"it", "its"}:  # the text uses both "they" and "it"
                return None
        if mention.kind != "name" and number in self._of_title:
            return self._person_of_title(number, mention)
        if mention.kind == "pronoun" and self.completion.names.title is not None and self._is_relative(number):
            return None  # "he" after "his father Thomas" may be either of them
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
                person = words[-1].entity.endswith("PERSON")  # the person's full name, if this is only a surname
                full = self.completion.names.of([w.text for w in words]) if person else []
                found = full[0] if len(full) == 1 else Antecedent(antecedent, words, confidence)
                return replace(found, confidence=min(confidence, 1.0))
            return None
        return None

    def is_of_title(self, number: int) -> bool:
        """Whether a cluster contains the name in the title."""
        names = (m for m in self._clusters[number] if m.kind == "name")
        return number in self._of_title or any(map(self._names_of_document.is_title, names))

    def _person_of_title(self, number: int, mention: Mention) -> Antecedent | None:
        """Returns the title's full name for a mention in its cluster, if the last name before it is the title's."""
        full, place = self.completion.names.title, (mention.sentence, mention.start)
        before = [m for m in self._clusters[number] if m.kind == "name" and (m.sentence, m.start) < place]
        if full is None or mention.confidence < self.cut or not before:
            return None
        if not self.completion.names.is_of_title(self._texts(before[-1])):
            return None
        return Antecedent(full.mention, full.words, mention.confidence)

    def _is_relative(self, number: int) -> bool:
        return any(
            self._parses[m.sentence].tokens[k].lemma in _WORDS["relatives"]
            for m in self._clusters[number]
            if m.kind != "pronoun"
            for k in (m.head, max(m.start - 1, 0))
        )

    def _fitting(self, antecedent: Mention, mention: Mention, *, possessive: bool) -> Words:
        """Returns the phrase of an antecedent in the form needed at the mention, or () if it does not fit there."""
        first, second = self._parses[antecedent.sentence], self._parses[mention.sentence]
        asked = antecedent, possessive  # needed for every later mention in the cluster
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
        """Whether a phrase is ambiguous: a nickname that may be cut off (of "Mia " Farrow"), or all mills for "these
        mills"."""
        if any(w.text in QUOTES for w in words):
            return True
        if antecedent.kind == "name":
            return self._names_of_document.may_be_another(antecedent, words, mention)
        some = self._parses[mention.sentence].lower[mention.start] in ("these", "those")
        return some and mention.kind == antecedent.kind == "nominal"

    def _has_problem(self, cluster: Sequence[Mention], antecedent: Mention, words: Words, mention: Mention) -> bool:
        first, second = self._parses[antecedent.sentence], self._parses[mention.sentence]
        end = mention.start if first is second else len(first)
        near = [m for m in cluster if m.sentence in (antecedent.sentence, mention.sentence)]
        half = Region(antecedent.sentence, 0, end)
        return problem(AnaphorMatch(first, half, antecedent, words, second, mention, near)) is not None

    def _before(self, number: int, mention: Mention) -> list[Mention]:
        """Returns the mentions that may replace another one, best first: the first full name, then the nearest noun."""
        if number not in self._fuller:
            self._fuller[number] = self._names(number), [m for m in self._clusters[number] if m.kind == "nominal"]
        names, nouns = self._fuller[number]
        place = (mention.sentence, mention.start)
        begin = bisect_left(nouns, mention.sentence - _FAR, key=lambda m: m.sentence)
        end = bisect_left(nouns, place, key=lambda m: (m.sentence, m.start))
        near = sorted(nouns[begin:end], key=lambda m: (-m.sentence, m.start))
        return [*(m for m in names if (m.sentence, m.start) < place), *near]

    def _names(self, number: int) -> list[Mention]:
        """Returns the first mention of each form of a cluster's names, in order: the title's, full names, others."""
        forms: dict[str, Mention] = {}
        for m in self._clusters[number]:
            if m.kind == "name":
                forms.setdefault(" ".join(self._parses[m.sentence].lower[m.start : m.end]), m)
        return sorted(
            forms.values(),
            key=lambda m: (not self._names_of_document.is_title(m), m.end - m.start < 2, m.sentence, m.start),
        )


def _is_short(parse: Parse, mention: Mention) -> bool:
    """Whether a nominal is only a short reference: "the mill", "this old mill"."""
    inside = parse.tokens[mention.start : mention.end]
    pointing = parse.lower[mention.start] in DEMONSTRATIVES | {"the"} and len(inside) <= _SHORT
    behind = any(
        k >= mention.end and parse.tokens[k].dep in ("prep", "relcl", "acl", "appos")
        for k in parse.children(mention.head)
    )
    return pointing and not behind and not any(t.entity for t in inside)


@dataclass(frozen=True, slots=True)
class Decontextualisation:
    """A part that stands alone as far as its links are certain.

    Attributes:
        words: its words.
        replaced: the mentions that were replaced, in order.
        explained: positions of tokens that are already clear: they are replaced, or the part names their referent.
        open: names and dates that the text does not complete.
        of_title: positions of pronouns linked to the title's subject, with any confidence.
    """

    words: Words
    replaced: tuple[Replaced, ...]
    explained: frozenset[int]
    open: tuple[Open, ...]
    of_title: frozenset[int]


def stand_alone(part: Part, sentence: int, antecedents: Antecedents) -> Decontextualisation:
    """Replaces the mentions in a part that have certain antecedents.

    Only the first mention in each cluster is replaced, since the part then explains the later ones.

    Args:
        part: part of a sentence, or a whole one.
        sentence: index of the sentence in the document.
        antecedents: the document's antecedents.
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
    completed = list(antecedents.completion.of(part, sentence, found))
    explained |= {item for item in completed if isinstance(item, int)}
    found += [item for item in completed if isinstance(item, Replaced)]
    replaced: list[Replaced] = []
    for item in sorted(found, key=lambda r: (r.start, -r.end)):
        if not replaced or item.start >= replaced[-1].end:  # the longer of two overlapping replacements is kept
            replaced.append(item)
    words = parse.words
    if replaced:
        given = [Replacement(r.start, r.end, r.words, r.mention.kind, r.antecedent.confidence, None) for r in replaced]
        words = mentions.apply(words, given)
        words = tuple(  # without a space before a comma added by a replacement: "in Bath, the mill burned"
            w._replace(space=False) if following.text == "," and following.position < 0 else w
            for w, following in zip(words, (*words[1:], words[-1]), strict=True)
        )
    explained |= {k for r in replaced for k in range(r.start, r.end)}
    if capitalised(parse.words) == parse.words:  # the rest of a sentence cut by the parser begins in lower case
        words = capitalised(words)
    left = tuple(item for item in completed if isinstance(item, Open))
    of_title = {p.here.head for n, g in clusters.items() if antecedents.is_of_title(n) for p in g}
    return Decontextualisation(words, tuple(replaced), frozenset(explained), left, frozenset(of_title))


class _Placed(NamedTuple):
    """A mention in its sentence, ``own``, and in the part, ``here``."""

    own: Mention
    here: Mention


def _placed(part: Part, there: Sequence[tuple[int, Mention]]) -> Iterator[tuple[int, _Placed]]:
    """Yields the mentions that are completely inside the part, in order."""
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
    """Returns the mentions in a cluster to replace, and the pronouns that need no replacement."""
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
    """Whether the part names a pronoun's referent, either before it or after it as a subject that commands it."""
    if parse.lower[pronoun.head].endswith(("self", "selves")):
        return True
    if named is not None and pronoun.confidence >= _READABLE:
        noun = parse.tokens[pronoun.head].head
        own = parse.tokens[noun].dep == "attr" and parse.subject(parse.tokens[noun].head) == named.head
        return not own and barred_subject(parse, pronoun.head) != named.head  # "Hans was his son"
    return pronoun.confidence >= cut and any(
        other.here.kind == "name"
        and other.here.start > pronoun.start
        and parse.tokens[other.here.head].dep in NOMINAL_SUBJECTS
        and commands(parse, other.here.head, pronoun.head)
        for other in group
    )


def _is_said(parse: Parse, pronoun: Mention, antecedent: Antecedent) -> bool:
    """Whether the name that would replace a pronoun precedes it in the part, in the same or a shorter form."""
    own = [w.text for w in antecedent.words if w.pos == "PROPN"]
    runs = groupby(parse.tokens[: pronoun.start], key=lambda token: token.pos == "PROPN")
    names = ([token.text for token in run] for is_name, run in runs if is_name)
    return any(own[-len(name) :] == name for name in names)


def _is_someone_else(parse: Parse, pronoun: Mention, antecedent: Antecedent) -> bool:
    """Whether a pronoun commands the name that would replace it, as in "She knew Ada's song", so they cannot
    corefer."""
    own = {w.text for w in antecedent.words if w.pos == "PROPN"}
    return any(
        token.text in own and token.pos == "PROPN" and commands(parse, pronoun.head, k)
        for k, token in enumerate(parse.tokens[pronoun.end :], pronoun.end)
    )


def _is_fixed(parse: Parse, mention: Mention) -> bool:
    """Whether a mention must stay: it is quoted, precedes a noun, or is one of two ("he / she", "his own")."""
    k, token = mention.head, parse.tokens[mention.head]
    if mentions.is_fixed(parse, mention) or "/" in parse.lower[max(0, mention.start - 1) : mention.end + 1]:
        return True
    if mention.kind == "name":  # adding Ada's surname to "Leo and Ada" would give it to Leo as well
        lone = token.dep == "conj" and mention.end - mention.start == 1
        return lone and parse.tokens[token.head].entity == "B-PERSON" and parse.left_edge(token.head) == token.head
    # "he or she" is not a particular person
    ties = ((k + 1, k + 2), (k - 1, k - 2))
    others = (at for tie, at in ties if 0 <= at < len(parse) and parse.lower[tie] == "or")
    return mention.kind == "pronoun" and any(parse.tokens[at].tag in ("PRP", "PRP$") for at in others)


def printed(words: Sequence[Word]) -> str:
    """Returns words as natural text with their printed marks."""
    return natural_text(as_natural(words, keep_marks=True))
