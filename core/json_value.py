"""JSON values with their positions, so that errors name the missing or mistyped key.

``read_as`` converts a value to the type declared by a dataclass. pydantic does the same, but importing it takes as long
as importing all of ``gistmill.core.manifest``.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, BinaryIO, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from gistmill.core.addresses import is_name, is_path

T = TypeVar("T")
MOST_BYTES = 64 << 20  # largest JSON file; a manifest with 100,000 shards and sources takes 30 MB
_MOST_LEVELS = 50  # of nested arrays and objects
_MOST_NUMBER = sys.float_info.max
_COUNTS = range(2**63)  # the range of int64 in NumPy and Arrow
_MISSING = object()
_NO_TIME = "0001-01-01"
_CHARACTERS = "letters, digits, '_', '-' and '.'"
_SHA256 = re.compile("[0-9a-f]{64}")


class JsonError(ValueError):
    """A field is missing or malformed; the message is one line that names the field."""


@contextmanager
def raising(error: type[ValueError]) -> Iterator[None]:
    """Converts a JsonError raised in the block to the given class, with the same message."""
    try:
        yield
    except JsonError as found:
        raise error(str(found)) from None


def load(file: BinaryIO, name: str) -> Any:
    """Returns the value of a JSON file, reading at most MOST_BYTES.

    Raises:
        JsonError: the file is larger, nested too deeply, or not JSON; the message begins with ``name``.
    """
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise JsonError(f"{name} is larger than {MOST_BYTES >> 20} MiB")
    try:
        value = json.loads(data)
        _check_depth(value)
    except RecursionError:
        raise JsonError(f"{name} is nested too deeply") from None
    except ValueError as error:
        raise JsonError(f"{name} is not JSON: {error}") from None
    return value


def _check_depth(value: Any) -> None:
    """Raises RecursionError if arrays and objects are nested so deeply that recursive readers would fail."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_MOST_LEVELS):
        inner = (v for item in level for v in (item.values() if isinstance(item, dict) else item))
        level = [v for v in inner if isinstance(v, dict | list)]
    if level:
        raise RecursionError


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value from ``file`` and the ``path`` to it, such as ``files[3].rows``; "" for the whole file.

    If ``noted`` is given, problems become its keys instead of raising errors, and empty values are used instead.
    """

    value: object
    file: str
    path: str = ""
    noted: dict[str, None] | None = None

    @property
    def where(self) -> str:
        """The value's position, for messages."""
        return f"{self.file}: {self.path}" if self.path else self.file

    def __getitem__(self, name: str) -> JsonValue:
        """Returns a field of an object.

        Raises:
            JsonError: the field does not exist.
        """
        found = self.get(name)
        if found is None and isinstance(self.value, Mapping):
            self.tell(f"{self.where} has no field {name!r}")
        return found or self._within(_MISSING, f".{name}")

    def get(self, name: str) -> JsonValue | None:
        """Returns a field of an object, or None. Raises JsonError if the value is not an object."""
        values = self._object()
        return self._within(values[name], _step(name)) if name in values else None

    def fields(self) -> dict[str, JsonValue]:
        """Returns the fields of an object. Raises JsonError if the value is not an object."""
        return {str(name): self._within(v, _step(name)) for name, v in self._object().items()}

    def items(self) -> tuple[JsonValue, ...]:
        """Returns the items of an array. Raises JsonError if the value is not an array."""
        values = self.value if isinstance(self.value, list) else self._wrong("an array", [])
        return tuple(self._within(v, f"[{i}]") for i, v in enumerate(values))

    def text(self) -> str:
        """Returns a string. Raises JsonError if the value is not a string."""
        return self.value if isinstance(self.value, str) else self._wrong("a string", "")

    def name(self) -> str:
        """Returns a name (see ``is_name`` in gistmill.core.addresses). Raises JsonError if the value is not a name."""
        return self._formed(is_name, f"a name of {_CHARACTERS}")

    def place(self) -> str:
        """Returns a path in a dataset (see ``is_path``). Raises JsonError if the value is not such a path."""
        return self._formed(is_path, f"a path below the dataset, of {_CHARACTERS}")

    def sha256(self) -> str:
        """Returns a SHA-256 in hexadecimal. Raises JsonError if the value is not a SHA-256."""
        return self._formed(_SHA256.fullmatch, "64 hexadecimal digits")

    def whole(self) -> int:
        """Returns an integer. Raises JsonError if the value is not an integer."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            return self._wrong("a whole number", 0)
        return self.value

    def count(self) -> int:
        """Returns a count. Raises JsonError if the value is not an integer from 0 to 2^63-1."""
        found = self.whole()
        return found if found in _COUNTS else self._wrong("from 0 to 2^63-1", 0)

    def number(self) -> float:
        """Returns a number. Raises JsonError if the value is not a number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or abs(self.value) > _MOST_NUMBER:
            return self._wrong("a number", 0.0)
        return float(self.value)

    def time(self) -> datetime:
        """Returns an ISO 8601 time. Raises JsonError if the value is not such a time."""
        return datetime.fromisoformat(self._formed(_is_time, "an ISO 8601 time") or _NO_TIME)

    def tell(self, problem: str) -> None:
        """Raises the problem as a JsonError, or notes it."""
        if self.noted is None:
            raise JsonError(problem)
        self.noted[problem] = None

    def _object(self) -> Mapping[Any, object]:
        return self.value if isinstance(self.value, Mapping) else self._wrong("an object", {})

    def _within(self, value: object, step: str) -> JsonValue:
        return JsonValue(value, self.file, self.path + step if self.path else step.lstrip("."), self.noted)

    def _formed(self, is_right: Callable[[str], object], expected: str) -> str:
        text = self.text()
        return text if is_right(text) or not isinstance(self.value, str) else self._wrong(expected, "")

    def _wrong(self, expected: str, instead: T) -> T:
        """Reports that the value is wrong, unless it is missing, which has already been reported."""
        if self.value is not _MISSING:
            self.tell(f"{self.where} must be {expected}, not {self.value!r:.80}")
        return instead


