"""Steps that make SegmentedDocuments and, for recipes that take text, turn AnnotatedDocuments into CleanDocuments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.options import UNPARSED, Options, option
from gistmill.core.values import one_of
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, SegmentedDocument
from gistmill.rules.segmentation import segmented, unparsed
from gistmill.transforms.beam.transforms import ForTypes
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.annotate import Annotate, AnnotationConfig, ParserConfig
from gistmill.transforms.steps.base import TEXTS, Flow, Step

FAST, PARSER = "fast", "parser"
METHODS = (FAST, PARSER)


@dataclass(frozen=True, kw_only=True)
class SegmentationConfig(ParserConfig):
    """The choice of sentence splitter: rules on plain text (``rules/text/segment.py``), or the annotator."""

    sentences: str = option(
        one_of(*METHODS),
        default=FAST,
        metavar="METHOD",
        markups=UNPARSED,
        help=f"how to find sentences: {FAST}, by rules on the text, which may be tokenised; or {PARSER}, by a spaCy "
        "parse, about a hundred times slower",
    )

    @property
    def needs_parse(self) -> bool:
        """Whether documents must be annotated first."""
        return self.sentences == PARSER


class Segment(Step):
    """Splits documents into sentences, for recipes that need no parse."""

    NAME = "Segment"
    CONFIG = SegmentationConfig
    SERVES = (SegmentedDocument,)

    def __init__(self, config: SegmentationConfig, parse: Annotate | None) -> None:
        super().__init__(config)
        self._parse = parse

    @classmethod
    @override
    def open(cls, config: SegmentationConfig, *, source: type[Source], wanted: type) -> Self | None:
        parser = AnnotationConfig(spacy_model=config.spacy_model, coref="none")
        unparsed = config.needs_parse and source.DOCUMENT is not AnnotatedDocument
        return cls(config, Annotate(parser) if unparsed else None)

    @override
    def apply(self, flow: Flow) -> Flow:
        parsed = flow if self._parse is None else self._parse.apply(flow)
        return parsed.through(self.NAME, beam.ParDo(ForTypes(TEXTS, segmented)))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {} if self._parse is None else self._parse.record(version)


class Unparse(Step):
    """Turns annotations back into text, for recipes that take text."""

    NAME = "Unparse"
    SERVES = (CleanDocument,)

    @classmethod
    @override
    def open(cls, config: Options, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if source.DOCUMENT is AnnotatedDocument else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.through(self.NAME, beam.ParDo(ForTypes(AnnotatedDocument, lambda document: [unparsed(document)])))
