"""Beam wiring of the sentencizer: CleanDocument or AnnotatedDocument -> SegmentedDocument."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apache_beam as beam

from rules.records import AnnotatedDocument, CleanDocument, SegmentedDocument, TextSentence, natural_text
from rules.text.segment import split_sentences
from transforms.errors import OnlyFor

FAST, PARSER = "fast", "parser"
METHODS = (FAST, PARSER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentationConfig:
    """Where sentences come from: ``fast``, rules on plain text (``rules/text/segment.py``), or ``parser``, those of the
    annotator, whose stage then goes before."""

    method: str = FAST

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"sentences: {self.method!r} is not one of {', '.join(METHODS)}")

    @property
    def needs_parse(self) -> bool:
        """Whether documents have to be annotated first."""
        return self.method == PARSER


def segment_clean(document: CleanDocument) -> SegmentedDocument:
    """Splits the paragraphs; they are numbered over the whole document, as the annotator does."""
    sentences = []
    paragraph = 0
    for index, section in enumerate(document.sections):
        for text in section.paragraphs:
            sentences += [TextSentence(s, index, paragraph) for s in split_sentences(text)]
            paragraph += 1
    return _segmented(document, sentences, tuple(s.title for s in document.sections))


def segment_annotated(document: AnnotatedDocument) -> SegmentedDocument:
    """Takes over the parser's sentences as natural text."""
    sentences = [TextSentence(natural_text(s.tokens), s.section, s.paragraph) for s in document.sentences]
    return _segmented(document, sentences, document.section_titles)


def _segmented(document: CleanDocument | AnnotatedDocument, sentences: list[TextSentence],
               titles: tuple[str, ...]) -> SegmentedDocument:
    return SegmentedDocument(
        id=document.id, source=document.source, title=document.title, sentences=tuple(sentences), section_titles=titles,
        revision=document.revision, timestamp=document.timestamp, file=document.file, offset=document.offset,
        range_key=document.range_key, metadata=document.metadata,
    )


class SegmentDocuments(beam.PTransform):
    """CleanDocument (``fast``) and AnnotatedDocument -> SegmentedDocument; every other element passes.

    Annotated documents keep their sentences whatever the method: they have been split already. With ``parser`` the
    graph annotates first, so a CleanDocument that comes here then is an error.
    """

    def __init__(self, config: SegmentationConfig) -> None:
        super().__init__()
        self._config = config

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Sentences" >> beam.ParDo(OnlyFor((CleanDocument, AnnotatedDocument), self._segment))

    def _segment(self, document: CleanDocument | AnnotatedDocument) -> Iterator[SegmentedDocument]:
        if isinstance(document, AnnotatedDocument):
            yield segment_annotated(document)
        elif self._config.needs_parse:
            raise TypeError(f"{document.id} was not annotated, and its sentences are to be the parser's")
        else:
            yield segment_clean(document)
