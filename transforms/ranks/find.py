"""The ranks of all pairs (their positions in sorted order), found by an external sort.

    ranges -> pairs -> scores -> chunks [-> strata] [-> draw] -> ranks -> a file for each range

A key is a value and the UTF-8 bytes of the id, so all keys differ. Each chunk sorts its keys and distributes them to
slices, which contain all keys between two bounds. Only positions in files are grouped (``transforms/sinks/sort.py``).
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.records import Pair, RangeEnd
from gistmill.rules.curriculum import recipe as curriculum
from gistmill.rules.curriculum.recipe import MEASURES, UNIFORM, CurriculumConfig, Place, RankedPair
from gistmill.rules.curriculum.scores import random_value
from gistmill.transforms.beam.transforms import DealRanges, ReshuffleByKey, WaitFor
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import (
    CHUNK_ROWS,
    Chunk,
    Chunks,
    FirstPass,
    GatherChunks,
    chunks_at,
    read_table,
    shares,
)
from gistmill.transforms.ranks.scores import (
    CHANCE,
    DRAW,
    FIXED,
    RANK,
    SLICE_ROWS,
    STRATA,
    Ranking,
    ScoreFile,
    ScoreRanges,
    plan_rankings,
)
from gistmill.transforms.sinks.sort import Part, read_parts, sent_to, write_parts

_KEY = [("value", "ascending"), ("id", "ascending")]
_NAMES = tuple(column.name for column in MEASURES)
# by index of a ranking: the positions of pairs in a chunk, and their ranks
Known = Mapping[int, tuple[np.ndarray, np.ndarray]]


class RankPairs(beam.PTransform):
    """(All ranges of the input, the ranges whose pairs are wanted) -> the wanted pairs as RankedPairs, with the Rejects
    and RangeEnds; ``read`` turns ranges into Pairs, Rejects and RangeEnds, the same each time."""

    def __init__(
        self, workspace: str, config: CurriculumConfig, read: Callable[[beam.PCollection], beam.PCollection]
    ) -> None:
        super().__init__()
        self._workspace, self._config, self._read = workspace, config, read

    def expand(self, ranges: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        everything, wanted = ranges
        scores = FirstPass(ScoreRanges(self._workspace, self._config), ScoreFile, self._read)
        ranked = everything | "Score" >> scores | "Rank" >> RankScores(self._workspace, self._config)
        again = wanted | "Wait" >> WaitFor(ranked) | "Schedule" >> DealRanges()
        return self._read(again) | "Attach" >> beam.ParDo(_Attach(WorkspaceLayout(self._workspace), self._config))


class RankScores(beam.PTransform):
    """PCollection[ScoreFile], all files -> PCollection[str]: the keys of all ranges, once the ranks of each are written
    (``WorkspaceLayout.ranks_of``). ``rows`` per chunk and ``slice_rows`` per slice do not affect the ranks."""

    def __init__(
        self, workspace: str, config: CurriculumConfig, *, rows: int = CHUNK_ROWS, slice_rows: int = SLICE_ROWS
    ) -> None:
        super().__init__()
        self._layout, self._config, self._rows, self._slice_rows = WorkspaceLayout(workspace), config, rows, slice_rows

    def expand(self, files: beam.PCollection) -> beam.PCollection:
        layout, config = self._layout, self._config
        chunks = (
            files
            | "Gather" >> GatherChunks(layout, self._rows)
            | "Plan" >> beam.FlatMap(_plan, layout=layout, config=config, slice_rows=self._slice_rows)
        )
        found: tuple[beam.PCollection, ...] = (chunks,)
        for stage in (*([STRATA] if config.sample_by != UNIFORM else []), *([DRAW] if config.samples else []), RANK):
            parts = (
                found
                | f"Chunks to {stage}" >> beam.Flatten()
                | f"Chunk to {stage}" >> beam.GroupByKey()
                | f"Deal {stage}" >> beam.FlatMap(deal, stage=stage, layout=layout)
                | f"Ranking of {stage}" >> beam.GroupByKey()
                | f"Slices of {stage}" >> beam.FlatMap(slices)
                | f"Spread {stage}" >> ReshuffleByKey(lambda cut: f"{cut.ranking:06d}-{cut.first:015d}")
                | f"Sort {stage}" >> beam.FlatMap(sort, layout=layout)
            )
            found = (chunks, parts)
        return found | beam.Flatten() | "Chunk" >> beam.GroupByKey() | "Note" >> beam.FlatMap(note, layout=layout)


def _plan(
    found: Sequence[Chunk], *, layout: WorkspaceLayout, config: CurriculumConfig, slice_rows: int
) -> list[tuple[str, Any]]:
    """Returns the chunks by key, each with the path of their list."""
    files = [file for chunk in found for file in chunk.files]
    chunks = Chunks(found, [asdict(ranking) for ranking in plan_rankings(files, config, slice_rows)])
    index = chunks.write(layout)
    return [(chunk.key, index) for chunk in chunks.chunks]


@functools.lru_cache(maxsize=2)
def _rankings_at(index: str) -> list[Ranking]:
    return [Ranking(**ranking) for ranking in chunks_at(index, ScoreFile).plan]


def _opened(group: tuple[str, Iterable[str | Part]]) -> tuple[str, Chunk, int, pa.Table]:
    """Returns the path of a chunk's list, the chunk, its first pair's number, and the ranks."""
    index, parts = sent_to(group[1])
    chunks, number = chunks_at(index, ScoreFile), int(group[0])
    none = pa.table({"number": np.zeros(0, np.int64), "ranking": np.zeros(0, np.int64), "rank": np.zeros(0, np.int64)})
    ranks = read_parts(parts) if parts else none
    return index, chunks.chunks[number], int(chunks.bounds[number]), ranks.sort_by([("ranking", "ascending")])


def deal(
    group: tuple[str, Iterable[str | Part]], *, stage: str, layout: WorkspaceLayout
) -> list[tuple[str, tuple[int, Part]]]:
    """Returns the keys of a chunk's pairs for each ranking in a stage, in parts grouped by ranking, each with the
    number of its slice."""
    index, chunk, start, before = _opened(group)
    rankings = _rankings_at(index)
    table = read_table(chunk.table, ["id", "split", "stratum", *FIXED])
    places, numbers, ranks = (before[name].to_numpy() for name in ("ranking", "number", "rank"))
    known = {p: (numbers[mine] - start, ranks[mine]) for p, mine in shares(places, np.arange(len(rankings) + 1))}
    tables = (
        ((place, number), keys.set_column(2, "number", pa.array(keys["number"].to_numpy() + start)))
        for place, ranking in enumerate(rankings)
        if ranking.stage == stage
        for number, keys in slices_of(_keys(ranking, table, rankings, known), ranking.bounds)
    )
    return [(f"{place:06d}", (number, part)) for (place, number), part in write_parts(layout, index, tables)]


def _keys(ranking: Ranking, table: pa.Table, rankings: Sequence[Ranking], known: Known) -> pa.Table:
    """Returns the keys of the pairs to rank, sorted, up to the last rank that is needed: ``value``, ``id`` and
    ``number``, the position in the chunk."""
    before = [(rankings[place], *found) for place, found in known.items() if rankings[place].seed == ranking.seed]
    numbers = np.zeros(0, np.int64)
    if ranking.stage == DRAW and any(one.stage == STRATA for one in rankings):
        numbers = np.concatenate([numbers, *(mine for _, mine, _ in before)])
        # positions of pairs in the order that samples all strata in proportion
        values = np.array(
            [
                curriculum.stratified_chance(stratum.seed, stratum.stratum or "", rank, stratum.rows)
                for stratum, _, ranks in before
                for rank in ranks.tolist()
            ],
            np.float64,
        )
    else:
        if ranking.sample is not None:
            for _, mine, ranks in before:  # the seed's draw
                numbers = mine[ranks < ranking.sample]
        else:
            chosen = pc.equal(table["split"], ranking.split)
            if ranking.stratum is not None:
                chosen = pc.and_(chosen, pc.equal(table["stratum"], ranking.stratum))
            numbers = np.flatnonzero(chosen.to_numpy())
        if ranking.order in FIXED:
            values = table[ranking.order].to_numpy()[numbers]
        else:
            ids = (id_.decode() for id_ in table["id"].take(numbers).to_pylist())
            drawn, seed = ranking.order == CHANCE, ranking.seed
            found = (curriculum.chance(seed, id_) if drawn else random_value(id_, seed=seed) for id_ in ids)
            values = np.fromiter(found, np.float64, len(numbers))
    keys = pa.table({"value": values, "id": table["id"].take(numbers), "number": numbers})
    return keys.take(pc.sort_indices(keys, sort_keys=_KEY)).slice(0, ranking.most)


def slices_of(keys: pa.Table, bounds: Sequence[tuple[float, str]]) -> Iterator[tuple[int, pa.Table]]:
    """Yields the non-empty slices, by number."""
    values, ids = keys["value"].to_numpy(), keys["id"]

    def key(place: int) -> tuple[float, bytes]:
        return values[place], ids[place].as_py()

    cuts = [bisect.bisect_left(range(len(keys)), (value, id_.encode()), key=key) for value, id_ in bounds]
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(keys)], strict=True)):
        if start < end:
            yield number, keys.slice(start, end - start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The keys in a slice of a ranking (an index into the list); ``first`` is the number of pairs with lower keys."""

    ranking: int
    first: int
    parts: tuple[Part, ...]


