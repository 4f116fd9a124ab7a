"""A PCollection of values that are known when the graph is built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apache_beam as beam
from apache_beam.typehints import Union
from apache_beam.typehints.trivial_inference import instance_to_type


class Given(beam.PTransform):
    """Yields ``values``, which travel in the graph: few and small ones.

    ``beam.Create`` does the same, but in steps whose names hold a line number of Beam's own source.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        super().__init__()
        self._values = tuple(values)

    def expand(self, begin: beam.pvalue.PBegin) -> beam.PCollection:
        values = beam.FlatMap(_values, values=self._values)
        element = Union[[instance_to_type(v) for v in self._values]]
        return begin | "Once" >> beam.Impulse() | "Values" >> values.with_output_types(element)


def _values(_: bytes, *, values: tuple[Any, ...]) -> Iterator[Any]:
    yield from values
