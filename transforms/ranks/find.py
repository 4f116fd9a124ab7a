"""Finds the ranks of all pairs: the first pass over all ranges, and what is found out of it.

    ranges -> pairs -> scores -> chunks [-> strata] [-> draw] -> ranks -> a file for each range

Only places in files are grouped; see ``transforms/duplicates/exchange.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import apache_beam as beam
import numpy as np

from gistmill.rules.curriculum.recipe import UNIFORM, CurriculumConfig
from gistmill.transforms.beam.spread import DealRanges, Spread
from gistmill.transforms.beam.together import Together
from gistmill.transforms.duplicates.exchange import (
    Chunk,
    Part,
    PartsWriter,
    by_column,
    chunk_and_parts,
    chunk_key,
    read_arrays,
)
from gistmill.transforms.first_pass import SetLookedThroughAside
from gistmill.transforms.io import write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.index import Scores, scores_at
from gistmill.transforms.ranks.plan import DRAW, RANK, STRATA, Sizes
from gistmill.transforms.ranks.score import ScoreRanges
from gistmill.transforms.ranks.scores import ScoreFile, from_json
from gistmill.transforms.ranks.sort import RANKS, Stage


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
    """PCollection[ScoreFile], all of them, -> what FindRanks gives.

    Args:
        workspace: root of the run's workspace.
        config: the options.
        sizes: how much is in memory.
    """

    def __init__(self, workspace: str, config: CurriculumConfig, *, sizes: Sizes | None = None) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)
        self._config, self._sizes = config, sizes or Sizes()

    def expand(self, files: beam.PCollection) -> beam.PCollection:
        chunks = (
            files
            | "Files" >> Together()
            | "Chunks" >> beam.FlatMap(_chunks, layout=self._layout, config=self._config, sizes=self._sizes)
            | "SpreadChunks" >> Spread(_key_of)
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


def _key_of(chunk: Chunk) -> str:
    return chunk_key(chunk.number)


def _keyed(chunk: Chunk) -> tuple[str, Any]:
    return chunk_key(chunk.number), chunk
