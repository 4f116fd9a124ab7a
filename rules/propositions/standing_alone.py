"""A part of a sentence made to stand alone: mentions give way to their antecedents where the link is sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gistmill.rules.discofuse.anaphora import antecedents as phrases
from gistmill.rules.discofuse.anaphora import mentions
from gistmill.rules.discofuse.anaphora.mentions import Replacement
from gistmill.rules.discofuse.nouns.references import barred_subject, commands
from gistmill.rules.discofuse.operations import capitalised
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse, Word, Words, as_natural
from gistmill.rules.documents import Mention, natural_text
from gistmill.rules.propositions.antecedents import Antecedent, Antecedents
from gistmill.rules.propositions.splitting import Part

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
    # Drops what overlaps an earlier one: the longer one stays.
    out: list[Replaced] = []
    for item in sorted(found, key=lambda r: (r.start, -r.end)):
        if not out or item.start >= out[-1].end:
            out.append(item)
    found = out
    words = _closed_up(mentions.apply(parse.words, [_replacement(r) for r in found])) if found else parse.words
    explained |= {k for r in found for k in range(r.start, r.end)}
    if capitalised(parse.words) == parse.words:  # a sentence that the parser cut goes on in lower case
        words = capitalised(words)
    return Decontextualisation(words, tuple(found), frozenset(explained))


@dataclass(frozen=True, slots=True)
class _Placed:
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
    around = parse.lower[max(0, mention.start - 1) : mention.end + 1]
    return (
        "/" in around
        or (mention.kind == "name" and _shares_surname(parse, mention))
        or (mention.kind == "pronoun" and _is_one_of_two(parse, mention.head))
        or (
            mention.kind == "pronoun"
            and (
                parse.lower[mention.end : mention.end + 1] == ["own"]
                or parse.lower[mention.head] in ("mine", "yours", "hers", "ours", "theirs")
            )
        )
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


def _closed_up(words: Words) -> Words:
    """The words without the space before a comma that a replacement has written: "in Bath, the mill burned"."""
    return tuple(
        w._replace(space=False) if behind.text == "," and behind.position < 0 else w
        for w, behind in zip(words, (*words[1:], words[-1]), strict=True)
    )


def printed(words: Sequence[Word]) -> str:
    """Returns words as natural text, with the marks that they were printed with."""
    return natural_text(as_natural(words, keep_marks=True))


def _replacement(made: Replaced) -> Replacement:
    return Replacement(made.start, made.end, made.words, made.mention.kind, made.antecedent.confidence, None)
