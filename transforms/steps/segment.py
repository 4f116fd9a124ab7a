"""Documents become SegmentedDocuments, and for recipes that take text AnnotatedDocuments become CleanDocuments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.options import UNPARSED, Options, option
from gistmill.core.values import one_of
from gistmill.rules.documents import (
    AnnotatedDocument,
    CleanDocument,
    Section,
    SegmentedDocument,
    TextSentence,
    natural_text,
)
from gistmill.rules.lineage import language_of
from gistmill.rules.text.sentences import splitter_of
from gistmill.transforms.beam.transforms import OnlyFor
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.annotate import Annotate, AnnotationConfig, ParserConfig
from gistmill.transforms.steps.base import TEXTS, Flow, Step

FAST, PARSER = "fast", "parser"
METHODS = (FAST, PARSER)


@dataclass(frozen=True, kw_only=True)
class SegmentationConfig(ParserConfig):
    """Chooses how sentences are found: rules on plain text (``rules/text/segment.py``), or the annotator."""

    sentences: str = option(
        one_of(*METHODS),
        default=FAST,
        metavar="METHOD",
        markups=UNPARSED,
        help=f"how to find sentences: {FAST}, rules on the text, which also handle tokenised text, or {PARSER}, a "
        "spaCy parse, some hundred times slower",
    )

    @property
    def needs_parse(self) -> bool:
        """Whether documents have to be annotated first."""
        return self.sentences == PARSER


def segment_clean(document: CleanDocument) -> SegmentedDocument:
    """Splits the paragraphs; they are numbered over the whole document, as the annotator does."""
    texts = (text for section in document.sections for text in section.paragraphs)
    split = splitter_of(texts, language_of(document.origin))
    sentences = []
    paragraph = 0
    for index, section in enumerate(document.sections):
        for text in section.paragraphs:
            sentences += [TextSentence(s, index, paragraph) for s in split(text)]
            paragraph += 1
    return SegmentedDocument(document.origin, tuple(sentences), tuple(s.title for s in document.sections))


def segment_annotated(document: AnnotatedDocument) -> SegmentedDocument:
    """Takes over the parser's sentences as natural text."""
    sentences = [TextSentence(natural_text(s.tokens), s.section, s.paragraph) for s in document.sentences]
    return SegmentedDocument(document.origin, tuple(sentences), document.section_titles)


def segmented(document: CleanDocument | AnnotatedDocument) -> Iterator[SegmentedDocument]:
    """Yields a document as sentences: those of its parse, where it has one."""
    yield segment_annotated(document) if isinstance(document, AnnotatedDocument) else segment_clean(document)


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
        return parsed.through(self.NAME, beam.ParDo(OnlyFor(TEXTS, segmented)))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {} if self._parse is None else self._parse.record(version)


_UNKNOWN = 0  # annotations have the titles of sections, and not their levels


def unparsed(document: AnnotatedDocument) -> CleanDocument:
    """Returns the text of a parsed document; its sections have the level 0, except the lead section."""
    sections = []
    for index, in_section in groupby(document.sentences, key=lambda s: s.section):
        paragraphs = groupby(in_section, key=lambda s: s.paragraph)
        texts = tuple(" ".join(natural_text(s.tokens) for s in sentences) for _, sentences in paragraphs)
        title = document.section_titles[index] if document.section_titles else ""
        sections.append(Section(title, _UNKNOWN if title else 1, texts))
    return CleanDocument(document.origin, tuple(sections))


class Unparse(Step):
    """Gives recipes that take text the text of annotations."""

    NAME = "Unparse"
    SERVES = (CleanDocument,)

    @classmethod
    @override
    def open(cls, config: Options, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if source.DOCUMENT is AnnotatedDocument else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.through(self.NAME, beam.ParDo(OnlyFor(AnnotatedDocument, lambda document: [unparsed(document)])))
