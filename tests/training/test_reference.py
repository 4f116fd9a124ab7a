"""docs/training-options.md is made from the declarations, and holds every option."""

from pathlib import Path

from gistmill.training.commands import COMMANDS
from gistmill.training.reference import reference
from gistmill.training.settings import known_options

PAGE = Path(__file__).parents[2] / "docs" / "training-options.md"


def test_the_page_is_in_step_with_the_options():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run python -m gistmill.training.reference > docs/training-options.md"
    )


def test_every_option_stands_in_the_section_of_its_command():
    for name in COMMANDS:
        section = reference().split(f"## `gistmill-train {name}`")[1].split("\n## ")[0]
        for option in known_options(COMMANDS[name]).values():
            assert section.count(f"\n- `{option.flag}` (") == 1, name
