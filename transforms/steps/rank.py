"""Ranks in two passes: the first measures the pairs and finds the rank of each among all, the second attaches both."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, Self

import apache_beam as beam

from gistmill.core.records import Pair, RangeEnd
from gistmill.rules.curriculum.ranked import RankedPair
from gistmill.rules.curriculum.recipe import CurriculumConfig
from gistmill.transforms.beam.after import After
from gistmill.transforms.beam.spread import DealRanges
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.find import FindRanks
from gistmill.transforms.ranks.ranges import RangeRanks
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step


class Rank(Step):
    """Makes RankedPairs of Pairs. The source is read twice."""

    NAME = "Rank"
    CONFIG = CurriculumConfig

    def __init__(self, config: CurriculumConfig) -> None:
        self._config = config

    @classmethod
    def serves(cls, wanted: type) -> bool:
        """See Step.serves."""
        return issubclass(wanted, RankedPair)

    @classmethod
    def open(cls, config: CurriculumConfig, *, source: type[Source], wanted: type) -> Self | None:
        """See Step.open."""
        return cls(config)

    def apply(self, flow: Flow) -> Flow:
        """See Step.apply."""
        ranked = (flow.ranges, flow.pending) | self.NAME >> RankPairs(flow.workspace, self._config, flow.read)
        return dataclasses.replace(flow, settled=ranked)


class RankPairs(beam.PTransform):
    """(All ranges of the input, those whose pairs are wanted) -> the pairs of the latter as RankedPairs, with the
    Rejects and RangeEnds among them.

    Args:
        workspace: root of the run's workspace.
        config: the options.
        read: PCollection[Range] -> PCollection of Pairs, Rejects and RangeEnds, the same each time.
    """

    def __init__(
        self, workspace: str, config: CurriculumConfig, read: Callable[[beam.PCollection], beam.PCollection]
    ) -> None:
        super().__init__()
        self._workspace, self._config, self._read = workspace, config, read

    def expand(self, ranges: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        everything, wanted = ranges
        found = everything | "Find" >> FindRanks(self._workspace, self._config, self._read)
        again = wanted | "Wait" >> After(found) | "Schedule" >> DealRanges()
        return self._read(again) | "Attach" >> beam.ParDo(_Attach(WorkspaceLayout(self._workspace), self._config))


class _Attach(beam.DoFn):
    """Holds the ranks of the ranges that it is working on, one or a few."""

    def __init__(self, layout: WorkspaceLayout, config: CurriculumConfig) -> None:
        self._layout, self._config = layout, config

    def start_bundle(self) -> None:
        self._ranges: dict[str, RangeRanks] = {}

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, Pair):
            key = element.origin.range_key
            if key not in self._ranges:
                self._ranges[key] = RangeRanks(self._layout, key, self._config.buckets)
            element = self._ranges[key].ranked(element)
        elif isinstance(element, RangeEnd):
            self._ranges.pop(element.range_key, None)
        yield element
