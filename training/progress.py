"""What a person sees of a run: a line on the terminal that changes, or one now and then in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta

_LOG_SECONDS = 30.0


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
        parts = [f"step {step:,}"]
        if share is not None:
            parts.append(f"{share:.0%}")
        parts.append(f"loss {values['loss']:.4f}")
        parts.append(f"{timings['tokens_per_second']:,.0f} tokens/s")
        if eta := self._eta(step, share):
            parts.append(f"{eta} left")
        parts.append(f"{timings['memory_gib']:.1f} GiB")
        line = ", ".join(parts)
        if self._is_terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            self._say(line)

    def end(self) -> None:
        """Leaves the line that changes."""
        if self._is_terminal:
            print(file=sys.stderr)

    def _eta(self, step: int, share: float | None) -> str:
        done = step - self._start
        if not share or not done:
            return ""
        seconds = (time.monotonic() - self._began) / done * (step / share - step)
        return str(timedelta(seconds=round(seconds)))
