"""Beam wiring of a recipe: AnnotatedDocument -> Outcome."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import apache_beam as beam

from rules.records import AnnotatedDocument, Column, Outcome
from transforms.errors import OnlyFor


class Recipe(Protocol):
    """What a recipe in rules/ offers: its dataset's configurations and columns, and a pure function of a document."""

    CONFIGS: tuple[str, ...]
    COLUMNS: tuple[Column, ...]

    def process(self, document: AnnotatedDocument) -> Outcome:
        """Returns the rows, rejects and counts that one document gives."""


class ApplyRecipe(beam.PTransform):
    """AnnotatedDocument -> Outcome by ``recipe``; every other element passes."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self._recipe = recipe

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Apply" >> beam.ParDo(OnlyFor(AnnotatedDocument, self._apply))

    def _apply(self, document: AnnotatedDocument) -> Iterator[Outcome]:
        yield self._recipe.process(document)
