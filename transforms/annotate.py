"""Beam wiring of the annotator: CleanDocument -> AnnotatedDocument, in batches across documents."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.shared import Shared
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from rules.records import CleanDocument, RangeEnd
from transforms.annotator import Annotator
from transforms.coreference import check_resolver, load_resolver
from transforms.models import load_model

# Large enough that spaCy runs at full speed, small enough that a batch is nothing in memory.
BATCH_WORDS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationConfig:
    """What decides the annotation: ``spacy_model`` (None: the installed default), ``coref`` (an adapter's name) and
    ``coref_model`` (its weights, where it takes any)."""

    spacy_model: str | None = None
    coref: str = "sieve"
    coref_model: str | None = None

    def __post_init__(self) -> None:
        check_resolver(self.coref, model=self.coref_model)


class _Loaded:
    """Holds the annotator; Shared keeps weak references, which Annotator itself need not support."""

    def __init__(self, config: AnnotationConfig) -> None:
        resolver = load_resolver(config.coref, model=config.coref_model, spacy_model=config.spacy_model)
        self.annotator = Annotator(load_model(config.spacy_model), resolver)


class _Annotate(beam.DoFn):
    """Collects documents up to BATCH_WORDS and annotates them together.

    A batch never changes what is found in a text (spaCy's results do not depend on the batch), only the speed.
    """

    def __init__(self, config: AnnotationConfig, shared: Shared) -> None:
        self._config = config
        self._shared = shared

    def setup(self) -> None:
        self._loaded = self._shared.acquire(lambda: _Loaded(self._config), tag=repr(self._config))

    def start_bundle(self) -> None:
        self._waiting: list[CleanDocument] = []
        self._words = 0

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, CleanDocument):
            self._waiting.append(element)
            self._words += sum(p.count(" ") + 1 for s in element.sections for p in s.paragraphs)
            if self._words >= BATCH_WORDS:
                yield from self._flush()
        else:
            if isinstance(element, RangeEnd):  # what waits goes first, so that the writer can close the range
                yield from self._flush()
            yield element

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for document in self._flush():
            yield WindowedValue(document, MIN_TIMESTAMP, [GlobalWindow()])

    def _flush(self) -> Iterator[Any]:
        waiting, self._waiting, self._words = self._waiting, [], 0
        if waiting:
            yield from self._loaded.annotator.annotate(waiting)


class AnnotateDocuments(beam.PTransform):
    """CleanDocument -> AnnotatedDocument; every other element passes. The model loads once per worker process."""

    def __init__(self, config: AnnotationConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Parse" >> beam.ParDo(_Annotate(self._config, Shared()))
