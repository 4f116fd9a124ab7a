"""The ANAPHORA suffix of the released data: an anaphor in the second half of a text has its antecedent in the first.

The suffix records the findings of the resolver behind that data; it does not imply a replacement. A coreference link
decides where it gives a pronoun an antecedent. Elsewhere the parse decides: the pronoun must agree with something in
the first half, and with nothing before it in the second half. A name counts if it comes back in another form. A nominal
("the property") does not count.

A pair that no rule matches is the control class PAIR_NONE. A pair whose second sentence refers back is not one: some
rule would match if it were sure what is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.anaphora import replacement_checks
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.anaphora.places_of_links import LIKELY
from gistmill.rules.discofuse.checks import Region
from gistmill.rules.discofuse.nouns import references
from gistmill.rules.discofuse.nouns.noun_phrases import DEMONSTRATIVES
from gistmill.rules.discofuse.nouns.references import agrees, barred_subject, heads, is_empty
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.documents import Mention

_DEMONSTRATIVES = frozenset(("this", "that"))
_POINTING = _DEMONSTRATIVES | lexicon.PRONOUNS.keys()
# Links so sure outweigh a pronoun of the same class in the first half: "he asks her to marry Delestang , while he".
_SURE = 0.895
# Links less sure than this leave it to the parse whether the first half has the antecedent.


class Evidence(Enum):
    """The evidence that something is an anaphor."""

    LINK = "link"  # coreference says so
    PREDICATE = "predicate"  # its like in the first half has a predicate noun: "He was a captain . He"
    CANDIDATE = "candidate"  # the first half has something that it agrees with
    NAME = "name"  # a name in another form
    EXPLAINED = "explained"  # a link too, but the second half names it itself
    EMPTY = "empty"  # an "it" that means nothing, for which the first half has a candidate


# What stands for itself in the second half.
CLEAR = frozenset((Evidence.NAME, Evidence.EXPLAINED, Evidence.EMPTY))


@dataclass(frozen=True, slots=True)
class Anaphor:
    """The position of the anaphor's first word in its sentence, and the evidence for it."""

    position: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class _Scene:
    """The two halves, the clusters around them, and where the first half has a pronoun or demonstrative."""

    first: Parse
    second: Parse
    antecedents: Region
    anaphors: Region
    clusters: Sequence[Sequence[Mention]]
    rivals: Sequence[int]


def find_anaphora_suffix(
    *, links: Links, first: Parse, second: Parse, antecedents: Region, anaphors: Region
) -> Anaphor | None:
    """Returns the first anaphor of the second half that has its antecedent in the first; None if there is none.

    One that says itself what it means comes behind those that do not.
    """
    rivals = [i for i in range(antecedents.start, antecedents.end) if first.lower[i] in _POINTING]
    clusters = links.within(antecedents.sentence, anaphors.sentence)
    scene = _Scene(first, second, antecedents, anaphors, clusters, rivals)
    clear: Anaphor | None = None
    for position in range(anaphors.start, anaphors.end):
        gender = _pronoun(second, position)
        evidence = None if gender is None else _evidence(scene, position, gender)
        if evidence in CLEAR:
            clear = clear or Anaphor(position, evidence)
        elif evidence is not None:
            return Anaphor(position, evidence)
    if clear is not None:
        return clear
    name = replacement_checks.find(first, second, antecedents, anaphors)
    return None if name is None else Anaphor(name, Evidence.NAME)


def _pronoun(parse: Parse, position: int) -> str | None:
    """The class of a personal or possessive pronoun of the third person (m, f, n, p); None for reflexives."""
    gender = lexicon.PRONOUNS.get(parse.lower[position])
    if gender is None or parse.lower[position] in lexicon.REFLEXIVES:
        return None
    return gender if parse.tokens[position].tag in ("PRP", "PRP$") else None


def _evidence(scene: _Scene, position: int, gender: str) -> Evidence | None:
    binder = barred_subject(scene.second, position)
    cluster, confidence = _link(scene.clusters, scene.anaphors.sentence, position)
    # Whether a link makes an object its own subject, and so is wrong.
    if any(m.head == binder and m.sentence == scene.anaphors.sentence for m in cluster):
        cluster = ()
    there = [m for m in cluster if m.kind != "pronoun" and scene.antecedents.holds(m)]
    rivals = _rivals(scene, gender)
    sure = bool(there) and gender in lexicon.GENDERED and confidence >= _SURE
    if not sure and not all(_has_predicate(scene.first, k) for k in rivals):
        return None
    if any(agrees(scene.first, m.head, gender, named=m.kind == "name") for m in there):
        return Evidence.EXPLAINED if _is_named_before(scene, cluster, position) else Evidence.LINK
    if confidence >= LIKELY and _is_elsewhere(scene, cluster, position):
        return None
    return _by_place(scene, position, gender, binder, rivals)


