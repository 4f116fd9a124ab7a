"""The interface between a kind of model and the training loop.

A task turns rows into batches, batches into a loss, and rows into predictions. The loop uses nothing else, so taggers
and sequence-to-sequence models share it.
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
Rows = Callable[[], Iterator[Row]]  # returns a new iterator over the same rows in the same order
Batch = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The loss of a batch, as sums, so that an exact mean can be computed over several batches and processes.

    Attributes:
        total: a scalar with gradients: the sum of the losses of all tokens or rows.
        weight: a scalar without gradients: the number of these tokens or rows.
        sums: scalars without gradients: other measures to report, summed over the same tokens or rows. For example,
            ``accuracy`` is the number of correct ones, and is reported as a share.
    """

    total: torch.Tensor
    weight: torch.Tensor
    sums: Mapping[str, torch.Tensor] = field(default_factory=dict)


class Task(Protocol):
    """A model with everything it needs to read rows and make predictions.

    Attributes:
        KIND: its name in ``gistmill.training.kinds``.
        columns: the dataset columns that it reads, without ``id``.
        decoding: its prediction options; may be replaced.
        encoding: turns a row into numbers; ``length`` and ``collate`` add them to rows that lack them.
        module: the network, whose parameters are trained and whose state is saved in checkpoints.
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

        Fits the vocabulary and tokenizer to the training rows, and loads or initialises the weights. The caller seeds
        torch; the same rows, configuration and seed give the same task.
        """
        ...

    def length(self, row: Row) -> int:
        """Returns the length used to bucket rows, in tokens."""
        ...

    def source_length(self, row: Row) -> int:
        """Returns the number of tokens that ``predict`` reads from a row, which needs no target."""
        ...

    def collate(self, rows: Sequence[Row]) -> Batch:
        """Returns the rows as tensors on the CPU; the scalar ``tokens`` is the number of input and output tokens."""
        ...

    def loss(self, batch: Batch) -> Loss:
        """Returns the loss of a batch, which must be on the module's device."""
        ...

    def adapt(self, config: Options, rows: Rows) -> None:
        """Applies settings that may change when training continues on these rows, such as lengths and columns."""
        ...

    def fuse(self) -> None:
        """Fuses operations, if the network supports it, to run faster on a GPU; outputs change only by rounding."""
        ...

    def predict(self, rows: Sequence[Row]) -> list[str]:
        """Returns a deterministic prediction for each row, in the format of the ``targets`` column."""
        ...

    def parameter_groups(self, weight_decay: float, learning_rate: float) -> list[dict[str, Any]]:
        """Returns the optimiser's parameter groups, with ``weight_decay`` and ``lr`` where they differ."""
        ...

    def fingerprint(self) -> str:
        """Returns a SHA-256 of the tokenizer and labels, which must be the same when a run is resumed."""
        ...

    def save(self, folder: Path) -> None:
        """Writes everything that ``load`` needs to an existing empty folder; the same state gives the same bytes."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Loads a task written by ``save``, on the CPU.

        Raises:
            TrainingError: the folder is incomplete, or contains another kind of model.
        """
        ...


@contextmanager
def evaluating(module: torch.nn.Module) -> Iterator[torch.device]:
    """Puts a network into evaluation mode without gradients or compilation (which every new length would repeat), and
    yields its device."""
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
    """Returns the trainable parameters as optimiser groups, without weight decay for vectors (biases, norms)."""
    fitted = [p for p in parameters if p.requires_grad]
    groups = [
        {"params": [p for p in fitted if p.ndim > 1], "weight_decay": weight_decay, **more},
        {"params": [p for p in fitted if p.ndim <= 1], "weight_decay": 0.0, **more},
    ]
    return [group for group in groups if group["params"]]


def read_description(file: Path, keys: Sequence[str]) -> dict[str, Any]:
    """Reads a saved model's description, a JSON object with ``keys``.

    Raises:
        TrainingError: the file cannot be read, or a key is missing.
    """
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
        return {**described, **{key: described[key] for key in keys}}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TrainingError(f"{file} cannot be read: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """Returns the first line of an error's message."""
    return str(error).strip().split("\n")[0]
