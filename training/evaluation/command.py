"""``gistmill-train evaluate``: scores predictions against the rows of a dataset, and prints one table."""

from __future__ import annotations

from pathlib import Path

from gistmill.core.terminal import printable_lines
from gistmill.training.evaluation.config import EvaluateConfig
from gistmill.training.scored import add_scores, result_of

CONFIG = EvaluateConfig


def run(config: EvaluateConfig) -> int:
    """Evaluates, prints the scores, writes them as JSON and onto a card where the options say so; returns 0.

    Raises:
        SettingsError: the options do not fit the dataset or each other.
        TrainingError: the predictions or the dataset cannot be read, or do not fit each other.
    """
    from gistmill.training.evaluation.evaluate import evaluate

    scorecard = evaluate(config)
    if config.output is not None:
        scorecard.write(config.output)
    if config.card is not None:
        (system,) = scorecard.predicted
        add_scores(Path(config.card), result_of(scorecard.to_json(), system))
    print(printable_lines(scorecard.table()))
    return 0
