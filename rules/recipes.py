"""Every recipe, in the order in which ``gistmill --help`` lists the jobs. A new recipe is a class and a line here."""

from __future__ import annotations

from typing import Any

from rules.annotated import KeepAnnotations
from rules.augmentation.recipe import Augment
from rules.curriculum.recipe import Curriculum
from rules.discofuse.recipe import DiscoFuse
from rules.gap_sentences import GapSentences
from rules.headline import Headline
from rules.lead_bias.recipe import LeadBias
from rules.mixture import Mix
from rules.recipe import Recipe
from rules.synthetic.recipe import Synthetic
from rules.wikitransfer.recipe import WikiTransfer

RECIPES: dict[str, type[Recipe[Any]]] = {
    recipe.NAME: recipe
    for recipe in (
        DiscoFuse,
        LeadBias,
        WikiTransfer,
        GapSentences,
        Headline,
        Synthetic,
        KeepAnnotations,
        Curriculum,
        Augment,
        Mix,
    )
}
