"""Source ``wikipedia``: MediaWiki export XML (plain, bz2, multistream bz2, gzip) as Beam transforms.

    plans = p | PlanRanges(files, workspace=..., config=config)
    documents = plans.ranges | schedule() | ReadRanges(config)
"""
from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

import apache_beam as beam

from rules.records import RangeEnd, RawDocument, Reject
from transforms.sources.detect import check_input
from transforms.sources.plan import plan_files
from transforms.sources.ranges import InputFile, Range, SourceError, SourceFile, WikipediaConfig, expand_inputs
from transforms.sources.read import read_range
from transforms.sources.source import SOURCES, PlanFiles, Provenance, Source, chosen

__all__ = ["SOURCES", "InputFile", "PlanRanges", "Range", "ReadRanges", "SourceError", "SourceFile",
           "WikipediaConfig", "WikipediaSource", "expand_inputs", "schedule"]

PROVENANCE = Provenance(
    "cc-by-sa-4.0",
    "The text comes from Wikipedia, by its contributors, under CC BY-SA 4.0. `title` (or `document_id`) and `revision` name "
    "each article and the version of it; its history lists the authors.",
)


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
        plan = functools.partial(_plan, workspace=self._workspace, config=self._config)
        return pbegin | PlanFiles(self._files, plan, together=self._config.limit is not None)


def _plan(files: tuple[InputFile, ...], *, workspace: str, config: WikipediaConfig) -> Iterator[Range | SourceFile]:
    for plan in plan_files(files, workspace=workspace, config=config):
        yield plan.source
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


class WikipediaSource(Source):
    """MediaWiki export XML."""

    NAME = "wikipedia"
    DEDUPLICATE = "none"
    HELP = "MediaWiki export XML (plain, gz, bz2, multistream bz2)"
    OPTIONS = ("namespaces", "range_bytes", "keep_lists", "parse_deadline", "spacy_model", "coref", "coref_model")

    def __init__(self, files: Sequence[InputFile], config: WikipediaConfig) -> None:
        self.files = tuple(files)
        self._config = config

    @classmethod
    def open(cls, patterns: Sequence[str], options: Mapping[str, Any]) -> Self:
        """See Source.open."""
        source = cls(expand_inputs(patterns), WikipediaConfig(**chosen(options, "namespaces", "limit", "range_bytes")))
        for file in source.files:
            check_input(file)
        return source

    @classmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """See Source.provenance."""
        return PROVENANCE

    def plan(self, workspace: str) -> beam.PTransform:
        """See Source.plan."""
        return PlanRanges(self.files, workspace=workspace, config=self._config)

    def read(self) -> beam.PTransform:
        """See Source.read."""
        return ReadRanges(self._config)
