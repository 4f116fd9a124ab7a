"""The object that a line of JSON Lines holds, and what is said where it holds none or lacks a field."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gistmill.transforms.sources.jsonl.lines import Line

BOM = b"\xef\xbb\xbf"
_SHOWN, _MOST_FIELDS, _LONGEST_FIELD = 40, 8, 24


class NotAnObject(ValueError):
    """A line that does not hold a JSON object; the text says what is wrong."""


def object_of(line: Line) -> dict[str, Any]:
    """Returns the object that a line holds. Raises NotAnObject if it is not UTF-8, not JSON, or no object.

    A byte order mark before it does not count: files with one may have been joined.
    """
    try:
        text = line.data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotAnObject(f"not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        values = json.loads(text)
    except RecursionError:
        raise NotAnObject("not JSON that can be read: nested too deep") from None
    except ValueError as error:
        raise NotAnObject(f"not JSON: {_problem(text, error)}") from None
    if not isinstance(values, dict):
        raise NotAnObject(f"not a JSON object, but {type(values).__name__}")
    return values


def breaks_off(line: Line) -> bool:
    """Whether a file seems to end inside a line: it has no end, and begins an object that has none, or is too long to
    tell."""
    if line.closed or line.oversized:
        return not line.closed
    try:
        object_of(line)
    except NotAnObject:
        return line.data.removeprefix(BOM).lstrip().startswith(b"{")
    return False


def no_field(name: str, there: Iterable[str], *, flag: str) -> str:
    """Returns the message that an object lacks a field. It names the fields that are ``there``, of many or long names
    only a part, and the option that chooses."""
    names = list(there)
    shown = [repr(n if len(n) <= _LONGEST_FIELD else f"{n[: _LONGEST_FIELD - 1]}…") for n in names[:_MOST_FIELDS]]
    more = f" and {len(names) - _MOST_FIELDS} more" if len(names) > _MOST_FIELDS else ""
    fields = f"the fields are {', '.join(shown)}{more}" if names else "there are no fields"
    return f"no field {name!r}; {fields}; {flag} names another"


def _problem(text: str, error: ValueError) -> str:
    if not text.lstrip().startswith("{"):
        return f"it begins with {text.strip()[:_SHOWN]!r}"
    return f"{error.msg} (character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else str(error)
