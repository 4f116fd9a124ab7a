"""What a kind of model offers to the training loop: it turns rows into batches, batches into a loss, rows into text.

The loop knows nothing else of a model, so that taggers and sequence-to-sequence models share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import torch

from gistmill.core.options import Options
from gistmill.training.data.encoded import Encode

Row = dict[str, Any]
Rows = Callable[[], Iterator[Row]]  # makes a fresh iterator over the same rows in the same order
Batch = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The loss of a batch, as sums, so that batches of several steps and processes add up to one exact mean.

    Attributes:
        total: a scalar with gradients: the sum of the losses of the tokens or rows.
        weight: a scalar without gradients: how many tokens or rows that is.
        sums: scalars without gradients of what else is reported, summed over the same tokens or rows: with
            ``accuracy`` the number of those that are right, the report shows their share.
    """

    total: torch.Tensor
    weight: torch.Tensor
    sums: Mapping[str, torch.Tensor] = field(default_factory=dict)


class Task(Protocol):
    """A model with what it needs to read rows and write predictions.

    Attributes:
        KIND: the name in ``gistmill.training.kinds``.
        columns: the columns of the dataset that it reads, without ``id``.
        module: the network; its parameters are trained, its state is in the checkpoints.
    """

    KIND: ClassVar[str]

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def module(self) -> torch.nn.Module: ...

    @classmethod
    def create(cls, config: Options, rows: Rows, *, seed: int) -> Self:
        """Returns a new task.

        Fits what is fitted to the training rows (vocabulary, tokenizer), and loads or draws the weights. The caller
        seeds torch; the same rows, configuration and seed give the same task.
        """
        ...

    @property
    def encoding(self) -> Encode:
        """What turns a row into numbers; ``length`` and ``collate`` leave them in rows that do not have them yet."""
        ...

    def length(self, row: Row) -> int:
        """Returns the length by which rows are bucketed, in tokens."""
        ...

    def source_length(self, row: Row) -> int:
        """Returns the tokens that ``predict`` reads of a row, which needs no target."""
        ...

    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns the rows as tensors on the CPU; the scalar ``tokens`` counts what the model reads and writes."""
        ...

    def loss(self, batch: Batch) -> Loss:
        """Returns the loss of a batch that is on the device of the module."""
        ...

    def predict(self, rows: Sequence[Row]) -> list[str]:
        """Returns a prediction for each row, in the form of the column ``targets``; it is deterministic."""
        ...

    def parameter_groups(self, weight_decay: float, learning_rate: float) -> list[dict[str, Any]]:
        """Returns the groups of parameters for the optimiser, with ``weight_decay`` and ``lr`` where they differ."""
        ...

    def fingerprint(self) -> str:
        """Returns the SHA-256 of what turns rows into numbers (tokenizer, labels); a resumed run must have the same."""
        ...

    def save(self, folder: Path) -> None:
        """Writes all that ``load`` needs into an existing empty folder; the same state gives the same bytes."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Returns the task that ``save`` wrote, on the CPU.

        Raises:
            TrainingError: the folder is not complete, or is of another kind.
        """
        ...


@runtime_checkable
class Adaptable(Protocol):
    """A task that can be trained further with other options than it was made with."""

    def adapt(self, config: Options, rows: Rows) -> None:
        """Takes over what may differ in a further training on these rows, such as lengths and columns."""
        ...


@runtime_checkable
class Fusible(Protocol):
    """A task whose network has a form that a GPU computes faster."""

    def fuse(self) -> None:
        """Gives the network that form. Its state stays, and what it computes but for rounding."""
        ...
