"""Finds the documents that are duplicates, and of which one: the first pass over all ranges, and what it decides.

    ranges -> documents -> sketches -> equal keys -> pairs worth a look -> pairs that are alike -> components
           -> a file for each range

Only names of files, with places in them, are grouped; see ``transforms/duplicates/grouping.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import apache_beam as beam
from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import PATHS, SHARE, SWITCH, one_of
from gistmill.rules.documents import AnnotatedDocument, CleanDocument
from gistmill.rules.duplicates import Bands, bands_for, sketch, text_of
from gistmill.transforms.beam.transforms import DealRanges, Spread, Together
from gistmill.transforms.duplicates.decide import Compare, Decide, cut
from gistmill.transforms.duplicates.files import SketchFile, SketchWriter, from_json, to_json
from gistmill.transforms.duplicates.grouping import (
    EDGES,
    LARGE,
    OTHERS,
    Chunk,
    Group,
    Part,
    Sizes,
    Sketches,
    chunk_key,
    deal_bands,
    deal_exact,
    deal_finer,
    find_copies,
    find_pairs,
)
from gistmill.transforms.duplicates.signatures import ReadSignatures, SignatureFile
from gistmill.transforms.first_pass import LookThrough, SetLookedThroughAside
from gistmill.transforms.layout import WorkspaceLayout

NONE, EXACT, NEAR = "none", "exact", "near"
MODES = (NONE, EXACT, NEAR)
DOCUMENTS = (CleanDocument, AnnotatedDocument)


@dataclass(frozen=True, kw_only=True)
class DuplicatesConfig(Options):
    """Decides what counts as a duplicate."""

    GROUP: ClassVar[str] = "duplicates"

    deduplicate: str | None = option(
        one_of(*MODES),
        metavar="MODE",
        help="reject documents with the same words as an earlier one (exact), or nearly the same (near), or none; the "
        "earliest stays (default: near where the same text may come twice, as in a crawl; else none)",
    )
    duplicate_threshold: float = option(
        SHARE,
        default=0.8,
        metavar="J",
        help="share of word 5-grams (Jaccard similarity) from which two documents are nearly the same",
    )

    keep_signatures: bool = option(
        SWITCH,
        default=False,
        help="put signatures of all documents into the dataset, with which --duplicates-against compares later ones",
    )
    duplicates_against: tuple[str, ...] | None = option(
        replace(PATHS, metavar="DATASETS", allowed="datasets, comma-separated"),
        help="datasets with signatures: reject documents that are duplicates of theirs too",
    )

    def check(self) -> None:
        """Raises ValueError for a threshold that no bands can have."""
        bands_for(self.duplicate_threshold)

    @property
    def bands(self) -> Bands | None:
        """How signatures are cut; None where there are none."""
        return bands_for(self.duplicate_threshold) if self.deduplicate == NEAR else None


class SketchRanges(LookThrough[SketchWriter]):
    """Finds duplicates in the ranges; what is found of a range is a SketchFile.

    Args:
        workspace: root of the run's workspace.
        config: what counts as a duplicate.
        keep: whether the elements are written too, so that they need not be made a second time.
    """

    def __init__(self, workspace: str, config: DuplicatesConfig, *, keep: bool) -> None:
        super().__init__(workspace)
        self._bands, self._keep = config.bands, keep

    @override
    def writer(self, range_key: str) -> SketchWriter:
        return SketchWriter(self._layout, range_key, self._bands, keep=self._keep)

    @override
    def take(self, writer: SketchWriter, element: Any) -> None:
        writer.keep(element)
        if isinstance(element, DOCUMENTS):
            writer.add(element, sketch(text_of(element), self._bands))

    @override
    def to_json(self, found: SketchFile) -> Mapping[str, Any]:
        return to_json(found)


class FindDuplicates(beam.PTransform):
    """PCollection[Range], all ranges of the input, -> PCollection[str]: their keys, once it is written for each which
    of its documents are duplicates (``WorkspaceLayout.duplicates_of``); and PCollection[ShardFile]: the signatures of
    the documents, if the configuration wants them.

    Args:
        workspace: root of the run's workspace.
        config: what counts as a duplicate.
        documents: PCollection[Range] -> PCollection of documents, Rejects and RangeEnds.
        keep: whether these are written, for the second pass.
        old: files with the signatures of documents that stay.
    """

    def __init__(
        self,
        workspace: str,
        config: DuplicatesConfig,
        documents: Callable[[beam.PCollection], beam.PCollection],
        *,
        keep: bool,
        old: Sequence[SignatureFile] = (),
    ) -> None:
        super().__init__()
        self._workspace, self._config, self._documents, self._keep = workspace, config, documents, keep
        self._old = old

    def expand(self, ranges: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        known = ranges | "Sketched" >> beam.ParDo(SetLookedThroughAside(self._workspace, from_json)).with_outputs(
            SetLookedThroughAside.KNOWN, main="pending"
        )
        sketched = self._documents(known.pending | "Schedule" >> DealRanges()) | "Sketch" >> beam.ParDo(
            SketchRanges(self._workspace, self._config, keep=self._keep)
        )
        parts = [sketched, known[SetLookedThroughAside.KNOWN]]
        if self._old:
            parts.append(ranges.pipeline | "Old" >> ReadSignatures(self._workspace, self._old))
        files = parts | "Sketches" >> beam.Flatten()
        return files | "Compare" >> CompareSketches(self._workspace, self._config)


class CompareSketches(beam.PTransform):
    """PCollection[SketchFile], all of them, -> what FindDuplicates gives."""

    def __init__(self, workspace: str, config: DuplicatesConfig, *, sizes: Sizes | None = None) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)
        self._config = config
        self._threshold = config.duplicate_threshold if config.deduplicate == NEAR else None
        self._sizes = sizes or Sizes()

    def expand(self, files: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        layout = self._layout
        chunks = (
            files
            | "Files" >> Together()
            | "Chunks" >> beam.FlatMap(_chunks, layout=layout, sizes=self._sizes)
            | "SpreadChunks" >> Spread(_key_of)
        )
        keyed = chunks | "Key" >> beam.Map(_keyed)
        copies = chunks | "DealExact" >> beam.FlatMap(deal_exact, layout=layout)
        copies |= "Copies" >> Group(find_copies, layout, EDGES, OTHERS)
        edges = copies[EDGES]
        if self._threshold is not None:
            alike = (keyed, copies[OTHERS]) | "Near" >> _Near(layout, self._threshold)
            edges = (edges, alike) | "AllEdges" >> beam.Flatten()
        decide = Decide(layout, signatures=self._config.keep_signatures, bands=self._config.bands)
        return (keyed, edges) | "Decide" >> decide


class _Near(beam.PTransform):
    """(Chunks, parts of copies) under the keys of chunks -> parts of pairs that are alike."""

    def __init__(self, layout: WorkspaceLayout, threshold: float) -> None:
        super().__init__()
        self._layout, self._threshold = layout, threshold

    def expand(self, values: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        layout = self._layout
        bands = (
            values
            | "Chunk" >> beam.Flatten()
            | "Once" >> beam.GroupByKey()
            | "DealBands" >> beam.FlatMap(deal_bands, layout=layout)
            | "Bands" >> Group(find_pairs, layout, LARGE)
        )
        again = (
            bands[LARGE]
            | "Large" >> beam.GroupByKey()
            | "DealFiner" >> beam.FlatMap(deal_finer, layout=layout)
            | "Finer" >> Group(find_pairs, layout, LARGE)  # what is large still is not divided further
        )
        return (
            (bands.main, again.main)
            | "AllPairs" >> beam.Flatten()
            | "Pairs" >> beam.GroupByKey()
            | "Cut" >> beam.FlatMap(cut, layout=layout)
            | "Spread" >> Spread(_place)
            | "Alike" >> beam.ParDo(Compare(layout, self._threshold))
        )


def _chunks(files: Iterable[SketchFile], *, layout: WorkspaceLayout, sizes: Sizes) -> Iterator[Chunk]:
    sketches = Sketches(list(files), sizes)
    index = sketches.write(layout)
    for number in range(len(sketches.chunks) - 1):
        yield Chunk(index, number)


def _key_of(chunk: Chunk) -> str:
    return chunk_key(chunk.number)


def _keyed(chunk: Chunk) -> tuple[str, Any]:
    return chunk_key(chunk.number), chunk


def _place(piece: Part) -> str:
    return f"{piece.path}/{piece.start}"
