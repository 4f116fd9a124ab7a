"""Mixtures of datasets: the number of rows taken from each, and the recipe that publishes a mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from gistmill.core.options import Options
from gistmill.core.records import Outcome, Pair, Reason
from gistmill.core.row_budget import Cut
from gistmill.core.statistics import Column
from gistmill.rules.recipe import PairRecipe


def counts_of(sizes: Sequence[int], weights: Sequence[float] | None) -> tuple[int, ...]:
    """Returns the number of rows that a mixture takes from each split.

    Without weights, it takes every row of every split. With weights, it takes all rows of the split that is smallest
    relative to its weight, and a proportionate number of rows from the others.

    Args:
        sizes: number of rows in each split; with weights, all above 0.
        weights: weight of each split, above 0; or None.
    """
    if weights is None:
        return tuple(sizes)
    exact = [Fraction(str(weight)) for weight in weights]
    unit = min(size / weight for size, weight in zip(sizes, exact, strict=True))
    return tuple(min(size, max(1, round(unit * weight))) for size, weight in zip(sizes, exact, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of a dataset's split that a mixture contains.

    Attributes:
        dataset: the dataset's name in the mixture.
        prefix: prefix added to the ids of its rows; "" to leave them unchanged.
        cut: end of the chosen rows in the random order; None for all rows.
    """

    dataset: str
    prefix: str = ""
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class MixedPair(Pair):
    """A row of a mixture; ``dataset`` names the dataset it comes from."""

    dataset: str


class MixtureReason(Reason):
    """Reasons for leaving a row out of a mixture."""

    OVER_WEIGHT = "the mixture already contains as many rows of this dataset as the weights allow"


class MixConfig(Options):
    """The recipe's configuration. It has no options; the weights are a source option."""


class Mix(PairRecipe[MixConfig]):
    """The recipe that makes one row for each row taken from one of several datasets."""

    NAME = "mix"
    HELP = "mix published datasets by weights"
    TITLE = "A mixture of datasets"
    SUMMARY = "Rows of several datasets. `dataset` names the one that a row is from; the row is in the split of before."
    DESCRIPTION = (
        "Mixes published datasets with the same columns, such as Sports and Wikipedia at 50% each (Geva et al., 2019, "
        "section 5.1). `--weights` are the proportions in each split: the dataset that is smallest relative to its "
        "weight is used in full, and rows are chosen from the others by ID hash. Without weights, all rows are used. "
        "Rows stay in their splits. IDs stay the same unless two datasets share one: then the later dataset's number "
        "is put before all its IDs. Texts are not compared: a text that is in two datasets occurs twice."
    )
    EXAMPLES = (
        "mix --input discofuse-sports#balanced,discofuse-en#balanced --weights 0.5,0.5 --output discofuse-mixed",
        "mix --input s3://bucket/gaps-en,gaps-news --weights 3,1 --rows 400000,10000 --output gaps-mixed",
    )
    CONFIG = MixConfig
    DOCUMENT = MixedPair
    COLUMNS = (Column("dataset", "string", "dataset of the mixture that the row is from"),)
    ROWS = "one row per row of a dataset that the mixture has"
    DISTRIBUTIONS: ClassVar[dict[str, str]] = {"datasets": "Rows by dataset"}
    TYPE = "dataset"

    def process(self, pair: MixedPair) -> Outcome:
        """Returns the pair's row."""
        row = self.row(pair, {"dataset": pair.dataset})
        return Outcome(pair.origin, rows=(row,), counts={f"datasets/{row.config}/{pair.dataset}": 1})
