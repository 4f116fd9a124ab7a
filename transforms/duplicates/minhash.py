"""MinHash deduplication in four stages: finds each duplicate and the document that is kept.

    MinhashSignature   ranges -> signatures of their documents, in files, gathered in chunks
    MinhashBuckets     signatures -> equal keys in a band -> candidate pairs -> similar pairs
    MinhashCluster     pairs -> connected components -> the document to keep from each -> one file per range
    MinhashFilter      documents -> the same, with each duplicate replaced by a Reject

Only file names and positions in files are grouped (``transforms/sinks/sort.py``). Documents are numbered from 0: first
those of older datasets, then those of this run, in order of range and row.

Pairs are found in three rounds. Exact hashes give the exact copies; only the first document of each group is compared
further. The bands give candidate pairs: documents with equal keys are adjacent once a band is sorted. Groups larger
than the cap in ``rules/duplicates.py`` are divided again by combinations of bands. A candidate pair is similar if its
shingles are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import apache_beam as beam
import numpy as np
import pyarrow as pa

from gistmill.core.options import Options, option
from gistmill.core.records import RangeEnd, Reason
from gistmill.core.values import PATHS, SHARE, SWITCH, one_of
from gistmill.rules.documents import DuplicateReason
from gistmill.rules.duplicates import (
    Bands,
    Forest,
    Pairs,
    bands_for,
    equal_pairs,
    finer,
    jaccard,
    refinements,
    stars,
    united,
    unpack,
)
from gistmill.transforms.beam.transforms import CreateConstants, DealRanges, ReshuffleByKey, WaitFor
from gistmill.transforms.duplicates.signatures import (
    DOCUMENTS,
    SHINGLE,
    SignatureFile,
    SketchFile,
    SketchWriter,
    band_column,
    read_kept,
    read_signatures,
    write_signatures,
)
from gistmill.transforms.io import open_input, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import (
    Chunk,
    Chunks,
    FirstPass,
    GatherChunks,
    WriteRanges,
    chunks_at,
    read_table,
    shares,
)
from gistmill.transforms.sinks.shards import SIGNATURES
from gistmill.transforms.sinks.sort import Part, read_parts, sent_to, write_parts

NONE, EXACT, NEAR = "none", "exact", "near"
STAGE = "deduplicate"


@dataclass(frozen=True, kw_only=True)
class DuplicatesConfig(Options):
    """Decides what counts as a duplicate."""

    GROUP: ClassVar[str] = "duplicates"

    deduplicate: str | None = option(
        one_of(NONE, EXACT, NEAR),
        metavar="MODE",
        help="reject documents with the same words as an earlier one (exact) or nearly the same (near), or keep all "
        "(none) (default: near for inputs that may contain a text twice, such as crawls; otherwise none)",
    )
    duplicate_threshold: float = option(
        SHARE,
        default=0.8,
        metavar="J",
        help="minimum share of common word 5-grams (Jaccard similarity) for two documents to count as nearly the same",
    )

    keep_signatures: bool = option(
        SWITCH,
        default=False,
        help="store the signatures of all documents in the dataset, for use with --duplicates-against by later "
        "datasets",
    )
    duplicates_against: tuple[str, ...] | None = option(
        replace(PATHS, metavar="DATASETS", allowed="datasets, comma-separated"),
        help="datasets with signatures: also reject documents that duplicate theirs",
    )

    def check(self) -> None:
        """Raises ValueError if no bands suit the threshold."""
        bands_for(self.duplicate_threshold)

    @property
    def bands(self) -> Bands | None:
        """Returns the division of signatures into bands, or None if there are no signatures."""
        return bands_for(self.duplicate_threshold) if self.deduplicate == NEAR else None


class Deduplicate(beam.PTransform):
    """(All ranges of the input, the ranges whose documents are wanted) -> the wanted documents, with each duplicate
    replaced by a Reject; and the signature files (PCollection[ShardFile]), if the configuration asks for them.

    Args:
        workspace: the root of the run's workspace.
        config: defines duplicates.
        documents: PCollection[Range] -> PCollection of documents, Rejects and RangeEnds.
        keep: whether the first pass stores its documents in the workspace for the second; otherwise both passes make
            them. Store documents that are expensive to make or that may differ (a page that once hit its deadline).
        reasons: the enumerations of the reasons for which ``documents`` may reject.
        old: files with the signatures of documents published earlier, which are always kept.
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
        self._layout, self._config, self._documents = WorkspaceLayout(workspace), config, documents
        self._keep, self._reasons, self._old = keep, tuple(reasons), old

    def expand(self, ranges: tuple[beam.PCollection, beam.PCollection]) -> tuple[beam.PCollection, beam.PCollection]:
        layout, config = self._layout, self._config
        everything, wanted = ranges
        writer = partial(SketchWriter, bands=config.bands, keep=self._keep)
        signature = MinhashSignature(layout, writer, self._documents, self._old)
        chunks = everything | "Signature" >> signature | "Gather" >> GatherChunks(layout)
        pairs = chunks | "Buckets" >> MinhashBuckets(layout, config)
        found, signatures = pairs | "Cluster" >> MinhashCluster(layout, config)
        again = wanted | "Wait" >> WaitFor(found) | "Schedule" >> DealRanges()
        if self._keep:
            documents = again | "Kept" >> beam.FlatMap(_read_kept, layout=layout, reasons=self._reasons)
        else:
            documents = self._documents(again)
        return documents | "Filter" >> beam.ParDo(MinhashFilter(layout)), signatures


