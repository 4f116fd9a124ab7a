"""The errors that a person is told of, each in one line; that of a failed job is made from a Beam traceback."""

from __future__ import annotations

import re

# How Beam tags an exception with the step that raised it (apache_beam/runners/common.py).
_STEP = re.compile(r"\s*\[while running '(?P<step>.*?)'\]")
_HEAD = re.compile(r"(?P<kind>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?\Z", re.DOTALL)
# Beam wraps an exception that it cannot rebuild: "RuntimeError: package.Kind: message".
_WRAPPED = re.compile(r"(?P<kind>(?:\w+\.)*[A-Z]\w*): (?P<message>.+)\Z", re.DOTALL)
_TRACEBACK = "Traceback (most recent call last):"
# Exceptions of these packages are written for people; the class name before the message would only be noise.
_OWN_PACKAGES = ("gistmill.",)
MAX_CHARACTERS = 600


class ConfigError(ValueError):
    """The command line or the configuration is wrong; the text is one line for the user."""


class OutputExists(RuntimeError):
    """The output cannot be written because of what is there; the text is one line for the user."""


class JobFailed(Exception):
    """The job failed, and nothing was published; the text is one line for the user.

    Attributes:
        message: the line, without the step.
        step: the Beam step that raised the error, if known.
        details: the traceback, if there is one.
    """

    def __init__(self, message: str, *, step: str | None = None, details: str = "") -> None:
        self.message = message
        self.step = step
        self.details = details
        super().__init__(f"{message} (in step {step})" if step else message)


def failure_of(traceback_text: str) -> JobFailed:
    """The JobFailed that says what a formatted traceback ends with. Beam's tags and wrappers are taken off."""
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
    """The line, cut to what a terminal shows without drowning the reader."""
    return line if len(line) <= MAX_CHARACTERS else f"{line[:MAX_CHARACTERS]}..."


def _last_block(text: str) -> str:
    """ "Kind: message" of the last exception of a formatted traceback; its stack frames are indented lines."""
    lines = text.strip().splitlines()
    starts = [i for i, line in enumerate(lines) if line == _TRACEBACK]
    if starts:
        lines = lines[starts[-1] + 1 :]
        while len(lines) > 1 and lines[0].startswith(" "):
            lines = lines[1:]
    return "\n".join(lines)
