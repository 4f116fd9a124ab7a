"""``gistmill-train evaluate``: scores predictions against the rows of a dataset, and prints one table."""

from __future__ import annotations

from training.evaluation.config import EvaluateConfig

CONFIG = EvaluateConfig


def run(config: EvaluateConfig) -> int:
    """Evaluates, prints the scorecard as a table, writes it as JSON if ``config.output`` says where; returns 0.

    Raises:
        SettingsError: the options do not fit the dataset or each other.
        TrainingError: the predictions or the dataset cannot be read, or do not fit each other.
    """
    from training.evaluation.evaluate import evaluate

    scorecard = evaluate(config)
    if config.output is not None:
        scorecard.write(config.output)
    print(scorecard.table())
    return 0
