"""The metrics of a run, as JSON lines and for TensorBoard.

``timings.jsonl`` contains speed and memory use; ``metrics.jsonl`` contains everything else, so a resumed run writes the
same bytes as an uninterrupted one. Progress is a line updated on a terminal, or a line every 30 seconds in a log.
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
_LOG_SECONDS = 30.0  # minimum time between two progress lines in a log


class MetricsLog:
    """A context manager that writes the metrics of a run.

    Args:
        folder: the run's folder.
        step: the last completed step.
        offset: the size of metrics.jsonl in bytes after that step; anything later is removed.
        tensorboard: whether to write the metrics for TensorBoard too, if it is installed.
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
            with contextlib.suppress(OSError):  # failed writes have already been reported
                file.close()
        if self._board is not None:
            self._board.close()

    def write(self, values: Mapping[str, Any]) -> None:
        """Writes a metrics line. The values must include ``step`` and must not contain NaN.

        Raises:
            TrainingError: the file cannot be written, for example because the disk is full.
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
        """Writes a line about speed and memory. The values must include ``step``."""
        with contextlib.suppress(OSError):  # a serious problem also affects writing the metrics
            self._timings.write(json.dumps(values) + "\n")
            self._timings.flush()
        self._to_board(values)

    def offset(self) -> int:
        """Flushes metrics.jsonl to disk and returns its size in bytes."""
        os.fsync(self._metrics.fileno())
        return self._metrics.seek(0, os.SEEK_END)

    def _to_board(self, values: Mapping[str, Any]) -> None:
        if self._board is not None:
            for name, value in values.items():
                if name != "step" and isinstance(value, (int, float)):
                    self._board.add_scalar(name, value, values["step"])


class Progress:
    """A progress display for a run.

    Args:
        say: prints a line.
        start: the step at which this process started.
    """

    def __init__(self, say: Callable[[str], None], start: int) -> None:
        self._say, self._start = say, start
        self._began = self._last = self._shown = time.monotonic()
        self._tokens = 0
        self._is_terminal = sys.stderr.isatty()

    def timings(self, tokens: int, memory: int) -> dict[str, float]:
        """Returns the speed since the last call, from the total number of ``tokens``, and the ``memory`` in GiB."""
        now = time.monotonic()
        speed = (tokens - self._tokens) / max(now - self._last, 1e-9) if self._tokens else 0.0
        self._last, self._tokens = now, tokens
        return {"tokens_per_second": round(speed, 1), "memory_gib": round(memory / 2**30, 3)}

    def show(self, step: int, share: float | None, values: Mapping[str, float], timings: Mapping[str, float]) -> None:
        """Shows the progress at a step.

        Args:
            step: the step.
            share: the completed share of the training, if known.
            values: metrics, including ``loss``.
            timings: the result of ``timings``.
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
        """Moves to a new line after the line that is updated."""
        if self._is_terminal:
            print(file=sys.stderr)
