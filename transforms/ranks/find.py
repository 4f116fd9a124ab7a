"""The ranks of all pairs: chunks deal their keys to slices, and get the ranks back.

    ranges -> pairs -> scores -> chunks [-> strata] [-> draw] -> ranks -> a file for each range

Only places in files are grouped; see ``transforms/duplicates/grouping.py``.

A key is a value and the UTF-8 bytes of the id, so that no two are equal. A slice has all keys between two bounds.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.records import Pair
from gistmill.rules.curriculum.ranked import Place, RankedPair, bucket_of, buckets_for, chance, stratified_chance
from gistmill.rules.curriculum.recipe import MEASURES, UNIFORM, CurriculumConfig
from gistmill.rules.curriculum.scores import random_value
from gistmill.transforms.beam.transforms import DealRanges, Spread, Together
from gistmill.transforms.duplicates.grouping import (
    Chunk,
    Keyed,
    Part,
    PartsWriter,
    by_column,
    chunk_and_parts,
    chunk_key,
    read_arrays,
    read_table_part,
)
from gistmill.transforms.first_pass import SetLookedThroughAside
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.plan import CHANCE, DRAW, RANK, STRATA, Ranking, Scores, Sizes, scores_at
from gistmill.transforms.ranks.scores import FIXED, ScoreFile, ScoreRanges, from_json
from gistmill.transforms.tables import read_table

RANKS = ("<u4", "<u8")  # a part of ranks: places of pairs in their chunk, and their ranks
_KEY = [("value", "ascending"), ("id", "ascending")]


class Stage(beam.PTransform):
    """Chunks, and the parts of ranks of the stage before, under the keys of chunks -> parts of ranks under such keys.

    Args:
        layout: of the workspace.
        stage: STRATA, DRAW or RANK.
    """

    def __init__(self, layout: WorkspaceLayout, stage: str) -> None:
        super().__init__()
        self._layout, self._stage = layout, stage

    def expand(self, values: tuple[beam.PCollection, ...]) -> beam.PCollection:
        return (
            values
            | beam.Flatten()
            | "Chunk" >> beam.GroupByKey()
            | "Deal" >> beam.FlatMap(deal, stage=self._stage, layout=self._layout)
            | "Ranking" >> beam.GroupByKey()
            | "Slices" >> beam.FlatMap(slices)
            | "Spread" >> Spread(_key_of)
            | "Sort" >> beam.FlatMap(sort, layout=self._layout)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A slice of a ranking.

    Attributes:
        ranking: its place in the list.
        first: how many pairs have lower keys than the slice.
        parts: its keys.
    """

    ranking: int
    first: int
    parts: tuple[Part, ...]


