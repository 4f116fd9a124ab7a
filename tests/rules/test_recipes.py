"""The table of recipes, and those that are added to it."""

import pytest

from gistmill.rules.articles import Articles
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import BROKEN, RECIPES, add_recipe


def own(name="own", **parts):
    """A class as somebody may define it, the same one each time."""
    return type("Own", (Articles,), {"NAME": name, "__module__": "elsewhere", "__qualname__": "Own", **parts})


@pytest.fixture(autouse=True)
def table():
    before = dict(RECIPES)
    yield
    RECIPES.clear()
    RECIPES.update(before)


def test_a_class_is_added_under_its_name_and_may_be_defined_again():
    first, second = own(), own()
    assert add_recipe(first) is first is RECIPES["own"]
    assert add_recipe(second) is second is RECIPES["own"] and list(RECIPES)[-1] == "own"


def test_what_cannot_be_a_recipe_is_said():
    for wrong, said in [
        (3, "^3 is not a class of recipes"),
        (Articles.CONFIG, "is not a class of recipes"),
        (
            type("Bare", (Recipe,), {"NAME": "bare"}),
            "^the recipe Bare lacks HELP, TITLE, .*; gistmill.recipes.Recipe explains what it needs$",
        ),
        (
            type("Idle", (Articles,), {"NAME": "idle", "process": Recipe.process}),
            "the recipe Idle lacks a method process",
        ),
        (own("discofuse"), "has the name 'discofuse', which belongs to DiscoFuse of gistmill.rules.discofuse.recipe"),
    ]:
        before = dict(RECIPES)
        with pytest.raises(ValueError, match=said):
            add_recipe(wrong)
        assert before == RECIPES, wrong


def test_none_that_is_installed_here_is_broken():
    assert BROKEN == {}
