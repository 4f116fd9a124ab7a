"""The processing common to all jobs: the recipe turns documents into Outcomes; salted hashes choose their splits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, ClassVar

from gistmill.core.hashing import unit_interval
from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Pair, Reject, Seed
from gistmill.core.statistics import SPLITS
from gistmill.core.values import NOT_NEGATIVE, TEXT, list_of
from gistmill.rules.articles import Articles
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.recipe import SALT, Recipe
from gistmill.transforms.beam.internals import spare_collector
from gistmill.transforms.beam.transforms import ForTypes
from gistmill.transforms.materials import load_materials
from gistmill.transforms.steps.base import in_time


class ApplyRecipe(ForTypes):
    """Documents of the class that ``recipe`` takes, and Seeds -> Outcome or Reject; other elements pass through.

    Args:
        recipe: makes the rows.
        workspace: the root of the run's workspace, where ``save_materials`` stored the recipe's materials.
        deadline: the time limit for each document in seconds.
    """

    def __init__(self, recipe: Recipe[Any], workspace: str = "", *, deadline: float = math.inf) -> None:
        super().__init__((recipe.DOCUMENT, Seed), self._apply)
        self._recipe, self._workspace, self._deadline = recipe, workspace, deadline

    def setup(self) -> None:
        load_materials(self._recipe, self._workspace)
        # each consists of tens of thousands of tuples, which would trigger the collector
        if self._recipe.DOCUMENT is AnnotatedDocument:
            spare_collector(self)

    def _apply(self, document: Any) -> Iterator[Outcome | Reject]:
        work = partial(self._recipe.process, document)
        made = in_time(work, document, seconds=self._deadline, stage="recipe")
        of_pair = isinstance(document, Pair) and isinstance(made, Outcome)
        yield dataclasses.replace(made, split=document.split) if of_pair else made


@dataclass(frozen=True, kw_only=True)
class SplitConfig(Options):
    """The configuration that assigns documents to splits."""

    GROUP: ClassVar[str] = "output"

    splits: tuple[float, float, float] = option(
        list_of(NOT_NEGATIVE, length=len(SPLITS)),
        default=(98.0, 1.0, 1.0),
        metavar="A,B,C",
        help=f"shares of documents in train, validation and test (default for `{Articles.NAME}`: all in train)",
    )
    salt: str = option(TEXT, default=SALT, help="salt for the hashes that choose splits and samples")

    def check(self) -> None:
        """Raises ValueError if all shares are 0, or if their sum is not finite."""
        if not 0 < sum(self.splits) < math.inf:
            raise ValueError(f"splits: expected three shares such as 98,1,1, not {self.splits!r}")


def choose_split(document_id: str, config: SplitConfig) -> str:
    """Returns a document's split, which is the same in every run and for all of its examples."""
    point = unit_interval(f"{config.salt}-split", document_id) * sum(config.splits)
    edges = accumulate(config.splits)
    chosen = (name for name, edge in zip(SPLITS, edges, strict=True) if point < edge)
    # rounding may put the point on the last boundary
    return next(chosen, None) or [n for n, share in zip(SPLITS, config.splits, strict=True) if share][-1]


class ChooseSplit(ForTypes):
    """Sets ``split`` on every Outcome and Pair that lacks it; all other elements pass through."""

    def __init__(self, config: SplitConfig) -> None:
        super().__init__((Outcome, Pair), self._choose)
        self._config = config

    def _choose(self, element: Outcome | Pair) -> Iterator[Outcome | Pair]:
        key = element.document_id if isinstance(element, Pair) else element.id
        yield element if element.split else dataclasses.replace(element, split=choose_split(key, self._config))
