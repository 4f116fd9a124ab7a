"""Finds the documents that are duplicates, and of which one: the first pass over all ranges, and what it decides.

    ranges -> documents -> sketches -> equal keys -> pairs worth a look -> pairs that are alike -> components
           -> a file for each range

Only names of files, with places in them, are grouped; see ``transforms/duplicates/grouping.py``.

Pairs that share a band are compared, and of those that are the same one document stays.

One step finds the components, from the pairs alone. The chunks then tell the chunk of each component's root which of
their documents could stay, and get the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import apache_beam as beam
import numpy as np
import pyarrow as pa
from apache_beam.transforms.window import GlobalWindows
from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import PATHS, SHARE, SWITCH, one_of
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, DuplicateReason
from gistmill.rules.duplicates import Bands, Forest, Pairs, bands_for, jaccard, keepers, sketch, text_of, united, unpack
from gistmill.transforms.beam.transforms import DealRanges, Spread, Together
from gistmill.transforms.duplicates.files import SketchFile, SketchWriter, from_json, to_json
from gistmill.transforms.duplicates.grouping import (
    EDGES,
    LARGE,
    NUMBERS,
    OTHERS,
    PAIRS,
    Chunk,
    Group,
    Keyed,
    Part,
    PartsWriter,
    Sizes,
    Sketches,
    chunk_key,
    deal_bands,
    deal_exact,
    deal_finer,
    find_copies,
    find_pairs,
    read_arrays,
    read_table_part,
    sketches_at,
)
from gistmill.transforms.duplicates.signatures import ReadSignatures, SignatureFile, write_signatures
from gistmill.transforms.first_pass import LookThrough, SetLookedThroughAside
from gistmill.transforms.io import write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.shards import SIGNATURES


def cut(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Part]:
    """Returns the different pairs of a chunk in pieces of equal size."""
    parts = sorted(group[1], key=lambda p: (p.path, p.start))
    index, found, fresh = parts[0].index, np.zeros(0, np.uint64), []
    piece = sketches_at(index).sizes.piece
    for part in parts:
        fresh += read_arrays([part], *PAIRS)
        if sum(map(len, fresh)) > max(len(found), piece):
            found, fresh = united((found, *fresh)), []
    found = united((found, *fresh))
    with PartsWriter(layout, index, sender=int(group[0])) as writer:
        return [writer.add(found[start : start + piece]) for start in range(0, len(found), piece)]


class Compare(beam.DoFn):
    """Pieces of pairs in, the parts of those that are alike out."""

    def __init__(self, layout: WorkspaceLayout, threshold: float) -> None:
        self._layout, self._threshold = layout, threshold

    def start_bundle(self) -> None:
        self._found: dict[str, list[Pairs]] = {}

    def process(self, piece: Part) -> None:
        pairs = read_arrays([piece], *PAIRS)[0]
        alike = alike_pairs(sketches_at(piece.index), pairs, self._threshold)
        self._found.setdefault(piece.index, []).append(alike)

    def finish_bundle(self) -> Iterator[Any]:
        for index, found in self._found.items():
            if len(pairs := united(found)):
                with PartsWriter(self._layout, index) as writer:
                    part = writer.add(pairs)
                yield GlobalWindows.windowed_value_at_end_of_window(part)


def alike_pairs(sketches: Sketches, pairs: Pairs, threshold: float) -> Pairs:
    """Returns pairs that are alike. A pair that others of them already join is not compared: it would not change the
    components."""
    first, second = unpack(pairs)
    shingles = sketches.shingles(np.unique(np.concatenate((first, second))))
    parents: dict[int, int] = {}
    alike = []
    for place, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        left, right = _root(parents, one), _root(parents, other)
        if left == right:
            continue
        shorter, longer = sorted((len(shingles[one]), len(shingles[other])))
        if shorter / longer >= threshold and jaccard(shingles[one], shingles[other]) >= threshold:
            parents[max(left, right)] = min(left, right)
            alike.append(place)
    return pairs[alike]


def _root(parents: dict[int, int], node: int) -> int:
    while (parent := parents.get(node, node)) != node:
        parents[node] = node = parents.get(parent, parent)
    return node


_MEMBERS = (*NUMBERS, *NUMBERS)  # documents, and the roots of their components
Removed = tuple[int, str, str, str]  # offset, id, name of the reason, id of the document that stays


class Decide(beam.PTransform):
    """(Chunks under their keys, parts of pairs) -> PCollection[str]: the keys of all ranges, once their files are
    written; and PCollection[ShardFile]: the signatures, if they are wanted.

    Args:
        layout: of the workspace.
        signatures: whether signatures are written.
        bands: those of the signatures; None where exact copies alone are looked for.
    """

    def __init__(self, layout: WorkspaceLayout, *, signatures: bool, bands: Bands | None) -> None:
        super().__init__()
        self._layout, self._signatures, self._bands = layout, signatures, bands

    def expand(self, values: tuple[beam.PCollection, beam.PCollection]) -> tuple[beam.PCollection, beam.PCollection]:
        chunks, edges = values
        members = (
            edges
            | "One key" >> beam.Map(lambda part: ("", part)).with_output_types(tuple[str, Part])
            | "Edges" >> beam.GroupByKey()
            | "Components" >> beam.FlatMap(find_components, layout=self._layout)
        )
        answers = (
            members
            | "Claim" >> beam.FlatMap(_claim, layout=self._layout)
            | "Claims" >> beam.GroupByKey()
            | "Answer" >> beam.FlatMap(_answer, layout=self._layout)
        )
        noted = (
            {"chunk": chunks, "members": members, "answers": answers}
            | "Answers" >> beam.CoGroupByKey()
            | "Note"
            >> beam.FlatMap(_note, signatures=self._signatures, bands=self._bands, layout=self._layout).with_outputs(
                SIGNATURES, main="ranges"
            )
        )
        return noted.ranges, noted[SIGNATURES]


def find_components(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the documents of all pairs, with the roots of their components, under the keys of their chunks."""
    parts = sorted(group[1], key=lambda p: (p.path, p.start))
    sketches = sketches_at(parts[0].index)
    forest = Forest(sketches.documents)
    for part in parts:
        forest.join(read_arrays([part], *PAIRS)[0])
    with PartsWriter(layout, parts[0].index) as writer:
        members = enumerate(forest.members(sketches.bounds.tolist()))
        return [(chunk_key(c), writer.add(numbers, roots)) for c, (numbers, roots) in members if len(numbers)]