def _step(name: object) -> str:
    return f".{name}" if is_name(str(name)) else f"[{name!r:.80}]"


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def check_version(field: JsonValue, *, what: str, newest: int) -> int:
    """Returns a file's format version.

    Args:
        field: the version number.
        what: the file, such as ``manifest``.
        newest: the newest supported version; the oldest is 1.

    Raises:
        JsonError: the file was written by a newer gistmill, or the version is not a positive integer.
    """
    version = field.whole()
    if version > newest:
        reads = f"1 to {newest}" if newest > 1 else "1"
        raise JsonError(
            f"{what}.json was written by a newer gistmill ({what} version {version}; this one reads {reads}); "
            "upgrade gistmill"
        )
    if version < 1:
        raise JsonError(f"{field.where} must be at least 1, not {version}")
    return version


_PLAIN: dict[Any, Callable[[JsonValue], Any]] = {
    str: JsonValue.text,
    int: JsonValue.whole,
    float: JsonValue.number,
    datetime: JsonValue.time,
    Any: lambda value: value.value,
}
# Field types with additional checks.
Count = Annotated[int, JsonValue.count]
Name = Annotated[str, JsonValue.name]
Place = Annotated[str, JsonValue.place]
Sha256 = Annotated[str, JsonValue.sha256]


def read_as(form: Any, value: JsonValue) -> Any:
    """Converts a JSON value to a type.

    Args:
        form: ``str``, ``int``, ``float``, ``datetime``, ``Any``, or ``Annotated`` with a function of the value, as in
            the types above; a union of one of them with None; a tuple or Mapping of them; or a dataclass, whose fields
            with defaults may be absent.
        value: the value.

    Raises:
        JsonError: the value does not have this type.
    """
    if form in _PLAIN:
        return _PLAIN[form](value)
    kind, inner = get_origin(form), get_args(form)
    if kind is Annotated:
        return inner[1](value)
    if kind in (Union, UnionType):
        return None if value.value is None else read_as(inner[0], value)
    if kind is tuple:
        return tuple(read_as(inner[0], item) for item in value.items())
    if kind is Mapping:
        return {name: read_as(inner[1], field) for name, field in value.fields().items()}
    found = {}
    for name, (of_field, required) in _fields(form).items():
        if (field := value[name] if required else value.get(name)) is not None:
            found[name] = read_as(of_field, field)
    return form(**found)


@functools.cache
def _fields(record: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field of a dataclass, and whether it is required."""
    hints, none = get_type_hints(record, include_extras=True), dataclasses.MISSING
    return {f.name: (hints[f.name], f.default is f.default_factory is none) for f in dataclasses.fields(record)}


class FromJson:
    """Base of dataclasses read from JSON according to their field types."""

    __slots__ = ()

    @classmethod
    def from_json(cls, value: JsonValue) -> Self:
        """Reads an object; raises JsonError if it is malformed."""
        found: Self = read_as(cls, value)
        return found
