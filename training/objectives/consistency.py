"""Consistency: the outputs for an input and for its augmented form are to be alike.

Source: A. Fabbri et al., "Improving zero and few-shot abstractive summarization with intermediate fine-tuning and data
augmentation", NAACL 2021 (WikiTransfer), section 3.3, equations 2 and 3, and for unlabelled rows appendix A.3, equation
4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from typing_extensions import override

from gistmill.training.data.config import DataConfig
from gistmill.training.errors import TrainingError
from gistmill.training.feeding import Alternating, Batches
from gistmill.training.machine import Machine
from gistmill.training.objectives.base import Objective
from gistmill.training.seq2seq.encoding import SOURCE, text_of
from gistmill.training.seq2seq.task import Seq2Seq
from gistmill.training.task import Batch, Loss, Row

_IGNORED = -100


def divergence(original: Tensor, augmented: Tensor, counts: Tensor) -> Tensor:
    """Returns the KL divergence of the outputs for augmented inputs from those for the originals.

    Args:
        original: logits [rows, length, vocabulary]; no gradient goes through them.
        augmented: logits of the same shape.
        counts: of each token [rows, length], whether it counts.

    Returns:
        The sum over the tokens that count.
    """
    p = original.detach().float().log_softmax(-1)
    q = augmented.float().log_softmax(-1)
    found: Tensor = (p.exp() * (p - q)).sum(-1).masked_fill(~counts, 0.0).sum()
    return found


class Consistency(Objective):
    """Cross-entropy of the original, plus the weighted divergence (equation 3).

    Args:
        task: the model.
        weight: lambda of equation 3.
        column: of the augmented inputs.
    """

    def __init__(self, task: Seq2Seq, *, weight: float, column: str) -> None:
        self._task, self._weight, self._column = task, weight, column
        self.columns = (*task.columns, column)

    @override
    def length(self, row: Row) -> int:
        """The longer of both inputs counts."""
        length = self._task.length(row)
        return length + max(0, len(self._augmented(row)) - len(row[SOURCE]))

    def _augmented(self, row: Row) -> list[int]:
        if "_augmented" not in row:
            row["_augmented"] = self._task.source_ids(text_of(row, self._column))
        found: list[int] = row["_augmented"]
        return found

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        """``augmented`` and ``augmented_mask`` beside what the task has."""
        batch = self._task.collate(rows)
        augmented = [self._augmented(row) for row in rows]
        batch["augmented"], batch["augmented_mask"] = self._task.sources(augmented)
        batch["tokens"] = batch["tokens"] + sum(map(len, augmented))
        return batch

    @override
    def loss(self, batch: Batch) -> Loss:
        logits, other = self._task.logits(batch)
        supervised = self._task.loss_of(logits, other, batch["labels"])
        found = self._divergence(batch, logits)
        return Loss(
            total=supervised.total + self._weight * found,
            weight=supervised.weight,
            sums={**supervised.sums, "divergence": found.detach()},
        )

    @override
    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        return data.stream(self.columns, self.length, rank=machine.rank, world=machine.world)

    def _divergence(self, batch: Batch, original: Tensor) -> Tensor:
        changed = {**batch, "source": batch["augmented"], "mask": batch["augmented_mask"]}
        augmented, _ = self._task.logits(changed)
        return divergence(original, augmented, batch["labels"] != _IGNORED)


class Uda(Consistency):
    """Unsupervised data augmentation: epochs of labelled rows with the plain loss take turns with epochs of unlabelled
    rows with the weighted divergence alone (equation 4). Predictions of a model stand for the targets of the latter.

    Args:
        task, weight, column: see Consistency.
        labels: of each unlabelled row, by id, the prediction.
        unlabelled: the datasets of these rows, as DataConfig has them.
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
        """An epoch of the labelled rows, then one of the others."""
        labelled = super().stream(data, machine)
        columns = ("id", self._task.config.source_column, self._column)
        others = replace(data, datasets=self._unlabelled, order_column=None)
        return Alternating([labelled, others.stream(columns, self.length, rank=machine.rank, world=machine.world)])

    @override
    def length(self, row: Row) -> int:
        return super().length(self._labelled(row)) if self._column in row else self._task.length(row)

    def _labelled(self, row: Row) -> Row:
        if row["id"] not in self._labels:
            raise TrainingError(f"--pseudo-labels: there is no prediction for the row {row['id']}")
        row[self._task.config.target_column] = self._labels[row["id"]]
        return row

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        """A batch has ``augmented`` if its rows are unlabelled."""
        if self._column in rows[0]:
            return super().collate([self._labelled(row) for row in rows])
        return self._task.collate(rows)

    @override
    def loss(self, batch: Batch) -> Loss:
        if "augmented" not in batch:
            return self._task.loss(batch)
        with torch.no_grad():
            logits, _ = self._task.logits(batch)
        found = self._divergence(batch, logits)
        weight = (batch["labels"] != _IGNORED).sum()
        return Loss(total=self._weight * found, weight=weight, sums={"divergence": found.detach()})
