"""Pairs before augmentation: their round-trip translation, and their parse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any, Self

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.shared import Shared
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue
from typing_extensions import override

from gistmill.core.records import Pair, RangeEnd
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
    TranslationReason,
    Trip,
    Variant,
    all_variants,
    chosen_variants,
    plan,
    preferred_variants,
    translated,
)
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section, Sentence
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.annotate import Annotate, AnnotateBatches, AnnotationConfig, ParserConfig
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.base import Flow, Step
from gistmill.transforms.translation.cache import Cache
from gistmill.transforms.translation.config import TranslationConfig
from gistmill.transforms.translation.opening import Directions, Opened, Pivot, begin_cache, look, trips

_TRAIN = SPLITS[0]
# Enough sentences of a length that a model's batches fill, few enough that their hypotheses are nothing in memory.
_BATCH_WORDS = 5_000


class PlansOfPairs:
    """Says which paraphrases a pair gets."""

    def __init__(self, config: TranslationConfig) -> None:
        self._config = config
        self._variants = all_variants(config.pivots, config.beams)
        self.numbers = {variant: number for number, variant in enumerate(self._variants, start=1)}

    def plan(self, pair: Pair) -> Plan:
        """Returns what is to be translated for a pair."""
        config = self._config
        if config.augmented_as == COLUMN:
            return plan(pair, preferred_variants(config.pivots, config.beams, pair.id, seed=config.seed), (INPUTS,))
        return plan(pair, self._chosen(pair), config.changed)

    def _chosen(self, pair: Pair) -> Sequence[Variant]:
        copies = self._config.paraphrases
        if copies is None:
            return self._variants
        found = chosen_variants(self._variants, pair.id, copies=copies, seed=self._config.seed)
        return sorted(found, key=self.numbers.__getitem__)


def translate_pairs(
    pairs: Sequence[Pair], plans: PlansOfPairs, pivots: Mapping[str, Pivot], *, beams: int
) -> Iterator[TranslatedPair]:
    """Yields pairs with their paraphrases; their sentences are translated together, each different one once.

    Raises:
        TranslationError: see trips.
    """
    of_pairs = [plans.plan(pair) for pair in pairs]
    wanted: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for each in of_pairs:
        for language in each.languages:
            for sentence in each.sentences:
                wanted[language][sentence] |= each.ways(language)
    found: dict[str, Mapping[str, Trip]] = {
        language: trips(pivots[language], sentences, beams=beams) for language, sentences in wanted.items()
    }
    for each in of_pairs:
        yield translated(each, found, numbers=plans.numbers)


class _Translate(beam.DoFn):
    """Collects pairs of the split train up to _BATCH_WORDS and translates them together. Other pairs are not
    translated: they become PreparedPairs.

    What waits at the end of a range is translated there, so that batches follow from the range alone.
    """

    def __init__(self, config: TranslationConfig, directions: Directions, cache: Cache | None, shared: Shared) -> None:
        self._config, self._directions, self._cache, self._shared = config, directions, cache, shared
        self._plans = PlansOfPairs(config)

    def setup(self) -> None:
        self._opened = self._shared.acquire(lambda: Opened(self._directions, self._cache))

    def start_bundle(self) -> None:
        self._waiting: list[Pair] = []
        self._words = 0

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, Pair):
            if element.split != _TRAIN:
                yield PreparedPair(element.origin, element.inputs, element.targets, element.values, element.split)
                return
            self._waiting.append(element)
            self._words += element.inputs.count(" ") + element.targets.count(" ") + 2
            if self._words >= _BATCH_WORDS:
                yield from self._flush()
            return
        if isinstance(element, RangeEnd):  # what waits goes first, so that the writer can close the range
            yield from self._flush()
        yield element

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for pair in self._flush():
            yield WindowedValue(pair, MIN_TIMESTAMP, (GlobalWindow(),))

    def _flush(self) -> Iterator[TranslatedPair]:
        waiting, self._waiting, self._words = self._waiting, [], 0
        if waiting:
            yield from translate_pairs(waiting, self._plans, self._opened.pivots, beams=self._config.beams)


class Translate(Step):
    """Translates the sentences of pairs into other languages and back.

    Args:
        config: its configuration.
        directions: the translators; by default those that the configuration names.

    Raises:
        PackageError: they cannot be used, or the cache cannot.
    """

    NAME = "Translate"
    CONFIG = TranslationConfig
    REASONS = (TranslationReason,)

    def __init__(self, config: TranslationConfig, directions: Directions | None = None) -> None:
        self._config = config
        self._directions = look(config) if directions is None else directions
        place = config.translation_cache
        self._cache = None if place is None else begin_cache(place)

    @classmethod
    @override
    def serves(cls, wanted: type) -> bool:
        return issubclass(wanted, PreparedPair)

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
    documents = [
        CleanDocument(p.origin, tuple(Section(name, 1, tuple(_text(p, name).split("\n"))) for name in fields))
        for p in pairs
        if p.split == _TRAIN
    ]
    parsed = iter(_named(annotator, documents))
    for pair in pairs:
        row = (pair.origin, pair.inputs, pair.targets, pair.values, pair.split)
        yield ParsedPair(*row, _lines(pair, fields, next(parsed))) if pair.split == _TRAIN else PreparedPair(*row)


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
    @override
    def serves(cls, wanted: type) -> bool:
        return issubclass(wanted, PreparedPair)

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
