"""The reference pages of options are made from the declarations, and hold every option."""

import runpy
from pathlib import Path

import pytest

from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES
from gistmill.training.commands import COMMANDS
from gistmill.training.settings import known_options

DOCS = Path(__file__).parent.parent / "docs"
page = runpy.run_path(str(DOCS / "reference.py"))["page"]


@pytest.mark.parametrize("name", ["options", "serving-options", "training-options"])
def test_the_page_is_in_step_with_the_options(name):
    made = f"python -m docs.reference {name} > docs/{name}.md"
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == page(name), f"run {made}"


def test_every_option_stands_there_once_for_each_owner():
    text = page("options")
    for recipe in RECIPES.values():
        for option in job_options(recipe).values():
            assert f"\n- `{option.flag}` (" in text
            if option.group != "recipe":
                assert text.count(f"\n- `{option.flag}` (") == 1


def test_every_option_of_training_stands_in_the_section_of_its_command():
    for name, command in COMMANDS.items():
        section = page("training-options").split(f"## `gistmill-train {name}`")[1].split("\n## ")[0]
        for option in known_options(command).values():
            assert section.count(f"\n- `{option.flag}` (") == 1, name
