"""Prints docs/training-options.md, the reference of every option: ``python -m gistmill.training.reference``."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.core.options import Option, option_definition
from gistmill.core.text_output import definitions
from gistmill.training.commands import COMMANDS, Command
from gistmill.training.settings import known_options

_HEAD = """\
# Options of `gistmill-train`

`gistmill-train COMMAND --help` shows the same for one command. Every option can stand in a YAML file (`--config`), with
underscores or hyphens. A flag beats the file, the file beats the default.

<!-- Made by `python -m gistmill.training.reference`, from the declarations in the code. -->
"""


def reference() -> str:
    """Returns the page: the options of each command, by their groups."""
    return "\n".join([_HEAD, *(line for command in COMMANDS.values() for line in _of(command))])


def _of(command: Command) -> Iterator[str]:
    yield f"## `gistmill-train {command.name}`\n"
    yield f"{command.description}\n"
    yield "```sh"
    yield from (f"gistmill-train {line}" for line in command.examples)
    yield "```\n"
    groups: dict[str, list[Option]] = {}
    for option in known_options(command).values():
        groups.setdefault(option.group, []).append(option)
    for group, options in groups.items():
        yield f"### {command.name}: {group}\n"
        yield from definitions(option_definition(option) for option in options)


if __name__ == "__main__":
    print(reference(), end="")
