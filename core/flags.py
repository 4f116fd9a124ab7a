"""Options on a command line and in a YAML file: what every command of Gistmill shares in reading them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import yaml

from gistmill.core.options import Option
from gistmill.core.values import nearest, shown


class FlagsError(ValueError):
    """A command line or a file of options that cannot be read; the text is one line for the user."""


SHORT = {"--input": "-i", "--output": "-o"}


class Parser(argparse.ArgumentParser):
    """A parser that raises FlagsError, and never ends the process but after ``--help``, whose usage is one line.

    Attributes:
        wanted: flags that have to be given, with what stands for their values.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.wanted: list[str] = []

    def error(self, message: str) -> NoReturn:
        """Raises FlagsError; for an unknown flag the nearest one is named."""
        raise FlagsError(self.hinted(message))

    def hinted(self, message: str) -> str:
        """Returns a message of argparse; where it is about an unknown flag, with the nearest one."""
        unknown = re.match(r"unrecognized arguments: (-\S+)", message)
        flags = [name for action in self._actions for name in action.option_strings]
        return message + nearest(unknown[1].partition("=")[0], flags) if unknown else message

    def format_help(self) -> str:
        """Returns the help. Its usage names what has to be given; options are listed below it."""
        if self.usage is None:
            formatter = self.formatter_class(prog=self.prog)
            formatter.add_usage(None, [a for a in self._actions if a.required or not a.option_strings], [], "")
            self.usage = " ".join([formatter.format_help().strip(), *self.wanted, "[options]"]).replace("%", "%%")
        return super().format_help()


def add_options(parser: Parser, options: Iterable[Option], text: Callable[[Option], str] | None = None) -> None:
    """Adds the flag of every option to the parser, under the heading of its group.

    Args:
        parser: where they are added; the attribute of a flag that is not given is None.
        options: in the order of ``--help``.
        text: what ``--help`` says of an option; by default ``help_text``.
    """
    groups: dict[str, Any] = {}
    for option in options:
        if option.group not in groups:
            groups[option.group] = parser.add_argument_group(option.group)
        said = (text or help_text)(option).replace("%", "%%")
        if option.kind.is_switch:
            switch = argparse.BooleanOptionalAction
            groups[option.group].add_argument(option.flag, dest=option.name, action=switch, help=said, default=None)
        else:
            names = [*filter(None, [SHORT.get(option.flag)]), option.flag]
            groups[option.group].add_argument(*names, dest=option.name, metavar=option.metavar, help=said, default=None)
        if option.required:
            parser.wanted.append(f"{option.flag} {option.metavar}")


def help_text(option: Option) -> str:
    """Returns the meaning of an option and its default, as ``--help`` shows them."""
    if option.default is None or option.default is False or isinstance(option.default, dict):
        return option.help
    return f"{option.help} (default: {shown(option.default)})"


def option_definition(option: Option) -> tuple[str, str]:
    """Returns an option as a page of reference has it: flag, values and default; and the meaning."""
    unit = f", in {option.unit}" if option.unit else ""
    default = option.default
    if option.required:
        said = "; required"
    elif default is None or isinstance(default, Mapping):
        said = ""
    else:
        said = f"; default `{str(default).lower() if option.kind.is_switch else shown(default)}`"
    return f"`{option.flag}` ({option.kind.allowed}{unit}{said})", option.help


def from_flags(flags: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Returns the values of the flags that were given, by option name, as strings and bools."""
    return {name: value for name in names if (value := getattr(flags, name)) is not None}


def from_yaml(content: bytes, file: str) -> dict[str, Any]:
    """Returns the values that a YAML file has, by key with underscores; an empty file has none.

    Args:
        content: of the file, in UTF-8.
        file: how messages call it.

    Raises:
        FlagsError: it does not hold a mapping in YAML.
    """
    try:
        loaded = yaml.safe_load(content.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FlagsError(f"{file} is not YAML: {_problem(error)}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise FlagsError(f"{file} must hold a mapping of options")
    return {str(key).replace("-", "_"): value for key, value in loaded.items()}


def _problem(error: yaml.YAMLError | UnicodeDecodeError) -> str:
    """What is wrong and where, without the line itself, which may hold a key."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"
    return " ".join(str(error).split())


def check_keys(values: Mapping[str, Any], known: Iterable[str], file: str) -> None:
    """Raises FlagsError for the first key that is not known; it names the nearest one."""
    names = list(known)
    for key in values:
        if key not in names:
            raise FlagsError(f"unknown key {key!r} in {file}{nearest(key, names)}")
