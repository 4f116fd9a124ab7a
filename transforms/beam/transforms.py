"""PTransforms shared by several stages: they delay ranges, create constants, pass rejects on and spread work.

All stages pass on a single PCollection, in which rejected documents remain as Rejects: if a Flatten joined side outputs
again, Beam's local runner would hold the documents in memory (a Flatten ends a fused stage).
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
    """PCollection[Range] -> the same, once ``keys`` contains the key of every range. Only ranges are grouped."""

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
    """Yields ``values``, which are stored in the graph and must therefore be few and small.

    ``beam.Create`` does the same, but its step names contain a line number from Beam's own source.
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
    """Applies ``function`` (element -> iterable) to the elements of class ``cls``, or of any of several classes; all
    other elements pass through."""

    def __init__(self, cls: type | tuple[type, ...], function: Callable[[Any], Iterable[Any]]) -> None:
        self._cls = cls
        self._function = function

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, self._cls):
            yield from self._function(element)
        else:
            yield element


class Batches(beam.DoFn):
    """Processes elements in batches; all other elements pass through.

    The waiting elements are processed before the end of their range is passed on, so the writer can close the range and
    the batches depend only on the range.

    Class attributes:
        TAKES: the class of the elements, or several classes.
        ENOUGH: the size at which a batch is full.
    """

    TAKES: type | tuple[type, ...]
    ENOUGH: ClassVar[int]

    @abstractmethod
    def size(self, element: Any) -> int:
        """Returns the amount that an element adds to the size of its batch."""

    @abstractmethod
    def batch(self, waiting: Sequence[Any]) -> Iterator[Any]:
        """Yields the results for a batch."""

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
    """Distributes small elements (plans and names) over all workers, by a GroupByKey on ``key(element)``.

    ``beam.Reshuffle`` is only a hint, which Flink may ignore in batch jobs (apache/beam#30621), and its random keys
    change when a stage is restarted.
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
    """Distributes ranges (with a ``key`` and a ``size``) over all workers, the largest first (only for speed).

    Beam's local runner assigns the keys of a grouping to its workers once, in turn and in order of arrival. All ranges
    are therefore grouped under one key, sorted by size, and then grouped by their own keys.
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
    """Gathers all values (names and counts) in one list, which is empty if there are none."""

    def expand(self, values: beam.PCollection) -> beam.PCollection:
        seed = values.pipeline | "Seed" >> CreateConstants([("", None)])
        keyed = values | "Key" >> beam.Map(lambda value: ("", value))
        return (
            (seed, keyed)
            | beam.Flatten()
            | beam.GroupByKey()
            | "List" >> beam.Map(lambda group: [value for value in group[1] if value is not None])
        )
