"""Prints docs/serving-options.md, the reference of every option: ``python -m gistmill.serving.reference``."""

from __future__ import annotations

from itertools import groupby

from gistmill.core.options import option_definition, options_of
from gistmill.core.text_output import definitions
from gistmill.serving.config import ServingConfig

_HEAD = """\
# Options of `gistmill serve`

`gistmill serve --help` shows the same. [serving.md](serving.md) explains requests and answers.

<!-- Made by `python -m gistmill.serving.reference`, from the declarations in the code. -->
"""


def reference() -> str:
    """Returns the page: the options by their groups."""
    lines = [_HEAD]
    for group, options in groupby(options_of(ServingConfig), lambda option: option.group):
        lines.append(f"## {group.capitalize()}\n")
        lines += definitions(option_definition(option) for option in options)
    return "\n".join(lines)


if __name__ == "__main__":
    print(reference(), end="")
