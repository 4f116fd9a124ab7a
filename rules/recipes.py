"""Every recipe, in the order in which ``gistmill --help`` lists the jobs. A new recipe is a class and a line here."""

from __future__ import annotations

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
        Synthetic,
        Articles,
        KeepAnnotations,
        Curriculum,
        Augment,
        Mix,
    )
}
