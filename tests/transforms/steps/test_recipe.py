"""The worker that applies a recipe: how it begins."""

import gc

import pytest

from rules.recipes import RECIPES
from rules.records import AnnotatedDocument
from transforms.steps.recipe import _Apply


@pytest.mark.parametrize("name", ["discofuse", "gap-sentences"])
def test_the_collector_is_spared_where_documents_are_parsed(name):
    """Other documents hold no tuple for each token, and the collector has little to go through."""
    recipe = RECIPES[name](RECIPES[name].CONFIG())
    gc.unfreeze()  # an owner that another test left
    worker = _Apply(recipe, "")
    worker.setup()
    assert bool(gc.get_freeze_count()) is (recipe.DOCUMENT is AnnotatedDocument) is (name == "discofuse")
    del worker
