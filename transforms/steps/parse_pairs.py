"""Beam wiring of the parse of pairs, for augmentation by EDA: Pair -> ParsedPair, in batches across pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any, Self

import apache_beam as beam
from apache_beam.utils.shared import Shared

from gistmill.core.dataset import SPLITS
from gistmill.core.records import Pair
from gistmill.rules.augmentation.config import EDA, MethodConfig
from gistmill.rules.augmentation.eda.capitals import capitalised, with_names
from gistmill.rules.augmentation.records import Lines, ParsedPair, PreparedPair
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section, Sentence
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.annotate import Annotate, AnnotateBatches, AnnotationConfig, ParserConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.base import Flow, Step

_TRAIN = SPLITS[0]


@dataclass(frozen=True, kw_only=True)
class ParsePairsConfig(MethodConfig, ParserConfig):
    """Decides which texts are parsed, and by what."""


class _Parse(AnnotateBatches):
    TAKES = Pair

    def __init__(self, config: ParsePairsConfig, annotation: AnnotationConfig, shared: Shared) -> None:
        super().__init__(annotation, shared)
        self._fields = config.changed

    def words(self, element: Pair) -> int:
        return sum(_text(element, name).count(" ") + 1 for name in self._fields) if element.split == _TRAIN else 0

    def annotate(self, annotator: Annotator, waiting: Sequence[Pair]) -> Iterator[PreparedPair]:
        return parse_pairs(annotator, waiting, self._fields)


def parse_pairs(annotator: Annotator, pairs: Sequence[Pair], fields: Sequence[str]) -> Iterator[PreparedPair]:
    """Yields ParsedPairs of the pairs of the split train, and PreparedPairs of others, which are not parsed.

    Args:
        annotator: without a resolver.
        pairs: in order.
        fields: the texts that are parsed, of ``inputs`` and ``targets``.
    """
    parsed = iter(_named(annotator, [_document(pair, fields) for pair in pairs if pair.split == _TRAIN]))
    for pair in pairs:
        row = (pair.origin, pair.inputs, pair.targets, pair.values, pair.split)
        yield ParsedPair(*row, _lines(pair, fields, next(parsed))) if pair.split == _TRAIN else PreparedPair(*row)


def _document(pair: Pair, fields: Sequence[str]) -> CleanDocument:
    sections = (Section(name, 1, tuple(_text(pair, name).split("\n"))) for name in fields)
    return CleanDocument(pair.origin, tuple(sections))


def _lines(pair: Pair, fields: Sequence[str], parsed: AnnotatedDocument) -> Mapping[str, Lines]:
    counts = [_text(pair, name).count("\n") + 1 for name in fields]
    lines: list[list[Sentence]] = [[] for _ in range(sum(counts))]
    for sentence in parsed.sentences:  # lines are numbered over all texts
        lines[sentence.paragraph].append(sentence)
    rest = map(tuple, lines)
    return {name: tuple(islice(rest, count)) for name, count in zip(fields, counts, strict=True)}


def _named(annotator: Annotator, documents: Sequence[CleanDocument]) -> list[AnnotatedDocument]:
    """Returns the parsed documents. Names in small letters are entities too."""
    parsed = list(annotator.annotate(documents))
    raised = [[capitalised(s) for s in document.sentences] for document in parsed]
    again = [
        CleanDocument(document.origin, (Section("", 1, tuple(texts)),))
        for document, texts in zip(documents, raised, strict=True)
    ]
    found: list[AnnotatedDocument] = []
    for document, texts, second in zip(parsed, raised, annotator.annotate(again), strict=True):
        lines = groupby(second.sentences, lambda s: s.paragraph)
        names = {number: list(sentences) for number, sentences in lines}
        sentences = (
            with_names(sentence, names[number]) if texts[number] else sentence
            for number, sentence in enumerate(document.sentences)
        )
        found.append(replace(document, sentences=tuple(sentences)))
    return found


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
