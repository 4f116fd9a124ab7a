"""What needs no learning, to read scores by: fusions by copying or by one rule, and extracts of documents."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, Edits
from gistmill.rules.rouge.scoring import overlap
from gistmill.rules.rouge.selection import ScoredDocument
from gistmill.rules.rouge.tokens import Tokens

_ENDS = frozenset(".!?;:")


def copied(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that leave two sentences as they are (the paper's COPY)."""
    size = len(first) + len(second)
    return Edits(None, (KEEP,) * size, ("",) * (size + 1))


def joined_by_but(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that join two sentences by ``, but``, whatever they say."""
    return _joined(first, second, ", but", shared=0)


def joined_by_subject(first: Sequence[str], second: Sequence[str]) -> Edits:
    """Returns the edits that join by ``and`` where the second sentence begins with the same words as the first.

    These words are left out of the second. Sentences that begin differently are joined by ``, but``.
    """
    shared, most = 0, min(len(first), len(second)) - 2
    while shared < most and first[shared] == second[shared]:
        shared += 1
    return _joined(first, second, "and", shared=shared) if shared else joined_by_but(first, second)


def lead(sentences: Sequence[str], count: int) -> list[str]:
    """Returns the first sentences of a document (Lead-k)."""
    return list(sentences[:count])


def greedy_oracle(sentences: Sequence[str], summary: Tokens, *, most: int, stemmer: bool = False) -> list[str]:
    """Returns the sentences that a greedy search finds for a summary, in the document's order.

    Of the sentences left, the one is added that raises the mean of ROUGE-1 and ROUGE-2 F1 most, as long as one does
    (R. Nallapati et al., "SummaRuNNer", 2017, section 2.3); of equals the earlier.

    Args:
        sentences: of the document.
        summary: the reference.
        most: how many sentences may be chosen.
        stemmer: whether stems are compared; as ``summary`` was tokenised.
    """
    document = ScoredDocument(sentences, stemmer=stemmer)
    chosen: list[int] = []
    reached = Fraction(0)
    while len(chosen) < most:
        left = [i for i in range(len(sentences)) if i not in chosen]
        values = [_f1(summary, document.part([*chosen, i])) for i in left]
        if not values or max(values) <= reached:
            break
        reached = max(values)
        chosen.append(left[values.index(reached)])
    return [sentences[i] for i in sorted(chosen)]


def _f1(summary: Tokens, extract: Tokens) -> Fraction:
    """Twice the mean of ROUGE-1 and ROUGE-2 F1."""
    return sum((overlap(summary, extract, t).exact("fmeasure") for t in ("rouge1", "rouge2")), Fraction(0))


def _joined(first: Sequence[str], second: Sequence[str], phrase: str, *, shared: int) -> Edits:
    """Returns the edits that write a phrase for the end of the first and the shared words of the second sentence."""
    operations = [KEEP] * (len(first) + len(second))
    phrases = [""] * (len(operations) + 1)
    if first and first[-1] in _ENDS:
        operations[len(first) - 1] = DELETE
    start = len(first) + shared
    operations[len(first) : start] = [DELETE] * shared
    if start < len(operations):
        phrases[start] = phrase
        operations[start] = LOWER if not shared else KEEP
    return Edits(None, tuple(operations), tuple(phrases))
