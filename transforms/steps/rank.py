"""Ranks in two passes: the first measures the pairs and finds the rank of each among all, the second attaches both.

documents = (all_ranges, pending_ranges) | Deduplicate(workspace, config, read_and_clean, keep=False, reasons=())
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.records import Pair, RangeEnd, Reason
from gistmill.rules.curriculum.ranked import RankedPair
from gistmill.rules.curriculum.recipe import CurriculumConfig
from gistmill.rules.documents import DuplicateReason
from gistmill.transforms.beam.transforms import After, DealRanges
from gistmill.transforms.duplicates.files import kept_elements
from gistmill.transforms.duplicates.find import DOCUMENTS, NONE, DuplicatesConfig, FindDuplicates
from gistmill.transforms.duplicates.signatures import SignatureFile, SignaturesError, signature_files
from gistmill.transforms.io import read_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.find import FindRanks, RangeRanks
from gistmill.transforms.sources.base import Source
from gistmill.transforms.sources.files.ranges import Range, split_commas
from gistmill.transforms.steps.base import Flow, Step


class Rank(Step):
    """Makes RankedPairs of Pairs. The source is read twice."""

    NAME = "Rank"
    CONFIG = CurriculumConfig

    def __init__(self, config: CurriculumConfig) -> None:
        self._config = config

    @classmethod
    @override
    def serves(cls, wanted: type) -> bool:
        return issubclass(wanted, RankedPair)

    @classmethod
    @override
    def open(cls, config: CurriculumConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config)

    @override
    def apply(self, flow: Flow) -> Flow:
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


STAGE = "deduplicate"


class Deduplicate(beam.PTransform):
    """(All ranges of the input, those whose documents are wanted) -> the documents of the latter, with a Reject in the
    place of each duplicate; and the files of signatures (PCollection[ShardFile]), if the configuration wants them.

    Args:
        workspace: root of the run's workspace.
        config: what counts as a duplicate.
        documents: PCollection[Range] -> PCollection of documents, Rejects and RangeEnds.
        keep: the first pass keeps what it made in the workspace and the second reads it there; else both make it. Keep
            what is expensive to make, or could come out differently (a page that once ran into its deadline).
        reasons: the enumerations of reasons for which ``documents`` may reject.
        old: files with the signatures of documents that stay.
    """

    def __init__(
        self,
        workspace: str,
        config: DuplicatesConfig,
        documents: Callable[[beam.PCollection], beam.PCollection],
        *,
        keep: bool,
        reasons: Sequence[type[Reason]],
        old: Sequence[SignatureFile] = (),
    ) -> None:
        super().__init__()
        self._workspace, self._documents, self._keep, self._reasons = workspace, documents, keep, reasons
        self._find = FindDuplicates(workspace, config, documents, keep=keep, old=old)

    def expand(self, ranges: tuple[beam.PCollection, beam.PCollection]) -> tuple[beam.PCollection, beam.PCollection]:
        everything, wanted = ranges
        found, signatures = everything | "Find" >> self._find
        again = wanted | "Wait" >> After(found) | "Schedule" >> DealRanges()
        documents = again | "Kept" >> ReadKept(self._workspace, self._reasons) if self._keep else self._documents(again)
        return documents | "Reject" >> RejectDuplicates(self._workspace), signatures


class ReadKept(beam.PTransform):
    """PCollection[Range] -> the documents, Rejects and RangeEnds that the first pass kept; see Deduplicate."""

    def __init__(self, workspace: str, reasons: Sequence[type[Reason]]) -> None:
        super().__init__()
        self._layout, self._reasons = WorkspaceLayout(workspace), reasons

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        return ranges | "Kept" >> beam.FlatMap(_read_kept, layout=self._layout, reasons=self._reasons)


def _read_kept(place: Range, *, layout: WorkspaceLayout, reasons: Sequence[type[Reason]]) -> Iterator[Any]:
    for path in read_json(layout.duplicates_of(place.key))["kept"]:
        yield from kept_elements(path, reasons)


class RejectDuplicates(beam.PTransform):
    """Documents that are duplicates become Rejects that name the document which stays; everything else passes."""

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "LookUp" >> beam.ParDo(_Reject(self._layout))


class _Reject(beam.DoFn):
    """Holds the duplicates of the ranges that it is working on, one or a few."""

    def __init__(self, layout: WorkspaceLayout) -> None:
        self._layout = layout

    def start_bundle(self) -> None:
        self._ranges: dict[str, dict[tuple[int, str], tuple[str, str]]] = {}

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, DOCUMENTS):
            origin = element.origin
            found = self._ranges.get(origin.range_key)
            if found is None:
                entries = read_json(self._layout.duplicates_of(origin.range_key))["removed"]
                found = {(offset, id_): (reason, kept) for offset, id_, reason, kept in entries}
                self._ranges[origin.range_key] = found
            if (removed := found.get((origin.offset, origin.id))) is not None:
                reason, kept = removed
                element = origin.reject(DuplicateReason[reason], STAGE, f"{kept} stays")
        elif isinstance(element, RangeEnd):
            self._ranges.pop(element.range_key, None)
        yield element


class DeduplicateStep(Step):
    """Rejects duplicates. Documents that are costly to make are kept in the workspace between the two passes.

    Args:
        config: what counts as a duplicate.
        reasons: the enumerations of reasons for which the source rejects documents.
        old: files with the signatures of documents that stay.
    """

    NAME = "Deduplicate"
    CONFIG = DuplicatesConfig
    REASONS = (DuplicateReason,)
    READS_TEXT = True

    def __init__(
        self, config: DuplicatesConfig, reasons: Sequence[type[Reason]], old: Sequence[SignatureFile] = ()
    ) -> None:
        self._config, self._reasons, self._old = config, reasons, old

    @classmethod
    @override
    def resolve(cls, config: DuplicatesConfig, source: type[Source]) -> DuplicatesConfig:
        return dataclasses.replace(config, deduplicate=config.deduplicate or source.DEDUPLICATE)

    @classmethod
    @override
    def open(cls, config: DuplicatesConfig, *, source: type[Source], wanted: type) -> Self | None:
        """Reads the manifests of the datasets that documents are compared with."""
        against = tuple(split_commas(config.duplicates_against or ()))
        if config.deduplicate != NONE:
            return cls(config, source.REASONS, signature_files(against, config.bands))
        if against or config.keep_signatures:
            flag = "--duplicates-against" if against else "--keep-signatures"
            raise SignaturesError(f"{flag} needs --deduplicate near or exact")
        return None

    @override
    def apply(self, flow: Flow) -> Flow:
        reasons = (*self._reasons, *flow.reasons)
        deduplicate = Deduplicate(
            flow.workspace, self._config, flow.read, keep=flow.costly, reasons=reasons, old=self._old
        )
        settled, signatures = (flow.ranges, flow.pending) | self.NAME >> deduplicate
        return dataclasses.replace(flow, settled=settled, files=(*flow.files, signatures))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {"signatures": [{"dataset": f.dataset, "name": f.name, "sha256": f.sha256} for f in self._old]}
