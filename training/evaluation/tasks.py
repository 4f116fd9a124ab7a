"""Scores of synthetic tasks: which share of them a model solves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmill.rules.metrics.bootstrap import Measurement
from gistmill.rules.synthetic.interpreter.document import LanguageError
from gistmill.rules.synthetic.law import solves
from gistmill.training.errors import TrainingError
from gistmill.training.evaluation.examples import Examples
from gistmill.training.evaluation.fusion_scores import Measured

ACCURACY = "task_accuracy"


def measure(examples: Examples, predictions: Sequence[str], exact: Measurement) -> Measured:
    """Returns ``task_accuracy``, the paper's Pr, of all rows and of each task, in per cent.

    Rows that do not say their elementary tasks are not known to the interpreter; of them it is Exact of each task.

    Args:
        examples: rows with tasks.
        predictions: one for each.
        exact: Exact of all rows.

    Raises:
        TrainingError: a row is not a document of its tasks.
    """
    names = examples.tasks or []
    measured, name, scored = {}, "exact", exact
    if examples.elementary is not None:
        name, scored = ACCURACY, Measurement.mean(np.array(_solved(examples, predictions)))
        measured[name] = scored
    return measured | {f"{name}/{t}": scored.of([x == t for x in names]) for t in sorted(set(names))}


def _solved(examples: Examples, predictions: Sequence[str]) -> list[bool]:
    solved = []
    for number, (row_id, tasks) in enumerate(zip(examples.ids, examples.elementary or [], strict=True)):
        row = {"inputs": examples.sources[number], "targets": examples.references[number][0], "tasks": tasks}
        try:
            solved.append(solves(row, predictions[number]))
        except LanguageError as error:
            raise TrainingError(f"{examples.name}: the document of row {row_id!r} {error}") from None
    return solved
