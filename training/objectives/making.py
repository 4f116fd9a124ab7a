"""The objective that the options ask for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from gistmill.training.config import CROSS_ENTROPY, UDA, ObjectiveConfig
from gistmill.training.errors import SettingsError
from gistmill.training.objectives.base import Objective, Plain
from gistmill.training.task import Task


def make_objective(config: ObjectiveConfig, task: Task) -> Objective:
    """Returns the objective of a task.

    Raises:
        SettingsError: the model has no such objective, or the pseudo-labels cannot be read.
    """
    if config.objective == CROSS_ENTROPY:
        return Plain(task)
    from gistmill.training.objectives.consistency import Consistency, Uda
    from gistmill.training.seq2seq.task import Seq2Seq

    if not isinstance(task, Seq2Seq):
        raise SettingsError(f"--objective {config.objective} needs a sequence-to-sequence model")
    weight, column = config.consistency_weight, config.augmented_column
    if config.objective != UDA:
        return Consistency(task, weight=weight, column=column)
    labels = read_labels(config.pseudo_labels or ())
    unlabelled = config.unlabelled or ()
    return Uda(task, weight=weight, column=column, labels=labels, unlabelled=unlabelled)


def read_labels(files: Iterable[str]) -> dict[str, str]:
    """Returns the predictions in files of ``gistmill-train predict``, by id.

    Raises:
        SettingsError: a file cannot be read.
    """
    labels: dict[str, str] = {}
    for file in files:
        try:
            for line in Path(file).read_text(encoding="utf-8").splitlines():
                found = json.loads(line)
                labels[str(found["id"])] = str(found["prediction"])
        except OSError as error:
            raise SettingsError(f"--pseudo-labels {file}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError):
            raise SettingsError(f'--pseudo-labels {file}: expected lines {{"id", "prediction"}}') from None
    return labels
