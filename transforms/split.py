"""The choice of train, validation or test, by a salted hash of the document id."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import apache_beam as beam

from rules.hashing import unit_interval
from rules.records import Outcome
from transforms.errors import OnlyFor

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitConfig:
    """Shares of train, validation and test (any non-negative numbers that do not sum to 0) and the salt of the hash."""

    shares: tuple[float, float, float] = (98.0, 1.0, 1.0)
    salt: str = "gistmill-split"

    def __post_init__(self) -> None:
        if len(self.shares) != len(SPLITS) or min(self.shares) < 0 or not sum(self.shares):
            raise ValueError(f"splits must be three shares such as 98,1,1, not {self.shares!r}")


def choose_split(document_id: str, config: SplitConfig) -> str:
    """Returns the split of a document: the same on every run, for all of its examples."""
    point = unit_interval(config.salt, document_id) * sum(config.shares)
    edges = accumulate(config.shares)
    chosen = (name for name, edge in zip(SPLITS, edges, strict=True) if point < edge)
    # rounding may put the point on the last edge
    return next(chosen, None) or [n for n, share in zip(SPLITS, config.shares, strict=True) if share][-1]


class ChooseSplit(beam.PTransform):
    """Sets ``split`` on every Outcome; every other element passes."""

    def __init__(self, config: SplitConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, outcomes: beam.PCollection) -> beam.PCollection:
        return outcomes | "ByDocumentId" >> beam.ParDo(OnlyFor(Outcome, self._choose))

    def _choose(self, outcome: Outcome) -> Iterator[Outcome]:
        yield dataclasses.replace(outcome, split=choose_split(outcome.id, self._config))
