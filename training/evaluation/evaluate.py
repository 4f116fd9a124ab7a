"""Scores predictions against the rows of a dataset."""

from __future__ import annotations

from training.errors import TrainingError
from training.evaluation.config import EvaluateConfig
from training.evaluation.scorecard import Scorecard


def evaluate(config: EvaluateConfig) -> Scorecard:
    """Returns the scores that a configuration asks for."""
    raise TrainingError("evaluate: not there yet")
