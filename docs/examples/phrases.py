"""The source ``phrases``: documents generated from seeds, for load tests. It reads no files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.hashing import unit_interval
from gistmill.core.options import PLAIN, option
from gistmill.core.records import Origin, RangeEnd
from gistmill.core.values import whole
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.base import PlanRanges, Provenance, Source, SourceConfig
from gistmill.transforms.sources.files.ranges import Range

_RANGE = 100  # documents
_SENTENCES = 8
_WORDS = (
    ("The old", "A young", "The new", "Another", "The first", "The last"),
    ("mayor", "teacher", "painter", "farmer", "sailor", "doctor", "singer", "baker"),
    ("opened", "visited", "painted", "sold", "bought", "described", "repaired", "left"),
    ("the bridge", "the library", "the market", "the harbour", "the theatre", "the garden", "the school"),
    ("in spring.", "in summer.", "in autumn.", "in winter.", "last year.", "after the war.", "at night."),
)


@dataclass(frozen=True, kw_only=True)
class PhrasesConfig(SourceConfig):
    """The number of articles."""

    articles: int = option(whole(1), default=1000, unit="articles", help="articles to make")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds(Range):
    """The documents with seeds in [start, end)."""

    start: int
    end: int


def read_range(seeds: Seeds) -> Iterator[RawDocument | RangeEnd]:
    """Yields the documents of a range, then its RangeEnd."""
    for seed in range(seeds.start, seeds.end):
        origin = Origin(f"phrases-{seed}", "phrases", f"Document {seed}", offset=seed, range_key=seeds.key)
        yield RawDocument(origin, " ".join(_sentence(f"{seed}-{number}") for number in range(_SENTENCES)), PLAIN)
    yield RangeEnd(seeds.key, seeds.end - seeds.start)


def _sentence(key: str) -> str:
    draws = [unit_interval("phrases", f"{key}-{place}") for place in range(len(_WORDS))]
    return " ".join(words[int(draw * len(words))] for words, draw in zip(_WORDS, draws, strict=True))


class PhrasesSource(Source):
    """A source of documents generated from seeds."""

    NAME = "phrases"
    HELP = "nothing: documents are made"
    CONFIG = PhrasesConfig
    NEEDS_INPUT = False
    MARKUPS = frozenset({PLAIN})
    DEDUPLICATE = "none"

    def __init__(self, config: PhrasesConfig) -> None:
        self._articles = min(config.articles, config.limit or config.articles)

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: PhrasesConfig) -> Self:
        return cls(config)

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        return Provenance("cc0-1.0", "The text is made by a program.")

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        cuts = [*range(0, self._articles, _RANGE), self._articles]
        return PlanRanges([Seeds(key=f"{a:012d}", size=b - a, start=a, end=b) for a, b in pairwise(cuts)])

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(read_range)
