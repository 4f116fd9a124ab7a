"""All tables of scores of a run as one list of pairs, cut into chunks that workers look through one by one, and the
rankings that they need."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pyarrow as pa

from gistmill.rules.curriculum.recipe import CurriculumConfig
from gistmill.transforms.columns import read_table
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.plan import Ranking, Sizes, bounds, rankings
from gistmill.transforms.ranks.scores import ScoreFile, from_json, to_json


class Scores:
    """The list.

    Attributes:
        chunks: the files of each chunk; these and the files of a chunk are in the order of their ranges.
        rankings: of all stages.
    """

    def __init__(self, chunks: Sequence[Sequence[ScoreFile]], rankings: Sequence[Ranking]) -> None:
        self.chunks, self.rankings = chunks, rankings

    @classmethod
    def planned(cls, files: Sequence[ScoreFile], config: CurriculumConfig, sizes: Sizes) -> Scores:
        """Returns the list of all files of a run.

        Raises:
            SampleError: the samples cannot be drawn.
        """
        ordered = sorted(files, key=lambda f: (f.range_key, f.first, f.path))
        splits, strata = Counter[str](), Counter[str]()
        for file in ordered:
            splits.update(file.splits)
            strata.update(file.strata)
        probes = [probe for file in ordered for probe in file.probes]
        wanted = [replace(r, bounds=bounds(r, probes, sizes)) for r in rankings(splits, strata, config)]
        return cls(list(_chunks([replace(f, probes=()) for f in ordered], sizes.chunk)), wanted)

    def table(self, chunk: int, columns: Sequence[str]) -> pa.Table:
        """Returns columns of the pairs of a chunk."""
        return pa.concat_tables(read_table(file.path, columns) for file in self.chunks[chunk]).combine_chunks()

    def of_stage(self, stage: str) -> Iterator[tuple[int, Ranking]]:
        """Yields the rankings of a stage with their places in the list."""
        return ((place, ranking) for place, ranking in enumerate(self.rankings) if ranking.stage == stage)

    def write(self, layout: WorkspaceLayout) -> str:
        """Writes the list; returns its path."""
        path = layout.new_comparison("json")
        chunks = [[to_json(file) for file in chunk] for chunk in self.chunks]
        write_json(path, {"chunks": chunks, "rankings": [asdict(ranking) for ranking in self.rankings]})
        return path


@functools.lru_cache(maxsize=2)
def scores_at(path: str) -> Scores:
    """Returns what ``Scores.write`` wrote."""
    value = read_json(path)
    chunks = [[from_json(file) for file in chunk] for chunk in value["chunks"]]
    return Scores(chunks, [_ranking(ranking) for ranking in value["rankings"]])


def _ranking(value: Mapping[str, Any]) -> Ranking:
    bounds = tuple((number, row_id) for number, row_id in value["bounds"])
    return Ranking(**{**value, "samples": tuple(value["samples"]), "bounds": bounds})


def _chunks(files: Sequence[ScoreFile], size: int) -> Iterator[list[ScoreFile]]:
    """Yields chunks of whole ranges, of at least ``size`` pairs but for the last one."""
    chunk: list[ScoreFile] = []
    rows = 0
    for file in files:
        if rows >= size and file.range_key != chunk[-1].range_key:
            yield chunk
            chunk, rows = [], 0
        chunk.append(file)
        rows += file.rows
    if chunk:
        yield chunk
