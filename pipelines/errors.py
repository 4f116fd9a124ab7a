"""One-line errors for users, some extracted from Beam tracebacks, and the command-line parser that raises them."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NoReturn, TypeVar

from gistmill.core.addresses import without_secrets
from gistmill.core.options import Option, OptionError, Options, Parser, from_flags, options_of

# How Beam tags an exception with the step that raised it (apache_beam/runners/common.py).
_STEP = re.compile(r"(?<!\s)\s*+\[while running '(?P<step>(?:(?!\[while running ').)*?)'\]")
_HEAD = re.compile(r"(?P<kind>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?\Z", re.DOTALL)
# How Beam wraps an exception that it cannot reconstruct: "RuntimeError: package.Kind: message".
_WRAPPED = re.compile(r"(?P<kind>(?:\w+\.)*[A-Z]\w*): (?P<message>.+)\Z", re.DOTALL)
# Exceptions from these packages have readable messages, so the class name is left out.
_OWN_PACKAGES = ("gistmill.",)
MAX_CHARACTERS = 600
_LONGEST = 300  # maximum number of characters of a value
_MOST_ITEMS = 12  # maximum number of items of a list


class ConfigError(ValueError):
    """The command line or configuration is invalid; the message is one line for the user, without secrets from URLs."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message))


class OutputExists(RuntimeError):
    """The output cannot be written because something already exists there; the message is one line for the user."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message))


class JobFailed(Exception):
    """The job failed, and nothing was published; the message is one line for the user, without secrets from URLs.

    Attributes:
        message: the message without the step.
        step: the Beam step that raised the error, if known.
        details: the traceback, if any.
    """

    def __init__(self, message: str, *, step: str | None = None, details: str = "") -> None:
        self.message = message = without_secrets(message)
        self.step = step
        self.details = details
        super().__init__(f"{message} (in step {step})" if step else message)


def failure_of(traceback_text: str) -> JobFailed:
    """Returns a JobFailed with the last line of a formatted traceback, without Beam's tags and wrappers."""
    step = _STEP.search(_last_block(traceback_text))
    text = _STEP.sub("", _last_block(traceback_text)).strip()
    head = _HEAD.match(text)
    kind, message = (head["kind"], head["message"] or "") if head else ("", text)
    wrapped = _WRAPPED.match(message) if kind == "RuntimeError" else None
    if wrapped:
        kind, message = wrapped["kind"], wrapped["message"]
    message = " ".join(message.split())
    if kind and not kind.startswith(_OWN_PACKAGES):
        message = f"{kind.rpartition('.')[2]}: {message}" if message else kind
    return JobFailed(shorten(message or kind), step=step["step"] if step else None, details=traceback_text)


def shorten(line: str) -> str:
    """Returns the line, truncated to MAX_CHARACTERS."""
    return line if len(line) <= MAX_CHARACTERS else f"{line[:MAX_CHARACTERS]}..."


def shown(value: Any) -> str:
    """Formats a value as one line of limited length."""
    if isinstance(value, list):
        more = f", ... ({len(value):,})" if len(value) > _MOST_ITEMS else ""
        return "[" + ", ".join(json.dumps(item, ensure_ascii=False) for item in value[:_MOST_ITEMS]) + more + "]"
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _last_block(text: str) -> str:
    """Returns the last exception of a formatted traceback as "Kind: message"; stack frames are indented lines."""
    lines = text.strip().splitlines()
    starts = [i for i, line in enumerate(lines) if line == "Traceback (most recent call last):"]
    if starts:
        lines = lines[starts[-1] + 1 :]
        while len(lines) > 1 and lines[0].startswith(" "):
            lines = lines[1:]
    return "\n".join(lines)


Error = TypeVar("Error", bound=BaseException)
AS_KEY = "`{}: {}`"
_FLAG = re.compile(r"(?<![\w-])--(?P<name>[a-z][a-z0-9-]*)(?: (?P<value>[\w-]+))?")


def naming_arguments(error: Error, options: Mapping[str, Option], *, given: str = "{}={!r}") -> Error:
    """Returns a job's error after replacing the flags of options in its messages with arguments of ``build``, or with
    the format ``given`` (see ``in_python``). Beam's flags are kept."""
    error.args = tuple(in_python(a, options, given=given) if isinstance(a, str) else a for a in error.args)
    if isinstance(error, JobFailed):
        error.message = in_python(error.message, options, given=given)
    return error


def in_python(message: str, options: Mapping[str, Option], *, given: str = "{}={!r}") -> str:
    """Replaces ``--resume`` in a message with ``resume=True``, ``--source warc`` with ``source='warc'`` and
    ``--min-words`` with ``min_words``. ``given`` is the format of a name and its value: AS_KEY for YAML."""

    def argument(found: re.Match[str]) -> str:
        option, value = options.get(found["name"].replace("-", "_")), found["value"]
        if option is None:
            return found[0]
        if option.kind.is_switch:
            value = "true" if given == AS_KEY else True
            return found[0].replace(f"--{found['name']}", given.format(option.name, value))
        if value in option.kind.choices:
            return given.format(option.name, value)
        return found[0].replace(f"--{found['name']}", option.name)

    return _FLAG.sub(argument, message)


class WorkspaceError(JobFailed):
    """The run cannot begin; the message is one line for the user."""


class BusyError(WorkspaceError):
    """Another run is writing the same output."""


class ResumeError(WorkspaceError):
    """The unfinished run has a different configuration, input or version."""


C = TypeVar("C", bound=Options)


class CommandParser(Parser):
    """A parser that raises ConfigError, for commands other than build jobs.

    ``help/COMMAND.txt`` contains the help text above the options and, after a line "examples:", the text below them.

    Args:
        command: name of the command, without ``gistmill``.
        usage: usage line for ``--help``; generated from the arguments by default.
    """

    def __init__(self, command: str, *, usage: str | None = None) -> None:
        text = files("gistmill.pipelines").joinpath("help", f"{command}.txt").read_text(encoding="utf-8")
        above, examples, below = text.partition("\nexamples:\n")
        epilog = f"{examples}{below}".lstrip()
        super().__init__(prog=f"gistmill {command}", usage=usage, description=above, epilog=epilog)

    def error(self, message: str) -> NoReturn:
        """Raises ConfigError; for an unknown flag, the message suggests the nearest one."""
        raise ConfigError(self.hinted(message))

    def options(self, kind: type[C], flags: Namespace) -> C:
        """Returns the configuration for options added by ``add_options``. Raises ConfigError, naming the flag."""
        known = {o.name: o.flag for o in options_of(kind)}
        try:
            return kind.from_values(from_flags(flags, known))
        except OptionError as error:
            raise ConfigError(f"{known[error.name]}: {error.problem}" if error.name else error.problem) from None
