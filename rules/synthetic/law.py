"""The law of synthetic rows: the interpreter reads the targets out of the inputs, or the document comes back.

Lengths of STEP rows are in tokens of a tokenizer that the row does not know. A word is a token or more, so a row has
no more words than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmill.rules.synthetic.interpreter import LanguageError, difference, read_document, read_sentences
from gistmill.rules.synthetic.language import (
    ENSEMBLE,
    ENSEMBLE_SIZE,
    INPUT_TOKENS,
    MASK,
    MDG,
    MOST_OVER,
    NSG,
    RUN,
    SR,
    SR_ADJUSTED,
    STEP_TASKS,
    STOP,
    TARGET_TOKENS,
)

COLUMNS = ("inputs", "targets", "task", "tasks")
STEP_COLUMNS = ("permutation", "mask_length", "before", "after")
"""Of STEP tasks, those that need them."""

Row = Mapping[str, Any]


def problem(row: Row) -> str | None:
    """Returns in one line how a row breaks the law; None if it keeps it.

    Args:
        row: the values of COLUMNS, and of those of STEP_COLUMNS that it has: of sentence reordering ``permutation``; of
            masked document generation ``mask_length``, and ``before`` and ``after``, the characters that the document
            has before and after the run.
    """
    task, tasks = row["task"], row["tasks"]
    if not all(isinstance(row[name], str) for name in ("inputs", "targets", "task")) or not isinstance(tasks, list):
        return "the values of inputs, targets and task are not texts, or that of tasks is not a list"
    try:
        if task in STEP_TASKS and not tasks:
            return _cut(row) if task == NSG else _ordered(row) if task in (SR, SR_ADJUSTED) else _masked(row)
        if task == ENSEMBLE and len(tasks) != ENSEMBLE_SIZE:
            return f"a row of the ensemble has {ENSEMBLE_SIZE} tasks, not {len(tasks)}"
        if task != ENSEMBLE and tasks != [task]:
            return f"the tasks of {task} are {', '.join(map(str, tasks)) or 'none'}"
        return difference(row["inputs"], tasks, row["targets"])
    except LanguageError as error:
        return f"the document {error}"


def solves(row: Mapping[str, Any], output: str) -> bool:
    """Returns whether an output solves the task of a row: the paper's Pr (section 7, tables 3 and 7).

    White space does not matter. A STEP task, which names no elementary tasks, has one right output: the targets.

    Args:
        row: the values of COLUMNS, without ``task``.
        output: a model's output for the inputs.

    Raises:
        LanguageError: the inputs are not a document of the tasks.
    """
    written = " ".join(output.split())
    if not row["tasks"]:
        return written == " ".join(row["targets"].split())
    return difference(row["inputs"], row["tasks"], written) is None


def _cut(row: Row) -> str | None:
    for name, most in (("inputs", INPUT_TOKENS), ("targets", TARGET_TOKENS)):
        count = len(row[name].split())
        if not 0 < count <= most:
            return f"the {name} have {count} words, and {most} tokens are all there may be"
    joined = f"{row['inputs']} {row['targets']}"
    read_sentences(joined if joined.endswith(f" {STOP}") else f"{joined} {STOP}")  # it is cut anywhere
    return None


def _ordered(row: Row) -> str | None:
    sentences = _document(row["inputs"])
    order = row.get("permutation")
    if not isinstance(order, list) or len(order) != len(sentences) or set(order) != set(range(len(sentences))):
        return f"the permutation is not one of the {len(sentences)} sentences"
    if row["task"] == SR_ADJUSTED:
        wanted = " ".join(map(str, order))
    else:
        wanted = " ".join(f"{sentences[place]} {STOP}" for place in order)
    return None if row["targets"] == wanted else "the permutation does not make the targets of the inputs"


def _masked(row: Row) -> str | None:
    inputs, targets, before, after = row["inputs"], row["targets"], row.get("before"), row.get("after")
    if (
        not isinstance(before, int)
        or not isinstance(after, int)
        or not 0 <= before <= len(inputs) - after <= len(inputs)
    ):
        return "before and after are not characters of the inputs"
    head, run, tail = inputs[:before], inputs[before : len(inputs) - after], inputs[len(inputs) - after :]
    original = targets if row["task"] == MDG else head + targets + tail
    _document(original)
    if len(original) < before + after or not original.startswith(head) or not original.endswith(tail):
        return "the targets are not the inputs outside of the masked run"
    if MASK not in run:
        return "nothing in the run is masked"
    if row.get("mask_length") not in RUN or run.count(MASK) > row["mask_length"]:
        return f"the run has {run.count(MASK)} masks, and its length is {row.get('mask_length')}"
    return None


def _document(text: str) -> list[str]:
    document = read_document(text)
    if document.marks:
        raise LanguageError("contains keywords, which STEP tasks do not have")
    if (count := len(text.split())) > INPUT_TOKENS + MOST_OVER:
        raise LanguageError(f"has {count} words; the limit is {INPUT_TOKENS + MOST_OVER} tokens")
    return list(document.sentences)
