"""The first pass: one table per range, with the measures of its pairs in input order; and the rankings.

id, offset   identify the pair
split        the pair's split
stratum      the row's value in the column used for stratified sampling; "" without stratification
MEASURES     the columns that the recipe adds
length, reduction, complexity     the scores by which pairs are ordered

The counts of pairs alone determine which rankings a job needs. There are three stages:

STRATA   each stratum of the training split, in each seed's random order; only with stratified sampling
DRAW     the training split, in each seed's random order; its first rows are the samples
RANK     each split or sample, in each order of the curriculum
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.hashing import unit_interval
from gistmill.core.records import Pair
from gistmill.rules.curriculum.recipe import ALL, SAMPLED, UNIFORM, VALIDATION, Curriculum, CurriculumConfig
from gistmill.rules.curriculum.scores import ORDERS, Measures, PairScorer, order_value
from gistmill.rules.lineage import language_of_pair
from gistmill.transforms.io import create
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.materials import load_materials
from gistmill.transforms.range_files import RangeFile, WriteRanges

COUNTED = ("deletions", "additions", "reorderings", "substitutions")
FIXED = ("length", "reduction", "complexity")  # the orders that do not depend on a seed
PROBED = 4096  # one in this many pairs is used to estimate the distribution of values
STRATA, DRAW, RANK = "strata", "draw", "rank"
CHANCE = "chance"  # the random order that draws samples; a curriculum's random order is different
MOST_STRATA = 1000
SLICE_ROWS = 1 << 19  # pairs sorted together; more if the estimated distribution is inaccurate
_MOST_SLICES = 64  # more slices would give a shuffle too many parts

_SCHEMA = pa.schema(
    [
        ("id", pa.binary()),
        ("offset", pa.int64()),
        ("split", pa.string()),
        ("stratum", pa.string()),
        *((name, pa.int64()) for name in (*COUNTED, "input_words")),
        *((name, pa.float64()) for name in FIXED),
    ]
)


class SampleError(ValueError):
    """The requested samples cannot be drawn; the text is a one-line message for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFile(RangeFile):
    """The table of a range, or of a part of it.

    Attributes:
        splits: the number of pairs in each split.
        strata: the number of training pairs in each stratum.
        probes: some of the pairs: a list of id, split and the values in FIXED.
    """

    splits: Mapping[str, int]
    strata: Mapping[str, int]
    probes: Any


class ScoreWriter:
    """A writer for a range's table; ``scorer`` measures the pairs, and ``by`` is the column that defines the strata.
    Elements are added one by one; ``close`` returns a summary of the files."""

    def __init__(
        self, layout: WorkspaceLayout, range_key: str, *, by: str = UNIFORM, scorer: PairScorer | None = None
    ) -> None:
        self._range_key, self._by, self._scorer = range_key, by, scorer
        self._path = layout.new_sketch(range_key, "scores")
        self._rows: list[Any] = []
        self._probes: list[tuple[str, str, Sequence[float]]] = []

    def take(self, element: Any) -> None:
        """Adds a pair; ignores other elements."""
        if isinstance(element, Pair) and self._scorer is not None:
            stratum = "" if self._by == UNIFORM else str(element.values[self._by])
            language = language_of_pair(element)
            self.add(element, stratum, self._scorer.measure(element.inputs, element.targets, language=language))

    def add(self, pair: Pair, stratum: str, measures: Measures) -> None:
        """Adds a pair's measures."""
        values = tuple(order_value(order, measures, id=pair.id, seed=0) for order in FIXED)
        counts = [getattr(measures.counts, name) for name in COUNTED]
        row = (pair.id.encode(), pair.origin.offset, pair.split, stratum, *counts, measures.input_words, *values)
        self._rows.append(row)
        if unit_interval("probes", pair.id) * PROBED < 1:
            self._probes.append((pair.id, pair.split, values))

    def close(self) -> ScoreFile:
        """Closes the table and returns its summary."""
        columns = [*zip(*self._rows, strict=True)] or [()] * len(_SCHEMA)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, _SCHEMA, strict=True)]
        with create(self._path) as file:
            pq.write_table(pa.table(arrays, schema=_SCHEMA), file, compression="none")
            size = file.tell()
        _, offsets, splits, strata, *_ = columns
        return ScoreFile(
            range_key=self._range_key,
            table=self._path,
            rows=len(self._rows),
            first=min(offsets, default=0),
            sizes={self._path: size},
            splits=dict(Counter(splits)),
            strata=dict(Counter(s for s, split in zip(strata, splits, strict=True) if split == SAMPLED)),
            probes=self._probes,
        )


