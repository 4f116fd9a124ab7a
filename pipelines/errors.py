"""The errors shown to users, each in one line; that of a failed job is made from a Beam traceback.

And the parser of commands that raises them.
"""

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
# Beam wraps an exception that it cannot rebuild: "RuntimeError: package.Kind: message".
_WRAPPED = re.compile(r"(?P<kind>(?:\w+\.)*[A-Z]\w*): (?P<message>.+)\Z", re.DOTALL)
# Exceptions of these packages are written for people; the class name before the message would only be noise.
_OWN_PACKAGES = ("gistmill.",)
MAX_CHARACTERS = 600
_LONGEST = 300  # characters of a value
_MOST_ITEMS = 12  # of a list


class ConfigError(ValueError):
    """The command line or the configuration is wrong; the text is one line for the user, without secrets of URLs."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message))


class OutputExists(RuntimeError):
    """The output cannot be written because something else is there; the message is one line for the user."""

    def __init__(self, message: str) -> None:
        super().__init__(without_secrets(message))


class JobFailed(Exception):
    """The job failed, and nothing was published; the text is one line for the user, without secrets of URLs.

    Attributes:
        message: the line, without the step.
        step: the Beam step that raised the error, if known.
        details: the traceback, if there is one.
    """

    def __init__(self, message: str, *, step: str | None = None, details: str = "") -> None:
        self.message = message = without_secrets(message)
        self.step = step
        self.details = details
        super().__init__(f"{message} (in step {step})" if step else message)


def failure_of(traceback_text: str) -> JobFailed:
    """The JobFailed with the last line of a formatted traceback, without Beam's tags and wrappers."""
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
    """The line, cut to a length that fits a terminal."""
    return line if len(line) <= MAX_CHARACTERS else f"{line[:MAX_CHARACTERS]}..."


def shown(value: Any) -> str:
    """Returns a value in one line of bounded length."""
    if isinstance(value, list):
        more = f", ... ({len(value):,})" if len(value) > _MOST_ITEMS else ""
        return "[" + ", ".join(json.dumps(item, ensure_ascii=False) for item in value[:_MOST_ITEMS]) + more + "]"
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _last_block(text: str) -> str:
    """ "Kind: message" of the last exception of a formatted traceback; its stack frames are indented lines."""
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
    """Returns an error of a job, whose texts it changes: they have arguments of ``build`` in place of the flags of the
    job's options, or what ``given`` makes of them (see ``in_python``). Those of Beam stay."""
    error.args = tuple(in_python(a, options, given=given) if isinstance(a, str) else a for a in error.args)
    if isinstance(error, JobFailed):
        error.message = in_python(error.message, options, given=given)
    return error


def in_python(message: str, options: Mapping[str, Option], *, given: str = "{}={!r}") -> str:
    """Returns a message with ``resume=True`` for ``--resume``, ``source='warc'`` for ``--source warc`` and
    ``min_words`` for ``--min-words``. ``given``: how a name and its value are written, AS_KEY for those of YAML."""

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
    """The run cannot begin; the text is one line for the user."""


class BusyError(WorkspaceError):
    """Another run is writing the same output."""


class ResumeError(WorkspaceError):
    """There is an unfinished run, but with another configuration, input or version."""


C = TypeVar("C", bound=Options)


class CommandParser(Parser):
    """The parser of a command that is not a building job: it raises ConfigError.

    ``help/COMMAND.txt`` has what ``--help`` says above the options and, from a line "examples:" on, below them.

    Args:
        command: without ``gistmill``.
        usage: of ``--help``; by default it is made of the arguments.
    """

    def __init__(self, command: str, *, usage: str | None = None) -> None:
        text = files("gistmill.pipelines").joinpath("help", f"{command}.txt").read_text(encoding="utf-8")
        above, examples, below = text.partition("\nexamples:\n")
        epilog = f"{examples}{below}".lstrip()
        super().__init__(prog=f"gistmill {command}", usage=usage, description=above, epilog=epilog)

    def error(self, message: str) -> NoReturn:
        """Raises ConfigError; for an unknown flag the nearest one is named."""
        raise ConfigError(self.hinted(message))

    def options(self, kind: type[C], flags: Namespace) -> C:
        """Returns the configuration whose options were added by ``add_options``. Raises ConfigError: a value is wrong;
        the text names the flag."""
        known = {o.name: o.flag for o in options_of(kind)}
        try:
            return kind.from_values(from_flags(flags, known))
        except OptionError as error:
            raise ConfigError(f"{known[error.name]}: {error.problem}" if error.name else error.problem) from None
