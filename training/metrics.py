"""The metrics of a run, as JSON lines and for TensorBoard.

``metrics.jsonl`` has only what the training decides, so that a resumed run writes the same bytes as an undisturbed one;
``timings.jsonl`` has what the machine decides.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gistmill.training.errors import TrainingError

METRICS, TIMINGS, TENSORBOARD = "metrics.jsonl", "timings.jsonl", "tensorboard"


class MetricsLog:
    """Writes the metrics of a run; a context manager.

    Args:
        folder: of the run.
        step: after which the run goes on.
        offset: bytes of metrics.jsonl that were written then; what follows them is cut off.
        tensorboard: whether TensorBoard gets them too, where it is installed.
    """

    def __init__(self, folder: Path, *, step: int, offset: int, tensorboard: bool) -> None:
        self._metrics = (folder / METRICS).open("ab")
        self._metrics.truncate(offset)
        self._timings = (folder / TIMINGS).open("a", encoding="utf-8")
        self._board = _board(folder / TENSORBOARD, step) if tensorboard else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (self._metrics, self._timings):
            with contextlib.suppress(OSError):  # what could not be written is known already
                file.close()
        if self._board is not None:
            self._board.close()

    def write(self, values: Mapping[str, Any]) -> None:
        """Writes a line; ``step`` is among the values, NaN is not.

        Raises:
            TrainingError: the disk is full.
        """
        try:
            self._metrics.write(json.dumps(values, allow_nan=False).encode() + b"\n")
            self._metrics.flush()
        except OSError as error:
            raise TrainingError(f"{METRICS} cannot be written: {error.strerror}; the last checkpoint is good") from None
        self._to_board(values)

    def write_timings(self, values: Mapping[str, Any]) -> None:
        """Writes a line about speed and memory; ``step`` is among the values."""
        with contextlib.suppress(OSError):  # the metrics say what is wrong, if it is more than this
            self._timings.write(json.dumps(values) + "\n")
            self._timings.flush()
        self._to_board(values)

    def offset(self) -> int:
        """Returns the bytes of metrics.jsonl, after they are on the disk."""
        os.fsync(self._metrics.fileno())
        return self._metrics.seek(0, os.SEEK_END)

    def _to_board(self, values: Mapping[str, Any]) -> None:
        if self._board is not None:
            for name, value in values.items():
                if name != "step" and isinstance(value, (int, float)):
                    self._board.add_scalar(name, value, values["step"])


def _board(folder: Path, step: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ModuleNotFoundError:
        return None
    return SummaryWriter(str(folder), purge_step=step + 1)
