"""A deadline for rules, whose time grows with the document: they look at it themselves, between two pieces of work.

    with within(60):
        recipe.process(document)

A piece of work is bounded by the length of a sentence, so no process has to be killed. Where pieces are small, loops
look before every STRIDE of them.
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
    """The work did not end in time."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Sets the deadline of everything called in its context; ``math.inf`` sets none."""
    token = _END.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _END.reset(token)


def check() -> None:
    """Raises DeadlineExceeded after the deadline."""
    if time.monotonic() > _END.get():
        raise DeadlineExceeded
