"""Anaphora: mentions in the second half whose antecedent stands in the first (paper, Table 14, row 2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from gistmill.core.records import Reason
from gistmill.rules.coreference.lexicon import PLURAL, PRONOUNS
from gistmill.rules.discofuse.anaphora import antecedents as phrases
from gistmill.rules.discofuse.anaphora import places_of_links
from gistmill.rules.discofuse.anaphora.antecedents import is_fuller
from gistmill.rules.discofuse.anaphora.places_of_links import support
from gistmill.rules.discofuse.anaphora.replacement_checks import AnaphorMatch, problem
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import commands
from gistmill.rules.discofuse.operations import replace, spelled_out
from gistmill.rules.discofuse.parse import NOUNS, SUBJECTS, Parse, Word, Words
from gistmill.rules.documents import Mention

_REFLEXIVE = ("self", "selves")
_POSSESSIVE_WORDS = frozenset(("mine", "yours", "hers", "ours", "theirs"))
_TIMES = frozenset(("DATE", "TIME"))
_FRONTED = frozenset(("prep", "advcl", "npadvmod", "agent"))
_MODIFIERS = frozenset(("compound", "nmod", "amod"))


@dataclass(frozen=True, slots=True)
class Replacement:
    """Tokens [start, end) of the second half give way to ``words``.

    ``kind`` and ``confidence`` are the replaced mention's, ``support`` is what its place adds to the confidence;
    ``problem`` says what would be wrong with the result, as a wrong number. ``plural`` says that the words are a
    plural's.
    """

    start: int
    end: int
    words: Words
    kind: str
    confidence: float
    problem: Reason | None
    support: float = 0.0
    plural: bool = False

    def holds(self, least: float) -> bool:
        """Whether nothing speaks against it, and it is sure enough."""
        return self.problem is None and self.is_sure(least)

    def is_sure(self, least: float) -> bool:
        """Whether the link is as sure as ``least``, with the support of its place."""
        return self.confidence + self.support >= least


class Links:
    """The clusters of a document by sentence, so that the time for a sentence does not grow with the document."""

    __slots__ = ("_by_sentence",)

    def __init__(self, clusters: Iterable[Sequence[Mention]]) -> None:
        self._by_sentence: dict[int, dict[int, list[Mention]]] = {}
        for number, cluster in enumerate(clusters):
            for mention in cluster:
                self._by_sentence.setdefault(mention.sentence, {}).setdefault(number, []).append(mention)

    def within(self, first: int, second: int) -> list[list[Mention]]:
        """Returns the mentions in two sentences (or in one, given twice), by cluster."""
        there = self._by_sentence.get(first, {})
        if first == second:
            return list(there.values())
        here = self._by_sentence.get(second, {})
        return [[*there.get(n, ()), *here.get(n, ())] for n in {**there, **here}]


def find(
    *,
    links: Links,
    first: Parse,
    second: Parse,
    antecedents: Region,
    anaphors: Region,
    max_antecedent_tokens: int,
    min_confidence: float = 0.0,
    by_place: bool = False,
    again: bool = False,
) -> tuple[Replacement, ...]:
    """Finds the replacements: the mentions of the second half for which a fuller mention of the first half can stand.

    A replacement is not a pronoun and has at most ``max_antecedent_tokens`` tokens. Every mention of a cluster is
    replaced, up to one that stays and says in the second half itself what the later ones mean (one whose link is below
    ``min_confidence`` stays). These are not replaced: reflexives, words of a quotation, and a pronoun
    over which a name before it rules, or what has replaced a mention before it ("Lincoln met his cabinet", "Lincoln
    said he left").

    ``by_place``: a pronoun without a link gives way to the noun that its place says it goes on about. ``again``: one
    behind a mention that stays is replaced too, where a name can be said again.
    """
    clusters = links.within(antecedents.sentence, anaphors.sentence)
    scene = _Scene(first, second, antecedents, anaphors, clusters, max_antecedent_tokens, min_confidence, again)
    found: list[Replacement] = []
    for cluster in clusters:
        fuller = [m for m in cluster if antecedents.holds(m) and m.kind != "pronoun"]
        if fuller:
            found.extend(_of_cluster(scene, cluster, fuller))
    if by_place:
        found.extend(_continued(scene))
    # Drops a replacement that overlaps an earlier one.
    out: list[Replacement] = []
    for item in sorted(found, key=lambda r: (r.start, r.end)):
        if not out or item.start >= out[-1].end:
            out.append(item)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Scene:
    """The two halves, the links between them and the limits of a replacement."""

    first: Parse
    second: Parse
    antecedents: Region
    anaphors: Region
    clusters: Sequence[Sequence[Mention]]
    max_tokens: int
    min_confidence: float
    again: bool = False


def _continued(scene: _Scene) -> Iterator[Replacement]:
    """The replacement of a pronoun whose place says what it goes on about, where the links name nothing for it."""
    here, there = scene.anaphors, scene.antecedents
    place = places_of_links.find(scene.first, scene.second, range(there.start, there.end), range(here.start, here.end))
    if place is None:
        return
    noun, pronoun = place
    for cluster in scene.clusters:
        linked = any(m.sentence == here.sentence and m.head == pronoun for m in cluster)
        if linked and not (all(m.kind == "pronoun" for m in cluster) and any(map(there.holds, cluster))):
            return
    kind = "name" if scene.first.tokens[noun].pos == "PROPN" else "nominal"
    antecedent = Mention(there.sentence, scene.first.left_edge(noun), noun + 1, noun, kind)
    anaphor = Mention(here.sentence, pronoun, pronoun + 1, pronoun, "pronoun", places_of_links.CONFIDENCE)
    made = _replacement(scene, anaphor, [antecedent], [antecedent, anaphor])
    if made is not None:
        yield made


def _of_cluster(scene: _Scene, cluster: Sequence[Mention], fuller: Sequence[Mention]) -> list[Replacement]:
    """The replacements of one cluster's mentions, in order."""
    second = scene.second
    mentions = sorted((m for m in cluster if scene.anaphors.holds(m)), key=lambda m: m.start)
    found: list[Replacement] = []
    replaced: set[int] = set()
    stays: list[int] = []  # names, and what is not replaced
    # Whether it is one of two, and so nobody in particular: "he / she".
    if any("/" in second.lower[max(0, m.start - 1) : m.end + 1] for m in mentions):
        return []
    for mention in mentions:
        own = mention.kind == "pronoun" and _is_own(scene, mention, replaced, found)
        if (own or _is_fixed(scene.second, mention)) or any(commands(second, k, mention.head) for k in stays):
            continue
        made = _replacement(scene, mention, fuller, cluster)
        found += filter(None, [made])
        if made and made.holds(scene.min_confidence):
            replaced.add(mention.head)
        elif mention.kind != "pronoun" and not scene.again:
            break
        if mention.kind == "name" or mention.head not in replaced:
            stays.append(mention.head)
    return found


def _is_own(scene: _Scene, mention: Mention, replaced: Collection[int], found: Sequence[Replacement]) -> bool:
    """Whether a replaced mention rules over the pronoun, and agrees with it in its new form: "Ada said she left", "Ada
    left her house"."""
    plural = PRONOUNS.get(scene.second.lower[mention.head]) == PLURAL
    return any(
        r.plural == plural and commands(scene.second, head, mention.head)
        for r in found
        for head in replaced
        if r.start <= head < r.end
    )


def _is_fixed(second: Parse, mention: Mention) -> bool:
    """Whether a mention has to stay: in a quotation or before a noun, a reflexive, "hers", and "his" of "his own"."""
    word, behind = second.lower[mention.head], second.lower[mention.end : mention.end + 1]
    if second.tokens[mention.head].dep in _MODIFIERS or second.in_quotation(mention.start):
        return True
    own = word.endswith(_REFLEXIVE) or word in _POSSESSIVE_WORDS or behind == ["own"]
    return mention.kind == "pronoun" and own


def _replacement(
    scene: _Scene, mention: Mention, fuller: Sequence[Mention], cluster: Sequence[Mention]
) -> Replacement | None:
    first, second = scene.first, scene.second
    possessive = phrases.is_possessive(second, mention)
    for antecedent in sorted(fuller, key=lambda m: (m.kind != "name", m.start)):
        words = phrases.phrase(first, antecedent, limit=scene.max_tokens, possessive=possessive)
        if not words or not is_fuller(first, antecedent, second, mention, words):
            continue
        words = phrases.with_owners(
            words,
            antecedent,
            mention,
            clusters=scene.clusters,
            parses={antecedent.sentence: first, mention.sentence: second},
            cut=scene.min_confidence,
            limit=scene.max_tokens,
        )
        if not words:
            continue
        return Replacement(
            start=mention.start,
            end=phrases.end_of(second, mention),
            words=phrases.shaped(words, first, second, mention),
            kind=mention.kind,
            confidence=mention.confidence,
            support=support(first, antecedent, second, mention, scene.anaphors.start),
            problem=problem(AnaphorMatch(first, scene.antecedents, antecedent, words, second, mention, cluster)),
            plural=is_plural(first, antecedent.head),
        )
    return None


def apply(words: Sequence[Word], replacements: Iterable[Replacement]) -> Words:
    """Makes the replacements in the second half, whose words still know where they come from."""
    out = tuple(words)
    for item in replacements:
        start, end = (next((i for i, w in enumerate(out) if w.position == p), None) for p in (item.start, item.end - 1))
        if start is not None and end is not None:
            comma = comma_before(out, start)
            new = (*comma, *_before(item.words, out[end + 1 : end + 2]))
            out = replace(out, start, end + 1, new)
            out = spelled_out(out, start + len(new)) if item.kind == "pronoun" else out
    return out


def _before(phrase: Words, following: Words) -> Words:
    """A phrase as it stands before a word: one that ends in a stop gives it to the end of the sentence, and a name with
    a comma inside has a second one before what goes on: "Athens, Georgia, lies", "Sam Davis, Jr., danced"."""
    last = phrase[-1]
    if not following or following[0].pos == "PUNCT":
        stops = bool(following) and following[0].text == "." and len(last.text) > 1
        return (*phrase[:-1], last._replace(text=last.text.removesuffix("."), original="")) if stops else phrase
    inside = any(w.text == "," and w.entity.startswith("I-") for w in phrase)
    if not inside or last.tag == "POS" or following[0].tag == "CC":
        return phrase
    return (*phrase[:-1], last._replace(space=False), Word(",", True, ",", "PUNCT", "punct", ",", last.entity))


def comma_before(words: Words, at: int) -> Words:
    """Returns the comma to put before the pronoun at index ``at``, for which a noun phrase will stand; () if none:
    "according to the clerk Lee she left" becomes "according to the clerk Lee , Ann left".

    There is one behind the noun of a phrase that opens its clause, unless that is a date or a lone noun: "in May Ann
    left". "The mill she sold" has none: the noun's own clause follows it.
    """
    pronoun, last = words[at], words[at - 1] if at else None
    if last is None or pronoun.tag != "PRP" or pronoun.dep not in SUBJECTS or last.pos not in NOUNS:
        return ()
    if last.entity[2:] in _TIMES:
        return ()
    by_position = {w.position: w for w in words}
    top = last
    while top.head != pronoun.head and top.head in by_position and top.head != top.position:
        top = by_position[top.head]
    fronted = top is not last and top.head == pronoun.head and top.dep in _FRONTED
    return (Word(",", True, ",", "PUNCT", "punct", ","),) if fronted else ()
