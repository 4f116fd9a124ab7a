"""Work spread over the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

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
        kind: Any = elements.element_type
        return (
            elements
            | "Key"
            >> beam.Map(lambda element, key: (key(element), element), key=self._key).with_output_types(tuple[str, kind])
            | "Deal" >> beam.GroupByKey()
            | "Elements" >> beam.FlatMap(lambda group: group[1]).with_output_types(kind)
        )


class Sized(Protocol):
    """A piece of work: its ``key``, which no other piece has, and its ``size``, by which the work grows."""

    key: str
    size: int


class DealRanges(beam.PTransform):
    """Deals ranges (``Sized``) out to all workers, the largest first. The order is for speed: any order is correct.

    Beam's local runner deals the keys of a grouping to its workers in turn, in the order in which the keys came, and
    never again. So all ranges pass through one key, leave it sorted by size, and are grouped by their own keys.
    """

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        kind: Any = ranges.element_type
        return (
            ranges
            | "One key" >> beam.Map(lambda place: ("", place)).with_output_types(tuple[str, kind])
            | "Gather" >> beam.GroupByKey()
            | "Largest first" >> beam.FlatMap(_largest_first).with_output_types(tuple[str, kind])
            | "Deal" >> beam.GroupByKey()
            | "Ranges" >> beam.FlatMap(lambda group: group[1]).with_output_types(kind)
        )


def _largest_first(group: tuple[str, Iterable[Sized]]) -> list[tuple[str, Sized]]:
    return [(place.key, place) for place in sorted(group[1], key=lambda place: (-place.size, place.key))]
