"""Work spread over the workers."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apache_beam as beam


class Spread(beam.PTransform):
    """Deals elements out to all workers, by a GroupByKey on ``key(element)``; elements are plans and names, small ones.

    ``beam.Reshuffle`` is a mere hint, which Flink may ignore in batch jobs (apache/beam#30621), and its random keys are
    others when a stage is begun again.
    """

    def __init__(self, key: Callable[[Any], str]) -> None:
        super().__init__()
        self._key = key

    def expand(self, elements: beam.PCollection) -> beam.PCollection:
        kind = elements.element_type
        return (elements
                | "Key" >> beam.Map(lambda element, key: (key(element), element), key=self._key)
                .with_output_types(tuple[str, kind])
                | "Deal" >> beam.GroupByKey()
                | "Elements" >> beam.FlatMap(lambda group: group[1]).with_output_types(kind))