def slices(group: tuple[str, Iterable[tuple[int, Part]]]) -> Iterator[Slice]:
    """Yields a ranking's slices."""
    found: dict[int, list[Part]] = {}
    for number, part in group[1]:
        found.setdefault(number, []).append(part)
    first = 0
    for _, parts in sorted(found.items()):
        yield Slice(ranking=int(group[0]), first=first, parts=tuple(parts))
        first += sum(part.rows for part in parts)


def sort(cut: Slice, *, layout: WorkspaceLayout) -> list[tuple[str, Part]]:
    """Returns the ranks of the pairs in a slice, in parts grouped by chunk."""
    index, keys = cut.parts[0].index, read_parts(cut.parts)
    most = _rankings_at(index)[cut.ranking].most
    numbers = keys["number"].to_numpy()[pc.sort_indices(keys, sort_keys=_KEY).to_numpy()]
    numbers = numbers[: None if most is None else max(0, most - cut.first)]
    order = np.argsort(numbers)
    ranks = pa.table({"number": numbers[order], "ranking": np.full(len(order), cut.ranking), "rank": cut.first + order})
    by_chunk = chunks_at(index, ScoreFile).by_chunk(numbers[order])
    return write_parts(
        layout, index, ((chunk.key, ranks.slice(mine.start, mine.stop - mine.start)) for chunk, mine in by_chunk)
    )


