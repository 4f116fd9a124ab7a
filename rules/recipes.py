"""All recipes, in the order in which ``gistmill --help`` lists the jobs. A new recipe needs a class and a line here.

Other packages add recipes through entry points in the group ``gistmill.recipes``; they follow Gistmill's own.
"""

from __future__ import annotations

import inspect
import tomllib
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import Any, NamedTuple

from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.articles import Articles
from gistmill.rules.augmentation.recipe import Augment
from gistmill.rules.curriculum.recipe import Curriculum
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.gap_sentences import GapSentences
from gistmill.rules.headline import Headline
from gistmill.rules.lead_bias import LeadBias
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
# The problems with unusable package recipes, by job name.
BROKEN: dict[str, str] = {}


def add_recipe(recipe: object) -> type[Recipe[Any]]:
    """Adds a recipe class to the table and returns it. A redefined class replaces its earlier definition.

    Raises:
        ValueError: it is not a complete recipe class, or another recipe has its name; the message is one line.
    """
    if not (isinstance(recipe, type) and issubclass(recipe, Recipe)):
        raise ValueError(f"{recipe!r:.80} is not a recipe class; expected a subclass of gistmill.recipes.Recipe")
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
            f"the recipe {recipe.__name__} has the name {recipe.NAME!r}, already used by {there.__name__} in "
            f"{there.__module__}; choose another name"
        )
    RECIPES[recipe.NAME] = recipe
    return recipe


def _add_installed(entry: EntryPoint) -> None:
    try:
        add_recipe(entry.load())
    except Exception as error:  # a faulty package must not affect other recipes
        of = f" of the package {entry.dist.name}" if entry.dist else ""
        BROKEN[entry.name] = f"the recipe {entry.value}{of} cannot be used: {' '.join(str(error).split())}"


for installed in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
    _add_installed(installed)


class Paper(NamedTuple):
    """A paper; ``key`` is its BibTeX key, ``authors`` are in BibTeX format, and ``arxiv`` is its arXiv identifier."""

    key: str
    title: str
    authors: str
    venue: str
    year: int
    arxiv: str

    def bibtex(self) -> str:
        """Returns the paper's BibTeX entry."""
        return (
            f"@inproceedings{{{self.key},\n"
            f"  title = {{{{{self.title}}}}},\n"
            f"  author = {{{self.authors}}},\n"
            f"  booktitle = {{{self.venue}}},\n"
            f"  year = {{{self.year}}},\n"
            f"  url = {{https://arxiv.org/abs/{self.arxiv}}}\n"
            "}"
        )


# By recipe name.
PAPERS = {
    name: Paper(**fields)
    for name, fields in tomllib.loads((files("gistmill.rules") / "papers.toml").read_text("utf-8")).items()
}


def citation(recipe: str, version: str, year: int) -> str:
    """Returns BibTeX citations for a dataset made in ``year``: the recipe's paper, if there is one, and Gistmill."""
    gistmill = (
        "@software{gistmill,\n"
        "  title = {Gistmill},\n"
        "  author = {{The Gistmill developers}},\n"
        f"  year = {{{year}}},\n"
        f"  version = {{{version}}},\n"
        f"  note = {{gistmill {recipe}}}\n"
        "}"
    )
    paper = PAPERS.get(recipe)
    return "\n\n".join([*([paper.bibtex()] if paper else []), gistmill])
