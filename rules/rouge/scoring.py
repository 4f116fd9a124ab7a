"""ROUGE-N, ROUGE-L and ROUGE-Lsum, equal to the package ``rouge-score`` and far faster.

Source: C.-Y. Lin, "ROUGE: a package for automatic evaluation of summaries", 2004. Whatever that leaves open is as in
``rouge-score`` 0.1.2, down to the rounding of the last bit: the same divisions of the same counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from gistmill.rules.rouge.lcs import lcs_length, union_lcs
from gistmill.rules.rouge.tokens import Tokens

ROUGE_L, ROUGE_LSUM = "rougeL", "rougeLsum"
TYPES = (*(f"rouge{n}" for n in range(1, 10)), ROUGE_L, ROUGE_LSUM)


class Score(NamedTuple):
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float
    fmeasure: float


NOTHING = Score(0.0, 0.0, 0.0)


class Overlap(NamedTuple):
    """What a score is made of: the units that a prediction and a target share, and those that each has."""

    hits: int
    predicted: int
    wanted: int

    def score(self) -> Score:
        """Returns the score, rounded as ``rouge-score`` rounds."""
        if not self.hits:
            return NOTHING
        precision, recall = self.hits / self.predicted, self.hits / self.wanted
        return Score(precision, recall, 2 * precision * recall / (precision + recall))

    def exact(self, measure: str) -> Fraction:
        """Returns a measure as a fraction. Scores are compared by it, because the last bits of equal ones differ."""
        if not self.hits:
            return Fraction(0)
        if measure == "fmeasure":
            return Fraction(2 * self.hits, self.predicted + self.wanted)
        return Fraction(self.hits, {"precision": self.predicted, "recall": self.wanted}[measure])


def score(
    target: Tokens, prediction: Tokens, types: Iterable[str] = ("rouge1", "rouge2", ROUGE_LSUM)
) -> dict[str, Score]:
    """Scores a prediction against a target (the reference).

    ``types`` are names from TYPES. ROUGE-Lsum goes by the texts' lines, the others take lines as joined by spaces.

    Raises:
        ValueError: a type is unknown.
    """
    return {t: overlap(target, prediction, t).score() for t in types}


def overlap(target: Tokens, prediction: Tokens, rouge_type: str) -> Overlap:
    """Returns what a score is made of; see ``score``."""
    if rouge_type == ROUGE_L:
        hits = lcs_length(target.words, prediction.words)
    elif rouge_type == ROUGE_LSUM:
        there = prediction.ngrams(1)
        # a word counts as a hit no more often than it occurs
        hits = sum([min(k, there[w]) for w, k in union_lcs(target.lines, prediction.lines).items()])
    elif rouge_type in TYPES:
        return overlap_of_ngrams(target, prediction, int(rouge_type[5:]))
    else:
        raise ValueError(f"{rouge_type!r} is not one of {', '.join(TYPES)}")
    return Overlap(hits, len(prediction), len(target))


def overlap_of_ngrams(target: Tokens, prediction: Tokens, n: int) -> Overlap:
    """Returns what ROUGE-n is made of."""
    predicted, wanted = len(prediction) - n + 1, len(target) - n + 1
    if predicted <= 0 or wanted <= 0:
        return Overlap(0, max(predicted, 0), max(wanted, 0))
    short, long = (target, prediction) if wanted < predicted else (prediction, target)
    units = short.ngrams(n)
    there = long.ngrams(n) if n == 1 else long.ngrams_among(units, n)
    hits = sum([k if k < there[u] else there[u] for u, k in units.items() if u in there])
    return Overlap(hits, predicted, wanted)
