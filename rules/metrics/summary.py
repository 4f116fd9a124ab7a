"""Scores of summaries: ROUGE as the papers report it, novel n-grams, and the gain by length of the reference.

ROUGE itself is that of ``rules/rouge``. Sources: C. van Yperen et al., "LATS", equation 10 (combined score); C. Zhu et
al., "Make lead bias in your favor", section 4.2 (recall of outputs cut to the reference for NYT, 75 characters for
DUC), Figure 3 (n-grams that the lead lacks) and Figure 4 (gain by percentile of length).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gistmill.rules.extractive import Extractiveness
from gistmill.rules.rouge.scoring import ROUGE_L, ROUGE_LSUM, Score, score
from gistmill.rules.rouge.tokens import tokenise
from gistmill.rules.text.tokenised import splitter_of

TYPES = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)
F1, RECALL = "f1", "recall"
BEST, JACKKNIFE = "best", "jackknife"
BINS = 5  # of 20% each


class Setting(NamedTuple):
    """How ROUGE is computed.

    Attributes:
        stemmer: whether stems are compared.
        measure: F1 or RECALL.
        cut_bytes: bytes (UTF-8) after which a prediction is cut; None: it is whole. For English, characters.
        cut_to_reference: whether a prediction is cut to the number of words that the reference has.
        several: of several references the BEST counts, as in ``rouge-score``. With JACKKNIFE each is left out once, and
            the mean of the best of the others counts, as in ROUGE 1.5.5 for DUC.
    """

    stemmer: bool = True
    measure: str = F1
    cut_bytes: int | None = None
    cut_to_reference: bool = False
    several: str = BEST


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text: its lines if it has several, else those that its marks show."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return splitter_of(lines)(lines[0]) if len(lines) == 1 else lines


def cut_to_bytes(text: str, size: int) -> str:
    """Returns the beginning of a text that has at most so many bytes in UTF-8; no character is broken."""
    return text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")


def cut_to_words(text: str, size: int) -> str:
    """Returns the first words of a text, with the line breaks between them."""
    kept: list[str] = []
    for line in text.splitlines():
        words = line.split()[: max(0, size)]
        size -= len(words)
        kept.append(" ".join(words))
    return "\n".join(line for line in kept if line)


def rouge(prediction: str, references: Sequence[str], setting: Setting) -> dict[str, float]:
    """Returns ROUGE-1, 2, L and Lsum, from 0 to 1.

    A text of one line is divided into sentences for ROUGE-Lsum; the other types go by the whole text.

    Raises:
        ValueError: there is no reference.
    """
    if not references:
        raise ValueError("a row has no reference")
    if setting.cut_bytes is not None:
        prediction = cut_to_bytes(prediction, setting.cut_bytes)
    found = [_against(prediction, reference, setting) for reference in references]
    return {kind: _one([_value(s[kind], setting.measure) for s in found], setting.several) for kind in TYPES}


def combined(scores: dict[str, float]) -> float:
    """Returns LATS's combined score: ROUGE-1 + 2 ROUGE-2 + ROUGE-L (not Lsum, as the paper's values show)."""
    return scores["rouge1"] + 2 * scores["rouge2"] + scores[ROUGE_L]


def novel_ngrams(summary: str, text: str, n: int) -> tuple[int, int]:
    """Returns how many n-grams of a summary a text lacks, and how many it has in all; every occurrence counts.

    Words are those of ROUGE: lower case, letters and digits, no stems.
    """
    every, new = Extractiveness(tokenise(text).words, tokenise(summary).words).ngrams(n)
    return new, every


def length_bins(references: Sequence[str]) -> list[int]:
    """Returns in which fifth each reference is by its number of words: 0 the shortest, 4 the longest.

    Of references of equal length the earlier counts as shorter.
    """
    order = sorted(range(len(references)), key=lambda i: (len(references[i].split()), i))
    bins = [0] * len(references)
    for rank, i in enumerate(order):
        bins[i] = rank * BINS // len(order)
    return bins


def _against(prediction: str, reference: str, setting: Setting) -> dict[str, Score]:
    if setting.cut_to_reference:
        prediction = cut_to_words(prediction, len(reference.split()))
    lines = ("\n".join(sentences_of(text)) for text in (reference, prediction))
    target, output = (tokenise(text, stemmer=setting.stemmer) for text in lines)
    return score(target, output, TYPES)


def _one(values: list[float], several: str) -> float:
    """Returns the score for the scores against each reference."""
    if several == BEST or len(values) == 1:
        return max(values)
    return sum(max(values[:i] + values[i + 1 :]) for i in range(len(values))) / len(values)


def _value(found: Score, measure: str) -> float:
    return found.recall if measure == RECALL else found.fmeasure
