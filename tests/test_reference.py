"""docs/options.md is made from the declarations, and holds every option."""

from pathlib import Path

from gistmill.pipelines.job import job_options
from gistmill.pipelines.reference import reference
from gistmill.rules.recipes import RECIPES

PAGE = Path(__file__).parent.parent / "docs" / "options.md"


def test_the_page_is_in_step_with_the_options():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run python -m gistmill.pipelines.reference > docs/options.md"
    )


def test_every_option_stands_there_once_for_each_owner():
    page = reference()
    for recipe in RECIPES.values():
        for option in job_options(recipe).values():
            assert f"\n- `{option.flag}` (" in page
            if option.group != "recipe":
                assert page.count(f"\n- `{option.flag}` (") == 1
