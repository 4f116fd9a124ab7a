"""A deadline for rules, whose running time grows with the document. They check it themselves between steps.

    with within(60):
        recipe.process(document)

The length of a sentence bounds each step, so no process needs to be killed. Loops with small steps check the deadline
once every STRIDE steps.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

STRIDE = 64
_END: ContextVar[float] = ContextVar("end", default=math.inf)


class DeadlineExceeded(Exception):
    """The deadline has passed."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Sets a deadline for everything called in this context; ``math.inf`` sets none."""
    token = _END.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _END.reset(token)


def check() -> None:
    """Raises DeadlineExceeded if the deadline has passed."""
    if time.monotonic() > _END.get():
        raise DeadlineExceeded
