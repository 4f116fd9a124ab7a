"""What the value of an option may look like: each function reads a string or a YAML value, or raises ValueError."""
from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import yaml


def text(value: Any) -> str:
    """Any non-empty string."""
    if not isinstance(value, (str, int, float)) or isinstance(value, bool) or not str(value).strip():
        raise ValueError("expected a text")
    return str(value)


def paths(value: Any) -> tuple[str, ...]:
    """A path, a glob or a comma list of them (the source takes it apart: names may hold commas), or a YAML list."""
    return tuple(text(v) for v in value) if isinstance(value, list) and value else (text(value),)


def switch(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def integer(minimum: int) -> Callable[[Any], int]:
    """A whole number of at least ``minimum``."""

    def parse(value: Any) -> int:
        try:
            number = int(value) if not isinstance(value, (bool, float)) else None
        except ValueError:
            number = None
        if number is None or number < minimum:
            raise ValueError(f"expected a whole number of at least {minimum}")
        return number

    return parse


def share(value: Any) -> float:
    """A number from 0 to 1."""
    try:
        number = float(value) if not isinstance(value, bool) else -1.0
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 1:
        raise ValueError("expected a number from 0 to 1")
    return number


def positive(value: Any) -> float:
    """A number above 0."""
    try:
        number = float(value) if not isinstance(value, bool) else 0.0
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise ValueError("expected a number above 0")
    return number


def one_of(*choices: str) -> Callable[[Any], str]:
    """One of the named choices."""

    def parse(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}{nearest(str(value), choices)}")
        return value

    return parse


def list_of(item: Callable[[Any], Any]) -> Callable[[Any], tuple]:
    """A comma-separated list, or a YAML list, of ``item``."""

    def parse(value: Any) -> tuple:
        parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
        if not parts:
            raise ValueError("expected at least one value")
        return tuple(item(p.strip() if isinstance(p, str) else p) for p in parts)

    return parse


def mapping_of(item: Callable[[Any], Any], keys: Sequence[str] | None = None) -> Callable[[Any], dict[str, Any]]:
    """A mapping in YAML form (on the command line e.g. ``{PAIR_NONE: 0.2}``); ``keys``: the known ones, if fixed."""

    def parse(value: Any) -> dict[str, Any]:
        found = yaml.safe_load(value) if isinstance(value, str) else value
        if not isinstance(found, Mapping):
            raise ValueError("expected a mapping such as {KEY: VALUE}")
        for key in found:
            if keys is not None and key not in keys:
                raise ValueError(f"unknown key {key!r}{nearest(str(key), keys)}")
        return {str(k): item(v) for k, v in found.items()}

    return parse


def nearest(name: str, known: Sequence[str]) -> str:
    """Returns "; did you mean ...?" with the known name that is most like ``name``, or "" when none is."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""
