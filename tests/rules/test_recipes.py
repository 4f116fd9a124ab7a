"""The table of recipes, and those that are added to it."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.rules.articles import Articles
from gistmill.rules.filters import ContaminationConfig, DatesConfig, SectionsConfig
from gistmill.rules.mixture import counts_of
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import BROKEN, PAPERS, RECIPES, add_recipe, citation
from tests.cases import by_heading

CASES = by_heading(__file__)


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
    assert BROKEN == {}


def test_what_cannot_be_a_recipe_is_said():
    for wrong, said in [
        (3, "^3 is not a recipe class"),
        (Articles.CONFIG, "is not a recipe class"),
        (
            type("Bare", (Recipe,), {"NAME": "bare"}),
            "^the recipe Bare lacks HELP, TITLE, .*; gistmill.recipes.Recipe explains what it needs$",
        ),
        (
            type("Idle", (Articles,), {"NAME": "idle", "process": Recipe.process}),
            "the recipe Idle lacks a method process",
        ),
        (own("discofuse"), "has the name 'discofuse', already used by DiscoFuse in gistmill.rules.discofuse.recipe"),
    ]:
        before = dict(RECIPES)
        with pytest.raises(ValueError, match=said):
            add_recipe(wrong)
        assert before == RECIPES, wrong


FILTERS = {"dates": DatesConfig, "sections": SectionsConfig, "contamination": ContaminationConfig}


def test_what_a_configuration_refuses():
    nothing = [("lead-bias", {"lead": None}, "sentences:N"), ("gap-sentences", {"mask_token": None}, "mask_token")]
    for name, options, said in CASES["what a configuration refuses"] + nothing:
        with pytest.raises(OptionError) as error:
            (FILTERS.get(name) or RECIPES[name].CONFIG)(**options)
        assert said in str(error.value) and "\n" not in str(error.value), options
        assert any(option in str(error.value) for option in options), options


# The papers of recipes, as CITATION.cff and BibTeX have them.


_CITED = yaml.safe_load((Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8"))["references"]


def test_papers_are_those_of_the_citation_file():
    cited = {
        found[1]: (
            r["title"],
            " and ".join(f"{a['family-names']}, {a['given-names']}" for a in r["authors"]),
            r["conference"]["name"],
            r["year"],
            r["url"].rpartition("/")[2],
        )
        for r in _CITED
        if (found := re.fullmatch(r"The recipe of `gistmill (.+)`\.", r["notes"]))
    }
    assert cited == {name: (p.title, p.authors, p.venue, p.year, p.arxiv) for name, p in PAPERS.items()}
    assert set(PAPERS) <= set(RECIPES)


def test_a_citation_names_the_paper_where_there_is_one_and_gistmill():
    both, alone = citation("discofuse", "1.2", 2026), citation("articles", "1.2", 2026)
    assert re.findall(r"^@\w+\{(\w+)", both, re.M) == ["geva2019discofuse", "gistmill"]
    assert "title = {{DiscoFuse: A Large-Scale" in both and "version = {1.2}" in both
    assert "  year = {2019},\n" in both and "  year = {2026},\n" in alone
    assert "  url = {https://arxiv.org/abs/1902.10526}\n" in both
    assert re.findall(r"^@\w+\{(\w+)", alone, re.M) == ["gistmill"]
    assert both.count("{") == both.count("}")


def test_the_dataset_that_is_smallest_for_its_weight_is_whole():
    assert counts_of([100, 40], [0.5, 0.5]) == (40, 40)
    assert counts_of([100, 40], [3, 1]) == (100, 33)
    assert counts_of([100, 40, 7], [1, 1, 0.1]) == (40, 40, 4)
    assert counts_of([1000, 5], [1000, 0.001]) == (1000, 1)  # a row at least
    assert counts_of([100, 40], None) == (100, 40)
    for factor in [0.1, 2, 1000]:  # only the proportions count
        assert counts_of([300, 200], [0.3 * factor, 0.6 * factor]) == counts_of([300, 200], [1, 2]), factor


@given(st.lists(st.tuples(st.integers(1, 10**9), st.integers(1, 100)), min_size=1, max_size=5))
def test_counts_fit_in_the_splits_and_one_is_whole(parts):
    sizes, weights = [size for size, _ in parts], [weight for _, weight in parts]
    counts = counts_of(sizes, weights)
    assert all(1 <= count <= size for count, size in zip(counts, sizes, strict=True))
    assert any(count == size for count, size in zip(counts, sizes, strict=True))
    unit = min(size / weight for size, weight in zip(sizes, weights, strict=True))
    assert all(abs(c - unit * w) <= 1 for c, w in zip(counts, weights, strict=True))
