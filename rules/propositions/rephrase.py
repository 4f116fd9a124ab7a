"""Split-and-rephrase: a sentence, its simple sentences, and the edits that make the sentence of them again.

The edits of each split are those of ``discofuse``. They are undone in the reverse order, so that two neighbours become
one sentence, until one is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.discofuse import edits
from gistmill.rules.fusion import texts
from gistmill.rules.fusion.edits import EditsError, from_column, realise
from gistmill.rules.propositions.splitting import Part, described, quality
from gistmill.rules.propositions.standing_alone import printed

_FUSE = "fuse"


def simple_sentences(whole: Part) -> list[Part]:
    """Returns the parts that the splits alone make of a sentence, in order: connectives at its head stay."""
    if whole.split is None:
        return [whole]
    return [leaf for half in whole.below for leaf in simple_sentences(half)]


def column(whole: Part) -> list[str]:
    """Returns the edits that make a sentence of its simple sentences.

    ``fuse 1`` says that the edits behind it are those of the sentences 1 and 2, counted from 0, which they make one
    sentence. The edits are as in the column ``edits`` of ``discofuse``.
    """
    return list(_undone(whole, 0))


def _undone(part: Part, at: int) -> Iterator[str]:
    """The edits that make a part whole, whose first simple sentence is sentence ``at``."""
    if part.split is None:
        return
    first, second = part.below
    yield from _undone(first, at)
    yield from _undone(second, at + 1)
    yield f"{_FUSE} {at}"
    yield from edits.column(part.split, part.parse.words)


def values(whole: Part) -> dict[str, object] | None:
    """Returns the columns of a sentence that was split; None where edits do not lead back to it, as where a token has a
    space in it."""
    simple = simple_sentences(whole)
    sentences = [(printed(part.parse.words), [t.text for t in part.parse.tokens]) for part in simple]
    text = printed(whole.parse.words)
    try:
        script = column(whole)
        proven = fuse(sentences, script) == text
    except EditsError:
        proven = False
    if not proven:
        return None
    splits = list(_splits(whole))
    return {
        "inputs": text,
        "targets": " ".join(sentence for sentence, _ in sentences),
        "simple_sentences": [sentence for sentence, _ in sentences],
        "tokens": [" ".join(tokens) for _, tokens in sentences],
        "edits": script,
        "operations": [described(part) for part in splits],
        "quality": round(quality(len(splits)), 4),
    }


def _splits(part: Part) -> Iterator[Part]:
    if part.split is not None:
        yield part
        for half in part.below:
            yield from _splits(half)


def fuse(sentences: Sequence[tuple[str, Sequence[str]]], script: Sequence[str]) -> str:
    """Returns the text that edits make of simple sentences.

    Args:
        sentences: each as natural text, and its tokens with ASCII marks.
        script: the edits, as ``column`` gives them.

    Raises:
        EditsError: the edits do not fit the sentences, or do not leave one.
    """
    left = list(sentences)
    for at, own in _steps(script):
        if at + 1 >= len(left):
            raise EditsError(f"there is no sentence {at + 1} to fuse with sentence {at}")
        (one, first), (two, second) = left[at : at + 2]
        if own:
            made = from_column(own, len(first), len(second))
            left[at : at + 2] = [(texts.fuse(f"{one} {two}", first, second, made), realise(first, second, made))]
        else:
            left[at : at + 2] = [(f"{one} {two}", [*first, *second])]
    if len(left) != 1:
        raise EditsError(f"the edits leave {len(left)} sentences")
    return left[0][0]


def _steps(script: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    at, own = -1, []
    for edit in script:
        name, _, number = edit.partition(" ")
        if name != _FUSE:
            if at < 0:
                raise EditsError(f"{edit!r} stands before the first 'fuse N'")
            own.append(edit)
            continue
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise EditsError(f"{edit!r} is not 'fuse N'")
        if at >= 0:
            yield at, own
        at, own = int(number), []
    if at >= 0:
        yield at, own