def _read_kept(place: Any, *, layout: WorkspaceLayout, reasons: Sequence[type[Reason]]) -> Iterator[Any]:
    for path in read_json(layout.duplicates_of(place.key))["kept"]:
        yield from read_kept(path, reasons)


class MinhashSignature(beam.PTransform):
    """PCollection[Range], all ranges of the input -> PCollection[SketchFile]: the signatures of their documents and of
    older datasets. ``writer`` writes the signatures of a range; the other arguments are those of Deduplicate."""

    def __init__(
        self,
        layout: WorkspaceLayout,
        writer: Callable[..., SketchWriter],
        documents: Callable[[beam.PCollection], beam.PCollection],
        old: Sequence[SignatureFile],
    ) -> None:
        super().__init__()
        self._layout, self._writer, self._documents, self._old = layout, writer, documents, old

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        look = WriteRanges(self._layout.root, self._writer)
        parts = [ranges | "Sketch" >> FirstPass(look, SketchFile, self._documents)]
        if self._old:
            old = (
                ranges.pipeline
                | "Old" >> CreateConstants(self._old)
                | "Spread" >> ReshuffleByKey(lambda file: file.key)
            )
            parts.append(old | "Read" >> beam.Map(read_signatures, layout=self._layout))
        return parts | "Sketches" >> beam.Flatten()


MOST = (1 << 32) - 1  # documents; their numbers have 32 bits
BUCKET = 1 << 21  # keys sorted together; more if more documents share a key
PIECE = 1 << 13  # pairs compared together; the shingles of up to twice as many documents are in memory
_MOST_BITS = 5  # of a key that select its bucket; more bits would give a shuffle too many parts
CHUNKS, EDGES = "chunks", "edges"  # outputs


class TooManyDocuments(ValueError):
    """There are more documents than can be numbered; the text is a one-line message for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A band of all documents, by number. ``copies`` contains the documents that are copies of earlier ones."""

    number: int
    copies: Part


