"""Conversion of documents to sentences, found by rules or taken from a parse, and of parsed documents to text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

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

_UNKNOWN = 0  # annotations contain section titles but not their levels


def segment_clean(document: CleanDocument) -> SegmentedDocument:
    """Splits a document into sentences, numbering paragraphs throughout the document, as the annotator does."""
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
    """Returns the parser's sentences as natural text."""
    sentences = [TextSentence(natural_text(s.tokens), s.section, s.paragraph) for s in document.sentences]
    return SegmentedDocument(document.origin, tuple(sentences), document.section_titles)


def segmented(document: CleanDocument | AnnotatedDocument) -> Iterator[SegmentedDocument]:
    """Yields a document as sentences, using its parse if there is one."""
    yield segment_annotated(document) if isinstance(document, AnnotatedDocument) else segment_clean(document)


def unparsed(document: AnnotatedDocument) -> CleanDocument:
    """Returns the text of a parsed document; all sections but the lead section get level 0."""
    sections = []
    for index, in_section in groupby(document.sentences, key=lambda s: s.section):
        paragraphs = groupby(in_section, key=lambda s: s.paragraph)
        texts = tuple(" ".join(natural_text(s.tokens) for s in sentences) for _, sentences in paragraphs)
        title = document.section_titles[index] if document.section_titles else ""
        sections.append(Section(title, _UNKNOWN if title else 1, texts))
    return CleanDocument(document.origin, tuple(sections))
