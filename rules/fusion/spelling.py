"""New words of edits with typographic marks, or without: natural text may have marks that its tokens lack."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from gistmill.rules.fusion.edits import DELETE, REPLACE, VERBATIM, Edits, order


def respelled(first: Sequence[str], second: Sequence[str], edits: Edits, words: Sequence[str]) -> Edits:
    """Returns edits that write new words with the marks that they have in the fusion.

    Args:
        first, second: tokens of the two sentences.
        edits: their edits.
        words: the words of the fusion, as many as the edits write. Where only the case of a new word differs, it stays.
    """
    n, m = len(first), len(second)
    operations, phrases = list(edits.operations), list(edits.phrases)
    at = 0
    for i in (*order(n, m, edits.move), n + m):
        if phrases[i]:
            parts = phrases[i].split(" ")
            phrases[i] = " ".join([_spelled(part, word) for part, word in zip(parts, words[at : at + len(parts)])])
            at += len(parts)
        if i == n + m or operations[i] == DELETE:
            continue
        if operations[i].startswith(REPLACE):
            operations[i] = REPLACE + _spelled(operations[i][len(REPLACE) :], words[at])
        at += 1
    return dataclasses.replace(edits, operations=tuple(operations), phrases=tuple(phrases))


def _spelled(part: str, word: str) -> str:
    """A word of a phrase with the marks of ``word``; its sign and its first letter stay as they are."""
    sign, bare = (VERBATIM, part[len(VERBATIM) :]) if part.startswith(VERBATIM) else ("", part)
    if bare.lower() == word.lower():
        return part
    return sign + (word[:1].lower() + word[1:] if bare[:1].islower() else word)
