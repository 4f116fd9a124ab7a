"""An objective, and the plain one: the task's own loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from typing_extensions import override

from gistmill.training.data.config import DataConfig
from gistmill.training.feeding import Batches
from gistmill.training.machine import Machine
from gistmill.training.task import Batch, Loss, Row, Task


class Objective(Protocol):
    """What is minimised.

    Attributes:
        columns: those of the dataset that it reads.
    """

    columns: tuple[str, ...]

    def length(self, row: Row) -> int:
        """Returns the length of a row, as Task.length."""
        ...

    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns rows as a batch, as Task.collate."""
        ...

    def loss(self, batch: Batch) -> Loss:
        """Returns the loss of a batch, as Task.loss."""
        ...

    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        """Returns the rows that it is minimised on."""
        ...


class Plain(Objective):
    """The task's own loss: cross-entropy."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.columns = task.columns

    @override
    def length(self, row: Row) -> int:
        return self._task.length(row)

    @override
    def collate(self, rows: Sequence[Row]) -> Batch:
        return self._task.collate(rows)

    @override
    def loss(self, batch: Batch) -> Loss:
        return self._task.loss(batch)

    @override
    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        with machine.first_here():  # the numbers are made once
            return data.stream(
                self.columns, self.length, rank=machine.rank, world=machine.world, encode=self._task.encoding
            )