def _is_named_before(scene: _Scene, cluster: Sequence[Mention], position: int) -> bool:
    return any(m.kind != "pronoun" and m.head < position and scene.anaphors.holds(m) for m in cluster)


def _by_place(scene: _Scene, position: int, gender: str, binder: int | None, rivals: Sequence[int]) -> Evidence | None:
    """What speaks for a pronoun without a link: something in the first half agrees with it, and nothing nearer."""
    if _has_nearer(scene, position, gender, binder):
        return None
    if rivals:
        return Evidence.PREDICATE
    shared = binder if scene.first is scene.second else None
    agreeing = _agreeing(scene.first, scene.antecedents.start, scene.antecedents.end, gender)
    if all(k == shared for k in agreeing):
        return None
    return Evidence.EMPTY if references.is_empty(scene.second, position) else Evidence.CANDIDATE


def _has_nearer(scene: _Scene, position: int, gender: str, binder: int | None) -> bool:
    """Whether something before the pronoun in the second half agrees with it, and the pronoun is free to mean it."""
    return any(
        k != binder and not _is_part(scene.second, position, k)
        for k in _agreeing(scene.second, scene.anaphors.start, position, gender)
    )


def _is_elsewhere(scene: _Scene, cluster: Sequence[Mention], position: int) -> bool:
    """Whether the links give a pronoun an antecedent, but none in the first half: before both, or in the second."""
    if not cluster or any(scene.antecedents.holds(m) for m in cluster):
        return False
    return len(cluster) == 1 or any(scene.anaphors.holds(m) and m.head < position for m in cluster)


def _agreeing(parse: Parse, start: int, end: int, gender: str) -> Iterator[int]:
    return (k for k in heads(parse, start, end) if agrees(parse, k, gender))


def _is_part(parse: Parse, position: int, head: int) -> bool:
    """Whether a pronoun is part of a noun phrase, which it cannot mean then: "the price of its parts". One in a clause
    can: "the man who lost his hat"."""
    at = position
    while at != head:
        at = parse.tokens[at].head
        if parse.is_verb(at) or parse.tokens[at].head == at:
            return at == head
    return True


def _link(clusters: Sequence[Sequence[Mention]], sentence: int, position: int) -> tuple[Sequence[Mention], float]:
    """The cluster of the pronoun at a position, and how sure that is."""
    for cluster in clusters:
        for mention in cluster:
            if mention.sentence == sentence and mention.head == position and mention.kind == "pronoun":
                return cluster, mention.confidence
    return (), 0.0


def _rivals(scene: _Scene, gender: str) -> list[int]:
    """The pronouns of the same class in the first half that have neither an antecedent nor a description there.

    The second half continues such a pronoun, as in "They have talents , but some of them".
    """
    first = scene.first
    return [
        k
        for k in scene.rivals
        if (_pronoun(first, k) == gender and not references.is_empty(first, k) and not _is_resolved(scene, k, gender))
        or (gender == lexicon.NEUTER and _is_demonstrative(first, k))
    ]


def _is_demonstrative(parse: Parse, position: int) -> bool:
    """Whether "this" or "that" is a main subject, which an "it" goes on about."""
    token = parse.tokens[position]
    return parse.lower[position] in _DEMONSTRATIVES and token.dep in NOMINAL_SUBJECTS and parse.on_main_line(token.head)


def _is_resolved(scene: _Scene, position: int, gender: str) -> bool:
    """Whether a pronoun of the first half has its antecedent there.

    For the main subject, only a link that continues in the second half counts. For other pronouns without a link, the
    main subject behind them or a noun phrase before them counts as the antecedent.
    """
    first, region = scene.first, scene.antecedents
    token = first.tokens[position]
    cluster, _ = _link(scene.clusters, region.sentence, position)
    named = any(m.kind != "pronoun" and region.holds(m) for m in cluster)
    if token.dep in NOMINAL_SUBJECTS and first.on_main_line(token.head):
        return named and any(scene.anaphors.holds(m) for m in cluster)
    if named or _is_ahead(first, position, gender):
        return True
    binder = barred_subject(first, position)
    return any(k != binder for k in _agreeing(first, region.start, position, gender))


