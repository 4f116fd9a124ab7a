"""Finds the documents that are duplicates, and of which one: the first pass over all ranges, and what it decides.

    ranges -> documents -> sketches -> pairs worth a look -> pairs that are alike -> components -> a file for each range

Only names of files and pairs of numbers are grouped. One step finds the candidate pairs by sorting the columns of
bands, one after the other; all workers then compare them, a piece each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import apache_beam as beam
import numpy as np

from rules.duplicates.candidates import REFINEMENTS, band_pairs, stars, united, unpack
from rules.duplicates.components import components, keepers
from rules.duplicates.sketch import jaccard
from rules.reasons import DuplicateReason
from transforms.beam.given import Given
from transforms.beam.spread import DealRanges, Spread
from transforms.duplicates.files import Sketches, SketchFile, read_table, sketches_at
from transforms.duplicates.sketches import NEAR, DuplicatesConfig, SetSketchedAside, SketchRanges
from transforms.io import write_json
from transforms.layout import WorkspaceLayout

PIECE = 8192  # pairs that are compared at a time: the shingles of twice as many documents are in memory
_COPIES = 1 << 20  # pairs of exact copies in one element
_BANDS_BYTES = 1 << 29  # bands in memory at a time
Removed = tuple[int, str, str, str]  # offset, id, name of the reason, id of the document that stays


class FindDuplicates(beam.PTransform):
    """PCollection[Range], all ranges of the input, -> PCollection[str]: their keys, once it is written for each which
    of its documents are duplicates (``WorkspaceLayout.duplicates_of``).

    Args:
        workspace: root of the run's workspace.
        config: what counts as a duplicate.
        documents: PCollection[Range] -> PCollection of documents, Rejects and RangeEnds.
        keep: whether these are written, for the second pass.
    """

    def __init__(
        self,
        workspace: str,
        config: DuplicatesConfig,
        documents: Callable[[beam.PCollection], beam.PCollection],
        *,
        keep: bool,
    ) -> None:
        super().__init__()
        self._workspace, self._config, self._documents, self._keep = workspace, config, documents, keep

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        layout = WorkspaceLayout(self._workspace)
        known = ranges | "Sketched" >> beam.ParDo(SetSketchedAside(self._workspace)).with_outputs(
            SetSketchedAside.SKETCHED, main="pending"
        )
        sketched = self._documents(known.pending | "Schedule" >> DealRanges()) | "Sketch" >> beam.ParDo(
            SketchRanges(self._workspace, self._config, keep=self._keep)
        )
        files = (sketched, known[SetSketchedAside.SKETCHED]) | "Sketches" >> beam.Flatten()
        threshold = self._config.duplicate_threshold if self._config.deduplicate == NEAR else None
        pieces = (
            files
            | "Files" >> _Together()
            | "Candidates" >> beam.FlatMap(_candidates, layout=layout, near=threshold is not None)
        )
        alike = pieces | "Spread" >> Spread(_first_pair) | "Compare" >> beam.Map(_compare, threshold=threshold)
        return (
            alike
            | "Alike" >> _Together()
            | "Decide" >> beam.FlatMap(_decide)
            | "SpreadRanges" >> Spread(_name)
            | "Note" >> beam.Map(_note, layout=layout)
        )


class _Together(beam.PTransform):
    """Everything in one list; it is there, empty, when there is nothing."""

    def expand(self, values: beam.PCollection) -> beam.PCollection:
        seed = values.pipeline | "Seed" >> Given([("", None)])
        keyed = values | "Key" >> beam.Map(lambda value: ("", value))
        return (
            (seed, keyed)
            | beam.Flatten()
            | beam.GroupByKey()
            | "List" >> beam.Map(lambda group: [value for value in group[1] if value is not None])
        )


def _candidates(files: list[SketchFile], *, layout: WorkspaceLayout, near: bool) -> Iterator[tuple[str, bool, bytes]]:
    """Yields (path of the list of files, whether the pairs are exact copies, pairs)."""
    sketches = Sketches(files)
    index = sketches.write(layout)
    numbers = np.arange(sketches.documents)
    (exact,) = sketches.columns(["exact"])
    copies = stars(exact, numbers)
    for start in range(0, max(1, len(copies)), _COPIES):
        yield index, True, copies[start : start + _COPIES].tobytes()
    if near:
        once = np.ones(len(numbers), bool)
        once[unpack(copies)[1]] = False
        pairs = candidate_pairs(sketches, numbers[once])
        for start in range(0, len(pairs), PIECE):
            yield index, False, pairs[start : start + PIECE].tobytes()


def candidate_pairs(sketches: Sketches, numbers: np.ndarray, *, memory: int = _BANDS_BYTES) -> np.ndarray:
    """Returns the pairs of documents that share a band; as many bands are in memory as fit into ``memory`` bytes, or
    one and those that distinguish the documents of its large groups."""
    count = sketches.band_count
    more = min(REFINEMENTS, count - 1)
    together = min(count, max(1, memory // (8 * sketches.documents + 1) - more))
    found, fresh = np.zeros(0, np.uint64), []
    for start in range(0, count, together):
        mine = min(together, count - start)
        wanted = range(start, start + (count if mine == count else mine + more))
        bands = sketches.bands([b % count for b in wanted], numbers)
        for band in range(mine):
            fresh.append(band_pairs(bands, band, numbers))
            if sum(map(len, fresh)) > max(len(found), PIECE):
                found, fresh = united((found, *fresh)), []
    return united((found, *fresh))


def _first_pair(piece: tuple[str, bool, bytes]) -> str:
    return f"{piece[1]}/{piece[2][:8].hex()}"


def _name(decision: tuple[str, tuple[list[str], list[Removed]]]) -> str:
    return decision[0]


def _compare(piece: tuple[str, bool, bytes], *, threshold: float | None) -> tuple[str, bytes]:
    """Returns the pairs that are alike. A pair that other pairs of the piece already join is not compared: it would not
    change the components."""
    index, exact, data = piece
    if exact or threshold is None:
        return index, data
    pairs = np.frombuffer(data, np.uint64)
    first, second = unpack(pairs)
    shingles = sketches_at(index).shingles(np.unique(np.concatenate((first, second))))
    parents: dict[int, int] = {}
    alike = []
    for place, (one, other) in enumerate(zip(first.tolist(), second.tolist())):
        left, right = _root(parents, one), _root(parents, other)
        if left != right and _alike(shingles[one], shingles[other], threshold):
            parents[max(left, right)] = min(left, right)
            alike.append(place)
    return index, pairs[alike].tobytes()


def _alike(first: np.ndarray, second: np.ndarray, threshold: float) -> bool:
    shorter, longer = sorted((len(first), len(second)))
    return shorter / longer >= threshold and jaccard(first, second) >= threshold


def _root(parents: dict[int, int], node: int) -> int:
    while (parent := parents.get(node, node)) != node:
        parents[node] = node = parents.get(parent, parent)
    return node


def _decide(edges: list[tuple[str, bytes]]) -> Iterator[tuple[str, tuple[list[str], list[Removed]]]]:
    """Yields for each range where its documents are kept, and which of them are duplicates."""
    sketches = sketches_at(edges[0][0])
    numbers, roots = components(united(np.frombuffer(data, np.uint64) for _, data in edges))
    ids, offsets, dates, exact = _described(sketches, numbers)
    places = np.searchsorted(sketches.starts, numbers, side="right") - 1
    kept = keepers(roots, _ranks(dates, places, offsets))
    ranges: dict[str, tuple[list[str], list[Removed]]] = {f.range_key: ([], []) for f in sketches.files}
    for file in sketches.files:
        ranges[file.range_key][0].extend([file.kept] if file.kept else [])
    for i in np.flatnonzero(kept != np.arange(len(numbers))).tolist():
        reason = DuplicateReason.EXACT_DUPLICATE if exact[i] == exact[kept[i]] else DuplicateReason.NEAR_DUPLICATE
        ranges[sketches.files[places[i]].range_key][1].append((int(offsets[i]), ids[i], reason.name, ids[kept[i]]))
    yield from ranges.items()


def _described(sketches: Sketches, numbers: np.ndarray) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Returns ids, offsets, dates and hashes of some documents."""
    ids: list[str] = []
    columns: list[tuple[np.ndarray, ...]] = []
    for place, mine in sketches.by_file(numbers):
        rows = read_table(sketches.files[place].table, ("id", "offset", "date", "exact")).take(
            numbers[mine] - sketches.starts[place]
        )
        ids += [value.decode("utf-8", "surrogatepass") for value in rows["id"].to_pylist()]
        columns.append(tuple(rows[name].to_numpy() for name in ("offset", "date", "exact")))
    if not columns:
        columns = [(np.zeros(0, np.int64),) * 3]
    offsets, dates, exact = (np.concatenate(c) for c in zip(*columns))
    return ids, offsets, dates, exact


def _ranks(dates: np.ndarray, places: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Returns where each document stands by date, then range, then offset, then number."""
    ranks = np.empty(len(dates), np.int64)
    ranks[np.lexsort((offsets, places, dates))] = np.arange(len(dates))
    return ranks


def _note(entry: tuple[str, tuple[list[str], Iterable[Removed]]], *, layout: WorkspaceLayout) -> str:
    range_key, (kept, removed) = entry
    write_json(layout.duplicates_of(range_key), {"kept": kept, "removed": sorted(removed)})
    return range_key
