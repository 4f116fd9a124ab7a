"""The curriculum recipe, which adds difficulty measures to each pair, and its rank in several easy-to-hard orders.

Source: LATS, sections 4.2.1 and 5.2: k buckets of equal size, easiest first, where k is 2, 5 or 10 for 10, 100 or 1,000
pairs. The step Rank measures and ranks the pairs.

A sample consists of a few randomly chosen rows from a training split, to simulate a task with little data. Each seed
yields one order of the rows, and samples are taken from its start. So samples with the same seed are nested, as in the
low-resource protocol of WikiTransfer (section 4: "The 10 data point sets are subsets of the 100 data point sets").
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from typing_extensions import override

from gistmill.core.hashing import unit_interval
from gistmill.core.options import option
from gistmill.core.records import Outcome, Pair, Reason, Row
from gistmill.core.statistics import SPLITS, Cell, Column, ConfigSchema, DatasetSchema, Figure, Groups
from gistmill.core.values import TOKEN, list_of, whole
from gistmill.rules.curriculum.scores import ORDERS, ComplexityConfig, PairScorer
from gistmill.rules.lineage import language_of_pair
from gistmill.rules.recipe import SALT, PairRecipe
from gistmill.rules.text.words import COUNTED, words_for

ALL = ""  # denotes the complete splits, if no samples are requested
SAMPLED, VALIDATION = SPLITS[0], SPLITS[1]
UNIFORM = "uniform"
_BY = {order: order for order in ORDERS} | {"random": "chance"}
_STRATA = ("string", "int64", "bool")  # types of columns by which samples can be stratified

MEASURES: tuple[Column, ...] = (
    Column("deletions", "int64", "words of the inputs that the targets lack, after cleaning"),
    Column("additions", "int64", "words of the targets that the inputs lack"),
    Column("reorderings", "int64", "3-grams of the targets that the inputs lack"),
    Column("substitutions", "int64", "words of the inputs for which the targets have another form; 0 but in English"),
    Column("complexity", "float64", "weighted sum of the four"),
    Column("input_words", "int64", f"words of the inputs, before cleaning: {COUNTED}"),
    Column("reduction", "float64", "by how many per cent the targets have fewer words than the inputs"),
)


class Place(NamedTuple):
    """The ``rank`` and ``bucket`` of a pair in its configuration and split, both counted from 0."""

    rank: int
    bucket: int


@dataclass(frozen=True, slots=True)
class RankedPair(Pair):
    """A measured and ranked pair.

    Attributes:
        measures: values for the columns in MEASURES, by name.
        places: the pair's places, first by the name of the sample (or ALL), then by order.
    """

    measures: Mapping[str, int | float]
    places: Mapping[str, Mapping[str, Place]]


FEW, SOME = 100, 1000  # minimum numbers of rows for 5 and 10 buckets by default


def buckets_for(rows: int, wanted: int | None = None) -> int:
    """Returns the number of buckets: ``wanted``, or LATS's number for this many pairs, but no more than ``rows``."""
    usual = 2 if rows < FEW else 5 if rows < SOME else 10
    return min(wanted or usual, rows)


def bucket_of(rank: int, rows: int, buckets: int) -> int:
    """Returns the bucket for a rank among ``rows`` rows, both from 0; bucket sizes differ by at most one row."""
    return rank * buckets // rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The first ``rows`` rows of the training split in the order for ``seed``."""

    rows: int
    seed: int

    @property
    def name(self) -> str:
        """The name of the sample's configuration."""
        return f"sample-{self.rows}-seed-{self.seed}"


def chance(seed: int, row_id: str) -> float:
    """Returns a row's position in the random order for a seed, in [0, 1)."""
    return unit_interval(f"subset {seed}", row_id)


def stratified_chance(seed: int, stratum: str, rank: int, rows: int) -> float:
    """Returns a row's position, in [0, 1), in an order that draws the same share from every stratum.

    The rows of a stratum are equally spaced, starting at a random position. So the rows before any position make up the
    same share of every stratum, with each number rounded up or down. If many strata have few rows, the share of all
    rows may be slightly different.

    Args:
        seed: seed for the order.
        stratum: the value shared by the rows of the stratum.
        rank: rank of the row within its stratum, in the seed's random order.
        rows: number of rows in the stratum.
    """
    return (rank + unit_interval(f"stratum {seed}", stratum)) / rows


