"""All recipes and their configurations by class name, and functions that turn a text into a recipe's document.

    recipe = gistmill.recipes.LeadBias(gistmill.recipes.LeadBiasConfig(max_lead_words=80))
    recipe.process(gistmill.recipes.segment(TEXT))

The classes are listed in ``RECIPES``. Derive your own recipes from ``Recipe``.
"""

from typing import Any

from gistmill.pipelines.texts import annotate as annotate
from gistmill.pipelines.texts import clean as clean
from gistmill.pipelines.texts import segment as segment
from gistmill.rules.recipe import Recipe as Recipe
from gistmill.rules.recipes import RECIPES as RECIPES

_CLASSES = {kind.__name__: kind for recipe in RECIPES.values() for kind in (recipe, recipe.CONFIG)}

__all__ = ["RECIPES", "Recipe", "annotate", "clean", "segment", *_CLASSES]  # noqa: PLE0604, all are strings


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return _CLASSES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