class ScoreRanges(WriteRanges):
    """Turns Pairs, Rejects and RangeEnds into ScoreFiles."""

    def __init__(self, workspace: str, config: CurriculumConfig) -> None:
        super().__init__(workspace, ScoreWriter)
        self._config = config

    def setup(self) -> None:
        super().setup()
        recipe = Curriculum(self._config)
        load_materials(recipe, self._layout.root)
        self._writer = partial(ScoreWriter, by=self._config.sample_by, scorer=recipe.scorer())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A set of pairs to rank, and the order.

    Attributes:
        stage: STRATA, DRAW or RANK.
        order: one of ORDERS, or CHANCE.
        split: the split of the pairs.
        rows: the number of pairs.
        seed: the seed for random orders and samples.
        stratum: the stratum of the pairs; None: any.
        sample: rank only this many pairs, the first ones in the seed's draw; None: the whole split.
        most: the number of ranks needed; None: all.
        samples: the names of the samples that need the ranks.
        bounds: the first pair of each slice except the first, as value and id.
    """

    stage: str
    order: str
    split: str
    rows: int
    seed: int
    stratum: str | None = None
    sample: int | None = None
    most: int | None = None
    samples: Sequence[str] = ()
    bounds: Sequence[tuple[float, str]] = ()


def plan_rankings(files: Sequence[ScoreFile], config: CurriculumConfig, slice_rows: int) -> list[Ranking]:
    """Returns all rankings of the pairs in these files.

    Raises:
        SampleError: a sample is larger than the training split, or the training split contains too many strata.
    """
    splits, strata = Counter[str](), Counter[str]()
    for file in files:
        splits.update(file.splits)
        strata.update(file.strata)
    probes = [probe for file in files for probe in file.probes]
    return [
        replace(ranking, bounds=_bounds(ranking, probes, slice_rows)) for ranking in _rankings(splits, strata, config)
    ]


def _rankings(splits: Mapping[str, int], strata: Mapping[str, int], config: CurriculumConfig) -> Iterator[Ranking]:
    if not config.samples:
        for split, rows in sorted(splits.items()):
            for order in ORDERS:
                yield Ranking(stage=RANK, order=order, split=split, rows=rows, seed=config.seed, samples=(ALL,))
        return
    rows, most = splits.get(SAMPLED, 0), max(sample.rows for sample in config.samples)
    if most > rows:
        raise SampleError(f"--sample {most}: the training split contains only {rows:,} pairs")
    if len(strata) > MOST_STRATA:
        raise SampleError(
            f"--sample-by {config.sample_by}: it has {len(strata):,} values; the limit is {MOST_STRATA:,}"
        )
    for seed in config.seeds:
        draw = Ranking(stage=DRAW, order=CHANCE, split=SAMPLED, rows=rows, seed=seed, most=most)
        if config.sample_by != UNIFORM:
            for stratum, number in sorted(strata.items()):
                yield replace(draw, stage=STRATA, rows=number, stratum=stratum)
        yield draw
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
            names = tuple(sample.name for sample in config.samples if sample.seed == seed)
            yield Ranking(stage=RANK, order="random", split=VALIDATION, rows=rows, seed=seed, samples=names)


def _bounds(ranking: Ranking, probes: Sequence[Any], slice_rows: int) -> Sequence[tuple[float, str]]:
    """Returns the bounds of a ranking's slices, such that they contain about the same number of pairs."""
    slices = min(_MOST_SLICES, -(-ranking.rows // slice_rows))
    if ranking.order not in FIXED:  # chance is uniform
        return tuple((number / slices, "") for number in range(1, slices))
    place = FIXED.index(ranking.order)
    known = sorted((values[place], id_) for id_, split, values in probes if split == ranking.split)
    return tuple(known[number * len(known) // slices] for number in range(1, slices)) if known else ()