class CurriculumReason(Reason):
    """Reasons for leaving a pair out."""

    NOT_SAMPLED = "the pair is not in any sample"


@dataclass(frozen=True, kw_only=True)
class CurriculumConfig(ComplexityConfig):
    """Options for the complexity of pairs, the buckets and the samples."""

    GROUP: ClassVar[str] = "recipe"

    buckets: int | None = option(
        whole(1),
        help="number of buckets per split, at most one per row (default: 2 below 100 rows, 5 below 1,000, else 10)",
    )
    sample: tuple[int, ...] | None = option(
        list_of(whole(1)),
        metavar="N,N",
        help="comma-separated sample sizes: each makes a configuration with that many training rows and the "
        "whole validation split; smaller samples are subsets of larger ones (default: all rows)",
    )
    sample_by: str = option(
        TOKEN,
        default=UNIFORM,
        metavar=f"{UNIFORM}|COLUMN",
        help="column by which to stratify samples; it should have few distinct values",
    )
    subsets: int = option(whole(1), default=1, help="number of seeds for drawing samples, from --seed upwards")
    seed: int = option(whole(0), default=1, help="seed for samples and the random order")

    def check(self) -> None:
        """Raises ValueError if sample options are set without samples, or if a sample size is repeated."""
        if self.sample is None and (self.subsets > 1 or self.sample_by != UNIFORM):
            raise ValueError(f"{'subsets' if self.subsets > 1 else 'sample_by'} requires sample")
        if self.sample is not None and len(set(self.sample)) < len(self.sample):
            raise ValueError(f"sample: list each size only once, not {','.join(map(str, self.sample))}")

    @property
    def seeds(self) -> range:
        """The seeds for the samples."""
        return range(self.seed, self.seed + self.subsets)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The samples in the order of their configurations: by seed, then by size, largest first."""
        rows = sorted(self.sample or (), reverse=True)
        return tuple(Sample(rows=number, seed=seed) for seed in self.seeds for number in rows)


class Curriculum(PairRecipe[CurriculumConfig]):
    """The recipe that makes one row per pair, or one for each sample that contains the pair."""

    NAME = "curriculum"
    HELP = "order a dataset from easy to hard, and draw small samples from it (LATS)"
    TITLE = "A curriculum"
    SUMMARY = (
        "Pairs with their places in orders from easy to hard (LATS, van Yperen et al.): by the length of the inputs, "
        "by the reduction to the targets, by complexity, and by chance. `rank_complexity` is the place of a row in "
        "its split, from 0, and `bucket_complexity` its bucket, from 0."
    )
    DESCRIPTION = (
        "Orders the pairs of a dataset from easy to hard (LATS): by length, reduction, complexity and at "
        "random. Complexity is a weighted number of deletions, reorderings, substitutions and additions. Each "
        "order adds a column with the row's rank and one with its bucket, for `gistmill-train fit "
        "--bucket-column`. `--sample` draws small training splits."
    )
    EXAMPLES = (
        "curriculum --input lead-bias-en --output lead-bias-ordered --buckets 10",
        "curriculum --input cnndm.jsonl --targets-field summary --inputs-field document --output ordered",
        "curriculum --input gaps-en --output gaps-few --sample 10,100,1000 --subsets 5",
    )
    CONFIG = CurriculumConfig
    DOCUMENT = RankedPair
    REASONS = (CurriculumReason,)
    COLUMNS = (
        *MEASURES,
        *(
            Column(f"rank_{order}", "int64", f"place in the order by {by}, from 0, easy first")
            for order, by in _BY.items()
        ),
        *(Column(f"bucket_{order}", "int64", f"bucket in the order by {by}, from 0") for order, by in _BY.items()),
    )

    def __init__(self, config: CurriculumConfig, *, salt: str = SALT) -> None:
        super().__init__(config, salt=salt)
        self._stop_words: frozenset[str] | None = None

    @property
    def materials(self) -> Mapping[str, str]:
        """The stop-word file, if one is specified."""
        file = self.config.stop_words_file
        return {"stop_words": file} if file else {}

    @override
    def take(self, materials: Mapping[str, Any]) -> None:
        self._stop_words = materials["stop_words"]

    def scorer(self) -> PairScorer:
        """Returns the scorer for pairs; stop words from a file must have been passed to ``take`` first."""
        return PairScorer(self.config, stop_words=self._stop_words)

    @override
    def take_schema(self, schema: ConfigSchema) -> None:
        """Raises ValueError if the column to stratify by is missing or has an unsuitable type."""
        super().take_schema(schema)
        if (name := self.config.sample_by) == UNIFORM:
            return
        able = [column.name for column in schema.columns if column.type in _STRATA]
        if name not in able:
            raise ValueError(f"--sample-by {name}: expected one of the columns {', '.join(able)}")

    @property
    def schema(self) -> DatasetSchema:
        """The configuration of the input, or one for each sample, with the input's columns and COLUMNS."""
        whole_one = super().schema
        if not self.config.samples:
            return whole_one
        columns = whole_one.configs[0].columns
        return DatasetSchema(
            configs=tuple(
                ConfigSchema(
                    name=s.name, columns=columns, description=f"{s.rows:,} rows of the training split, seed {s.seed}"
                )
                for s in self.config.samples
            )
        )

    def process(self, document: RankedPair) -> Outcome:
        """Returns the pair's row for each sample that contains it; if none does, the pair is rejected."""
        if not document.places:
            return Outcome(document.origin, refused=document.origin.reject(CurriculumReason.NOT_SAMPLED, "recipe"))
        rows = []
        for sample, places in sorted(document.places.items()):
            ranks = {f"rank_{order}": place.rank for order, place in places.items()}
            buckets = {f"bucket_{order}": place.bucket for order, place in places.items()}
            row = self.row(document, {**document.measures, **ranks, **buckets})
            rows.append(row if sample == ALL else Row(sample, row.id, row.values))
        counts = operation_counts([row.config for row in rows], document.split, document.measures)
        counts = {**counts, **words_for(language_of_pair(document)).counts}
        return Outcome(document.origin, rows=tuple(rows), counts=counts)

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns a comparison of the counts' means with Table 5 of LATS."""
        rows: list[tuple[Cell, ...]] = [
            (name.removeprefix(_GROUP), split, *_statistics(group, split))
            for name, group in sorted(groups.items())
            if name.startswith(_GROUP)
            for split in sorted({key.partition("/")[0] for key in group})
        ]
        if not rows:
            return []
        paper: tuple[Cell, ...] = ("LATS, Table 5", "train", 1000, *(n for pair in _SHOWN.values() for n in pair))
        heads = (column for name in _SHOWN for column in (name, f"{name}: deviation"))
        return [
            Figure(
                key="operations",
                title="Operations",
                head=("configuration", "split", "pairs", *heads),
                rows=[paper, *rows],
                note="Means of the counts of a pair, and their standard deviations. The first row has those of the "
                "paper, of CNN/DailyMail.",
            )
        ]


