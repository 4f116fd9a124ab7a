"""The command line of what is not a building job."""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from typing import NoReturn

from gistmill.core.options import Parser
from gistmill.pipelines.errors import ConfigError


class CommandParser(Parser):
    """A parser that raises ConfigError. Flags cannot be abbreviated, and texts keep their line ends.

    Args:
        command: without ``gistmill``.
        description, epilog: texts of ``--help``.
        usage: of ``--help``; by default it is made of the arguments.
    """

    def __init__(self, command: str, *, description: str, epilog: str = "", usage: str | None = None) -> None:
        super().__init__(
            prog=f"gistmill {command}",
            usage=usage,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """Raises ConfigError; for an unknown flag the nearest one is named."""
        raise ConfigError(self.hinted(message))
