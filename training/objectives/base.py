"""An objective, and the plain one: the task's own loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

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


class Plain:
    """The task's own loss: cross-entropy."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.columns = task.columns

    def length(self, row: Row) -> int:
        """See Objective."""
        return self._task.length(row)

    def collate(self, rows: Sequence[Row]) -> Batch:
        """See Objective."""
        return self._task.collate(rows)

    def loss(self, batch: Batch) -> Loss:
        """See Objective."""
        return self._task.loss(batch)

    def stream(self, data: DataConfig, machine: Machine) -> Batches:
        """See Objective."""
        with machine.first_here():  # the numbers are made once
            return data.stream(
                self.columns, self.length, rank=machine.rank, world=machine.world, encode=self._task.encoding
            )
