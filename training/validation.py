"""Scores of a model on validation rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from gistmill.rules.metrics.sari import DISCOFUSE, sari
from gistmill.rules.rouge.scoring import score, tokenise
from gistmill.rules.synthetic.interpreter import LanguageError
from gistmill.rules.synthetic.law import solves
from gistmill.training.config import LOWER_IS_BETTER, ValidationConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.data.source import Source, Split
from gistmill.training.data.stream import Indices, by_length
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.machine import Machine
from gistmill.training.task import Row, Task, evaluating

_TASK_ACCURACY, _TASKS = "task_accuracy", "tasks"


_Texts = Sequence[str]


def _exact(rows: Sequence[Row], sources: _Texts, targets: _Texts, written: _Texts) -> float:
    return sum(map(str.__eq__, targets, written)) / len(rows)


def _sari(rows: Sequence[Row], sources: _Texts, targets: _Texts, written: _Texts) -> float:
    return sari(DISCOFUSE, sources, written, [[target] for target in targets]).sari


def _rouge1(rows: Sequence[Row], sources: _Texts, targets: _Texts, written: _Texts) -> float:
    pairs = zip(map(tokenise, targets), map(tokenise, written), strict=True)
    return sum(score(target, found, ["rouge1"])["rouge1"].fmeasure for target, found in pairs) / len(rows)


def _task_accuracy(rows: Sequence[Row], sources: _Texts, targets: _Texts, written: _Texts) -> float:
    solved = 0
    for row, source, target, output in zip(rows, sources, targets, written, strict=True):
        try:
            solved += solves({"inputs": source, "targets": target, _TASKS: row[_TASKS]}, output)
        except LanguageError as error:
            raise TrainingError(f"the document of row {row['id']!r} {error}") from None
    return solved / len(rows)


# Functions from rows, sources, targets and predictions to a score from 0 to 1.
_OF_PREDICTIONS: Mapping[str, Callable[[Sequence[Row], _Texts, _Texts, _Texts], float]] = {
    "exact": _exact,
    "sari": _sari,
    "rouge1": _rouge1,
    _TASK_ACCURACY: _task_accuracy,
}


def validation_rows(data: DataConfig, config: ValidationConfig, task: Task) -> list[Row]:
    """Returns rows spread evenly over the validation data, or no rows if there is none.

    Raises:
        SettingsError: the validation data does not exist, or ``--patience`` or ``--score`` requires validation rows.
        TrainingError: the dataset cannot be read.
    """
    if not config.validation_rows:
        splits: list[Split] = []
    else:
        texts = texts_of(task) if config.score in _OF_PREDICTIONS else ()
        tasks = (_TASKS,) if config.score == _TASK_ACCURACY else ()
        splits = list(_splits(data, config, tuple(dict.fromkeys(("id", *task.columns, *texts, *tasks)))))
    total = sum(split.rows for split in splits)
    if not total and (config.patience is not None or config.score != "loss"):
        name = "patience" if config.patience is not None else "score"
        raise SettingsError(f"--{name} requires validation rows: add a `validation` split or use --validation")
    if not total:
        return []
    step = max(1.0, total / config.validation_rows)
    wanted = {int(number * step) for number in range(min(total, config.validation_rows))}
    rows = (row for split in splits for row in split.in_order())
    return [row for number, row in enumerate(islice(rows, max(wanted) + 1)) if number in wanted]


def _splits(data: DataConfig, config: ValidationConfig, columns: Sequence[str]) -> Iterator[Split]:
    if config.validation is None:
        for source in data.sources(columns, split="validation"):
            try:
                yield source.open()
            except SettingsError:  # not every dataset has a validation split
                continue
    else:
        for d in config.validation:
            split = d.get("split", "validation")
            yield Source(d["place"], config=d.get("config"), split=split, columns=tuple(columns)).open()


def texts_of(task: Task) -> tuple[str, str]:
    """Returns the input and target columns for predictions."""
    config = getattr(task, "config", None)
    return getattr(config, "source_column", "inputs"), getattr(config, "target_column", "targets")


def losses(task: Task, rows: Sequence[Row], machine: Machine) -> dict[str, float]:
    """Returns the mean loss and the means of the other reported measures, sharing the work between processes."""
    totals: dict[str, float] = {}
    weight = 0.0
    with evaluating(task.module):
        for numbers in _batches([task.length(row) for row in rows], machine):
            batch = task.collate([rows[number] for number in numbers])
            batch.pop("tokens")
            with machine.autocast():
                found = task.loss(machine.on_device(batch))
            weight += float(found.weight)
            for name, value in {"loss": found.total, **found.sums}.items():
                totals[name] = totals.get(name, 0.0) + float(value)
    everywhere = machine.gather((weight, totals))
    weight = sum(w for w, _ in everywhere)
    if not weight:
        raise TrainingError("no validation row can be used to compute a loss; choose other rows with --validation")
    names = dict.fromkeys(name for _, found in everywhere for name in found)
    return {name: sum(found.get(name, 0.0) for _, found in everywhere) / weight for name in names}


def predictions(task: Task, rows: Sequence[Row], machine: Machine) -> list[str]:
    """Returns a prediction for each row, in order, sharing the work between processes."""
    found: dict[int, str] = {}
    with evaluating(task.module), machine.autocast():
        for numbers in _batches([task.source_length(row) for row in rows], machine):
            written = task.predict([rows[number] for number in numbers])
            found.update(zip(numbers.tolist(), written, strict=True))
    everywhere = {number: text for part in machine.gather(found) for number, text in part.items()}
    return [everywhere[number] for number in range(len(rows))]


def _batches(lengths: Sequence[int], machine: Machine) -> list[Indices]:
    """Returns this process's batches; rows are distributed by length so that all processes do similar work."""
    own = np.argsort(lengths, kind="stable")[machine.rank :: machine.world]
    return [own[batch] for batch in by_length([lengths[number] for number in own])]


def validate(task: Task, rows: Sequence[Row], name: str, machine: Machine) -> dict[str, float]:
    """Returns the losses on rows and the score ``name``.

    Raises:
        SettingsError: the model does not provide this score.
    """
    scores = losses(task, rows, machine)
    if measure := _OF_PREDICTIONS.get(name):
        source, target = texts_of(task)
        written = predictions(task, rows, machine)
        scores[name] = measure(rows, [row[source] for row in rows], [row[target] for row in rows], written)
    if name not in scores:
        raise SettingsError(f"--score {name}: this model supports only {', '.join(scores)} and scores of predictions")
    return scores


def is_better(name: str, score: float, best: float | None) -> bool:
    """Returns whether a score is better than the best so far."""
    return best is None or (score < best if name in LOWER_IS_BETTER else score > best)
