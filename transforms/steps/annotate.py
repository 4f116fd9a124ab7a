"""Beam wiring of the annotator: CleanDocument -> AnnotatedDocument, in batches across documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.shared import Shared
from apache_beam.utils.timestamp import MIN_TIMESTAMP
from apache_beam.utils.windowed_value import WindowedValue

from rules.options import UNPARSED, Options, option
from rules.records import AnnotatedDocument, CleanDocument, RangeEnd
from rules.values import TEXT, custom, one_of
from transforms.arithmetic import arithmetic_in_use, warn_if_unpinned
from transforms.beam.collector import spare_collector
from transforms.coreference import NAMES as RESOLVERS
from transforms.coreference import check_resolver, describe_resolver, load_resolver
from transforms.models import PREFERRED, describe_model, load_model
from transforms.parsing.choice import warn_if_plain
from transforms.sources.base import Source
from transforms.steps.annotator import Annotator
from transforms.steps.base import Flow, Step

MODEL = custom(TEXT.parse, pattern=r"[A-Za-z0-9_./-]+", metavar="MODEL", allowed="a package or a folder")
# Large enough that spaCy runs at full speed, small enough that a batch is nothing in memory.
BATCH_WORDS = 5_000


@dataclass(frozen=True, kw_only=True)
class ParserConfig(Options):
    """The option of everything that parses."""

    GROUP: ClassVar[str] = "annotation"

    spacy_model: str | None = option(
        MODEL,
        group="annotation",
        markups=UNPARSED,
        help=f"spaCy model, a package or a folder (default: {PREFERRED[0]} if installed, else {PREFERRED[1]})",
    )


@dataclass(frozen=True, kw_only=True)
class AnnotationConfig(ParserConfig):
    """Decides the annotation: the parser, and the coreference resolver with its weights."""

    coref: str = option(
        one_of(*RESOLVERS),
        default="sieve",
        markups=UNPARSED,
        help=f"coreference resolver: {' or '.join(RESOLVERS)}",
    )
    coref_model: str | None = option(
        TEXT,
        metavar="MODEL",
        markups=UNPARSED,
        help="weights for --coref fastcoref: a folder, or a model of the Hugging Face Hub (default: biu-nlp/f-coref)",
    )

    def check(self) -> None:
        """Raises ValueError where the resolver takes no weights."""
        check_resolver(self.coref, model=self.coref_model)


class _Loaded:
    """Holds the annotator; Shared keeps weak references, which Annotator itself need not support."""

    def __init__(self, config: AnnotationConfig) -> None:
        resolver = load_resolver(config.coref, model=config.coref_model, spacy_model=config.spacy_model)
        self.annotator = Annotator(load_model(config.spacy_model), resolver)
        self.arithmetic = arithmetic_in_use()
        spare_collector(self)


class AnnotateBatches(beam.DoFn):
    """Collects elements up to BATCH_WORDS and annotates them together; every other element passes.

    A batch never changes what is found in a text, only the speed. A subclass may annotate elements of another class.

    Class attributes:
        TAKES: the class of the elements.
    """

    TAKES: ClassVar[type] = CleanDocument

    def __init__(self, config: AnnotationConfig, shared: Shared) -> None:
        self._config = config
        self._shared = shared

    def setup(self) -> None:
        self._loaded = self._shared.acquire(lambda: _Loaded(self._config), tag=repr(self._config))

    def start_bundle(self) -> None:
        self._waiting: list[Any] = []
        self._words = 0

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, self.TAKES):
            self._waiting.append(element)
            self._words += self.words(element)
            if self._words >= BATCH_WORDS:
                yield from self._flush()
        else:
            if isinstance(element, RangeEnd):  # what waits goes first, so that the writer can close the range
                yield from self._flush()
                element = replace(element, arithmetic=self._loaded.arithmetic)
            yield element

    def finish_bundle(self) -> Iterator[WindowedValue]:
        for document in self._flush():
            yield WindowedValue(document, MIN_TIMESTAMP, (GlobalWindow(),))

    def _flush(self) -> Iterator[Any]:
        waiting, self._waiting, self._words = self._waiting, [], 0
        if waiting:
            yield from self.annotate(self._loaded.annotator, waiting)

    def words(self, element: Any) -> int:
        """Returns about how many words of an element are parsed."""
        return sum(p.count(" ") + 1 for s in element.sections for p in s.paragraphs)

    def annotate(self, annotator: Annotator, waiting: Sequence[Any]) -> Iterator[Any]:
        """Yields what becomes of the elements, in order."""
        return annotator.annotate(waiting)


class AnnotateDocuments(beam.PTransform):
    """CleanDocument -> AnnotatedDocument; every other element passes. The model loads once per worker process."""

    def __init__(self, config: AnnotationConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Parse" >> beam.ParDo(AnnotateBatches(self._config, Shared()))


class Annotate(Step):
    """Parses documents and resolves coreference, for recipes that take parsed documents."""

    NAME = "Annotate"
    CONFIG = AnnotationConfig

    def __init__(self, config: AnnotationConfig) -> None:
        self._config = config

    @classmethod
    def serves(cls, wanted: type) -> bool:
        """See Step.serves."""
        return wanted is AnnotatedDocument

    @classmethod
    def open(cls, config: AnnotationConfig, *, source: type[Source], wanted: type) -> Self | None:
        """See Step.open."""
        return None if source.DOCUMENT is wanted else cls(config)

    def apply(self, flow: Flow) -> Flow:
        """See Step.apply."""
        return flow.through(self.NAME, AnnotateDocuments(self._config))

    def record(self, version: str) -> Mapping[str, Any]:
        """See Step.record.

        Raises:
            ModelError: a model is missing, or is not what it should be.
        """
        config = self._config
        resolver = describe_resolver(
            config.coref, model=config.coref_model, spacy_model=config.spacy_model, version=version
        )
        model = describe_model(config.spacy_model)
        warn_if_plain(model)
        warn_if_unpinned()
        return {"models": [model.to_record(), *resolver]}