_GROUP = "operations/"
_SHOWN = {  # means and standard deviations from LATS, Table 5 (1,000 pairs from CNN/DailyMail)
    "deletions": (287.2, 156.54),
    "reorderings": (18.31, 5.82),
    "substitutions": (0.4, 0.62),
    "additions": (4.4, 2.99),
}


def operation_counts(configs: Iterable[str], split: str, measures: Mapping[str, int | float]) -> dict[str, int]:
    """Returns a pair's contribution to the counts of each configuration: sums and sums of squares."""
    found: Counter[str] = Counter()
    for config in configs:
        at = f"{_GROUP}{config}/{split}"
        found[f"{at}/pairs"] += 1
        for name in _SHOWN:
            number = int(measures[name])
            found[f"{at}/{name}"] += number
            found[f"{at}/{name}_squared"] += number * number
    return dict(found)


def _statistics(group: Mapping[str, int], split: str) -> Iterable[Cell]:
    pairs = group[f"{split}/pairs"]
    yield pairs
    for name in _SHOWN:
        total, squares = group.get(f"{split}/{name}", 0), group.get(f"{split}/{name}_squared", 0)
        yield round(total / pairs, 4)
        # all sums are whole numbers, so that their order does not matter
        yield round(math.sqrt((pairs * squares - total * total) / (pairs * (pairs - 1))), 4) if pairs > 1 else None
