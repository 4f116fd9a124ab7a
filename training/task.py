"""The interface of a kind of model to the training loop: it turns rows into batches, batches into a loss, rows into
text.

The loop knows nothing else of a model, so that taggers and sequence-to-sequence models share it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import torch

from gistmill.core.options import Options
from gistmill.training.data.encoded import Encode
from gistmill.training.errors import TrainingError

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
    """A model with everything it needs to read rows and write predictions.

    Attributes:
        KIND: the name in ``gistmill.training.kinds``.
        columns: the columns of the dataset that it reads, without ``id``.
        decoding: how it writes; may be replaced.
        encoding: turns a row into numbers; ``length`` and ``collate`` leave them in rows that do not have them yet.
        module: the network; its parameters are trained, its state is in the checkpoints.
    """

    KIND: ClassVar[str]
    decoding: Any
    encoding: Encode
    module: torch.nn.Module

    @property
    def columns(self) -> tuple[str, ...]: ...

    @classmethod
    def create(cls, config: Options, rows: Rows, *, seed: int) -> Self:
        """Returns a new task.

        Fits vocabulary and tokenizer to the training rows, and loads or draws the weights. The caller
        seeds torch; the same rows, configuration and seed give the same task.
        """
        ...

    def length(self, row: Row) -> int:
        """Returns the length by which rows are bucketed, in tokens."""
        ...

    def source_length(self, row: Row) -> int:
        """Returns the tokens that ``predict`` reads of a row, which needs no target."""
        ...

    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns the rows as tensors on the CPU; the scalar ``tokens`` counts the model's input and output tokens."""
        ...

    def loss(self, batch: Batch) -> Loss:
        """Returns the loss of a batch that is on the device of the module."""
        ...

    def adapt(self, config: Options, rows: Rows) -> None:
        """Applies settings that may change in a further training on these rows, such as lengths and columns."""
        ...

    def fuse(self) -> None:
        """Gives the network a form that a GPU computes faster, where it has one; it computes the same except for
        rounding."""
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


@contextmanager
def evaluating(module: torch.nn.Module) -> Iterator[torch.device]:
    """Puts a network into evaluation mode, without gradients; yields its device. A compiled one runs as it is: outputs
    have too many lengths."""
    was_training, compiled = module.training, module._compiled_call_impl
    module.eval()
    module._compiled_call_impl = None
    try:
        with torch.no_grad():
            yield next(module.parameters()).device
    finally:
        module._compiled_call_impl = compiled
        module.train(was_training)


def groups_of(parameters: Iterable[torch.nn.Parameter], weight_decay: float, **more: float) -> list[dict[str, Any]]:
    """Returns the parameters that are fitted as groups for the optimiser; vectors (biases, norms) do not decay."""
    fitted = [p for p in parameters if p.requires_grad]
    groups = [
        {"params": [p for p in fitted if p.ndim > 1], "weight_decay": weight_decay, **more},
        {"params": [p for p in fitted if p.ndim <= 1], "weight_decay": 0.0, **more},
    ]
    return [group for group in groups if group["params"]]


def read_description(file: Path, keys: Sequence[str]) -> dict[str, Any]:
    """Returns a saved model's description: a JSON object with ``keys``.

    Raises:
        TrainingError: it cannot be read, or lacks one.
    """
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
        return {**described, **{key: described[key] for key in keys}}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TrainingError(f"{file} cannot be read: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """Returns the first line of an error's message."""
    return str(error).strip().split("\n")[0]
