"""The command line of what is not a building job."""

from __future__ import annotations

from argparse import Namespace
from typing import NoReturn, TypeVar

from gistmill.core.options import OptionError, Options, Parser, from_flags, options_of
from gistmill.pipelines.errors import ConfigError

C = TypeVar("C", bound=Options)


class CommandParser(Parser):
    """A parser that raises ConfigError.

    Args:
        command: without ``gistmill``.
        description: what stands above the options in ``--help``; from a line "examples:" on, what stands below them.
        usage: of ``--help``; by default it is made of the arguments.
    """

    def __init__(self, command: str, *, description: str, usage: str | None = None) -> None:
        above, examples, below = description.partition("\nexamples:\n")
        epilog = f"{examples}{below}".lstrip()
        super().__init__(prog=f"gistmill {command}", usage=usage, description=above, epilog=epilog)

    def error(self, message: str) -> NoReturn:
        """Raises ConfigError; for an unknown flag the nearest one is named."""
        raise ConfigError(self.hinted(message))

    def options(self, kind: type[C], flags: Namespace) -> C:
        """Returns the configuration whose options were added by ``add_options``.

        Raises:
            ConfigError: a value is wrong; the text names the flag.
        """
        known = {o.name: o.flag for o in options_of(kind)}
        try:
            return kind.from_values(from_flags(flags, known))
        except OptionError as error:
            raise ConfigError(f"{known[error.name]}: {error.problem}" if error.name else error.problem) from None
