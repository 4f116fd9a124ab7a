"""Times steps of a pipeline from inside Beam's in-process runner.

This is a separate module because Beam pickles the contents of a main module by value, and would copy the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.pipelines.runners.quiet import quiet
from gistmill.transforms.beam.transforms import DealRanges
from gistmill.transforms.sources.files.ranges import expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource


class Clock:
    """A clock for the time from a source's first element to a sink's last, in seconds, without start-up."""

    def __init__(self) -> None:
        self.reset(())

    def reset(
        self, elements: Iterable[object], *, keep: bool = True, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """Prepares for another run over ``elements``; ``keep`` says whether to store the received elements."""
        self.elements = elements
        self.keep = keep
        self.clock = clock
        self.first = self.last = 0.0
        self.taken: list[object] = []

    def source(self) -> Iterator[object]:
        """Yields the elements; the clock starts with the first."""
        self.first = self.clock()
        yield from self.elements

    def sink(self, element: object) -> None:
        """Receives an element."""
        if self.keep:
            self.taken.append(element)
        self.last = self.clock()


_CLOCK = Clock()


def through_beam(
    elements: Iterable[object],
    *steps: beam.PTransform,
    keep: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, list[object]]:
    """Runs elements through steps on the in-process runner; returns the seconds, by a ``time`` clock, and the output.

    If ``keep`` is false, no output is returned: millions of live tokens would slow garbage collection, and no pipeline
    holds them.
    """
    _CLOCK.reset(elements, keep=keep, clock=clock)
    with quiet(), beam.Pipeline(runner=FnApiRunner()) as pipeline:
        collection = pipeline | beam.Create([None]) | beam.FlatMap(_source)
        for number, step in enumerate(steps):
            collection = collection | f"Step{number}" >> step
        _ = collection | "Take" >> beam.Map(_sink)
    return _CLOCK.last - _CLOCK.first, _CLOCK.taken


def read_dump(path: Path, workspace: str) -> list[object]:
    """Plans and reads a dump on the in-process runner; returns its documents."""
    source = WikipediaSource(expand_inputs([str(path)]), WikipediaConfig())
    _CLOCK.reset(())
    with quiet(), beam.Pipeline(runner=FnApiRunner()) as pipeline:
        plans = pipeline | source.plan(workspace)
        _ = plans.ranges | DealRanges() | source.read() | "Take" >> beam.Map(_sink)
    return _CLOCK.taken


def _source(_: object) -> Iterator[object]:
    return _CLOCK.source()


def _sink(element: object) -> None:
    _CLOCK.sink(element)
