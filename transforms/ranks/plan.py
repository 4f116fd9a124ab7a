"""Which rankings a job needs: a list of them, in stages, from the counts of pairs alone.

STRATA   of the training split, each stratum in the order by chance of each seed; where samples are stratified
DRAW     of the training split, in the order by chance of each seed; its first rows are the samples
RANK     of each split, or of each sample, in each order of the curriculum

The tables of scores of a run are one list of pairs, cut into chunks that workers look through one by one.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import pyarrow as pa

from gistmill.rules.curriculum.ranked import ALL
from gistmill.rules.curriculum.recipe import SAMPLED, UNIFORM, VALIDATION, CurriculumConfig
from gistmill.rules.curriculum.scores import ORDERS
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.ranks.scores import FIXED, Probe, ScoreFile, from_json, to_json
from gistmill.transforms.tables import read_table

STRATA, DRAW, RANK = "strata", "draw", "rank"
CHANCE = "chance"  # what draws samples; the random order of a curriculum is another one
MOST_STRATA = 1000
_MOST_SLICES = 64  # more would have more parts than a shuffle should


class SampleError(ValueError):
    """The samples that are asked for cannot be drawn; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much a step has in memory; none of it changes a rank.

    Attributes:
        chunk: pairs whose scores are read together; whole ranges, so it may be more.
        slice: pairs that are sorted together. Where the values are spread differs from the probes, it may be more.
    """

    chunk: int = 1 << 18
    slice: int = 1 << 19


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Pairs that are ranked, and how.

    Attributes:
        stage: STRATA, DRAW or RANK.
        order: one of ORDERS, or CHANCE.
        split: of the pairs.
        rows: how many they are.
        seed: of the orders by chance; of the samples.
        stratum: of the pairs; None: any.
        sample: the pairs are the first so many of the draw of the seed; None: all of the split.
        most: from which rank on nobody asks for ranks; None: all are wanted.
        samples: names of the samples that the ranks are for.
        bounds: where slices begin but for the first, as value and id.
    """

    stage: str
    order: str
    split: str
    rows: int
    seed: int
    stratum: str | None = None
    sample: int | None = None
    most: int | None = None
    samples: tuple[str, ...] = ()
    bounds: tuple[tuple[float, str], ...] = ()


def rankings(splits: Mapping[str, int], strata: Mapping[str, int], config: CurriculumConfig) -> list[Ranking]:
    """Returns all rankings, without bounds.

    Args:
        splits: number of pairs of each split.
        strata: number of pairs of the training split in each stratum.
        config: the options.

    Raises:
        SampleError: the training split has fewer pairs than a sample, or it has too many strata.
    """
    if config.samples:
        _check(splits.get(SAMPLED, 0), len(strata), config)
        return [*_draws(splits, strata, config), *_of_samples(splits, config)]
    return [
        Ranking(stage=RANK, order=order, split=split, rows=rows, seed=config.seed, samples=(ALL,))
        for split, rows in sorted(splits.items())
        for order in ORDERS
    ]


def _check(rows: int, strata: int, config: CurriculumConfig) -> None:
    most = max(sample.rows for sample in config.samples)
    if most > rows:
        raise SampleError(f"--sample {most}: the training split has only {rows:,} pairs")
    if strata > MOST_STRATA:
        raise SampleError(f"--sample-by {config.sample_by}: it has {strata:,} values, more than {MOST_STRATA:,}")


def _draws(splits: Mapping[str, int], strata: Mapping[str, int], config: CurriculumConfig) -> Iterator[Ranking]:
    most = max(sample.rows for sample in config.samples)
    for seed in config.seeds:
        if config.sample_by != UNIFORM:
            for stratum, rows in sorted(strata.items()):
                yield Ranking(
                    stage=STRATA, order=CHANCE, split=SAMPLED, rows=rows, seed=seed, stratum=stratum, most=most
                )
        yield Ranking(stage=DRAW, order=CHANCE, split=SAMPLED, rows=splits[SAMPLED], seed=seed, most=most)


def _of_samples(splits: Mapping[str, int], config: CurriculumConfig) -> Iterator[Ranking]:
    for sample in config.samples:
        for order in ORDERS:
            yield Ranking(
                stage=RANK,
                order=order,
                split=SAMPLED,
                rows=sample.rows,
                seed=sample.seed,
                sample=sample.rows,
                samples=(sample.name,),
            )
    if rows := splits.get(VALIDATION, 0):
        every = tuple(sample.name for sample in config.samples)
        for order in FIXED:
            yield Ranking(stage=RANK, order=order, split=VALIDATION, rows=rows, seed=config.seed, samples=every)
        for seed in config.seeds:
            mine = tuple(sample.name for sample in config.samples if sample.seed == seed)
            yield Ranking(stage=RANK, order="random", split=VALIDATION, rows=rows, seed=seed, samples=mine)


def bounds(ranking: Ranking, probes: Sequence[Probe], sizes: Sizes) -> tuple[tuple[float, str], ...]:
    """Returns where the slices of a ranking begin, so that they have about equal numbers of pairs.

    Args:
        ranking: of any stage.
        probes: some of the pairs.
        sizes: how many pairs a slice may have.
    """
    slices = min(_MOST_SLICES, -(-ranking.rows // sizes.slice))
    if ranking.order not in FIXED:  # chance is uniform
        return tuple((number / slices, "") for number in range(1, slices))
    place = FIXED.index(ranking.order)
    known = sorted((p.values[place], p.id) for p in probes if p.split == ranking.split)
    return tuple(known[number * len(known) // slices] for number in range(1, slices)) if known else ()


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
    rankings = [
        Ranking(**{**ranking, "samples": tuple(ranking["samples"]), "bounds": tuple(map(tuple, ranking["bounds"]))})
        for ranking in value["rankings"]
    ]
    return Scores(chunks, rankings)


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
