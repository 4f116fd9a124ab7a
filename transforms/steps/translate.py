"""Beam wiring of round-trip translation: Pair -> TranslatedPair, in batches across pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.shared import Shared
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from gistmill.core.dataset import SPLITS
from gistmill.core.records import Pair, RangeEnd
from gistmill.rules.augmentation.config import COLUMN, INPUTS, ROUND_TRIP
from gistmill.rules.augmentation.records import PreparedPair
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
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step
from gistmill.transforms.translation.config import TranslationConfig
from gistmill.transforms.translation.opening import Directions, Opened, look
from gistmill.transforms.translation.trips import Pivot, trips

_TRAIN = SPLITS[0]
# Enough sentences of a length that a model's batches fill, few enough that their hypotheses are nothing in memory.
_BATCH_WORDS = 5_000


class PlansOfPairs:
    """Says which paraphrases a pair gets.

    Args:
        config: the configuration of the step.
    """

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

    def __init__(self, config: TranslationConfig, directions: Directions, shared: Shared) -> None:
        self._config, self._directions, self._shared = config, directions, shared
        self._plans = PlansOfPairs(config)

    def setup(self) -> None:
        self._opened = self._shared.acquire(lambda: Opened(self._directions, self._config.translation_cache))

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
            self._opened.flush()
        yield element

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for pair in self._flush():
            yield WindowedValue(pair, MIN_TIMESTAMP, (GlobalWindow(),))
        self._opened.flush()

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
        PackageError: they cannot be used.
    """

    NAME = "Translate"
    CONFIG = TranslationConfig
    REASONS = (TranslationReason,)

    def __init__(self, config: TranslationConfig, directions: Directions | None = None) -> None:
        self._config = config
        self._directions = look(config) if directions is None else directions

    @classmethod
    def serves(cls, wanted: type) -> bool:
        """See Step.serves."""
        return issubclass(wanted, PreparedPair)

    @classmethod
    def open(cls, config: TranslationConfig, *, source: type[Source], wanted: type) -> Self | None:
        """See Step.open."""
        return cls(config) if config.method == ROUND_TRIP else None

    def apply(self, flow: Flow) -> Flow:
        """See Step.apply."""
        translate = beam.ParDo(_Translate(self._config, self._directions, Shared()))
        return flow.through(self.NAME, translate, costly=True)

    def record(self, version: str) -> Mapping[str, Any]:
        """See Step.record."""
        records = [way.record for ways in self._directions.values() for way in ways]
        return {"models": [record for n, record in enumerate(records) if record not in records[:n]]}
