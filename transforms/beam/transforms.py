"""PTransforms that several stages share: ranges that wait, constants, rejects passed by, and work spread.

All stages from reader to writer carry a single PCollection. Side outputs joined again by a Flatten would make Beam's
local runner hold the documents in memory (a Flatten ends a fused stage), so a rejected document travels on as a Reject.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.typehints import Union
from apache_beam.typehints.trivial_inference import instance_to_type
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from gistmill.core.records import RangeEnd


class WaitFor(beam.PTransform):
    """PCollection[Range] -> the same, once all of ``keys`` (of all ranges) are there. Only ranges are grouped."""

    def __init__(self, keys: beam.PCollection) -> None:
        super().__init__()
        self._keys = keys

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        waiting = ranges | "Waiting" >> beam.Map(lambda place: (place.key, place))
        done = self._keys | "Done" >> beam.Map(lambda key: (key, None))
        return (
            (waiting, done)
            | beam.Flatten()
            | beam.GroupByKey()
            | "Go" >> beam.FlatMap(lambda group: [place for place in group[1] if place is not None])
        )


class CreateConstants(beam.PTransform):
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


class ForTypes(beam.DoFn):
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


class Batches(beam.DoFn):
    """Works on elements in batches; every other element passes.

    What waits is worked on before the end of its range goes on: so the writer can close the range, and batches follow
    from the range alone.

    Class attributes:
        TAKES: the class of the elements, or several classes.
        ENOUGH: the size at which a batch is full.
    """

    TAKES: type | tuple[type, ...]
    ENOUGH: ClassVar[int]

    @abstractmethod
    def size(self, element: Any) -> int:
        """Returns what an element adds to the size of its batch."""

    @abstractmethod
    def batch(self, waiting: Sequence[Any]) -> Iterator[Any]:
        """Yields what becomes of the elements of a batch."""

    def start_bundle(self) -> None:
        self._waiting: list[Any] = []
        self._size = 0

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, self.TAKES):
            self._waiting.append(element)
            self._size += self.size(element)
            if self._size >= self.ENOUGH:
                yield from self._flush()
            return
        if isinstance(element, RangeEnd):
            yield from self._flush()
        yield element

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for element in self._flush():
            yield WindowedValue(element, MIN_TIMESTAMP, (GlobalWindow(),))

    def _flush(self) -> Iterator[Any]:
        waiting, self._waiting, self._size = self._waiting, [], 0
        if waiting:
            yield from self.batch(waiting)


class ReshuffleByKey(beam.PTransform):
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


class DealRanges(beam.PTransform):
    """Deals ranges (each has a ``key`` and a ``size``) out to all workers, the largest first. The order is for speed:
    any order is correct.

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


def _largest_first(group: tuple[str, Iterable[Any]]) -> list[tuple[str, Any]]:
    return [(place.key, place) for place in sorted(group[1], key=lambda place: (-place.size, place.key))]


class GatherAll(beam.PTransform):
    """Everything (names and counts) in one list; it is there, empty, when there is nothing."""

    def expand(self, values: beam.PCollection) -> beam.PCollection:
        seed = values.pipeline | "Seed" >> CreateConstants([("", None)])
        keyed = values | "Key" >> beam.Map(lambda value: ("", value))
        return (
            (seed, keyed)
            | beam.Flatten()
            | beam.GroupByKey()
            | "List" >> beam.Map(lambda group: [value for value in group[1] if value is not None])
        )