def _is_ahead(parse: Parse, position: int, gender: str) -> bool:
    """Whether a pronoun precedes the main subject, which it agrees with: "While they were small , the galleries"."""
    subject = parse.subject(parse.root(), after=position)
    return (
        subject is not None
        and parse.left_edge(subject) > position
        and parse.tokens[subject].pos != "PRON"
        and agrees(parse, subject, gender)
    )


def _has_predicate(parse: Parse, position: int) -> bool:
    """Whether a predicate noun says what the pronoun is: "He was a captain"."""
    token = parse.tokens[position]
    if token.dep not in NOMINAL_SUBJECTS:
        return False
    predicate = parse.child(token.head, "attr", "oprd")
    return predicate is not None and predicate > position and parse.tokens[predicate].tag.startswith("NN")


_RANKS = frozenset(("former", "latter"))
# "This year" and "this article" point to the reader's time and page.
_TIMES = frozenset(("DATE", "TIME"))


def find_back_references(links: Links, first: Parse, second: Parse, index: int) -> int | None:
    """Returns the position of the first back reference of the second sentence to the first; None if there is none.

    These refer back: a pronoun of the third person that the second sentence does not explain; a demonstrative, alone or
    with a noun; a definite noun that coreference links to a phrase of the first sentence with another noun.

    Args:
        links: coreference of the document.
        first, second: the sentences.
        index: position of ``first`` in the document, as the links count.
    """
    clusters = links.within(index, index + 1)
    for position in range(len(second)):
        token = second.tokens[position]
        if token.tag in ("PRP", "PRP$"):
            if _is_pronoun_back(second, position, clusters, index + 1):
                return position
        elif token.tag == "DT" and second.lower[position] in DEMONSTRATIVES:
            if _is_demonstrative_back(second, position):
                return position
        elif token.pos in ("NOUN", "ADJ") and second.lower[position] in _RANKS:
            return position
    return _nominal(first, second, clusters, index)


def _is_pronoun_back(second: Parse, position: int, clusters: Sequence[Sequence[Mention]], sentence: int) -> bool:
    """Whether the second sentence does not say itself what a pronoun of the third person means: by a name or noun of
    its cluster, or, where coreference leaves it open, by a subject before it."""
    word = second.lower[position]
    gender = lexicon.PRONOUNS.get(word)
    if gender is None or word in lexicon.REFLEXIVES or is_empty(second, position):
        return False
    for cluster in clusters:
        here = [m for m in cluster if m.sentence == sentence]
        own = next((m for m in here if m.head == position and m.kind == "pronoun"), None)
        if own is not None and own.confidence >= LIKELY:
            return all(m.kind == "pronoun" for m in here)
    # coreference knows none before an "it" that is not empty
    return word == "it" or not _has_subject(second, position, gender)


def _has_subject(second: Parse, position: int, gender: str) -> bool:
    """Whether a subject before the pronoun agrees with it, and not as the subject of its own verb."""
    verb, owns = second.tokens[position].head, second.tokens[position].dep == "poss"
    return any(
        agrees(second, k, gender)
        and second.tokens[k].dep in NOMINAL_SUBJECTS
        and (owns or second.tokens[k].head != verb)
        for k in heads(second, 0, position)
    )


def _is_demonstrative_back(second: Parse, position: int) -> bool:
    """Whether "this" or "this mill" refers back: not "that of the mill", "those who left", "this year"."""
    token = second.tokens[position]
    if token.dep == "det":
        return second.tokens[token.head].entity[2:] not in _TIMES and not _is_explained(second, token.head)
    return token.dep not in ("mark", "advmod") and not _is_explained(second, position)


def _is_explained(parse: Parse, head: int) -> bool:
    """Whether a restrictive part behind a demonstrative says which is meant."""
    return any(
        k > head and (parse.tokens[k].dep in ("relcl", "acl") or (parse.tokens[k].dep == "prep" and k == head + 1))
        for k in parse.children(head)
    )


def _nominal(first: Parse, second: Parse, clusters: Sequence[Sequence[Mention]], index: int) -> int | None:
    """The first definite noun that stands for a phrase with another head in the first sentence."""
    for cluster in clusters:
        there = [m for m in cluster if m.sentence == index and m.kind != "pronoun"]
        here = [m for m in cluster if m.sentence == index + 1]
        if not there or not here or here[0].kind != "nominal":
            continue
        lemma = second.tokens[here[0].head].lemma.lower()
        if second.lower[here[0].start] == "the" and all(first.tokens[m.head].lemma.lower() != lemma for m in there):
            return here[0].head
    return None
