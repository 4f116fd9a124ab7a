"""Beam wiring of a recipe: a document, Pair or Seed -> Outcome, or Reject at a deadline."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from gistmill.core.records import Outcome, Pair, Reject, Seed
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.recipe import Recipe
from gistmill.transforms.beam.internals import spare_collector
from gistmill.transforms.beam.transforms import OnlyFor
from gistmill.transforms.materials import load_materials
from gistmill.transforms.steps.base import in_time


class ApplyRecipe(OnlyFor):
    """Documents of the class that ``recipe`` needs, and Seeds -> Outcome or Reject; every other element passes.

    Args:
        recipe: makes the rows.
        workspace: root of the run's workspace, where ``save_materials`` left what the recipe works with.
        deadline: seconds that it may work on one document.
    """

    def __init__(self, recipe: Recipe[Any], workspace: str = "", *, deadline: float = math.inf) -> None:
        super().__init__((recipe.DOCUMENT, Seed), self._apply)
        self._recipe, self._workspace, self._deadline = recipe, workspace, deadline

    def setup(self) -> None:
        load_materials(self._recipe, self._workspace)
        # each is tens of thousands of tuples, which set the collector off
        if self._recipe.DOCUMENT is AnnotatedDocument:
            spare_collector(self)

    def _apply(self, document: Any) -> Iterator[Outcome | Reject]:
        work = partial(self._recipe.process, document)
        made = in_time(work, document, seconds=self._deadline, stage="recipe")
        of_pair = isinstance(document, Pair) and isinstance(made, Outcome)
        yield dataclasses.replace(made, split=document.split) if of_pair else made
