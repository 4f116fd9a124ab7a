"""Options of a ``gistmill-train`` command, from flags, a YAML file and defaults, in that order of precedence."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import yaml

from gistmill.core.options import (
    FlagsError,
    Option,
    OptionError,
    Options,
    Parser,
    add_options,
    check_keys,
    from_flags,
    from_yaml,
    options_of,
)
from gistmill.core.values import nearest
from gistmill.training.commands import Command
from gistmill.training.errors import SettingsError

Section = TypeVar("Section", bound=Options)


@dataclass(frozen=True, slots=True)
class Settings:
    """The validated options of a command: its sections by class, in the order of ``--help``."""

    sections: Mapping[type[Options], Options]

    def of(self, section: type[Section]) -> Section:
        """Returns the section of the given class."""
        return cast(Section, self.sections[section])

    def to_values(self) -> dict[str, Any]:
        """Returns the value of every option that is set, by name, in a form that YAML and JSON can represent."""
        return {name: value for section in self.sections.values() for name, value in section.to_values().items()}


def known_options(command: Command) -> dict[str, Option]:
    """Returns all options of a command, for every kind of model, by name."""
    found: dict[str, Option] = {}
    for section in command.sections(None):
        for declared in options_of(section):
            found.setdefault(declared.name, declared)
    return found


def settings_of(
    command: Command,
    values: Mapping[str, Any],
    *,
    places: Mapping[str, str] | None = None,
    complete: bool = True,
) -> Settings:
    """Validates values and returns them as the settings of a command.

    Args:
        command: the command.
        values: values by option name, from the command line (as strings), YAML or Python; None means the default.
        places: the origin of each value (a flag, or a key and its file), for messages (default: the option's name).
        complete: whether required options must be given.

    Raises:
        SettingsError: an unknown name (the message suggests the nearest), an invalid value, an option that does not
            apply to this kind of model, or a missing option.
    """
    places, known = places or {}, known_options(command)
    given = {name: value for name, value in values.items() if value is not None}
    for name in given:
        if name not in known:
            raise SettingsError(f"unknown option {name!r}{nearest(name, known)}")
    sections = command.sections(given)
    own = {o.name: o for section in sections for o in options_of(section)}
    for name in given:
        if name not in own:
            raise SettingsError(f"{places.get(name, name)} has no effect with this model")
    for name, declared in own.items():
        if complete and declared.required and name not in given:
            raise SettingsError(f"{declared.flag} is required")
    try:
        return Settings({section: section.from_values(given) for section in sections})
    except OptionError as error:
        place = places.get(error.name, error.name)
        raise SettingsError(f"{place}: {error.problem}" if error.name else error.problem) from None


def read_settings(command: Command, argv: Sequence[str]) -> tuple[Settings, bool]:
    """Reads flags, YAML and defaults; returns the settings, and whether they should only be printed.

    Raises:
        SettingsError: an unknown flag or key (the message suggests the nearest), an invalid value or a missing option.
        SystemExit: ``--help`` was given.
    """
    try:
        values, places, print_config = _given(command, argv)
    except FlagsError as error:
        raise SettingsError(str(error)) from None
    return settings_of(command, values, places=places, complete=not print_config), print_config


def dump(settings: Settings) -> str:
    """Returns settings as YAML from which ``--config`` reads the same settings."""
    return yaml.safe_dump(settings.to_values(), sort_keys=False, allow_unicode=True)


def _given(command: Command, argv: Sequence[str]) -> tuple[dict[str, Any], dict[str, str], bool]:
    known = known_options(command)
    flags, rest = _parser(command, known).parse_known_args(list(argv))
    own = [*(o.flag for o in known.values()), "--config", "--print-config", "--help"]
    for argument in rest:
        if argument.startswith("--"):
            name = argument.partition("=")[0]
            raise FlagsError(f"unknown option {name}{nearest(name, own)}")
        raise FlagsError(f"unexpected argument {argument!r}")
    of_file = _file(flags.config) if flags.config else {}
    check_keys(of_file, known, f"--config {flags.config}")
    of_flags = from_flags(flags, known)
    if command.argument and flags.argument is not None:
        of_flags[command.argument] = flags.argument
    places = {name: f"{name} in {flags.config}" for name in of_file} | {name: known[name].flag for name in of_flags}
    return {**of_file, **of_flags}, places, flags.print_config


def _file(name: str) -> dict[str, Any]:
    try:
        return from_yaml(Path(name).read_bytes(), f"--config {name}")
    except OSError as error:
        raise FlagsError(f"--config {name}: {error.strerror or error}") from None


def _parser(command: Command, known: Mapping[str, Option]) -> Parser:
    examples = "\n".join(f"  gistmill-train {line}" for line in command.examples)
    parser = Parser(
        prog=f"gistmill-train {command.name}",
        usage=f"gistmill-train {command.name} {f'[{command.argument.upper()}] ' if command.argument else ''}[options]",
        description=textwrap.fill(command.description, 118),
        epilog=f"examples:\n{examples}",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if command.argument:
        parser.add_argument(
            "argument", nargs="?", metavar=command.argument.upper(), help=f"the same as {known[command.argument].flag}"
        )
    add_options(parser, known.values())
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config",
        metavar="FILE.yaml",
        help="YAML file with any of these options as keys (hyphens or underscores); a flag overrides the file, "
        "and the file overrides a default",
    )
    group.add_argument("--print-config", action="store_true", help="print the effective configuration as YAML and stop")
    return parser
