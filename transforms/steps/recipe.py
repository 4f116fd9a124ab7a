"""Beam wiring of a recipe: AnnotatedDocument, SegmentedDocument, Pair or Seed -> Outcome."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import apache_beam as beam

from rules.recipe import Recipe
from rules.records import AnnotatedDocument, Outcome, Pair, Seed
from transforms.beam.collector import spare_collector
from transforms.beam.only_for import OnlyFor
from transforms.materials import load_materials


class ApplyRecipe(beam.PTransform):
    """Documents of the class that ``recipe`` needs, and Seeds -> Outcome; every other element passes.

    Args:
        recipe: makes the rows.
        workspace: root of the run's workspace, where ``save_materials`` left what the recipe works with.
    """

    def __init__(self, recipe: Recipe[Any], workspace: str = "") -> None:
        super().__init__()
        self._recipe, self._workspace = recipe, workspace

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        return documents | "Apply" >> beam.ParDo(_Apply(self._recipe, self._workspace))


class _Apply(OnlyFor):
    def __init__(self, recipe: Recipe[Any], workspace: str) -> None:
        super().__init__((recipe.DOCUMENT, Seed), self._apply)
        self._recipe, self._workspace = recipe, workspace

    def setup(self) -> None:
        load_materials(self._recipe, self._workspace)
        if (
            self._recipe.DOCUMENT is AnnotatedDocument
        ):  # each is tens of thousands of tuples, which set the collector off
            spare_collector(self)

    def _apply(self, document: Any) -> Iterator[Outcome]:
        outcome = self._recipe.process(document)
        yield dataclasses.replace(outcome, split=document.split) if isinstance(document, Pair) else outcome
