"""Beam wiring of a recipe: AnnotatedDocument or SegmentedDocument -> Outcome."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import apache_beam as beam

from rules.records import AnnotatedDocument, Column, Outcome, SegmentedDocument
from transforms.errors import OnlyFor


class Recipe(Protocol):
    """What a recipe in rules/ offers: its dataset's configurations and columns, and a pure function of a document.
    ``DOCUMENT`` is the class of documents that it needs: AnnotatedDocument or, where it needs no parse, SegmentedDocument."""

    DOCUMENT: type[AnnotatedDocument] | type[SegmentedDocument]
    CONFIGS: tuple[str, ...]
    COLUMNS: tuple[Column, ...]

    def process(self, document: Any) -> Outcome:
        """Returns the rows, rejects and counts that one document gives."""


class ApplyRecipe(beam.PTransform):
    """Documents of the class that ``recipe`` needs -> Outcome; every other element passes."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self._recipe = recipe

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Apply" >> beam.ParDo(OnlyFor(self._recipe.DOCUMENT, self._apply))

    def _apply(self, document: Any) -> Iterator[Outcome]:
        yield self._recipe.process(document)
