"""Mixtures of datasets: how many rows of each they have, and the recipe that publishes one."""

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
    """Returns how many rows of each of several splits a mixture has.

    Without weights it has every row of every split. With weights it has as many rows as the split allows that is the
    smallest for its weight: that one is whole, and the others are there in part.

    Args:
        sizes: rows of each split; with weights, all above 0.
        weights: of each split, above 0, or None.
    """
    if weights is None:
        return tuple(sizes)
    exact = [Fraction(str(weight)) for weight in weights]
    unit = min(size / weight for size, weight in zip(sizes, exact, strict=True))
    return tuple(min(size, max(1, round(unit * weight))) for size, weight in zip(sizes, exact, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What a mixture has of a split of one dataset.

    Attributes:
        dataset: its name in the mixture.
        prefix: what the ids of its rows begin with in the mixture; "" where they stay as they are.
        cut: where its rows end, in the order by chance; None where it has all of them.
    """

    dataset: str
    prefix: str = ""
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class MixedPair(Pair):
    """A row of a mixture; ``dataset`` is the name of the dataset that it is from."""

    dataset: str


class MixtureReason(Reason):
    """Why a row of a dataset is not in a mixture."""

    OVER_WEIGHT = "the mixture already contains as many rows of this dataset as the weights allow"


class MixConfig(Options):
    """The configuration of the recipe. Its weights are an option of the source."""


class Mix(PairRecipe[MixConfig]):
    """Makes the row of a row of one of several datasets."""

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
        """Returns the row of the pair."""
        row = self.row(pair, {"dataset": pair.dataset})
        return Outcome(pair.origin, rows=(row,), counts={f"datasets/{row.config}/{pair.dataset}": 1})
