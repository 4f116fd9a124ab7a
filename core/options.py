"""Options, each declared once as a field of the configuration that uses it.

A configuration is a frozen dataclass derived from ``Options``. Its fields, created by ``option``, define an option
completely: name, kind of value, default, unit and meaning. The flag, the YAML key, ``--help``, the checks of values
(including Python values), the Flex Template metadata and the reference page all derive from this declaration.

    @dataclass(frozen=True, kw_only=True)
    class LimitsConfig(Options):
        max_words: int = option(whole(0), default=512, unit="words", help="where a document ends; 0: nowhere")
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn, Self, cast

import yaml

from gistmill.core.addresses import without_secrets
from gistmill.core.values import Kind, nearest, plain, shown

_KEY = "option"
# The markups of documents that sources produce; some options apply only to some of them.
WIKITEXT, PARSOID, HTML, PLAIN, MARKDOWN = "wikitext", "parsoid", "html", "plain", "markdown"
UNPARSED = frozenset({WIKITEXT, PARSOID, HTML, PLAIN, MARKDOWN})


class OptionError(ValueError):
    """An invalid option value, or values that cannot be combined.

    Attributes:
        name: the option; "" if several are involved.
        problem: the problem, in one line.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(name, problem)
        self.name, self.problem = name, problem

    def __str__(self) -> str:
        return f"{self.name}: {self.problem}" if self.name else self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A declared option.

    Attributes:
        name: name with underscores, as in Python and YAML; the flag uses hyphens.
        kind: the kind of value.
        help: one or two sentences.
        default: the value used if none is given.
        unit: the unit of a number, such as ``words`` or ``seconds``; "" for none.
        metavar: placeholder for the value in ``--help``; "" for a switch.
        required: whether a value must be given.
        markups: document markups that the option affects; empty for all.
        fingerprinted: whether a resumed run must use the same value.
        published: whether the manifest includes it.
        local: whether it does not apply to Dataflow because it concerns this machine or Flink.
        group: heading in ``--help``; by default, the configuration's GROUP.
    """

    name: str = ""
    kind: Kind
    help: str
    default: Any = None
    unit: str = ""
    metavar: str = ""
    required: bool = False
    markups: frozenset[str] = frozenset()
    fingerprinted: bool = True
    published: bool = True
    local: bool = False
    group: str = ""

    @property
    def flag(self) -> str:
        """The command-line flag."""
        return "--" + self.name.replace("_", "-")


def option(kind: Kind, *, help: str, default: Any = None, metavar: str | None = None, **more: Any) -> Any:
    """Returns a dataclass field that declares an option; the arguments are attributes of Option."""
    metavar = kind.metavar if metavar is None else metavar
    declared = {_KEY: Option(kind=kind, help=help, default=default, metavar=metavar, **more)}
    if isinstance(default, Mapping):  # dataclasses require a factory for mutable defaults
        return dataclasses.field(default_factory=lambda: dict(default), metadata=declared)
    return dataclasses.field(default=default, metadata=declared)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of every configuration; values are parsed and checked on construction.

    Class attributes:
        GROUP: heading of its options in ``--help``.

    Raises:
        OptionError: on construction, with the option, the expected values and the value given.
    """

    GROUP: ClassVar[str] = "run"

    def __post_init__(self) -> None:
        for declared in options_of(type(self)):
            value = getattr(self, declared.name)
            if value is None and declared.default is None:
                continue
            try:
                object.__setattr__(self, declared.name, declared.kind.parse(value))
            except ValueError as error:
                unnamed = declared.kind.reads_yaml or declared.kind.is_secret  # errors about YAML items name the item
                shown = "" if unnamed else f", not {without_secrets(repr(value))}"
                raise OptionError(declared.name, f"{error}{shown}") from None
        try:
            self.check()
        except ValueError as error:
            raise OptionError("", str(error)) from None

    def check(self) -> None:
        """Checks combinations of values.

        Raises:
            ValueError: some values cannot be combined.
        """

    def check_order(self, *names: str) -> None:
        """Raises ValueError for the first of ``names`` whose ``min_NAME`` is greater than ``max_NAME``."""
        for name in names:
            least, most = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            if least > most:
                raise ValueError(f"min_{name}: {least:.12g} is above max_{name}, {most:.12g}")

    def to_values(self) -> dict[str, Any]:
        """Returns the options that have a value, by name, as values for YAML or JSON."""
        values = {o.name: getattr(self, o.name) for o in options_of(type(self))}
        return {name: plain(value) for name, value in values.items() if value is not None}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Returns the configuration with its own options taken from ``values``; None means the default."""
        names = [o.name for o in options_of(cls)]
        return cls(**{n: values[n] for n in names if values.get(n) is not None})


@functools.cache
def _options_of(config: type[Options]) -> tuple[Option, ...]:
    fields = [(field.name, field.metadata.get(_KEY)) for field in dataclasses.fields(config)]
    return tuple(replace(o, name=name, group=o.group or config.GROUP) for name, o in fields if o is not None)


# The options of a configuration, in order, starting with those of its base classes. (mypy does not know that classes
# are hashable by identity.)
options_of: Callable[[type[Options]], tuple[Option, ...]] = cast(Any, _options_of)


class FlagsError(ValueError):
    """A command line or options file cannot be read; the message is one line for the user."""


SHORT = {"--input": "-i", "--output": "-o"}


class Parser(argparse.ArgumentParser):
    """A parser that raises FlagsError instead of exiting, except after ``--help``, and shows usage on one line. Flags
    cannot be abbreviated, and texts keep their line breaks.

    Attributes:
        wanted: required flags with placeholders for their values.
    """

    def __init__(self, **more: Any) -> None:
        usual = {"allow_abbrev": False, "formatter_class": argparse.RawDescriptionHelpFormatter}
        super().__init__(**{**usual, **more})
        self.wanted: list[str] = []

    def error(self, message: str) -> NoReturn:
        """Raises FlagsError; if a flag is unknown, the message suggests the most similar one."""
        raise FlagsError(self.hinted(message))

    def hinted(self, message: str) -> str:
        """Returns an argparse message; if it reports an unknown flag, the most similar one is added."""
        unknown = re.match(r"unrecognized arguments: (-\S+)", message)
        flags = [name for action in self._actions for name in action.option_strings]
        return message + nearest(unknown[1].partition("=")[0], flags) if unknown else message

    def format_help(self) -> str:
        """Returns the help, with required arguments in the usage line and all options below it."""
        if self.usage is None:
            formatter = self.formatter_class(prog=self.prog)
            formatter.add_usage(None, [a for a in self._actions if a.required or not a.option_strings], [], "")
            self.usage = " ".join([formatter.format_help().strip(), *self.wanted, "[options]"]).replace("%", "%%")
        return super().format_help()


def add_options(parser: Parser, options: Iterable[Option], text: Callable[[Option], str] | None = None) -> None:
    """Adds the flags of options to a parser under their groups' headings.

    Args:
        parser: the parser; attributes of flags not given will be None.
        options: the options, in the order of ``--help``.
        text: returns an option's text for ``--help``; by default ``help_text``.
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
    """Returns an option's meaning and default as shown by ``--help``."""
    if option.default is None or option.default is False or isinstance(option.default, dict):
        return option.help
    return f"{option.help} (default: {shown(option.default)})"


