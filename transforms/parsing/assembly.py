"""Sentences from arrays over the tokens of several texts, laid end to end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from gistmill.rules.documents import Sentence, Token
from gistmill.transforms.parsing.internals import Ints
from gistmill.transforms.parsing.plain import Passage
from gistmill.transforms.parsing.transitions import Flags
from gistmill.transforms.parsing.words import Key, Words

# What NamedTuple's own constructor ends in, without a call of Python in between.
_token = partial(tuple.__new__, Token)


@dataclass(frozen=True, slots=True)
class ParsedTokens:
    """Tokens of several texts; every array has one entry a token.

    Attributes:
        number: the number of the text, in spaCy's table of strings.
        tag: the tag.
        label: the number of the label.
        head: the place of the head less the token's own.
        spaced: whether a blank follows.
        space: whether the token is white space.
        begins: whether a sentence begins, of each text the first token too.
        last: whether a text ends.
        entity: ``B-KIND``, ``I-KIND`` or "".
    """

    number: Ints
    tag: Sequence[str]
    label: Ints
    head: Ints
    spaced: Flags
    space: Flags
    begins: Flags
    last: Flags
    entity: Sequence[str]


def assemble(parsed: ParsedTokens, words: Words, passages: Sequence[Passage]) -> list[list[Sentence]]:
    """Returns the sentences of each text, as ``sentences_of`` makes them of Docs; every text has tokens."""
    kept = ~parsed.space
    tokens = _tokens(parsed, words, kept)
    before = np.concatenate(([0], kept.cumsum()))
    starts = np.flatnonzero(parsed.begins)
    cuts = before[np.append(starts, len(kept))].tolist()
    text_of = np.searchsorted(np.flatnonzero(parsed.last), starts).tolist()
    found: list[list[Sentence]] = [[] for _ in passages]
    for first, end, text in zip(cuts, cuts[1:], text_of):
        if end > first:
            passage = passages[text]
            found[text].append(Sentence(tuple(tokens[first:end]), passage.section, passage.paragraph))
    return found


def _tokens(parsed: ParsedTokens, words: Words, kept: Flags) -> list[Token]:
    numbers = parsed.number.tolist()
    labels = [words.text[label] for label in parsed.label.tolist()]
    keys: list[Key] = list(zip(numbers, parsed.tag, [words.label[label] for label in labels]))
    pos, lemmas = _part_of_speech_and_lemma(keys, words, parsed.last.tolist())
    gaps = parsed.spaced.copy()
    gaps[:-1] |= parsed.space[1:] & ~parsed.last[:-1]
    texts = [words.text[number] for number in numbers]
    fields = (texts, gaps.tolist(), parsed.tag, pos, labels, _heads(parsed, kept), lemmas, parsed.entity)
    made: Iterable[Token] = map(_token, zip(*fields))
    return list(made) if kept.all() else [token for token, keep in zip(made, kept.tolist()) if keep]


def _part_of_speech_and_lemma(keys: Sequence[Key], words: Words, last: Sequence[bool]) -> tuple[list[str], list[str]]:
    pos, lemmas, opens = map(list, zip(*(words.word[key] for key in keys)))
    end = 0
    for start in (place for place, opening in enumerate(opens) if opening):
        if start < end or last[start]:
            continue
        end = start + 1
        while opens[end] and not last[end]:
            end += 1
        # the token that ends a run may open another in the next text only, or does not open
        end += 1
        for place, word in zip(range(start, end), words.run(keys[start:end])):
            pos[place], lemmas[place] = word.pos, word.lemma
    return pos, lemmas


def _heads(parsed: ParsedTokens, kept: Flags) -> list[int]:
    """Places of the heads within their sentences, white space left out; a head that is white space or outside the
    sentence makes the token a root of its own."""
    own = np.arange(len(kept))
    place = kept.cumsum() - 1  # among the kept tokens
    start = np.maximum.accumulate(np.where(parsed.begins, own, 0))  # of the sentence
    head = own + parsed.head
    inside = (head >= 0) & (head < len(kept))
    head = np.where(inside, head, own)
    reached = inside & (start[head] == start) & kept[head]
    heads: list[int] = (np.where(reached, place[head], place) - (place[start] + parsed.space[start])).tolist()
    return heads