def _claim(member: Keyed, *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the document of a chunk that could stay, for each component, under the key of its root's chunk."""
    key, part = member
    sketches = sketches_at(part.index)
    numbers, roots = read_arrays([part], *_MEMBERS)
    rows = sketches.rows(numbers, ("id", "offset", "date", "stays"))
    # where each document stands by date, then file, then offset, then number
    places = _places(sketches, numbers)
    ranks = np.empty(len(rows), np.int64)
    ranks[np.lexsort((rows["offset"].to_numpy(), places, rows["date"].to_numpy()))] = np.arange(len(rows))
    kept = np.unique(keepers(roots, ranks))
    kept = kept[np.argsort(roots[kept], kind="stable")]
    claims = rows.select(["id", "date", "stays"]).take(kept)
    claims = claims.append_column("number", pa.array(numbers[kept])).append_column("root", pa.array(roots[kept]))
    with PartsWriter(layout, part.index, sender=int(key)) as writer:
        return [
            (chunk_key(chunk), writer.add_table(claims.slice(mine.start, mine.stop - mine.start)))
            for chunk, mine in sketches.by_chunk(roots[kept])
        ]


def _answer(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the document that stays of each component, for each chunk that has a document of it."""
    parts = sorted(group[1], key=lambda p: p.sender)
    sketches = sketches_at(parts[0].index)
    tables = [read_table_part(p) for p in parts]
    senders = np.repeat([p.sender for p in parts], [len(t) for t in tables])
    claims = pa.concat_tables(tables)
    roots, dates = claims["root"].to_numpy(), claims["date"].to_numpy()
    ranks = np.empty(len(roots), np.int64)
    ranks[np.lexsort((senders, dates, sketches.bounds[senders] >= sketches.old))] = np.arange(len(roots))
    kept = claims.select(["id", "stays", "number"]).take(keepers(roots, ranks)).append_column("root", claims["root"])
    starts = np.cumsum([0, *map(len, tables)]).tolist()
    with PartsWriter(layout, parts[0].index, sender=int(group[0])) as writer:
        return [
            (chunk_key(part.sender), writer.add_table(kept.slice(start, len(table))))
            for part, table, start in zip(parts, tables, starts, strict=False)
        ]


def _note(
    group: tuple[str, dict[str, Any]], *, signatures: bool, bands: Bands | None, layout: WorkspaceLayout
) -> Iterator[Any]:
    """Writes the file of each range of a chunk, and its signatures; yields the keys of the ranges."""
    (chunk,) = group[1]["chunk"]
    sketches = sketches_at(chunk.index)
    files = sketches.files_of(chunk.number)
    if files[0].old:
        return
    ranges: dict[str, tuple[list[str], list[Removed]]] = {f.range_key: ([], []) for f in files}
    for file in files:
        ranges[file.range_key][0].extend([file.kept] if file.kept else [])
    gone = _gone(sketches, list(group[1]["members"]), group[1]["answers"])
    for place, removed in _removed(sketches, gone) if gone is not None else ():
        ranges[sketches.files[place].range_key][1].append(removed)
    for range_key, (kept, found) in ranges.items():
        write_json(layout.duplicates_of(range_key), {"kept": kept, "removed": sorted(found)})
        yield range_key
    if signatures:
        written = write_signatures(sketches, chunk.number, gone, bands=bands, layout=layout)
        yield beam.pvalue.TaggedOutput(SIGNATURES, written)


def _gone(sketches: Sketches, members: Sequence[Part], answers: Iterable[Part]) -> pa.Table | None:
    """Returns the documents of a chunk that do not stay: ``number``, ``offset`` and ``id``, the id that stays
    (``kept``), its exact hash (``stays``), and whether both have the ``same`` words. None where all stay."""
    if not members:
        return None
    numbers, roots = read_arrays(members, *_MEMBERS)
    stays = pa.concat_tables(read_table_part(p) for p in sorted(answers, key=lambda p: p.sender))
    stays = stays.take(np.searchsorted(stays["root"].to_numpy(), roots))
    gone = np.flatnonzero(stays["number"].to_numpy() != numbers)
    if not len(gone):
        return None
    rows, stays = sketches.rows(numbers[gone], ("id", "offset", "exact")), stays.take(gone)
    same = rows["exact"].to_numpy() == stays["stays"].to_numpy()
    columns = {"number": pa.array(numbers[gone]), "offset": rows["offset"], "id": rows["id"]}
    return pa.table({**columns, "kept": stays["id"], "stays": stays["stays"], "same": pa.array(same)})


def _removed(sketches: Sketches, gone: pa.Table) -> Iterator[tuple[int, Removed]]:
    """Yields the documents that do not stay, with the places of their files."""
    ids, kept = (
        [value.decode("utf-8", "surrogatepass") for value in gone[name].to_pylist()] for name in ("id", "kept")
    )
    columns = zip(gone["offset"].to_pylist(), ids, gone["same"].to_pylist(), kept, strict=True)
    for place, (offset, id_, same, stays) in zip(
        _places(sketches, gone["number"].to_numpy()).tolist(), columns, strict=True
    ):
        reason = DuplicateReason.EXACT_DUPLICATE if same else DuplicateReason.NEAR_DUPLICATE
        yield place, (offset, id_, reason.name, stays)


def _places(sketches: Sketches, numbers: np.ndarray) -> np.ndarray:
    """Returns the place of the file of each document."""
    return np.searchsorted(sketches.starts, numbers, side="right") - 1


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