def deal(group: tuple[str, Iterable[Chunk | Part]], *, stage: str, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the keys of a chunk's pairs for each ranking of a stage, in parts whose columns are slices, under the key
    of the ranking."""
    chunk, ranks = chunk_and_parts(group[1])
    scores = scores_at(chunk.index)
    pairs = _Pairs(scores, chunk.number, ranks)
    with PartsWriter(layout, chunk.index, sender=chunk.number) as writer:
        return [
            (f"{place:06d}", writer.add_table(keys, column=number))
            for place, ranking in enumerate(scores.rankings)
            if ranking.stage == stage
            for number, keys in _slices_of(pairs.keys(ranking), ranking.bounds)
        ]


def slices(group: tuple[str, Iterable[Part]]) -> Iterator[Slice]:
    """Yields the slices of a ranking."""
    first = 0
    for parts in by_column(group[1]).values():
        yield Slice(ranking=int(group[0]), first=first, parts=tuple(parts))
        first += sum(part.rows for part in parts)


def sort(cut: Slice, *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the ranks of the pairs of a slice, in parts under the keys of the chunks that sent them."""
    index = cut.parts[0].index
    tables = [read_table_part(part) for part in cut.parts]
    order = pc.sort_indices(pa.concat_tables(table.select(["value", "id"]) for table in tables), sort_keys=_KEY)
    ranks = np.empty(len(order), np.uint64)
    ranks[order.to_numpy()] = np.arange(cut.first, cut.first + len(order), dtype=np.uint64)
    most, found, start = scores_at(index).rankings[cut.ranking].most, [], 0
    with PartsWriter(layout, index) as writer:
        for part, table in zip(cut.parts, tables, strict=True):
            numbers, mine = table["number"].to_numpy(), ranks[start : start + len(table)]
            start += len(table)
            wanted = slice(None) if most is None else mine < most
            if len(mine := mine[wanted]):
                found.append((chunk_key(part.sender), writer.add(numbers[wanted], mine, column=cut.ranking)))
    return found


class _Pairs:
    """The pairs of a chunk, and what is known of them."""

    def __init__(self, scores: Scores, chunk: int, ranks: Sequence[Part]) -> None:
        self._table = scores.table(chunk, ["id", "split", "stratum", *FIXED])
        self._known: list[tuple[Ranking, np.ndarray, np.ndarray]] = []
        for place, parts in by_column(ranks).items():
            numbers, of_numbers = read_arrays(parts, *RANKS)
            self._known.append((scores.rankings[place], numbers, of_numbers))

    def keys(self, ranking: Ranking) -> pa.Table:
        """Returns the keys of the pairs that are ranked, in their order, as far as ranks are wanted: ``value``, ``id``
        and ``number``, the place in the chunk."""
        if ranking.stage == DRAW and (known := list(self._of(STRATA, ranking.seed))):
            numbers = np.concatenate([numbers for _, numbers, _ in known])
            # where pairs stand in the order that takes from every stratum its share
            values = np.array(
                [
                    stratified_chance(stratum.seed, stratum.stratum or "", rank, stratum.rows)
                    for stratum, _, ranks in known
                    for rank in ranks.tolist()
                ]
            )
        else:
            numbers = self._numbers(ranking)
            values = self._values(ranking, numbers)
        table = pa.table({"value": values, "id": self._table["id"].take(numbers), "number": numbers.astype(np.uint32)})
        return table.take(pc.sort_indices(table, sort_keys=_KEY)).slice(0, ranking.most)

    def _of(self, stage: str, seed: int) -> Iterator[tuple[Ranking, np.ndarray, np.ndarray]]:
        return (known for known in self._known if known[0].stage == stage and known[0].seed == seed)

    def _numbers(self, ranking: Ranking) -> np.ndarray:
        """Returns the places of the pairs that are ranked."""
        if ranking.sample is not None:
            drawn = [numbers[ranks < ranking.sample] for _, numbers, ranks in self._of(DRAW, ranking.seed)]
            return np.concatenate(drawn) if drawn else np.zeros(0, np.uint32)
        mine = pc.equal(self._table["split"], ranking.split)
        if ranking.stratum is not None:
            mine = pc.and_(mine, pc.equal(self._table["stratum"], ranking.stratum))
        return np.flatnonzero(mine.to_numpy())

    def _values(self, ranking: Ranking, numbers: np.ndarray) -> np.ndarray:
        if ranking.order in FIXED:
            return self._table[ranking.order].to_numpy()[numbers]
        ids = (id_.decode() for id_ in self._table["id"].take(numbers).to_pylist())
        if ranking.order == CHANCE:
            return np.fromiter((chance(ranking.seed, id_) for id_ in ids), np.float64, len(numbers))
        return np.fromiter((random_value(id_, seed=ranking.seed) for id_ in ids), np.float64, len(numbers))


def _slices_of(keys: pa.Table, bounds: Sequence[tuple[float, str]]) -> Iterator[tuple[int, pa.Table]]:
    """Yields the slices that have keys, by number."""
    values, ids = keys["value"].to_numpy(), keys["id"]

    def key(place: int) -> tuple[float, bytes]:
        return values[place], ids[place].as_py()

    cuts = [bisect.bisect_left(range(len(keys)), (value, id_.encode()), key=key) for value, id_ in bounds]
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(keys)], strict=True)):
        if start < end:
            yield number, keys.slice(start, end - start)


def _key_of(cut: Slice) -> Any:
    return f"{cut.ranking:06d}-{cut.first:015d}"


class FindRanks(beam.PTransform):
    """PCollection[Range], all ranges of the input, -> PCollection[str]: their keys, once the ranks of each are written
    (``WorkspaceLayout.ranks_of``).

    Args:
        workspace: root of the run's workspace.
        config: the options.
        pairs: PCollection[Range] -> PCollection of Pairs, Rejects and RangeEnds.
    """

    def __init__(
        self, workspace: str, config: CurriculumConfig, pairs: Callable[[beam.PCollection], beam.PCollection]
    ) -> None:
        super().__init__()
        self._workspace, self._config, self._pairs = workspace, config, pairs

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        known = ranges | "Scored" >> beam.ParDo(SetLookedThroughAside(self._workspace, from_json)).with_outputs(
            SetLookedThroughAside.KNOWN, main="pending"
        )
        scored = self._pairs(known.pending | "Schedule" >> DealRanges()) | "Score" >> beam.ParDo(
            ScoreRanges(self._workspace, self._config)
        )
        files = (scored, known[SetLookedThroughAside.KNOWN]) | "Scores" >> beam.Flatten()
        return files | "Rank" >> RankScores(self._workspace, self._config)


class RankScores(beam.PTransform):
    """PCollection[ScoreFile], all of them, -> what FindRanks gives."""

    def __init__(self, workspace: str, config: CurriculumConfig, *, sizes: Sizes | None = None) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)
        self._config, self._sizes = config, sizes or Sizes()

    def expand(self, files: beam.PCollection) -> beam.PCollection:
        chunks = (
            files
            | "Files" >> Together()
            | "Chunks" >> beam.FlatMap(_chunks, layout=self._layout, config=self._config, sizes=self._sizes)
            | "SpreadChunks" >> Spread(_find_key_of)
            | "Key" >> beam.Map(_keyed)
        )
        found: tuple[beam.PCollection, ...] = (chunks,)
        for stage in self._stages():
            found = (chunks, found | stage.capitalize() >> Stage(self._layout, stage))
        return found | beam.Flatten() | "Chunk" >> beam.GroupByKey() | "Note" >> beam.FlatMap(note, layout=self._layout)

    def _stages(self) -> Iterator[str]:
        if self._config.samples:
            if self._config.sample_by != UNIFORM:
                yield STRATA
            yield DRAW
        yield RANK


