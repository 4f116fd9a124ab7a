"""What was done to single sentences: the operations, and the words that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.core.short_repr import short_repr
from gistmill.pipelines.fusing import Fused, tokens_of
from gistmill.pipelines.reporting.words import Piece, marked
from gistmill.pipelines.splitting import judged_rows
from gistmill.rules.derivation import Operation
from gistmill.rules.discofuse import derivation
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.documents import natural_text
from gistmill.rules.fusion.steps import fusing


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a text became another one.

    Attributes:
        operations: what was done, in order.
        source, result: both texts in pieces; words that the other one has not in this place are marked.
    """

    __repr__ = short_repr

    operations: tuple[Operation, ...]
    source: Sequence[Piece]
    result: Sequence[Piece]


def explain_splits(
    rows: Sequence[tuple[str, str]], *, tokenized: bool = False
) -> list[list[tuple[Candidate, Explanation]]]:
    """Returns what ``split_rows`` finds in each row, each candidate with what the rules did.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: a first sentence is empty.
    """
    explained = []
    for sentences, candidates in judged_rows(rows, tokenized=tokenized):
        tokens = [sentence.tokens for sentence in sentences]
        text = " ".join(map(natural_text, tokens))
        found = []
        for candidate in candidates:
            result, source = marked(candidate.inputs, text)
            found.append((candidate, Explanation(derivation.operations(candidate, tokens), source, result)))
        explained.append(found)
    return explained


def explain_fusion(first: str, second: str, fused: Fused, *, tokenized: bool = False) -> Explanation:
    """Returns what makes a fusion of two sentences.

    Raises:
        EditsError: the edits are not of these sentences.
    """
    source, result = marked(f"{first} {second}", fused.fusion)
    one, two = (" ".join(tokens_of(text, tokenized=tokenized)) for text in (first, second))
    return Explanation(fusing(one, two, fused.edits), source, result)
