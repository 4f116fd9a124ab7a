"""Prints docs/serving-options.md, the reference of every option: ``python -m serving.reference``."""

from __future__ import annotations

from itertools import groupby

from rules.flags import option_cells
from rules.markdown import table
from rules.options import options_of
from serving.config import ServingConfig

_HEAD = """\
# Options of `gistmill serve`

`gistmill serve --help` shows the same. [serving.md](serving.md) explains requests and answers.

<!-- Made by `python -m serving.reference`, from the declarations in the code. -->
"""


def reference() -> str:
    """Returns the page: the options by their groups."""
    lines = [_HEAD]
    for group, options in groupby(options_of(ServingConfig), lambda option: option.group):
        lines.append(f"## {group.capitalize()}\n")
        lines += table(("option", "value", "default", "meaning"), [option_cells(option) for option in options])
    return "\n".join(lines)


if __name__ == "__main__":
    print(reference(), end="")
