"""Scores of single tokens, which a model was asked to predict after those before them.

Source: K. Krishna et al., "Does pretraining for summarization require knowledge transfer?", 2021, appendix, Table 6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmill.rules.metrics.bootstrap import Floats, Measurement, ratio


def next_tokens(correct: Sequence[Sequence[bool]], likelihoods: Sequence[Sequence[float]]) -> dict[str, Measurement]:
    """Returns means over all tokens: ``token_accuracy`` in per cent, ``nll`` in nats, and ``perplexity``, exp(nll).

    Args:
        correct: of each row, which tokens the model would have chosen.
        likelihoods: of each row, the log likelihood (natural logarithm) of each token.

    Raises:
        ValueError: a row has not as many of both.
    """
    rows = np.zeros((len(correct), 3))
    for i, (right, likelihood) in enumerate(zip(correct, likelihoods, strict=True)):
        if len(right) != len(likelihood):
            raise ValueError(f"{len(right)} tokens are judged and {len(likelihood)} have a likelihood")
        rows[i] = sum(right), -sum(likelihood), len(right)
    return {
        "token_accuracy": Measurement(rows[:, [0, 2]]),
        "nll": Measurement(rows[:, 1:], _mean),
        "perplexity": Measurement(rows[:, 1:], _perplexity),
    }


def _mean(sums: Floats) -> Floats:
    return ratio(sums) / 100


def _perplexity(sums: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.exp(_mean(sums))
