"""Training objectives: the task's own loss, consistency between the outputs for an input and its augmented form, and
UDA, which also learns from unlabelled rows.

Source: A. Fabbri et al., "Improving zero and few-shot abstractive summarization with intermediate fine-tuning and data
augmentation", NAACL 2021 (WikiTransfer), section 3.3, equations 2 and 3; for unlabelled rows, appendix A.3, equation 4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from typing_extensions import override

from gistmill.training.config import CROSS_ENTROPY, UDA, ObjectiveConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.data.stream import Stream
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.machine import Machine
from gistmill.training.seq2seq.encoding import SOURCE, text_of
from gistmill.training.seq2seq.task import Seq2Seq
from gistmill.training.task import Batch, Loss, Row, Task

_IGNORED = -100  # label for padding


class Alternating:
    """Two or more streams that alternate after each epoch; a combined epoch consists of one epoch of each."""

    def __init__(self, streams: Sequence[Stream]) -> None:
        self._streams = list(streams)
        self._turn = 0

    @property
    def epoch(self) -> int:
        """The epoch of the next batch."""
        return self._turn // len(self._streams)

    def batches_in_epoch(self) -> int | None:
        """Returns the number of batches per epoch, or None if it is unknown for any stream."""
        counts = [stream.batches_in_epoch() for stream in self._streams]
        return None if None in counts else sum(count for count in counts if count is not None)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yields the next batches."""
        iterators = [iter(stream) for stream in self._streams]
        while True:
            number = self._turn % len(self._streams)
            stream, epoch = self._streams[number], self._turn // len(self._streams)
            rows = next(iterators[number])
            if stream.epoch > epoch:
                self._turn += 1
            yield rows

    def state(self) -> dict[str, Any]:
        """Returns the streams' positions, as JSON values."""
        return {"turn": self._turn, "streams": [stream.state() for stream in self._streams]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the streams' positions."""
        self._turn = int(state["turn"])
        for stream, its_state in zip(self._streams, state["streams"], strict=True):
            stream.restore(its_state)


Batches = Stream | Alternating


class Objective:
    """The task's own loss, cross-entropy.

    Attributes:
        columns: the dataset columns that it reads.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self.columns = task.columns

    def length(self, row: Row) -> int:
        """Returns the length of a row. See Task.length."""
        return self._task.length(row)

    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns rows as a batch. See Task.collate."""
        return self._task.collate(rows)

    def loss(self, batch: Batch) -> Loss:
        """Returns the loss of a batch. See Task.loss."""
        return self._task.loss(batch)

    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        """Returns the training batches."""
        with machine.first_here():  # so that rows are encoded only once
            return data.stream(
                self.columns, self.length, rank=machine.rank, world=machine.world, encode=self._task.encoding
            )


def divergence(original: Tensor, augmented: Tensor, counts: Tensor) -> Tensor:
    """Returns the KL divergence, KL(original || augmented), between the outputs for original and augmented inputs.

    Args:
        original: logits [rows, length, vocabulary]; no gradient flows through them.
        augmented: logits of the same shape.
        counts: whether to include each token [rows, length].

    Returns:
        The sum over the included tokens.
    """
    p = original.detach().float().log_softmax(-1)
    q = augmented.float().log_softmax(-1)
    found: Tensor = (p.exp() * (p - q)).sum(-1).masked_fill(~counts, 0.0).sum()
    return found


class Consistency(Objective):
    """Cross-entropy for the original input plus the weighted divergence (equation 3).

    Args:
        task: the model.
        weight: lambda in equation 3.
        column: the column of the augmented inputs.
    """

    def __init__(self, task: Seq2Seq, *, weight: float, column: str) -> None:
        super().__init__(task)
        self._model, self._weight, self._column = task, weight, column
        self.columns = (*task.columns, column)

    @override
    def length(self, row: Row) -> int:
        """Returns the length of the longer input plus that of the target."""
        return super().length(row) + max(0, len(self._augmented(row)) - len(row[SOURCE]))

    def _augmented(self, row: Row) -> list[int]:
        if "_augmented" not in row:
            row["_augmented"] = self._model.source_ids(text_of(row, self._column))
        found: list[int] = row["_augmented"]
        return found

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns the task's tensors and ``augmented`` and ``augmented_mask``."""
        batch = super().collate(rows)
        augmented = [self._augmented(row) for row in rows]
        batch["augmented"], batch["augmented_mask"] = self._model.sources(augmented)
        batch["tokens"] = batch["tokens"] + sum(map(len, augmented))
        return batch

    @override
    def loss(self, batch: Batch) -> Loss:
        logits, other = self._model.logits(batch)
        supervised = self._model.loss_of(logits, other, batch["labels"])
        found = self._divergence(batch, logits)
        return Loss(
            total=supervised.total + self._weight * found,
            weight=supervised.weight,
            sums={**supervised.sums, "divergence": found.detach()},
        )

    @override
    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        return self._texts(data, machine)

    def _texts(self, data: DataConfig, machine: Machine, columns: Sequence[str] = ()) -> Stream:
        return data.stream(columns or self.columns, self.length, rank=machine.rank, world=machine.world)

    def _divergence(self, batch: Batch, original: Tensor) -> Tensor:
        changed = {**batch, "source": batch["augmented"], "mask": batch["augmented_mask"]}
        augmented, _ = self._model.logits(changed)
        return divergence(original, augmented, batch["labels"] != _IGNORED)


class Uda(Consistency):
    """Unsupervised data augmentation: epochs of labelled rows with the plain loss alternate with epochs of unlabelled
    rows, whose targets are a model's predictions, with only the weighted divergence (equation 4).

    Args:
        task, weight, column: see Consistency.
        labels: the prediction for each unlabelled row, by id.
        unlabelled: the datasets of unlabelled rows, in the format of DataConfig.
    """

    def __init__(
        self,
        task: Seq2Seq,
        *,
        weight: float,
        column: str,
        labels: Mapping[str, str],
        unlabelled: tuple[dict[str, Any], ...],
    ) -> None:
        super().__init__(task, weight=weight, column=column)
        self._labels, self._unlabelled = labels, unlabelled
        self.columns = task.columns

    @override
    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        """Returns alternating epochs of labelled and unlabelled rows."""
        others = replace(data, datasets=self._unlabelled)
        columns = ("id", self._model.config.source_column, self._column)
        return Alternating([self._texts(data, machine), self._texts(others, machine, columns)])

    @override
    def length(self, row: Row) -> int:
        return super().length(self._labelled(row)) if self._column in row else self._task.length(row)

    def _labelled(self, row: Row) -> Row:
        if row["id"] not in self._labels:
            raise TrainingError(f"--pseudo-labels: there is no prediction for row {row['id']}")
        row[self._model.config.target_column] = self._labels[row["id"]]
        return row

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns the rows as tensors, including ``augmented`` if they are unlabelled."""
        if self._column in rows[0]:
            return super().collate([self._labelled(row) for row in rows])
        return self._task.collate(rows)

    @override
    def loss(self, batch: Batch) -> Loss:
        if "augmented" not in batch:
            return self._task.loss(batch)
        with torch.no_grad():
            logits, _ = self._model.logits(batch)
        found = self._divergence(batch, logits)
        weight = (batch["labels"] != _IGNORED).sum()
        return Loss(total=self._weight * found, weight=weight, sums={"divergence": found.detach()})


def make_objective(config: ObjectiveConfig, task: Task) -> Objective:
    """Returns the objective for a task.

    Raises:
        SettingsError: the model does not support the objective, or the pseudo-labels cannot be read.
    """
    if config.objective == CROSS_ENTROPY:
        return Objective(task)
    if not isinstance(task, Seq2Seq):
        raise SettingsError(f"--objective {config.objective} requires a sequence-to-sequence model")
    weight, column = config.consistency_weight, config.augmented_column
    if config.objective != UDA:
        return Consistency(task, weight=weight, column=column)
    labels = read_labels(config.pseudo_labels or ())
    unlabelled = config.unlabelled or ()
    return Uda(task, weight=weight, column=column, labels=labels, unlabelled=unlabelled)


def read_labels(files: Iterable[str]) -> dict[str, str]:
    """Reads predictions written by ``gistmill-train predict``, by id.

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
            raise SettingsError(f'--pseudo-labels {file}: each line must be {{"id": ..., "prediction": ...}}') from None
    return labels
