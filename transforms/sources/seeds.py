"""Source ``seeds``, used only by recipes that generate documents (``Recipe.makes_documents``): numbers, no input."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.options import option
from gistmill.core.records import Origin, RangeEnd, Seed
from gistmill.core.values import whole
from gistmill.rules.languages.language import NO_LANGUAGE
from gistmill.transforms.sources.base import PlanRanges, Provenance, Source, SourceConfig
from gistmill.transforms.sources.files.ranges import Range

MOST_DOCUMENTS = 10**12  # document numbers have at most twelve digits
_BLOCK = 128  # documents; their numbers are drawn together
_WANTED_RANGES, _RANGE_BLOCKS = 32, 8  # a few documents get smaller ranges, to keep many workers busy
_MOST_RANGES = 4096  # ranges are stored in the graph


@dataclass(frozen=True, kw_only=True)
class SeedsConfig(SourceConfig):
    """The number of documents."""

    documents: int = option(
        whole(1, MOST_DOCUMENTS),
        default=110_000,
        unit="documents",
        help="number of documents to generate across all splits; a larger number starts with the same documents",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRange(Range):
    """The documents whose numbers are in [start, end)."""

    start: int
    end: int


def seed(number: int, range_key: str = "") -> Seed:
    """Returns the document with the given number. Ids have twelve digits, so that they sort like the numbers."""
    return Seed(Origin(f"synthetic-{number:012d}", SeedsSource.NAME, offset=number, range_key=range_key), number)


def read_seeds(place: SeedRange) -> Iterator[Seed | RangeEnd]:
    """Yields the documents in a range, then its RangeEnd."""
    for number in range(place.start, place.end):
        yield seed(number, place.key)
    yield RangeEnd(place.key, place.end - place.start)


class SeedsSource(Source):
    """A source of numbers from which a recipe generates documents."""

    NAME = "seeds"
    HELP = "none: documents are generated from their numbers"
    CONFIG = SeedsConfig
    NEEDS_INPUT = False
    DOCUMENT = Seed
    REASONS = ()
    DEDUPLICATE = "none"

    languages = frozenset((NO_LANGUAGE,))

    def __init__(self, config: SeedsConfig) -> None:
        self._documents = min(config.documents, config.limit or config.documents)

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: SeedsConfig) -> Self:
        return cls(config)

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        return Provenance("", "A program made the documents of words that it drew at random.")

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        blocks = -(-self._documents // _BLOCK)
        size = max(min(-(-blocks // _WANTED_RANGES), _RANGE_BLOCKS), -(-blocks // _MOST_RANGES)) * _BLOCK
        cuts = [*range(0, self._documents, size), self._documents]
        ranges = [SeedRange(key=f"{a:012d}", size=b - a, start=a, end=b) for a, b in itertools.pairwise(cuts)]
        return PlanRanges(ranges)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(read_seeds)
