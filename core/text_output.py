"""Safe output of untrusted text to terminals, Markdown and notebooks."""

from __future__ import annotations

import dataclasses
import re
import reprlib
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

# Control characters, line ends, characters that change the text direction, and lone surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(line: str) -> str:
    """Returns a line with control characters escaped as in JSON (``\\u001b``).

    The result is a single line, and a line of JSON keeps its value.
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def say(line: str, file: TextIO | None = None) -> None:
    """Prints a line, escaped and flushed, on standard error or to ``file``. Commands use only this function for output
    that may contain untrusted text, including errors: file names, server responses, manifest fields."""
    print(printable(line), file=file or sys.stderr, flush=True)


def log(line: str) -> None:
    """Prints a line on standard error with the time in UTC before it, for commands that run unattended."""
    say(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {line}")


def printable_lines(text: str) -> str:
    """Returns a text of several lines with control characters escaped."""
    return "\n".join(map(printable, text.split("\n")))


# Everything that Markdown or HTML treats as markup, except short code spans, which are kept. Underscores inside words
# are harmless, and ``table`` escapes bars.
_MARKUP = re.compile(
    r"(?P<code>`[\w./-]+`)|[\\`*\[\]<>~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)"
    r"|\A(?:[#+=-]|\d+(?=[.)]))",
    re.IGNORECASE | re.ASCII,
)


def one_line(text: object) -> str:
    """Returns a text on one line, with each run of white space replaced by a single space."""
    return " ".join(str(text).split())


def text(value: object) -> str:
    """Returns untrusted text as a line of Markdown without headings, links, images, HTML or terminal commands. Code
    spans in backticks are kept.
    """
    return _MARKUP.sub(_escaped, printable(one_line(value)))


def _escaped(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def paragraphs(value: str) -> str:
    """Returns untrusted text as ``text`` does, but keeps its paragraphs, separated by blank lines."""
    return "\n\n".join(text(part) for part in re.split(r"\n\s*\n", value.strip()))


def code(value: object) -> str:
    """Returns untrusted text, such as a file name, as a code span on one line."""
    # ``table`` puts a backslash before each bar, which an existing backslash would cancel
    shown = re.sub(r"\\(?=\|)", r"\\u005c", printable(one_line(value)))
    if not shown:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def licence_tag(licence: str) -> str:
    """Returns the licence for a card's YAML header: an identifier unchanged, or ``other`` for any other text."""
    return licence if re.fullmatch(r"[a-z0-9.-]{1,64}", licence) else "other"


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """Returns the lines of a table followed by an empty line; bars and line breaks in cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return [*("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in line) + " |" for line in lines), ""]


def definitions(entries: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the lines of a list of definitions: each term, its meaning on the next line, and an empty line.

    Unlike table columns, these lines wrap on a phone.
    """
    return [line for term, meaning in entries for line in (f"- {one_line(term)}\\", f"  {one_line(meaning)}", "")]


_MOST = 240  # characters, a few lines on a terminal
_VALUES = reprlib.Repr()
_VALUES.maxlevel = 2
_VALUES.maxstring = _VALUES.maxother = 60
_VALUES.maxtuple = _VALUES.maxlist = _VALUES.maxdict = 3


def short_repr(record: Any) -> str:
    """Returns the ``repr`` of a dataclass with long values shortened and only as many fields as fit on a few lines.

    To use it, set ``__repr__ = short_repr`` in a class.
    """
    shown = ""
    for field in dataclasses.fields(record):
        part = f"{', ' if shown else ''}{field.name}={_VALUES.repr(getattr(record, field.name))}"
        if len(shown) + len(part) > _MOST:
            shown += ", ..."
            break
        shown += part
    return f"{type(record).__qualname__}({shown})"
