"""The metrics of a run, as JSON lines and for TensorBoard.

``metrics.jsonl`` has only values that depend on the training, so that a resumed run writes the same bytes as an
undisturbed one; ``timings.jsonl`` has those that depend on the machine. A person sees a line on the terminal that
changes, or one now and then in a log.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gistmill.training.errors import TrainingError

METRICS, TIMINGS, TENSORBOARD = "metrics.jsonl", "timings.jsonl", "tensorboard"
_LOG_SECONDS = 30.0  # between two lines of a log


class MetricsLog:
    """Writes the metrics of a run; a context manager.

    Args:
        folder: of the run.
        step: the last step before the run continues.
        offset: bytes of metrics.jsonl written by then; later ones are cut off.
        tensorboard: whether TensorBoard gets them too, where it is installed.
    """

    def __init__(self, folder: Path, *, step: int, offset: int, tensorboard: bool) -> None:
        self._metrics = (folder / METRICS).open("ab")
        self._metrics.truncate(offset)
        self._timings = (folder / TIMINGS).open("a", encoding="utf-8")
        self._board: Any = None
        if tensorboard:
            with contextlib.suppress(ModuleNotFoundError):
                from torch.utils.tensorboard import SummaryWriter

                self._board = SummaryWriter(str(folder / TENSORBOARD), purge_step=step + 1)

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
            raise TrainingError(
                f"{METRICS} cannot be written: {error.strerror}; the last checkpoint is intact"
            ) from None
        self._to_board(values)

    def write_timings(self, values: Mapping[str, Any]) -> None:
        """Writes a line about speed and memory; ``step`` is among the values."""
        with contextlib.suppress(OSError):  # a serious problem shows in writing the metrics
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


class Progress:
    """Shows how far a run is.

    Args:
        say: takes a whole line.
        start: step at which this process began.
    """

    def __init__(self, say: Callable[[str], None], start: int) -> None:
        self._say, self._start = say, start
        self._began = self._last = self._shown = time.monotonic()
        self._tokens = 0
        self._is_terminal = sys.stderr.isatty()

    def timings(self, tokens: int, memory: int) -> dict[str, float]:
        """Returns the speed since the last call, of so many ``tokens`` in all, and the ``memory`` in GiB."""
        now = time.monotonic()
        speed = (tokens - self._tokens) / max(now - self._last, 1e-9) if self._tokens else 0.0
        self._last, self._tokens = now, tokens
        return {"tokens_per_second": round(speed, 1), "memory_gib": round(memory / 2**30, 3)}

    def show(self, step: int, share: float | None, values: Mapping[str, float], timings: Mapping[str, float]) -> None:
        """Shows a step.

        Args:
            step: the step.
            share: of the training that is done, where it is known.
            values: ``loss`` among them.
            timings: see above.
        """
        now = time.monotonic()
        if not self._is_terminal and now - self._shown < _LOG_SECONDS:
            return
        self._shown = now
        parts = [f"step {step:,}", f"loss {values['loss']:.4f}", f"{timings['tokens_per_second']:,.0f} tokens/s"]
        if share:
            parts.insert(1, f"{share:.0%}")
            seconds = (now - self._began) / max(step - self._start, 1) * (step / share - step)
            parts.append(f"{timedelta(seconds=round(seconds))} left")
        line = ", ".join([*parts, f"{timings['memory_gib']:.1f} GiB"])
        if self._is_terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            self._say(line)

    def end(self) -> None:
        """Leaves the line that changes."""
        if self._is_terminal:
            print(file=sys.stderr)