def note(group: tuple[str, Iterable[Chunk | Part]], *, layout: WorkspaceLayout) -> Iterator[str]:
    """Writes the ranks of each range of a chunk; yields the keys of the ranges."""
    chunk, parts = chunk_and_parts(group[1])
    files = scores_at(chunk.index).chunks[chunk.number]
    rows, rankings, ranks = _ranks(parts)
    bounds = np.searchsorted(rows, np.cumsum([0, *(file.rows for file in files)]))
    ranges: dict[str, list[list[Any]]] = {file.range_key: [] for file in files}
    before = 0
    with PartsWriter(layout, chunk.index, sender=chunk.number) as writer:
        for file, start, end in zip(files, bounds, bounds[1:], strict=False):
            part = writer.add(rows[start:end] - np.uint32(before), rankings[start:end], ranks[start:end])
            ranges[file.range_key].append([file.path, asdict(part)])
            before += file.rows
    for range_key, places in ranges.items():
        write_json(layout.ranks_of(range_key), {"index": chunk.index, "files": places})
        yield range_key


def _ranks(parts: Sequence[Part]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns rows, places of rankings and ranks of all parts, in the order of rows and then rankings."""
    found = [(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.uint64))]
    for place, mine in by_column(parts).items():
        numbers, ranks = read_arrays(mine, *RANKS)
        found.append((numbers, np.full(len(numbers), place, np.uint32), ranks))
    rows, places, ranks = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((places, rows))
    return rows[order], places[order], ranks[order]


def _chunks(
    files: Iterable[ScoreFile], *, layout: WorkspaceLayout, config: CurriculumConfig, sizes: Sizes
) -> Iterator[Chunk]:
    scores = Scores.planned(list(files), config, sizes)
    index = scores.write(layout)
    for number in range(len(scores.chunks)):
        yield Chunk(index, number)


def _find_key_of(chunk: Chunk) -> str:
    return chunk_key(chunk.number)


def _keyed(chunk: Chunk) -> tuple[str, Any]:
    return chunk_key(chunk.number), chunk


RANKED = ("<u4", "<u4", "<u8")  # a part of a table's ranks: rows, places of rankings in the list, and the ranks
_NAMES = tuple(column.name for column in MEASURES)


class RangeRanks:
    """The measures and ranks of the pairs of a range.

    Args:
        layout: of the workspace.
        range_key: of the range.
        buckets: how many are wanted; None for the usual number.
    """

    def __init__(self, layout: WorkspaceLayout, range_key: str, buckets: int | None) -> None:
        found = read_json(layout.ranks_of(range_key))
        self._rankings, self._buckets = scores_at(found["index"]).rankings, buckets
        self._files = [_File(path, Part(**part)) for path, part in found["files"]]
        self._rows = {
            key: (file, row) for file in self._files for row, key in enumerate(zip(file.offsets, file.ids, strict=True))
        }

    def ranked(self, pair: Pair) -> RankedPair:
        """Returns a pair of the range with what is known of it."""
        file, row = self._rows[pair.origin.offset, pair.id.encode()]
        places: dict[str, dict[str, Place]] = {}
        for at, rank in file.ranks_of(row):
            ranking = self._rankings[at]
            bucket = bucket_of(rank, ranking.rows, buckets_for(ranking.rows, self._buckets))
            for sample in ranking.samples:
                places.setdefault(sample, {})[ranking.order] = Place(rank, bucket)
        return RankedPair(
            pair.origin,
            pair.inputs,
            pair.targets,
            pair.values,
            pair.split,
            measures=file.measures_of(row),
            places=places,
        )


class _File:
    """A table of scores, and its ranks."""

    def __init__(self, path: str, part: Part) -> None:
        table = read_table(path, ["id", "offset", *_NAMES])
        self.ids: list[bytes] = table["id"].to_pylist()
        self.offsets: list[int] = table["offset"].to_pylist()
        self._measures = [table[name].to_numpy() for name in _NAMES]
        rows, self._places, self._ranks = read_arrays([part], *RANKED)
        self._starts = np.searchsorted(rows, np.arange(len(table) + 1))

    def measures_of(self, row: int) -> dict[str, int | float]:
        return {name: column[row].item() for name, column in zip(_NAMES, self._measures, strict=True)}

    def ranks_of(self, row: int) -> Iterator[tuple[int, Any]]:
        """Yields the places of rankings and the ranks of a row."""
        start, end = self._starts[row : row + 2]
        return zip(self._places[start:end].tolist(), self._ranks[start:end].tolist(), strict=True)
