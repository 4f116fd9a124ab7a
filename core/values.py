"""Kinds of option values: how each is parsed, which values are accepted, and an equivalent pattern.

A kind parses command-line strings, YAML values and Python values; its ValueErrors state what is expected.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

_URL = r"(gs|s3)://[^/\s,]+/[^,\r\n]+"
_NUMBER = r"[0-9]+(\.[0-9]+)?"
_ABOVE_ZERO = r"(0*[1-9][0-9]*(\.[0-9]+)?|0+\.0*[1-9][0-9]*)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of value.

    Attributes:
        parse: converts a string, a YAML value or a value of this kind; raises ValueError ("expected ...").
        pattern: regular expression without anchors for the strings that ``parse`` accepts, or only those that make
            sense on a cluster (URLs, not local paths).
        metavar: placeholder for the value in ``--help``; "" for a switch.
        allowed: the accepted values in words, such as "a number from 0 to 1".
        choices: all values, if there are only a few.
        is_place: whether values are paths, globs or URLs, of which published files show only the last component.
        reads_yaml: whether the command line and the Python API replace an item that names a YAML file with its mapping.
        is_secret: whether a value may be a key, which messages must not repeat.
        schema: a JSON schema for YAML values, which may accept more than ``parse``.
    """

    parse: Callable[[Any], Any]
    pattern: str
    metavar: str
    allowed: str
    choices: tuple[str, ...] = ()
    is_place: bool = False
    reads_yaml: bool = False
    is_secret: bool = False
    schema: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_switch(self) -> bool:
        """Whether the value is true or false, so the flag takes no value."""
        return not self.metavar


def _text(value: Any) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, (str, int, float)) or isinstance(value, bool) or not str(value).strip():
        raise ValueError("expected text")
    return str(value)


def _token(value: Any) -> str:
    found = _text(value)
    if found.split() != [found]:
        raise ValueError("expected text without white space")
    return found


def _paths(value: Any) -> tuple[str, ...]:
    # the source splits lists itself, because file names may contain commas
    return tuple(map(_text, value)) if isinstance(value, (list, tuple)) and value else (_text(value),)


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _number(value: Any, accepts: Callable[[float], bool], expected: str) -> float:
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not accepts(number):
        raise ValueError(f"expected {expected}")
    return number


def number(
    accepts: Callable[[float], bool],
    allowed: str,
    pattern: str,
    metavar: str,
    bounds: Mapping[str, float] | None = None,
) -> Kind:
    """Returns the kind of numbers for which ``accepts`` is true; it is also called with NaN. ``bounds`` expresses the
    same as JSON Schema keywords.
    """
    return Kind(
        parse=lambda value: _number(value, accepts, allowed),
        pattern=pattern,
        metavar=metavar,
        allowed=allowed,
        schema={"type": "number", **(bounds or {})},
    )


_TEXTS: Mapping[str, Any] = {"type": ["string", "number"], "pattern": r"\S"}
TEXT = Kind(parse=_text, pattern=r".*\S.*", metavar="TEXT", allowed="a text", schema=_TEXTS)
TOKEN = Kind(
    parse=_token,
    pattern=r"\S+",
    metavar="TEXT",
    allowed="a text without white space",
    schema={"type": ["string", "number"], "pattern": r"^\S+$"},
)
SWITCH = Kind(parse=_switch, pattern="(true|false)", metavar="", allowed="true or false", schema={"type": "boolean"})
FOLDER = replace(TEXT, metavar="FOLDER", allowed="a folder or a URL", is_place=True)
PLACE = replace(FOLDER, pattern=_URL)
PATHS = replace(
    PLACE,
    parse=_paths,
    pattern=f"{_URL}(,{_URL})*",
    metavar="FILES",
    allowed="files or globs, comma-separated",
    schema={"anyOf": [_TEXTS, {"type": "array", "items": _TEXTS, "minItems": 1}]},
)
SHARE = number(
    lambda n: 0 <= n <= 1,
    "a number from 0 to 1",
    r"(0(\.[0-9]+)?|1(\.0+)?)",
    "RATIO",
    bounds={"minimum": 0, "maximum": 1},
)
BETWEEN = number(
    lambda n: 0 < n < 1,
    "a number between 0 and 1",
    r"0?\.[0-9]*[1-9][0-9]*",
    "RATIO",
    bounds={"exclusiveMinimum": 0, "exclusiveMaximum": 1},
)
POSITIVE = number(lambda n: 0 < n < float("inf"), "a number above 0", _ABOVE_ZERO, "N", bounds={"exclusiveMinimum": 0})
NOT_NEGATIVE = number(lambda n: 0 <= n < float("inf"), "a number of at least 0", _NUMBER, "N", bounds={"minimum": 0})