def note(group: tuple[str, Iterable[str | Part]], *, layout: WorkspaceLayout) -> list[str]:
    """Writes the measures and ranks of each range in a chunk; returns the keys of the ranges."""
    index, chunk, start, ranks = _opened(group)
    ranks = ranks.sort_by([("number", "ascending"), ("ranking", "ascending")])
    table = read_table(chunk.table, ["id", "offset", *_NAMES])
    ends = np.searchsorted(ranks["number"].to_numpy(), np.arange(start, start + len(table) + 1)).astype(np.int32)
    for name in ("ranking", "rank"):
        lists = pa.ListArray.from_arrays(pa.array(ends), ranks[name].combine_chunks())
        table = table.append_column(name, lists)
    rows: dict[str, int] = {}
    for file in chunk.files:
        rows[file.range_key] = rows.get(file.range_key, 0) + file.rows
    starts = np.cumsum([0, *rows.values()]).tolist()
    tables = ((key, table.slice(first, count)) for (key, count), first in zip(rows.items(), starts, strict=False))
    for range_key, part in write_parts(layout, index, tables):
        write_json(layout.ranks_of(range_key), asdict(part))
    return list(rows)


class RangeRanks:
    """The measures and ranks of a range's pairs; ``buckets``: how many to form, or None for the default number."""

    def __init__(self, layout: WorkspaceLayout, range_key: str, buckets: int | None) -> None:
        part = Part(**read_json(layout.ranks_of(range_key)))
        self._rankings, self._buckets = _rankings_at(part.index), buckets
        self._columns = read_parts([part]).to_pydict()
        keys = zip(self._columns["offset"], self._columns["id"], strict=True)
        self._rows = {key: row for row, key in enumerate(keys)}

    def ranked(self, pair: Pair) -> RankedPair:
        """Returns one of the range's pairs with its ranks."""
        row = self._rows[pair.origin.offset, pair.id.encode()]
        places: dict[str, dict[str, Place]] = {}
        for at, rank in zip(self._columns["ranking"][row], self._columns["rank"][row], strict=True):
            ranking = self._rankings[at]
            bucket = curriculum.bucket_of(rank, ranking.rows, curriculum.buckets_for(ranking.rows, self._buckets))
            for sample in ranking.samples:
                places.setdefault(sample, {})[ranking.order] = Place(rank, bucket)
        measures = {name: self._columns[name][row] for name in _NAMES}
        texts = (pair.inputs, pair.targets, pair.values, pair.split)
        return RankedPair(pair.origin, *texts, measures=measures, places=places)


class _Attach(beam.DoFn):
    """Attaches ranks to pairs; holds the ranks of the few ranges being processed."""

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