def option_definition(option: Option) -> tuple[str, str]:
    """Returns an option for the reference page: its flag, values and default; and its meaning."""
    values = option.kind.allowed if option.kind.choices or option.metavar[:4] == "NAME" else option.metavar or "switch"
    default = option.default
    if option.required:
        said = "; required"
    elif default is None or isinstance(default, Mapping):
        said = ""
    else:
        said = f"; default `{str(default).lower() if option.kind.is_switch else shown(default)}`"
    return f"`{option.flag}` ({' '.join(filter(None, (values, option.unit)))}{said})", option.help


def from_flags(flags: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Returns the values of the flags given, by option name, as strings and bools."""
    return {name: value for name in names if (value := getattr(flags, name)) is not None}


def from_yaml(content: bytes, file: str) -> dict[str, Any]:
    """Returns the values in a YAML file, by key with underscores; an empty file contains none.

    Args:
        content: the file's content, in UTF-8.
        file: the file's name in messages.

    Raises:
        FlagsError: the file does not contain a YAML mapping.
    """
    try:
        loaded = yaml.safe_load(content.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FlagsError(f"{file} is not YAML: {_problem(error)}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise FlagsError(f"{file} must contain a mapping of options")
    return {str(key).replace("-", "_"): value for key, value in loaded.items()}


def _problem(error: yaml.YAMLError | UnicodeDecodeError) -> str:
    """The problem and its position, without the line itself, which may contain a key."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"
    return " ".join(str(error).split())


def check_keys(values: Mapping[str, Any], known: Iterable[str], file: str) -> None:
    """Raises FlagsError for the first unknown key, suggesting the most similar known one."""
    names = list(known)
    for key in values:
        if key not in names:
            raise FlagsError(f"unknown key {key!r} in {file}{nearest(key, names)}")
