"""Which labels of the tagger a plan forbids.

- PAIR_NONE changes nothing. The other PAIR plans leave the first sentence as it is, keep both final marks, and write no
  phrase with a comma where the second sentence begins.
- A plan that joins without a move leaves the first sentence as it is, up to its final mark. SINGLE_CATAPHORA and
  SINGLE_CONN_START may change it.
- PAIR_ANAPHORA writes no phrase.
- A plan that joins deletes or replaces the final mark of the sentence that ends inside the fusion, and keeps the other.
- LOWER is only for the first word of a sentence, and not for one that has its capital inside a sentence too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gistmill.rules.fusion.edits import KEEP, LOWER, UPPER
from gistmill.rules.fusion.heads import FloatArray
from gistmill.rules.fusion.labels import ANAPHORA, Labels, joins

FORBIDDEN = np.float32(-1e4)
CONNECTIVE_FIRST = "SINGLE_CONN_START"
_CHANGES_FIRST = frozenset((CONNECTIVE_FIRST, "SINGLE_CATAPHORA"))
_MARKS = frozenset((".", "?", "!", "..."))


@dataclass(slots=True)
class Tags:
    """Log probabilities of a row's labels; what is not allowed is FORBIDDEN."""

    operations: FloatArray
    phrases: FloatArray


def forbid(tags: Tags, labels: Labels, first: Sequence[str], second: Sequence[str], *, plan: str, moved: bool) -> None:
    """Marks the labels of two sentences that a plan, with a move or without, forbids."""
    operations, phrases = tags.operations, tags.phrases
    n, words, joined = len(first), (*first, *second), joins(plan)
    _forbid_case(operations, labels, words, n)
    if joined and not moved and plan not in _CHANGES_FIRST:
        # the words of the first sentence without the marks, brackets and quotes that end it
        body = max((i + 1 for i, word in enumerate(first) if any(map(str.isalnum, word))), default=0)
        operations[:body, 1:] = FORBIDDEN
    if not joined:
        operations[:n, 1:] = FORBIDDEN
        phrases[:n, 1:] = FORBIDDEN
        phrases[n, np.array([phrase.startswith(",") for phrase in labels.phrases])] = FORBIDDEN
        if plan == ANAPHORA:
            phrases[:, 1:] = FORBIDDEN
    keep = labels.operations.index(KEEP)
    for i, ends in zip((n - 1, len(words) - 1), (moved, not moved), strict=True):
        if words[i] not in _MARKS:
            continue
        if joined and not ends:
            operations[i, keep] = FORBIDDEN
        else:
            operations[i, np.arange(operations.shape[1]) != keep] = FORBIDDEN


def _forbid_case(operations: FloatArray, labels: Labels, words: Sequence[str], n: int) -> None:
    number = {name: k for k, name in enumerate(labels.operations)}
    lower, upper = number.get(LOWER), number.get(UPPER)
    inside = {w for i, w in enumerate(words) if i not in (0, n)}
    for i, word in enumerate(words):
        if lower is not None and (not word[:1].isupper() or word in inside or word == "I"):
            operations[i, lower] = FORBIDDEN
        if upper is not None and not word[:1].islower():
            operations[i, upper] = FORBIDDEN
