"""docs/serving-options.md is made from the declarations, and holds every option."""

from pathlib import Path

from gistmill.core.options import options_of
from gistmill.serving.config import ServingConfig
from gistmill.serving.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "serving-options.md"


def test_the_page_is_in_step_with_the_options():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run python -m gistmill.serving.reference > docs/serving-options.md"
    )


def test_every_option_stands_there_once():
    for option in options_of(ServingConfig):
        assert reference().count(f"\n- `{option.flag}` (") == 1
