"""Preparation of pairs for augmentation: round-trip translation and parsing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any, Self

import apache_beam as beam
from apache_beam.utils.shared import Shared
from typing_extensions import override

from gistmill.core.records import Pair
from gistmill.core.statistics import SPLITS
from gistmill.rules.augmentation.config import (
    COLUMN,
    EDA,
    INPUTS,
    ROUND_TRIP,
    Lines,
    MethodConfig,
    ParsedPair,
    PreparedPair,
)
from gistmill.rules.augmentation.eda.operations import capitalised, with_names
from gistmill.rules.augmentation.round_trip import (
    Plan,
    TranslatedPair,
    TranslationError,
    TranslationReason,
    all_variants,
    chosen_variants,
    plan,
    preferred_variants,
    translated,
)
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section, Sentence
from gistmill.transforms.beam.transforms import Batches
from gistmill.transforms.installed import PackageError
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.annotate import Annotate, AnnotateBatches, AnnotationConfig, ParserConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.base import Flow, Step
from gistmill.transforms.translation.opening import Cache, Directions, Pivots, TranslationConfig, look, trips

_TRAIN = SPLITS[0]


def _as_it_is(pair: Pair) -> PreparedPair:
    """Returns an unchanged pair, for splits other than train, which are not augmented."""
    return PreparedPair(pair.origin, pair.inputs, pair.targets, pair.values, pair.split)


class _Translate(Batches):
    """Translates training pairs in batches, each distinct sentence once. Other pairs are not translated."""

    TAKES = Pair
    # words: enough sentences of each length to fill a model's batches, few enough for their hypotheses to take little
    # memory
    ENOUGH = 5_000

    def __init__(self, config: TranslationConfig, directions: Directions, cache: Cache | None, shared: Shared) -> None:
        self._config, self._directions, self._cache, self._shared = config, directions, cache, shared
        self._variants = all_variants(config.pivots, config.beams)
        self._numbers = {variant: number for number, variant in enumerate(self._variants, start=1)}

    def setup(self) -> None:
        self._pivots = self._shared.acquire(lambda: Pivots(self._directions, self._cache))

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, Pair) and element.split != _TRAIN:
            yield _as_it_is(element)
        else:
            yield from super().process(element)

    @override
    def size(self, element: Pair) -> int:
        return element.inputs.count(" ") + element.targets.count(" ") + 2

    @override
    def batch(self, waiting: Sequence[Pair]) -> Iterator[TranslatedPair]:
        plans = [self._plan(pair) for pair in waiting]
        wanted: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for each in plans:
            for language in each.languages:
                for sentence in each.sentences:
                    wanted[language][sentence] |= each.ways(language)
        found = {
            language: trips(self._pivots[language], sentences, beams=self._config.beams)
            for language, sentences in wanted.items()
        }
        for each in plans:
            yield translated(each, found, numbers=self._numbers)

    def _plan(self, pair: Pair) -> Plan:
        config = self._config
        if config.augmented_as == COLUMN:
            return plan(pair, preferred_variants(config.pivots, config.beams, pair.id, seed=config.seed), (INPUTS,))
        variants = self._variants
        if config.paraphrases is not None:
            variants = chosen_variants(variants, pair.id, copies=config.paraphrases, seed=config.seed)
        return plan(pair, sorted(variants, key=self._numbers.__getitem__), config.changed)


class Translate(Step):
    """Translates the sentences of pairs into other languages and back.

    Raises:
        PackageError: the translators or the cache cannot be used.
    """

    NAME = "Translate"
    CONFIG = TranslationConfig
    SERVES = (PreparedPair,)
    REASONS = (TranslationReason,)

    def __init__(self, config: TranslationConfig) -> None:
        self._config, self._directions, place = config, look(config), config.translation_cache
        try:
            self._cache = None if place is None else Cache.begin(place)
        except TranslationError as error:
            raise PackageError(str(error)) from None

    @classmethod
    @override
    def open(cls, config: TranslationConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.method == ROUND_TRIP else None

    @override
    def apply(self, flow: Flow) -> Flow:
        translate = beam.ParDo(_Translate(self._config, self._directions, self._cache, Shared()))
        return flow.through(self.NAME, translate, costly=True)

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        records = [way.record for ways in self._directions.values() for way in ways]
        return {"models": [record for n, record in enumerate(records) if record not in records[:n]]}


@dataclass(frozen=True, kw_only=True)
class ParsePairsConfig(MethodConfig, ParserConfig):
    """The configuration that determines which texts are parsed, and by which model."""


class _Parse(AnnotateBatches):
    TAKES = Pair

    def __init__(self, config: ParsePairsConfig, annotation: AnnotationConfig, shared: Shared) -> None:
        super().__init__(annotation, shared)
        self._fields = config.changed

    @override
    def size(self, element: Pair) -> int:
        return sum(_text(element, name).count(" ") + 1 for name in self._fields) if element.split == _TRAIN else 0

    @override
    def batch(self, waiting: Sequence[Pair]) -> Iterator[PreparedPair]:
        return parse_pairs(self._loaded.annotator, waiting, self._fields)


def parse_pairs(annotator: Annotator, pairs: Sequence[Pair], fields: Sequence[str]) -> Iterator[PreparedPair]:
    """Yields ParsedPairs for the training pairs, and PreparedPairs for the others, which are not parsed.

    Args:
        annotator: an annotator without a resolver.
        pairs: the pairs, in order.
        fields: the texts to parse: ``inputs``, ``targets`` or both.
    """
    documents = [
        CleanDocument(p.origin, tuple(Section(name, 1, tuple(_text(p, name).split("\n"))) for name in fields))
        for p in pairs
        if p.split == _TRAIN
    ]
    parsed = iter(_named(annotator, documents))
    for pair in pairs:
        if pair.split == _TRAIN:
            lines = _lines(pair, fields, next(parsed))
            yield ParsedPair(pair.origin, pair.inputs, pair.targets, pair.values, pair.split, lines)
        else:
            yield _as_it_is(pair)


def _lines(pair: Pair, fields: Sequence[str], parsed: AnnotatedDocument) -> Mapping[str, Lines]:
    counts = [_text(pair, name).count("\n") + 1 for name in fields]
    lines: list[list[Sentence]] = [[] for _ in range(sum(counts))]
    for sentence in parsed.sentences:  # lines are numbered across all texts
        lines[sentence.paragraph].append(sentence)
    rest = map(tuple, lines)
    return {name: tuple(islice(rest, count)) for name, count in zip(fields, counts, strict=True)}


def _named(annotator: Annotator, documents: Sequence[CleanDocument]) -> list[AnnotatedDocument]:
    """Returns the parsed documents. Lower-case names are entities too."""
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
    return pair.inputs if name == INPUTS else pair.targets


class ParsePairs(Step):
    """Parses the pairs' texts that EDA changes."""

    NAME = "ParsePairs"
    CONFIG = ParsePairsConfig
    SERVES = (PreparedPair,)

    def __init__(self, config: ParsePairsConfig) -> None:
        self._config = config
        self._annotation = AnnotationConfig(spacy_model=config.spacy_model, coref="none")

    @classmethod
    @override
    def open(cls, config: ParsePairsConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.method == EDA else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.through(self.NAME, beam.ParDo(_Parse(self._config, self._annotation, Shared())))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return Annotate(self._annotation).record(version)
