"""Beam wiring of a recipe: AnnotatedDocument or SegmentedDocument -> Outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apache_beam as beam

from rules.recipe import Recipe
from rules.records import Outcome
from transforms.beam.only_for import OnlyFor


class ApplyRecipe(beam.PTransform):
    """Documents of the class that ``recipe`` needs -> Outcome; every other element passes."""

    def __init__(self, recipe: Recipe[Any]) -> None:
        super().__init__()
        self._recipe = recipe

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Apply" >> beam.ParDo(OnlyFor(self._recipe.DOCUMENT, self._apply))

    def _apply(self, document: Any) -> Iterator[Outcome]:
        yield self._recipe.process(document)
