"""The choice of train, validation or test, by a salted hash of the document id. A pair may bring its split."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from gistmill.core.hashing import unit_interval
from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Pair
from gistmill.core.statistics import SPLITS
from gistmill.core.values import NOT_NEGATIVE, TEXT, list_of
from gistmill.rules.articles import Articles
from gistmill.rules.recipe import SALT
from gistmill.transforms.beam.transforms import OnlyFor


@dataclass(frozen=True, kw_only=True)
class SplitConfig(Options):
    """Decides which documents are in which split."""

    GROUP: ClassVar[str] = "output"

    splits: tuple[float, float, float] = option(
        list_of(NOT_NEGATIVE, length=len(SPLITS)),
        default=(98.0, 1.0, 1.0),
        metavar="A,B,C",
        help=f"shares of train, validation and test, by document (default of `{Articles.NAME}`: all in train)",
    )
    salt: str = option(TEXT, default=SALT, help="salt of the hashes that choose splits and samples")

    def check(self) -> None:
        """Raises ValueError where all shares are 0, or their sum is not a number."""
        if not 0 < sum(self.splits) < math.inf:
            raise ValueError(f"splits: expected three shares such as 98,1,1, not {self.splits!r}")


def choose_split(document_id: str, config: SplitConfig) -> str:
    """Returns the split of a document: the same on every run, for all of its examples."""
    point = unit_interval(f"{config.salt}-split", document_id) * sum(config.splits)
    edges = accumulate(config.splits)
    chosen = (name for name, edge in zip(SPLITS, edges, strict=True) if point < edge)
    # rounding may put the point on the last edge
    return next(chosen, None) or [n for n, share in zip(SPLITS, config.splits, strict=True) if share][-1]


class ChooseSplit(OnlyFor):
    """Sets ``split`` on every Outcome and Pair that has none; every other element passes."""

    def __init__(self, config: SplitConfig) -> None:
        super().__init__((Outcome, Pair), self._choose)
        self._config = config

    def _choose(self, element: Outcome | Pair) -> Iterator[Outcome | Pair]:
        key = element.document_id if isinstance(element, Pair) else element.id
        yield element if element.split else dataclasses.replace(element, split=choose_split(key, self._config))
