"""A text with its pronouns and short mentions resolved, and otherwise unchanged byte for byte.

A contracted verb after a mention is spelled out: "She's left" becomes "Ada has left".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.rules.discofuse.parse import Parse, Word, as_natural
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.propositions.antecedents import Decontextualisation, stand_alone
from gistmill.rules.propositions.completion import Replaced
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.splitting import Part
from gistmill.rules.propositions.statements import PropositionExtractor, Unresolved, unresolved
from gistmill.rules.text.prose import Places


@dataclass(frozen=True, slots=True)
class Resolved:
    """A mention in the text that was replaced with its antecedent.

    Attributes:
        text, start, end: the mention, and its position in the original text, in characters.
        by, new_start, new_end: the words that replace it, and their position in the new text.
        antecedent_start, antecedent_end: the antecedent's position in the original text; -1 if it is only in a title.
        kind: ``pronoun``, ``name``, ``nominal``, or ``date`` if a year was added.
        confidence: confidence of the link, in [0, 1].
    """

    text: str
    start: int
    end: int
    by: str
    new_start: int
    new_end: int
    antecedent_start: int
    antecedent_end: int
    kind: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """A text with its mentions resolved.

    Attributes:
        text: the new text.
        resolved: the mentions that were replaced, in order.
        unresolved: the words that still need the surrounding text, with the sentence of each, in order.
        sentences: the position of each sentence in the text, in characters.
    """

    text: str
    resolved: tuple[Resolved, ...]
    unresolved: tuple[tuple[int, Unresolved], ...]
    sentences: tuple[tuple[int, int], ...]


def resolve(document: AnnotatedDocument, stater: PropositionExtractor, places: Places) -> Resolution:
    """Returns a document's text with its mentions resolved where the links are certain enough.

    Args:
        document: the parsed document, with its coreference.
        stater: provides the minimum confidence of a link.
        places: positions of its tokens in the text.
    """
    parses = [Parse(s) for s in document.sentences]
    antecedents = stater.antecedents(document, parses)
    resolved: list[Resolved] = []
    left: list[tuple[int, Unresolved]] = []
    sentences: list[tuple[int, int]] = []
    text, copied = "", 0
    for index, parse in enumerate(parses):
        part = Part(parse, tuple(range(len(parse))))
        standing = stand_alone(part, index, antecedents)
        first, last = places.span(index, 0, len(parse))
        new_start = len(text) + first - copied
        for start, end, words in _changes(parse.words, standing) if standing.replaced else ():
            begin, stop = places.span(index, start, end)
            text += places.text[copied:begin]
            for new, made in _texts(words, standing.replaced):
                if made is not None:
                    resolved.append(_resolved(places, index, made, new.rstrip(), len(text)))
                text += new
            copied = stop
        sentences.append((new_start, len(text) + last - copied))
        found = unresolved(part, standing, document.origin.title)
        left += [(index, each) for each in found if each.kind is not OpenKind.NAMELESS]  # the text may name it
    return Resolution(text + places.text[copied:], tuple(resolved), tuple(left), tuple(sentences))


def _resolved(places: Places, index: int, made: Replaced, by: str, new_start: int) -> Resolved:
    start, end = places.span(index, made.start, made.end)
    there = [w.position for w in made.antecedent.words if w.position >= 0]
    sentence = made.antecedent.mention.sentence
    antecedent = places.span(sentence, min(there), max(there) + 1) if sentence >= 0 else (-1, -1)
    confidence = round(made.antecedent.confidence, 4)
    new_place = new_start, new_start + len(by)
    return Resolved(places.text[start:end], start, end, by, *new_place, *antecedent, made.mention.kind, confidence)


def _changes(own: Sequence[Word], standing: Decontextualisation) -> Iterator[tuple[int, int, list[Word]]]:
    """Yields the ranges [start, end) of a sentence's tokens that differ, each with the new words."""
    given = {k for r in standing.replaced for k in range(r.start, r.end)}
    at, new = 0, []
    for word in (*standing.words, None):
        kept = word is not None and 0 <= word.position < len(own) and word.position not in given
        if word is not None and not (kept and word[:2] == own[word.position][:2]):  # commas may be new
            new.append(word)
            continue
        position = len(own) if word is None else word.position
        if position > at or new:
            yield at, position, new
        at, new = position + 1, []


def _texts(words: Sequence[Word], replaced: Sequence[Replaced]) -> Iterator[tuple[str, Replaced | None]]:
    """Yields the texts of new words, in order; the words of one mention are combined and returned with the mention."""
    by_head = {r.here: r for r in replaced}
    at = 0
    while at < len(words):
        made = by_head.get(words[at].position)
        end, most = at + 1, len(words) if made is None else min(len(words), at + len(made.words))
        while made is not None and end < most and words[end].position in (words[at].position, -1):
            end += 1
        pairs = as_natural(words[at:end], keep_marks=True)
        text = "".join(text + " " * space for text, space in pairs)
        yield (text.rstrip() if end == len(words) else text), made
        at = end
