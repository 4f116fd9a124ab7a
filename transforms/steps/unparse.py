"""Beam wiring for recipes that take text: parsed documents become text again, AnnotatedDocument -> CleanDocument."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.options import Options
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section, natural_text
from gistmill.transforms.beam.transforms import OnlyFor
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step

_UNKNOWN = 0  # annotations have the titles of sections, and not their levels


class UnparseConfig(Options):
    """The step has no options."""


def unparsed(document: AnnotatedDocument) -> CleanDocument:
    """Returns the text of a parsed document; its sections have the level 0, but for the lead section."""
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
    CONFIG = UnparseConfig

    @classmethod
    @override
    def serves(cls, wanted: type) -> bool:
        return wanted is CleanDocument

    @classmethod
    @override
    def open(cls, config: Any, *, source: type[Source], wanted: type) -> Self | None:
        return cls() if source.DOCUMENT is AnnotatedDocument else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.through(self.NAME, beam.ParDo(OnlyFor((AnnotatedDocument,), _unparse)))


def _unparse(document: AnnotatedDocument) -> Iterator[CleanDocument]:
    yield unparsed(document)
