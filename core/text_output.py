"""Text for terminals, Markdown and notebooks, safe whatever strangers wrote in it."""

from __future__ import annotations

import dataclasses
import re
import reprlib
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

# Control characters, ends of lines, those that turn the direction of text around, and halves of surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(line: str) -> str:
    """Returns a line of text made printable: control characters are escaped as in JSON (``\\u001b``).

    So a line stays one line, and a line of JSON has the same value.
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def say(line: str, file: TextIO | None = None) -> None:
    """Prints a line at once, as it can be printed: on standard error, or in ``file``. Commands print by this alone what
    may hold text of strangers, and errors do: names of files, answers of servers, fields of manifests."""
    print(printable(line), file=file or sys.stderr, flush=True)


def log(line: str) -> None:
    """Prints a line on standard error as ``say`` does, after the time in UTC: of a command that runs unattended."""
    say(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {line}")


def printable_lines(text: str) -> str:
    """Returns a text of several lines as it can be printed."""
    return "\n".join(map(printable, text.split("\n")))


# Anything that Markdown or HTML treats as markup, except a short code span, which is kept. Underscores inside a word
# and a bar, which ``table`` escapes, mean nothing.
_MARKUP = re.compile(
    r"(?P<code>`[\w./-]+`)|[\\`*\[\]<>~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|:(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)"
    r"|\A(?:[#+=-]|\d+(?=[.)]))",
    re.IGNORECASE | re.ASCII,
)


def one_line(text: object) -> str:
    """Returns a text without line breaks, its white space as single spaces."""
    return " ".join(str(text).split())


def text(value: object) -> str:
    """Returns a text of strangers as a line of Markdown that shows it, and is nothing else: no heading, link, picture,
    HTML or command of a terminal. Words between backticks remain code."""
    return _MARKUP.sub(_escaped, printable(one_line(value)))


def _escaped(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def paragraphs(value: str) -> str:
    """Returns a text of strangers as ``text`` does, with its paragraphs, which blank lines separate."""
    return "\n\n".join(text(part) for part in re.split(r"\n\s*\n", value.strip()))


def code(value: object) -> str:
    """Returns a text of strangers, such as the name of a file, as a code span on one line."""
    # ``table`` writes a backslash before a bar, which one that is there already would cancel
    shown = re.sub(r"\\(?=\|)", r"\\u005c", printable(one_line(value)))
    if not shown:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def licence_tag(licence: str) -> str:
    """Returns the licence of a card's YAML: an identifier as it is, and ``other`` for any other text."""
    return licence if re.fullmatch(r"[a-z0-9.-]{1,64}", licence) else "other"


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """Returns the lines of a table, and an empty line after it; bars and line breaks in cells do no harm."""
    lines = [head, ["---"] * len(head), *rows]
    return [*("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in line) + " |" for line in lines), ""]


def definitions(entries: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the lines of a list of terms: each with its meaning in the line below it, and an empty line after that.

    Unlike the columns of a table, these lines wrap on a phone.
    """
    return [line for term, meaning in entries for line in (f"- {one_line(term)}\\", f"  {one_line(meaning)}", "")]


_MOST = 240  # characters, as long as a few lines of a terminal
_VALUES = reprlib.Repr()
_VALUES.maxlevel = 2
_VALUES.maxstring = _VALUES.maxother = 60
_VALUES.maxtuple = _VALUES.maxlist = _VALUES.maxdict = 3


def short_repr(record: Any) -> str:
    """Returns what ``repr`` of a dataclass is, with values that are cut and only as many fields as fit some lines.

    A class takes it by ``__repr__ = short_repr``.
    """
    shown = ""
    for field in dataclasses.fields(record):
        part = f"{', ' if shown else ''}{field.name}={_VALUES.repr(getattr(record, field.name))}"
        if len(shown) + len(part) > _MOST:
            shown += ", ..."
            break
        shown += part
    return f"{type(record).__qualname__}({shown})"
