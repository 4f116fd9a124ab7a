"""Beam wiring of the annotator: CleanDocument -> AnnotatedDocument or Reject, in batches across documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import apache_beam as beam
from apache_beam.utils.shared import Shared
from typing_extensions import override

from gistmill.core.manifest import COREFERENCE, PARSE, REUSE, REUSED, Part
from gistmill.core.options import UNPARSED, Options, option
from gistmill.core.records import RangeEnd, Reject
from gistmill.core.values import PLACE, TEXT, custom, one_of
from gistmill.rules.documents import AnnotatedDocument, CleanDocument
from gistmill.transforms.arithmetic import arithmetic_in_use, warn_if_unpinned
from gistmill.transforms.beam.internals import spare_collector
from gistmill.transforms.beam.transforms import Batches
from gistmill.transforms.coreference import NAMES as RESOLVERS
from gistmill.transforms.coreference import describe_resolver, load_resolver
from gistmill.transforms.models import PREFERRED, describe_model, load_model
from gistmill.transforms.parsing.fast import warn_if_plain
from gistmill.transforms.reuse import LookUp, part_of, with_earlier
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.annotator import Annotator, work_for
from gistmill.transforms.steps.base import DeadlineConfig, Flow, Step, in_time

MODEL = custom(TEXT.parse, pattern=r"[A-Za-z0-9_./-]+", metavar="MODEL", allowed="a package or a folder")


@dataclass(frozen=True, kw_only=True)
class ParserConfig(Options):
    """The option for all steps that parse."""

    GROUP: ClassVar[str] = "annotation"

    spacy_model: str | None = option(
        MODEL,
        group="annotation",
        markups=UNPARSED,
        help=f"spaCy model: a package or a folder (default: {PREFERRED[0]} if installed, else {PREFERRED[1]}); "
        "download it with `python -m spacy download`: PyPI packages such as en-core-web-trf 999.9.9 are not "
        "by spaCy's authors",
    )


@dataclass(frozen=True, kw_only=True)
class AnnotationConfig(ParserConfig, DeadlineConfig):
    """The configuration of the annotation: the parser and the coreference resolver."""

    coref: str = option(
        one_of(*RESOLVERS), default="sieve", markups=UNPARSED, help=f"coreference resolver: {' or '.join(RESOLVERS)}"
    )
    reuse: str | None = option(
        PLACE,
        markups=UNPARSED,
        fingerprinted=False,
        published=False,
        help="earlier `gistmill annotate` dataset from which to copy unchanged documents instead of parsing "
        "them again; the rows are the same",
    )


class _Loaded:
    """Holds the annotator, because Shared keeps weak references, which Annotator need not support."""

    def __init__(self, config: AnnotationConfig, *, same_resolver: bool) -> None:
        self.annotator = Annotator(
            load_model(config.spacy_model), load_resolver(config.coref), same_resolver=same_resolver
        )
        self.arithmetic = arithmetic_in_use()
        spare_collector(self)


class AnnotateBatches(Batches):
    """Annotates elements in batches, which affect only the speed, never the annotations.

    Subclasses may annotate elements of another class.
    """

    TAKES: type | tuple[type, ...] = CleanDocument
    # words: enough for spaCy to run at full speed, few enough for a batch to take little memory
    ENOUGH = 5_000

    def __init__(self, config: AnnotationConfig, shared: Shared, *, same_resolver: bool = False) -> None:
        self._config, self._shared, self._same_resolver = config, shared, same_resolver

    def setup(self) -> None:
        self._loaded = self._shared.acquire(
            lambda: _Loaded(self._config, same_resolver=self._same_resolver), tag=repr(self._config)
        )

    def process(self, element: Any) -> Iterator[Any]:
        for made in super().process(element):
            yield replace(made, arithmetic=self._loaded.arithmetic) if isinstance(made, RangeEnd) else made

    @override
    def size(self, element: Any) -> int:
        """Returns the approximate number of words in it to parse."""
        return sum(p.count(" ") + 1 for s in element.sections for p in s.paragraphs)

    @override
    def batch(self, waiting: Sequence[Any]) -> Iterator[Any]:
        for document, parsed in zip(waiting, self._loaded.annotator.parse(waiting), strict=True):
            yield self.resolved(parsed, earlier=document.earlier)

    def resolved(self, document: AnnotatedDocument, *, earlier: AnnotatedDocument | None) -> AnnotatedDocument | Reject:
        """Returns the document with its clusters, or a Reject if finding them takes too long."""
        work = partial(self._loaded.annotator.resolve, document, earlier=earlier)
        return in_time(work, document, seconds=self._config.parse_deadline, stage="annotate")


class AnnotateTheRest(AnnotateBatches):
    """Annotates documents that the older dataset lacks; each RangeEnd counts them.

    Documents that arrive parsed come from the older dataset.
    """

    def start_bundle(self) -> None:
        super().start_bundle()
        self._counts: dict[str, Counter[str]] = {}

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, RangeEnd):
            element = replace(element, counts={**element.counts, **self._counts.pop(element.range_key, {})})
        elif isinstance(element, (CleanDocument, AnnotatedDocument)):
            kind = work_for(element)[1] if isinstance(element, CleanDocument) else REUSED
            self._counts.setdefault(element.origin.range_key, Counter())[f"{REUSE}/{kind}"] += 1
        if isinstance(element, AnnotatedDocument) and not (self._same_resolver and element.clusters):
            element = self.resolved(element, earlier=None)
        yield from super().process(element)

    @override
    def size(self, element: CleanDocument) -> int:
        return work_for(element)[0]


class Annotate(Step):
    """Parses documents and resolves coreference, for recipes that take parsed documents."""

    NAME = "Annotate"
    CONFIG = AnnotationConfig
    SERVES = (AnnotatedDocument,)

    @classmethod
    @override
    def open(cls, config: AnnotationConfig, *, source: type[Source], wanted: type) -> Self | None:
        return None if source.DOCUMENT is wanted else cls(config)

    @override
    def apply(self, flow: Flow) -> Flow:
        store = flow.store
        if store is None:
            return flow.through(self.NAME, beam.ParDo(AnnotateBatches(self._config, Shared())))
        rest = AnnotateTheRest(self._config, Shared(), same_resolver=store.coreference)
        known = flow.through("SkipParsing", beam.ParDo(LookUp(store, CleanDocument, with_earlier)))
        return known.through(self.NAME, beam.ParDo(rest))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        """Raises ModelError: a model is missing or not the expected one."""
        models = _models(self._config, version)
        warn_if_plain(describe_model(self._config.spacy_model))
        warn_if_unpinned()
        return {"models": models}


def annotation_parts(config: AnnotationConfig) -> dict[str, Part]:
    """Returns the parts of an annotation that determine parses and coreference, by name.

    Raises:
        ModelError: a model is missing or not the expected one.
    """
    parser, *resolver = _models(config, "")
    return {
        PARSE: part_of([parser], ("numpy", "spacy", "thinc")),
        COREFERENCE: part_of(resolver, ("lemminflect", "numpy"), coref=config.coref),
    }


def _models(config: AnnotationConfig, version: str) -> list[Mapping[str, Any]]:
    """Returns the records of the spaCy model and the resolver's models."""
    resolver = describe_resolver(config.coref, version=version)
    return [describe_model(config.spacy_model).to_record(), *resolver]
