"""One stage of rankings: chunks deal the keys of their pairs out to slices, and get the ranks back from sorted slices.

A key is a value and the UTF-8 bytes of the id, so that no two are equal. A slice has all keys between two bounds.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.rules.curriculum.samples import chance, stratified_chance
from gistmill.rules.curriculum.scoring import random_value
from gistmill.transforms.beam.spread import Spread
from gistmill.transforms.duplicates.exchange import (
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
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.index import Scores, scores_at
from gistmill.transforms.ranks.plan import CHANCE, DRAW, STRATA, Ranking
from gistmill.transforms.ranks.scores import FIXED

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
            for place, ranking in scores.of_stage(stage)
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
    """The pairs of a chunk, and what is known of them.

    Args:
        scores: the list.
        chunk: number of the chunk.
        ranks: those of the stage before.
    """

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
            values = np.concatenate([_places(stratum, ranks) for stratum, _, ranks in known])
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


def _places(stratum: Ranking, ranks: np.ndarray) -> np.ndarray:
    """Returns where pairs of a stratum stand in the order that takes from every stratum its share."""
    return np.array(
        [stratified_chance(stratum.seed, stratum.stratum or "", rank, stratum.rows) for rank in ranks.tolist()]
    )


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
