"""Beam wiring of the parse of pairs, for augmentation by EDA: Pair -> ParsedPair, in batches across pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

import apache_beam as beam
from apache_beam.utils.shared import Shared

from rules.augmentation.config import EDA, MethodConfig
from rules.augmentation.records import Lines, ParsedPair, PreparedPair
from rules.dataset import SPLITS
from rules.records import AnnotatedDocument, CleanDocument, Pair, Section, Sentence
from transforms.sources.base import Source
from transforms.steps.annotate import Annotate, AnnotateBatches, AnnotationConfig, ParserConfig
from transforms.steps.annotator import Annotator
from transforms.steps.base import Flow, Step

_TRAIN = SPLITS[0]


@dataclass(frozen=True, kw_only=True)
class ParsePairsConfig(MethodConfig, ParserConfig):
    """Decides which texts are parsed, and by what."""


class _Parse(AnnotateBatches):
    """Pairs of the split train become ParsedPairs; those of other splits are not parsed, and become PreparedPairs."""

    TAKES = Pair

    def __init__(self, config: ParsePairsConfig, annotation: AnnotationConfig, shared: Shared) -> None:
        super().__init__(annotation, shared)
        self._fields = config.changed

    def words(self, element: Pair) -> int:
        return sum(_text(element, name).count(" ") + 1 for name in self._fields) if element.split == _TRAIN else 0

    def annotate(self, annotator: Annotator, waiting: Sequence[Pair]) -> Iterator[PreparedPair]:
        parsed = annotator.annotate([self._document(pair) for pair in waiting if pair.split == _TRAIN])
        for pair in waiting:
            row = (pair.origin, pair.inputs, pair.targets, pair.values, pair.split)
            yield ParsedPair(*row, self._lines(pair, next(parsed))) if pair.split == _TRAIN else PreparedPair(*row)

    def _document(self, pair: Pair) -> CleanDocument:
        sections = (Section(name, 1, tuple(_text(pair, name).split("\n"))) for name in self._fields)
        return CleanDocument(pair.origin, tuple(sections))

    def _lines(self, pair: Pair, parsed: AnnotatedDocument) -> Mapping[str, Lines]:
        counts = [_text(pair, name).count("\n") + 1 for name in self._fields]
        lines: list[list[Sentence]] = [[] for _ in range(sum(counts))]
        for sentence in parsed.sentences:  # lines are numbered over all texts
            lines[sentence.paragraph].append(sentence)
        rest = map(tuple, lines)
        return {name: tuple(islice(rest, count)) for name, count in zip(self._fields, counts, strict=True)}


def _text(pair: Pair, name: str) -> str:
    return str(getattr(pair, name))


class ParsePairs(Step):
    """Parses the texts of pairs that EDA changes."""

    NAME = "ParsePairs"
    CONFIG = ParsePairsConfig

    def __init__(self, config: ParsePairsConfig) -> None:
        self._config = config
        self._annotation = AnnotationConfig(spacy_model=config.spacy_model, coref="none")

    @classmethod
    def serves(cls, wanted: type) -> bool:
        """See Step.serves."""
        return issubclass(wanted, PreparedPair)

    @classmethod
    def open(cls, config: ParsePairsConfig, *, source: type[Source], wanted: type) -> Self | None:
        """See Step.open."""
        return cls(config) if config.method == EDA else None

    def apply(self, flow: Flow) -> Flow:
        """See Step.apply."""
        return flow.through(self.NAME, beam.ParDo(_Parse(self._config, self._annotation, Shared())))

    def record(self, version: str) -> Mapping[str, Any]:
        """See Step.record."""
        return Annotate(self._annotation).record(version)