class MinhashBuckets(beam.PTransform):
    """PCollection[list[Chunk]], one list -> the chunks by key, each with the path of their list; and the parts that
    contain pairs of similar documents. ``bucket`` and ``piece`` limit memory use and do not affect the result."""

    def __init__(
        self, layout: WorkspaceLayout, config: DuplicatesConfig, *, bucket: int = BUCKET, piece: int = PIECE
    ) -> None:
        super().__init__()
        self._layout, self._bucket, self._piece = layout, bucket, piece
        self._threshold = config.duplicate_threshold if config.deduplicate == NEAR else None

    def expand(self, chunks: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        layout, bucket = self._layout, self._bucket
        exact = chunks | "Exact" >> beam.FlatMap(
            find_copies, near=self._threshold is not None, layout=layout, bucket=bucket
        ).with_outputs(CHUNKS, EDGES, main="bands")
        alike = (
            exact.bands
            | "Spread" >> ReshuffleByKey(lambda band: f"{band.number:02d}")
            | "Band" >> beam.FlatMap(find_pairs, layout=layout, bucket=bucket)
            | "Pairs" >> beam.GroupByKey()
            | "Cut" >> beam.FlatMap(cut, layout=layout, piece=self._piece)
            | "Deal" >> ReshuffleByKey(lambda piece: f"{piece.path}/{piece.start}")
            | "Alike" >> beam.FlatMap(find_alike, threshold=self._threshold, layout=layout)
        )
        return exact[CHUNKS], (exact[EDGES], alike) | "All pairs" >> beam.Flatten()


def find_copies(found: Sequence[Chunk], *, near: bool, layout: WorkspaceLayout, bucket: int = BUCKET) -> Iterator[Any]:
    """Yields the bands, if near duplicates are wanted; the chunks; and each exact copy paired with the first document
    that has the same hash."""
    documents = Chunks(found)
    if documents.rows > MOST:
        raise TooManyDocuments(f"{documents.rows:,} documents are too many to compare at once; the limit is {MOST:,}")
    if not found:
        return
    index = documents.write(layout)
    for chunk in documents.chunks:
        yield beam.pvalue.TaggedOutput(CHUNKS, (chunk.key, index))
    keys = _column(documents, "exact")
    pairs = united(stars(keys[numbers], numbers) for numbers in _buckets(keys, bucket))
    copies = pa.table({"number": unpack(pairs)[1]})  # each once, ascending
    pairs = pairs[unpack(pairs)[1] >= documents.old]
    (_, part), (_, edges) = write_parts(layout, index, [("", copies), ("", pa.table({"pair": pairs}))])
    if len(pairs):
        yield beam.pvalue.TaggedOutput(EDGES, edges)
    for number in range(_band_count(documents) if near else 0):
        yield Band(number=number, copies=part)


def find_pairs(band: Band, *, layout: WorkspaceLayout, bucket: int = BUCKET) -> list[tuple[str, Part]]:
    """Returns the pairs of documents whose keys in a band are equal, by the key of the second document's chunk.
    Documents of older datasets are not compared with each other."""
    documents = chunks_at(band.copies.index, SketchFile)
    return write_parts(
        layout,
        band.copies.index,
        (
            (chunk.key, pa.table({"pair": pairs[mine]}))
            for found in _pairs_of(band, documents, bucket)
            for pairs in [found[unpack(found)[1] >= documents.old]]
            for chunk, mine in documents.by_chunk(unpack(pairs)[1])
        ),
    )


def _pairs_of(band: Band, documents: Chunks, size: int) -> Iterator[Pairs]:
    """Yields the pairs in each bucket, followed by those from groups over the cap."""
    once = np.ones(documents.rows, bool)
    once[read_parts([band.copies])["number"].to_numpy()] = False
    keys, over = _column(documents, band_column(band.number)), [np.zeros(0, np.int64)]
    for numbers in _buckets(keys, size):
        numbers = numbers[once[numbers]]
        pairs, large = equal_pairs(keys[numbers], numbers)
        over.append(numbers[large])
        yield pairs
    numbers = np.sort(np.concatenate(over))
    keys = keys[numbers]
    for other in refinements(band.number, _band_count(documents)) if len(numbers) else ():
        both = finer(keys, documents.take(numbers, [band_column(other)])[0].to_numpy())
        for mine in _buckets(both, size):
            yield equal_pairs(both[mine], numbers[mine])[0]  # groups that remain large are not divided again


def _band_count(documents: Chunks) -> int:
    return max(file.bands for file in documents.files)


def _column(documents: Chunks, name: str) -> np.ndarray:
    """Returns a column of all documents, uint64."""
    found = np.empty(documents.rows, np.uint64)
    for chunk, start, end in zip(documents.chunks, documents.bounds, documents.bounds[1:], strict=False):
        found[start:end] = read_table(chunk.table, [name])[0].to_numpy()
    return found


def _buckets(keys: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """Yields the positions of keys with equal upper bits, ascending: about ``size`` each time, equal keys together."""
    bits = min(_MOST_BITS, max(0, (len(keys) - 1) // size).bit_length())
    place = (keys >> np.uint64(64 - bits)).astype(np.uint8) if bits else np.zeros(len(keys), np.uint8)
    for bucket in range(1 << bits):
        yield np.flatnonzero(place == bucket)


def cut(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout, piece: int) -> list[Part]:
    """Returns the distinct pairs of a chunk in pieces of equal size."""
    found, fresh, parts = np.zeros(0, np.uint64), list[Pairs](), sorted(group[1], key=lambda p: (p.path, p.start))
    for part in parts:
        fresh.append(read_parts([part])["pair"].to_numpy())
        if sum(map(len, fresh)) > max(len(found), piece):
            found, fresh = united((found, *fresh)), []
    found = united((found, *fresh))
    pieces = (found[start : start + piece] for start in range(0, len(found), piece))
    return [part for _, part in write_parts(layout, parts[0].index, (("", pa.table({"pair": p})) for p in pieces))]


def find_alike(piece: Part, *, threshold: float, layout: WorkspaceLayout) -> Iterator[Part]:
    """Yields the similar pairs in a piece, if there are any."""
    documents = chunks_at(piece.index, SketchFile)
    pairs = alike_pairs(documents, read_parts([piece])["pair"].to_numpy(), threshold)
    if len(pairs):
        yield from (part for _, part in write_parts(layout, piece.index, [("", pa.table({"pair": pairs}))]))


def alike_pairs(documents: Chunks, pairs: Pairs, threshold: float) -> Pairs:
    """Returns the similar pairs. A pair whose documents are already connected by other similar pairs is not compared,
    because it would not change the components."""
    first, second = unpack(pairs)
    shingles = read_shingles(documents, np.unique(np.concatenate((first, second))))
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


def read_shingles(documents: Chunks, numbers: np.ndarray) -> dict[int, np.ndarray]:
    """Returns the shingles of documents, by number (``numbers`` must be ascending)."""
    found = {}
    places = documents.take(numbers, ["start", "count"])
    for place, mine in shares(numbers, documents.starts):
        with open_input(documents.files[place].shingles) as file:
            starts, counts = (column.to_pylist() for column in places.slice(mine.start, mine.stop - mine.start))
            for number, start, count in zip(numbers[mine].tolist(), starts, counts, strict=True):
                file.seek(start * SHINGLE.itemsize)
                found[number] = np.frombuffer(file.read(count * SHINGLE.itemsize), SHINGLE)
    return found


class MinhashCluster(beam.PTransform):
    """The output of MinhashBuckets -> PCollection[str]: the keys of all ranges, after the duplicates of each range are
    written to a file (``WorkspaceLayout.duplicates_of``); and PCollection[ShardFile]: the signatures of the documents,
    if the configuration asks for them."""

    def __init__(self, layout: WorkspaceLayout, config: DuplicatesConfig) -> None:
        super().__init__()
        self._layout, self._config = layout, config

    def expand(self, values: tuple[beam.PCollection, beam.PCollection]) -> tuple[beam.PCollection, beam.PCollection]:
        chunks, pairs = values
        clusters = (
            pairs
            | "One key" >> beam.Map(lambda part: ("", part)).with_output_types(tuple[str, Part])
            | "Edges" >> beam.GroupByKey()
            | "Components" >> beam.FlatMap(find_clusters, layout=self._layout)
        )
        noted = (
            (chunks, clusters)
            | beam.Flatten()
            | "Chunk" >> beam.GroupByKey()
            | "Note"
            >> beam.FlatMap(note_duplicates, config=self._config, layout=self._layout).with_outputs(
                SIGNATURES, main="ranges"
            )
        )
        return noted.ranges, noted[SIGNATURES]


def find_clusters(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[tuple[str, Part]]:
    """Returns the documents to reject, by the key of their chunk: ``number``, the id of the document to keep
    (``kept``) and its exact hash (``stays``).

    Documents from older datasets take precedence in a component, then the earliest date, then the file and offset.
    """
    parts = list(group[1])
    documents = chunks_at(parts[0].index, SketchFile)
    forest = Forest(documents.rows)
    for part in parts:
        forest.join(read_parts([part])["pair"].to_numpy())
    first = np.zeros(documents.rows, np.uint32)  # the document to keep, for each root
    dates = np.empty(documents.rows, np.int64)
    known = np.zeros(documents.rows, bool)
    for chunk, (numbers, roots) in zip(documents.chunks, forest.members(documents.bounds.tolist()), strict=True):
        if not len(numbers):
            continue
        rows = documents.take(numbers, ["date", "offset"])
        date, offset = (column.to_numpy() for column in rows)
        place = np.searchsorted(documents.starts, numbers, side="right")
        order = np.lexsort((offset, place, date, roots))
        order = order[np.unique(roots[order], return_index=True)[1]]
        mine, date = roots[order], date[order]
        better = ~known[mine] | (date < dates[mine])
        if not chunk.files[0].old:
            better &= ~known[mine] | (first[mine] >= documents.old)
        first[mine[better]], dates[mine[better]], known[mine] = numbers[order[better]], date[better], True
    kept = np.sort(first[known])
    ids = documents.take(kept, ["id", "stays"])

    def gone() -> Iterator[tuple[str, pa.Table]]:
        for chunk, (numbers, roots) in zip(documents.chunks, forest.members(documents.bounds.tolist()), strict=True):
            goes = first[roots] != numbers
            if goes.any() and not chunk.files[0].old:
                stays = ids.take(np.searchsorted(kept, first[roots[goes]]))
                yield chunk.key, pa.table({"number": numbers[goes], "kept": stays["id"], "stays": stays["stays"]})

    return write_parts(layout, parts[0].index, gone())


def note_duplicates(
    group: tuple[str, Iterable[str | Part]], *, config: DuplicatesConfig, layout: WorkspaceLayout
) -> Iterator[Any]:
    """Writes the file of each range in a chunk, and the chunk's signatures; yields the keys of the ranges."""
    index, parts = sent_to(group[1])
    documents = chunks_at(index, SketchFile)
    chunk = documents.chunks[int(group[0])]
    if chunk.files[0].old:
        return
    gone: pa.Table | None = None
    ranges: dict[str, dict[str, list[Any]]] = {file.range_key: {"kept": [], "removed": []} for file in chunk.files}
    for file in chunk.files:
        ranges[file.range_key]["kept"] += [file.kept] if file.kept else []
    if parts:
        gone = read_parts(parts)
        rows = documents.take(gone["number"].to_numpy(), ["offset", "id", "exact"])
        same = rows["exact"].to_numpy() == gone["stays"].to_numpy()
        gone = gone.append_column("same", pa.array(same))
        places = np.searchsorted(documents.starts, gone["number"].to_numpy(), side="right") - 1
        ids, kept = (
            [id_.decode("utf-8", "surrogatepass") for id_ in c.to_pylist()] for c in (rows["id"], gone["kept"])
        )
        for place, *removed in zip(places.tolist(), rows["offset"].to_pylist(), ids, same.tolist(), kept, strict=True):
            reason = DuplicateReason.EXACT_DUPLICATE if removed[2] else DuplicateReason.NEAR_DUPLICATE
            ranges[documents.files[place].range_key]["removed"].append([*removed[:2], reason.name, removed[3]])
    for range_key, value in ranges.items():
        write_json(layout.duplicates_of(range_key), {**value, "removed": sorted(value["removed"])})
        yield range_key
    if config.keep_signatures:
        written = write_signatures(documents, chunk, gone, bands=config.bands, layout=layout)
        yield beam.pvalue.TaggedOutput(SIGNATURES, written)


class MinhashFilter(beam.DoFn):
    """Replaces duplicates by Rejects that name the document to keep; everything else passes through. Holds the
    duplicates of the few ranges being processed."""

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
