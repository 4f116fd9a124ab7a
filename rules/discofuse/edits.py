"""The edits that turn the two sentences of an example back into its text, from what the rules did to the text.

Every word knows its position in the original text. So a copied subject is deleted, a replaced mention becomes the
anaphor again, and a clause that was taken out moves back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.words import Word, Words, as_natural
from gistmill.rules.fusion import texts
from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.building import build
from gistmill.rules.fusion.edits import Edits, order, realise, to_column, trace
from gistmill.rules.fusion.spelling import respelled

# Their first half has the subject of the second.
_FRONTED = frozenset((DiscourseType.SINGLE_CATAPHORA, DiscourseType.SINGLE_CONN_START))
_PARTICIPLES = frozenset(("VBG", "VBN"))


def column(candidate: Candidate, first: Words, second: Words = ()) -> list[str]:
    """Returns the edits of a candidate in their open form.

    ``realise`` makes the tokens of the text of them, and ``texts.fuse`` its natural text. Where the words do not say
    how, the edits are found by alignment. Words that they write have typographic marks if the natural text has.

    Args:
        candidate: the candidate.
        first, second: words of its text, by sentences.
    """
    text = (*first, *second)
    words = _printed(candidate, candidate.first, candidate.second)
    printed = _printed(candidate, first, second)
    if words == printed:
        return []
    halves = [w.text for w in candidate.first], [w.text for w in candidate.second]
    target = [t.text for t in text]
    found = derived(candidate, text, len(first) if second else 0)
    if found is None or realise(*halves, found) != target:
        found = align(*halves, target)
    assert found is not None, "without a limit on phrases any words can be aligned"
    found = respelled(*halves, found, [word for word, _ in printed])
    written = trace(*halves, found)
    wanted = [False, *(space for _, space in printed[:-1])]
    if second:
        wanted[len(first)] = True
    by_rule = texts.gaps_by_rule(written, [space for _, space in words], len(candidate.first))
    return to_column(dataclasses.replace(found, spacing=texts.spacing(by_rule, wanted)))


def _printed(candidate: Candidate, *parts: Sequence[Word]) -> list[tuple[str, bool]]:
    """The words of sentences as they are printed, each with whether a space follows."""
    return [pair for part in parts for pair in as_natural(part, keep_marks=candidate.keep_marks)]


def derived(candidate: Candidate, text: Sequence[Word], boundary: int) -> Edits | None:
    """Returns the edits that undo what the rules did; None if the words of the text are not in the order that one move
    makes.

    Args:
        candidate: the candidate.
        text: the words of its text.
        boundary: where the second sentence of the text begins; 0 if it has one.
    """
    first, second = [w.text for w in candidate.first], [w.text for w in candidate.second]
    kept = _kept(candidate, text, boundary)
    move = _move(kept, len(first))
    ordered = [kept[i] for i in order(len(first), len(second), move) if i in kept]
    if any(a >= b for a, b in zip(ordered, ordered[1:])):
        return None
    return build(first, second, [t.text for t in text], move, kept)


def _kept(candidate: Candidate, text: Sequence[Word], boundary: int) -> dict[int, int]:
    """The words of the candidate that the text has, by their position in first + second: each word of the text once."""
    n = len(candidate.first)
    halves = [(0, 0, candidate.first), (n, boundary, candidate.second)]
    if candidate.discourse_type in _FRONTED:
        halves.reverse()
    taken: dict[int, int] = {}
    for start, offset, words in halves:
        for i, at in _own(words, text, offset):
            taken.setdefault(at, start + i)
    return {i: at for at, i in taken.items()}


def _own(words: Sequence[Word], text: Sequence[Word], offset: int) -> Iterator[tuple[int, int]]:
    """The words that are in the text, as they are there or as a participle, and where."""
    for i, word in enumerate(words):
        if word.position >= 0:
            at = word.position + offset
            if word.text.lower() == text[at].text.lower():
                yield i, at
        elif word.tag.startswith("VB") and i + 1 < len(words):  # the finite form of what stands before the next word
            at = words[i + 1].position + offset - 1
            if at >= offset and text[at].tag in _PARTICIPLES:
                yield i, at


def _move(kept: dict[int, int], n: int) -> int | None:
    """The first word of the first sentence that the text has behind the second sentence."""
    second = max((at for i, at in kept.items() if i >= n), default=-1)
    return min((i for i, at in kept.items() if i < n and at > second), default=None) if second >= 0 else None
