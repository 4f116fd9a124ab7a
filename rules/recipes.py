"""Every recipe, in the order in which ``gistmill --help`` lists the jobs. A new recipe is a class and a line here.

Packages bring recipes of their own by entry points of the group ``gistmill.recipes``; they follow those of Gistmill.
"""

from __future__ import annotations

import inspect
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.articles import Articles
from gistmill.rules.augmentation.recipe import Augment
from gistmill.rules.curriculum.recipe import Curriculum
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.gap_sentences import GapSentences
from gistmill.rules.headline import Headline
from gistmill.rules.lead_bias.recipe import LeadBias
from gistmill.rules.mixture import Mix
from gistmill.rules.propositions.recipe import Propositions
from gistmill.rules.recipe import Recipe
from gistmill.rules.synthetic.recipe import Synthetic
from gistmill.rules.wikitransfer.recipe import WikiTransfer

RECIPES: dict[str, type[Recipe[Any]]] = {
    recipe.NAME: recipe
    for recipe in (
        DiscoFuse,
        LeadBias,
        WikiTransfer,
        GapSentences,
        Headline,
        Propositions,
        Synthetic,
        Articles,
        KeepAnnotations,
        Curriculum,
        Augment,
        Mix,
    )
}
GROUP = "gistmill.recipes"
_NEEDED = ("NAME", "HELP", "TITLE", "SUMMARY", "DESCRIPTION", "EXAMPLES", "CONFIG", "DOCUMENT")
# What is wrong with the recipes of packages that cannot be used, by the names of their jobs.
BROKEN: dict[str, str] = {}


def add_recipe(recipe: object) -> type[Recipe[Any]]:
    """Adds a class to the table, and returns it. One that was defined again takes the place of the former.

    Raises:
        ValueError: it is not a whole recipe, or another recipe has its name; one line that says so.
    """
    if not (isinstance(recipe, type) and issubclass(recipe, Recipe)):
        raise ValueError(f"{recipe!r:.80} is not a class of recipes, which is one below gistmill.recipes.Recipe")
    needed = [*_NEEDED, "COLUMNS"] if recipe.schema is Recipe.schema else _NEEDED
    lacking = [name for name in needed if not hasattr(recipe, name)]
    if lacking or inspect.isabstract(recipe):
        missing = ", ".join(lacking) or "a method process"
        raise ValueError(
            f"the recipe {recipe.__name__} lacks {missing}; gistmill.recipes.Recipe explains what it needs"
        )
    there = RECIPES.get(recipe.NAME, recipe)
    if (there.__module__, there.__qualname__) != (recipe.__module__, recipe.__qualname__):
        raise ValueError(
            f"the recipe {recipe.__name__} has the name {recipe.NAME!r}, which belongs to {there.__name__} of "
            f"{there.__module__}; give it another"
        )
    RECIPES[recipe.NAME] = recipe
    return recipe


def _add_installed(entry: EntryPoint) -> None:
    try:
        add_recipe(entry.load())
    except Exception as error:  # whatever a package does, the recipes of others are there
        of = f" of the package {entry.dist.name}" if entry.dist else ""
        BROKEN[entry.name] = f"the recipe {entry.value}{of} cannot be used: {' '.join(str(error).split())}"


for installed in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
    _add_installed(installed)