def whole(minimum: int, maximum: int | None = None) -> Kind:
    """Returns the kind of integers from ``minimum`` to ``maximum``, if given."""
    allowed = (
        f"a whole number of at least {minimum}" if maximum is None else f"a whole number from {minimum} to {maximum}"
    )

    def parse(value: Any) -> int:
        try:
            found = None if isinstance(value, (bool, float)) else int(value)
        except (TypeError, ValueError):
            found = None
        if found is None or found < minimum or (maximum is not None and found > maximum):
            raise ValueError(f"expected {allowed}")
        return found

    bounds = {"minimum": minimum} if maximum is None else {"minimum": minimum, "maximum": maximum}
    schema = {"type": "integer", **bounds}
    return Kind(parse=parse, pattern=_at_least(minimum), metavar="N", allowed=allowed, schema=schema)


def one_of(*choices: str) -> Kind:
    """Returns the kind whose only values are these names."""

    def parse(value: Any) -> str:
        if value not in choices:
            hint = nearest(str(value), choices).removeprefix("; ")
            raise ValueError(f"expected one of {', '.join(choices)}{hint and f' ({hint})'}")
        return str(value)

    pattern = f"({'|'.join(map(re.escape, choices))})"
    allowed, schema = " or ".join(choices), {"enum": [*choices]}
    return Kind(parse=parse, pattern=pattern, metavar="NAME", allowed=allowed, choices=choices, schema=schema)


def list_of(item: Kind, *, length: int | None = None) -> Kind:
    """Returns the kind of comma-separated or YAML lists of ``item``, of exactly ``length`` items if given."""

    def parse(value: Any) -> tuple[Any, ...]:
        parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
        if not parts or length not in (None, len(parts)):
            raise ValueError(f"expected {length or 'at least one'} value{'s' if length else ''}")
        return tuple(item.parse(p.strip() if isinstance(p, str) else p) for p in parts)

    more = "*" if length is None else f"{{{length - 1}}}"
    separate = item.pattern.replace(r".*\S.*", r"[^,\r\n]*[^,\s][^,\r\n]*")
    bounds = {"minItems": length or 1} | ({"maxItems": length} if length else {})
    return Kind(
        parse=parse,
        pattern=f"{separate}(,{separate}){more}",
        metavar=",".join([item.metavar] * (length or 2)),
        allowed=f"{item.allowed}, comma-separated" if length is None else f"{length} times {item.allowed}",
        schema={"anyOf": [{"type": "array", "items": dict(item.schema), **bounds}, {"type": ["string", "number"]}]},
    )


def mapping_of(item: Kind) -> Kind:
    """Returns the kind of mappings to ``item``, written ``{KEY: VALUE}`` on the command line as in YAML."""

    def parse(value: Any) -> dict[str, Any]:
        try:
            found = yaml.safe_load(value) if isinstance(value, str) else value
        except yaml.YAMLError:
            found = None
        if not isinstance(found, Mapping):
            raise ValueError("expected a mapping such as {KEY: VALUE}")
        return {str(key): item.parse(part) for key, part in found.items()}

    return Kind(
        parse=parse,
        pattern=r"\{[^{}\r\n]+\}",
        metavar="{KEY: VALUE}",
        allowed=f"a mapping to {item.allowed}",
        schema={"type": "object", "additionalProperties": dict(item.schema)},
    )


def custom(parse: Callable[[Any], Any], **more: Any) -> Kind:
    """Returns a custom kind; the arguments are attributes of Kind."""
    return Kind(parse=parse, **more)


def nearest(name: str, known: Iterable[str]) -> str:
    """Returns "; did you mean ...?" with the known name most similar to ``name``, or "" if none is similar."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def shown(value: Any) -> str:
    """Returns a value as it would be written on the command line."""
    if isinstance(value, (tuple, list)):
        return ",".join(map(shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _at_least(minimum: int) -> str:
    """Returns a pattern for integers of at least ``minimum``, without leading zeros."""
    if minimum <= 1:
        return "[0-9]+" if minimum <= 0 else "[1-9][0-9]*"
    digits = str(minimum)
    parts: list[str] = [f"[1-9][0-9]{{{len(digits)},}}"]
    for place, digit in enumerate(digits):
        last = place == len(digits) - 1
        low = int(digit) if last else int(digit) + 1
        if low <= 9:
            first = f"[{max(low, 1) if place == 0 else low}-9]"
            parts.append(f"{digits[:place]}{first}" + (f"[0-9]{{{len(digits) - place - 1}}}" if not last else ""))
    return f"({'|'.join(parts)})"


def plain(value: Any) -> Any:
    """Returns a value for YAML or JSON: tuples become lists."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, (tuple, list)) else value
