"""Scores of summaries: ROUGE, novel n-grams, ROUGE by length of the reference; and their baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gistmill.rules.metrics.baselines import greedy_oracle, lead
from gistmill.rules.metrics.bootstrap import Measurement
from gistmill.rules.metrics.summary import (
    BINS,
    TYPES,
    Setting,
    combined,
    length_bins,
    novel_ngrams,
    rouge,
    sentences_of,
)
from gistmill.rules.rouge.tokens import tokenise
from gistmill.training.evaluation.config import EvaluateConfig
from gistmill.training.evaluation.examples import Examples
from gistmill.training.evaluation.fusion_scores import Measured

_NGRAMS = (1, 2, 3, 4)


def setting_of(config: EvaluateConfig) -> Setting:
    """Returns how a configuration wants ROUGE."""
    return Setting(config.stemmer, config.measure, config.cut_bytes, config.cut_to_reference, config.references)


def measure_rouge(examples: Examples, predictions: Sequence[str], setting: Setting) -> Measured:
    """Returns ``rouge1``, ``rouge2``, ``rougeL``, ``rougeLsum`` and ``combined``, in points of 100."""
    found = [rouge(p, references, setting) for p, references in zip(predictions, examples.references)]
    measured = {kind: Measurement.mean(np.array([scores[kind] for scores in found])) for kind in TYPES}
    return {**measured, "combined": Measurement.mean(np.array([combined(scores) for scores in found]))}


def measure_novel(examples: Examples, predictions: Sequence[str], sentences: int) -> Measured:
    """Returns which share of the predictions' n-grams is new.

    ``novel1`` to ``novel4`` are beside the whole source, ``novel_lead1`` to ``novel_lead4`` beside its first sentences.
    """
    leads = [" ".join(lead(sentences_of(source), sentences)) for source in examples.sources]
    return {
        f"{name}{n}": Measurement(
            np.array([novel_ngrams(p, text, n) for p, text in zip(predictions, texts)], np.float64).reshape(-1, 2)
        )
        for name, texts in (("novel", examples.sources), ("novel_lead", leads))
        for n in _NGRAMS
    }


def by_length(examples: Examples, measured: Measured) -> Measured:
    """Returns ROUGE-1 of each fifth of the rows by length of the reference, the shortest first."""
    bins = length_bins([references[0] for references in examples.references])
    step = 100 // BINS
    return {
        f"rouge1/length {step * number}-{step * (number + 1)}%": measured["rouge1"].of([b == number for b in bins])
        for number in range(BINS)
    }


def baselines(examples: Examples, config: EvaluateConfig) -> Iterator[tuple[str, list[str]]]:
    """Yields the name and the predictions of each baseline: Lead-k and a greedy extractive oracle of k sentences."""
    sources = [sentences_of(source) for source in examples.sources]
    count = config.lead
    yield f"Lead-{count}", ["\n".join(lead(sentences, count)) for sentences in sources]
    yield (
        f"oracle-{count}",
        [
            "\n".join(
                greedy_oracle(
                    sentences, tokenise(references[0], stemmer=config.stemmer), most=count, stemmer=config.stemmer
                )
            )
            for sentences, references in zip(sources, examples.references)
        ],
    )
