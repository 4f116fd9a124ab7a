"""The law of synthetic rows: the interpreter reads the targets out of the inputs, or the document comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmill.rules.synthetic import interpreter
from gistmill.rules.synthetic.interpreter import LanguageError, accepts, difference
from gistmill.rules.synthetic.language import ENSEMBLE, STEP_TASKS

COLUMNS = ("inputs", "targets", "task", "tasks")
STEP_COLUMNS = ("permutation", "mask_length", "before", "after")
"""Of STEP tasks, those that need them."""
ENSEMBLE_TASKS = 3
"""Tasks of a document of the ensemble."""


def fault(row: Mapping[str, Any]) -> str | None:
    """Returns in one line how a row breaks the law; None if it keeps it.

    Args:
        row: the values of COLUMNS, and of those of STEP_COLUMNS that it has.
    """
    task, tasks = row["task"], row["tasks"]
    if not all(isinstance(row[name], str) for name in ("inputs", "targets", "task")) or not isinstance(tasks, list):
        return "the values of inputs, targets and task are not texts, or that of tasks is not a list"
    if task in STEP_TASKS and not tasks:
        return interpreter.fault(row)
    if task == ENSEMBLE and len(tasks) != ENSEMBLE_TASKS:
        return f"a row of the ensemble has {ENSEMBLE_TASKS} tasks, not {len(tasks)}"
    if task != ENSEMBLE and tasks != [task]:
        return f"the tasks of {task} are {', '.join(map(str, tasks)) or 'none'}"
    try:
        return difference(row["inputs"], tasks, row["targets"])
    except LanguageError as error:
        return f"the document {error}"


def solves(row: Mapping[str, Any], output: str) -> bool:
    """Returns whether an output solves the task of a row: the paper's Pr (section 7, tables 3 and 7).

    White space does not matter. A STEP task, which names no elementary tasks, has one right output: the targets.

    Args:
        row: the values of COLUMNS, without ``task``.
        output: what a model wrote for the inputs.

    Raises:
        LanguageError: the inputs are not a document of the tasks.
    """
    written = " ".join(output.split())
    if not row["tasks"]:
        return written == " ".join(row["targets"].split())
    return accepts(row["inputs"], row["tasks"], written)
