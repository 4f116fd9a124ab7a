"""Deduplication in two passes: the first finds out which documents are duplicates, the second makes them Rejects.

    documents = (all_ranges, pending_ranges) | Deduplicate(workspace, config, read_and_clean, keep=True)
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import apache_beam as beam

from rules.records import RangeEnd, Reject
from rules.verdict import Reason
from transforms.duplicates.files import kept_elements
from transforms.duplicates.find import FindDuplicates
from transforms.duplicates.sketches import DOCUMENTS, DuplicatesConfig
from transforms.sinks.layout import Layout, read_json
from transforms.sources.ranges import Range
from transforms.sources.wikipedia import schedule

STAGE = "deduplicate"


class Deduplicate(beam.PTransform):
    """(All ranges of the input, those whose documents are wanted) -> the documents of the latter, with a Reject in the
    place of each duplicate.

    Args:
        workspace: root of the run's work space.
        config: what counts as a duplicate.
        documents: PCollection[Range] -> PCollection of documents, Rejects and RangeEnds.
        keep: the first pass keeps what it made in the work space and the second reads it there; else both make it. Keep
            what is expensive to make, or could come out differently (a page that once ran into its deadline).
    """

    def __init__(self, workspace: str, config: DuplicatesConfig,
                 documents: Callable[[beam.PCollection], beam.PCollection], *, keep: bool) -> None:
        super().__init__()
        self._workspace, self._config, self._documents, self._keep = workspace, config, documents, keep

    def expand(self, ranges: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        everything, wanted = ranges
        found = everything | "Find" >> FindDuplicates(self._workspace, self._config, self._documents, keep=self._keep)
        again = wanted | "Wait" >> After(found) | "Schedule" >> schedule()
        documents = again | "Kept" >> ReadKept(self._workspace) if self._keep else self._documents(again)
        return documents | "Reject" >> RejectDuplicates(self._workspace)


class After(beam.PTransform):
    """PCollection[Range] -> the same, once all of ``keys`` (of all ranges) are there. Only ranges are grouped."""

    def __init__(self, keys: beam.PCollection) -> None:
        super().__init__()
        self._keys = keys

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        waiting = ranges | "Waiting" >> beam.Map(lambda place: (place.key, place))
        done = self._keys | "Done" >> beam.Map(lambda key: (key, None))
        return ((waiting, done) | beam.Flatten() | beam.GroupByKey()
                | "Go" >> beam.FlatMap(lambda group: [place for place in group[1] if place is not None]))


class ReadKept(beam.PTransform):
    """PCollection[Range] -> the documents, Rejects and RangeEnds that the first pass kept."""

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self._layout = Layout(workspace)

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        return ranges | "Kept" >> beam.FlatMap(_read_kept, layout=self._layout)


def _read_kept(place: Range, *, layout: Layout) -> Iterator[Any]:
    for path in read_json(layout.duplicates_of(place.key))["kept"]:
        yield from kept_elements(path)


class RejectDuplicates(beam.PTransform):
    """Documents that are duplicates become Rejects that name the document which stays; everything else passes."""

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self._layout = Layout(workspace)

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "LookUp" >> beam.ParDo(_Reject(self._layout))


class _Reject(beam.DoFn):
    """Holds what was found of the ranges that it is amid, one or a few."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def start_bundle(self) -> None:
        self._ranges: dict[str, dict[tuple[int, str], tuple[str, str]]] = {}

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, DOCUMENTS):
            found = self._ranges.get(element.range_key)
            if found is None:
                found = self._ranges[element.range_key] = self._load(element.range_key)
            if (removed := found.get((element.offset, element.id))) is not None:
                element = rejected(element, *removed)
        elif isinstance(element, RangeEnd):
            self._ranges.pop(element.range_key, None)
        yield element

    def _load(self, range_key: str) -> dict[tuple[int, str], tuple[str, str]]:
        entries = read_json(self._layout.duplicates_of(range_key))["removed"]
        return {(offset, id_): (reason, kept) for offset, id_, reason, kept in entries}


def rejected(document: Any, reason: str, kept: str) -> Reject:
    """Returns the Reject of a duplicate of ``kept``."""
    return Reject(id=document.id, reason=Reason[reason], stage=STAGE, detail=f"{kept} stays", title=document.title,
                  file=document.file, offset=document.offset, range_key=document.range_key)
