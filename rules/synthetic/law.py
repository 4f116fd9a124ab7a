"""The law of synthetic rows: the targets follow from the inputs, or the two together restore the document.

The interpreter checks the targets of elementary tasks. Lengths of STEP rows are in tokens of a tokenizer that the row
does not name; since every word is at least one token, they are also limits on the number of words.
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
"""Columns of only some STEP tasks."""

Row = Mapping[str, Any]


def problem(row: Row) -> str | None:
    """Returns a one-line description of how a row breaks the law; None if it keeps the law.

    Args:
        row: the values of COLUMNS, and of the STEP_COLUMNS of its task: ``permutation`` for sentence reordering; for
            masked document generation ``mask_length``, and ``before`` and ``after``, the numbers of characters before
            and after the run.
    """
    task, tasks = row["task"], row["tasks"]
    if not all(isinstance(row[name], str) for name in ("inputs", "targets", "task")) or not isinstance(tasks, list):
        return "inputs, targets and task must be strings, and tasks must be a list"
    try:
        if task in STEP_TASKS and not tasks:
            return _cut(row) if task == NSG else _ordered(row) if task in (SR, SR_ADJUSTED) else _masked(row)
        if task == ENSEMBLE and len(tasks) != ENSEMBLE_SIZE:
            return f"an ensemble row must have {ENSEMBLE_SIZE} tasks, not {len(tasks)}"
        if task != ENSEMBLE and tasks != [task]:
            return f"invalid tasks for {task}: {', '.join(map(str, tasks)) or 'none'}"
        return difference(row["inputs"], tasks, row["targets"])
    except LanguageError as error:
        return f"the document {error}"


def solves(row: Mapping[str, Any], output: str) -> bool:
    """Returns whether an output solves the task of a row, as in the paper's Pr (section 7, tables 3 and 7).

    White space is ignored. For a STEP task, which names no elementary tasks, only the targets are correct.

    Args:
        row: the values of COLUMNS, without ``task``.
        output: a model's output for the inputs.

    Raises:
        LanguageError: the inputs are not a valid document for the tasks.
    """
    written = " ".join(output.split())
    if not row["tasks"]:
        return written == " ".join(row["targets"].split())
    return difference(row["inputs"], row["tasks"], written) is None


def _cut(row: Row) -> str | None:
    for name, most in (("inputs", INPUT_TOKENS), ("targets", TARGET_TOKENS)):
        count = len(row[name].split())
        if not 0 < count <= most:
            return f"the {name} have {count} words; expected 1 to {most} tokens"
    joined = f"{row['inputs']} {row['targets']}"
    read_sentences(joined if joined.endswith(f" {STOP}") else f"{joined} {STOP}")  # may be cut in mid-sentence
    return None


def _ordered(row: Row) -> str | None:
    sentences = _document(row["inputs"])
    order = row.get("permutation")
    if not isinstance(order, list) or len(order) != len(sentences) or set(order) != set(range(len(sentences))):
        return f"permutation must be a permutation of the {len(sentences)} sentences"
    if row["task"] == SR_ADJUSTED:
        wanted = " ".join(map(str, order))
    else:
        wanted = " ".join(f"{sentences[place]} {STOP}" for place in order)
    return None if row["targets"] == wanted else "the targets do not match the inputs and their permutation"


def _masked(row: Row) -> str | None:
    inputs, targets, before, after = row["inputs"], row["targets"], row.get("before"), row.get("after")
    if (
        not isinstance(before, int)
        or not isinstance(after, int)
        or not 0 <= before <= len(inputs) - after <= len(inputs)
    ):
        return "before and after must be numbers of characters in the inputs"
    head, run, tail = inputs[:before], inputs[before : len(inputs) - after], inputs[len(inputs) - after :]
    original = targets if row["task"] == MDG else head + targets + tail
    _document(original)
    if len(original) < before + after or not original.startswith(head) or not original.endswith(tail):
        return "the targets differ from the inputs outside the masked run"
    if MASK not in run:
        return "nothing in the run is masked"
    if row.get("mask_length") not in RUN or run.count(MASK) > row["mask_length"]:
        return f"the run contains {run.count(MASK)} masks, but mask_length is {row.get('mask_length')}"
    return None


def _document(text: str) -> list[str]:
    document = read_document(text)
    if document.marks:
        raise LanguageError("contains keywords, which STEP tasks do not use")
    if (count := len(text.split())) > INPUT_TOKENS + MOST_OVER:
        raise LanguageError(f"has {count} words; the limit is {INPUT_TOKENS + MOST_OVER} tokens")
    return list(document.sentences)
