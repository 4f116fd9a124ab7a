"""The one place where rejects are routed: each stage handles one class of element and passes every other one on.

All stages from reader to writer carry a single PCollection. Side outputs joined again by a Flatten would make Beam's
local runner hold the documents in memory (a Flatten ends a fused stage), so a rejected document travels on as a Reject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import apache_beam as beam


class OnlyFor(beam.DoFn):
    """Applies ``function`` (element -> iterable) to the elements of class ``cls``, or of one of several classes; every
    other element passes."""

    def __init__(self, cls: type | tuple[type, ...], function: Callable[[Any], Iterable[Any]]) -> None:
        self._cls = cls
        self._function = function

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, self._cls):
            yield from self._function(element)
        else:
            yield element
