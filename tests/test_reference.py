"""The reference of options is made from the declarations, and has every option."""

import re
import runpy
from pathlib import Path

from gistmill.core.options import option_definition
from gistmill.core.text_output import one_line
from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES
from gistmill.training.commands import COMMANDS
from gistmill.training.settings import known_options

DOCS = Path(__file__).parent.parent / "docs"
page = runpy.run_path(str(DOCS / "reference.py"))["page"]


def test_the_page_is_in_step_with_the_options():
    assert (DOCS / "options.md").read_text(encoding="utf-8") == page(), "run python -m docs.reference > docs/options.md"


def test_every_option_stands_there_once_for_each_owner():
    text = page().split("\n## ")[1]
    for recipe in RECIPES.values():
        for option in job_options(recipe).values():
            assert f"\n- `{option.flag}` (" in text
            if option.group != "recipe":
                assert text.count(f"\n- `{option.flag}` (") == 1


def test_every_option_of_training_stands_with_its_command_or_with_those_of_several():
    shared, *sections = page().split("\n## ")[2].split("\n### ")[1:]
    for section, command in zip(sections, COMMANDS.values(), strict=True):
        assert section.startswith(f"`gistmill-train {command.name}`\n")
        for option in known_options(command).values():
            _, meaning = option_definition(option)
            also = [line for line in shared.splitlines() if line.startswith(f"  {one_line(meaning)} *(")]
            several = sum(command.name in re.findall(r"\w+", line.rpartition("*(")[2]) for line in also)
            assert section.count(f"\n- `{option.flag}` (") + several == 1, (command.name, option.flag)
