"""Source ``wikipedia``: MediaWiki export XML (plain, bz2, multistream bz2, gzip) as Beam transforms.

    plans = p | PlanRanges(files, workspace=..., config=config)
    documents = plans.ranges | schedule() | ReadRanges(config)
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import apache_beam as beam

from rules.records import RangeEnd, RawDocument, Reject
from transforms.given import Given
from transforms.sources.plan import plan_files
from transforms.sources.ranges import InputFile, Range, SourceError, SourceFile, WikipediaConfig, expand_inputs
from transforms.sources.read import read_range
from transforms.spread import Spread

__all__ = ["InputFile", "PlanRanges", "Range", "ReadRanges", "SourceError", "SourceFile", "WikipediaConfig",
           "expand_inputs", "schedule"]

SOURCES = "sources"


class PlanRanges(beam.PTransform):
    """Makes the ranges of files, in workers: one element a file, or one for all where a limit needs them in order.

    Args:
        files: what expand_inputs returned.
        workspace: folder of the run; spooled chunks go to ``spool/`` in it.

    Returns (from expand): outputs ``ranges`` (PCollection[Range]) and ``sources`` (PCollection[SourceFile]).
    """

    def __init__(self, files: Sequence[InputFile], *, workspace: str, config: WikipediaConfig) -> None:
        super().__init__()
        if not files:
            raise ValueError("no input files")
        self._files = tuple(files)
        self._workspace = workspace
        self._config = config

    def expand(self, pbegin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        groups = [(file,) for file in self._files] if self._config.limit is None else [self._files]
        return (pbegin
                | "Files" >> Given([(f"{group[0].index:05d}", group) for group in groups])
                | "Spread" >> Spread(_number)  # a large file is then planned beside the others
                | "Plan" >> beam.ParDo(_Plan(self._workspace, self._config)).with_outputs(SOURCES, main="ranges"))


def _number(element: tuple[str, tuple[InputFile, ...]]) -> str:
    return element[0]


class _Plan(beam.DoFn):
    def __init__(self, workspace: str, config: WikipediaConfig) -> None:
        self._workspace = workspace
        self._config = config

    def process(self, element: tuple[str, tuple[InputFile, ...]]) -> Iterator[Range | beam.pvalue.TaggedOutput]:
        for plan in plan_files(element[1], workspace=self._workspace, config=self._config):
            yield beam.pvalue.TaggedOutput(SOURCES, plan.source)
            yield from plan.ranges


class ReadRanges(beam.PTransform):
    """PCollection[Range] -> PCollection[RawDocument | Reject | RangeEnd]."""

    def __init__(self, config: WikipediaConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, ranges: beam.PCollection[Range]) -> beam.PCollection:
        return ranges | "Read" >> beam.ParDo(_Read(self._config))


class _Read(beam.DoFn):
    def __init__(self, config: WikipediaConfig) -> None:
        self._config = config

    def process(self, element: Range) -> Iterator[RawDocument | Reject | RangeEnd]:
        return read_range(element, self._config)


class schedule(beam.PTransform):  # noqa: N801, reads as a verb in pipelines
    """Spreads ranges over workers, the largest first. Correct on every runner; it only moves ranges.

    Beam's local runner deals the keys of a grouping out to its workers in turn, in the order in which they came, and
    never again. So all ranges go through one key, leave it sorted by size, and are grouped by their own keys.
    """

    def expand(self, ranges: beam.PCollection[Range]) -> beam.PCollection[Range]:
        return (ranges
                | "One key" >> beam.Map(lambda place: ("", place)).with_output_types(tuple[str, Range])
                | "Gather" >> beam.GroupByKey()
                | "Largest first" >> beam.FlatMap(_largest_first).with_output_types(tuple[str, Range])
                | "Deal" >> beam.GroupByKey()
                | "Ranges" >> beam.FlatMap(lambda group: group[1]).with_output_types(Range))


def _largest_first(group: tuple[str, Iterable[Range]]) -> list[tuple[str, Range]]:
    return [(place.key, place) for place in sorted(group[1], key=lambda place: (-place.size, place.key))]
