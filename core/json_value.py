"""A value read from JSON that knows its position, so that errors name the missing or mistyped key.

``read_as`` reads it in the form that the fields of a dataclass declare. pydantic does the same, but takes as long to
import as all of ``gistmill.core.manifest``.
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
MOST_BYTES = 64 << 20  # of a file of JSON; one of 100,000 shards and sources has 30 MB
_MOST_LEVELS = 50  # of arrays and objects in each other
_MOST_NUMBER = sys.float_info.max
_COUNTS = range(2**63)  # numpy and Arrow have no larger ones
_MISSING = object()
_NO_TIME = "0001-01-01"
_CHARACTERS = "letters, digits, '_', '-' and '.'"
_SHA256 = re.compile("[0-9a-f]{64}")


class JsonError(ValueError):
    """A field is missing, or not of the form that it has to have; the text is one line that names it."""


@contextmanager
def raising(error: type[ValueError]) -> Iterator[None]:
    """Raises an error of the class, with the same text, in the place of a JsonError of its block."""
    try:
        yield
    except JsonError as found:
        raise error(str(found)) from None


def load(file: BinaryIO, name: str) -> Any:
    """Returns the value of a file of JSON, of which no more than MOST_BYTES are read.

    Raises:
        JsonError: it is larger, nested too deeply, or not JSON; the text begins with its ``name``.
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
    """Raises RecursionError for arrays and objects that Python reads, and that readers could not walk through."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_MOST_LEVELS):
        inner = (v for item in level for v in (item.values() if isinstance(item, dict) else item))
        level = [v for v in inner if isinstance(v, dict | list)]
    if level:
        raise RecursionError


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value of a ``file``, and the ``path`` to it there, such as ``files[3].rows``; "" for the whole file.

    Where ``noted`` is given, a problem is a key of it instead of an error, and reading goes on with an empty value.
    """

    value: object
    file: str
    path: str = ""
    noted: dict[str, None] | None = None

    @property
    def where(self) -> str:
        """The position of the value, for messages."""
        return f"{self.file}: {self.path}" if self.path else self.file

    def __getitem__(self, name: str) -> JsonValue:
        """Returns the field of an object.

        Raises:
            JsonError: there is none.
        """
        found = self.get(name)
        if found is None and isinstance(self.value, Mapping):
            self.tell(f"{self.where} has no field {name!r}")
        return found or self._within(_MISSING, f".{name}")

    def get(self, name: str) -> JsonValue | None:
        """Returns the field of an object, or None. Raises JsonError: the value is not an object."""
        values = self._object()
        return self._within(values[name], _step(name)) if name in values else None

    def fields(self) -> dict[str, JsonValue]:
        """Returns the fields of an object. Raises JsonError: the value is not an object."""
        return {str(name): self._within(v, _step(name)) for name, v in self._object().items()}

    def items(self) -> tuple[JsonValue, ...]:
        """Returns the items of an array. Raises JsonError: the value is not an array."""
        values = self.value if isinstance(self.value, list) else self._wrong("an array", [])
        return tuple(self._within(v, f"[{i}]") for i, v in enumerate(values))

    def text(self) -> str:
        """Returns a string. Raises JsonError: the value is not a string."""
        return self.value if isinstance(self.value, str) else self._wrong("a string", "")

    def name(self) -> str:
        """Returns a name of a dataset. Raises JsonError: the value is not one (gistmill.core.addresses)."""
        return self._formed(is_name, f"a name of {_CHARACTERS}")

    def place(self) -> str:
        """Returns the path of a file of a dataset. Raises JsonError: the value is not one (gistmill.core.addresses)."""
        return self._formed(is_path, f"a path below the dataset, of {_CHARACTERS}")

    def sha256(self) -> str:
        """Returns a SHA-256. Raises JsonError: the value is not one in hexadecimal digits."""
        return self._formed(_SHA256.fullmatch, "64 hexadecimal digits")

    def whole(self) -> int:
        """Returns a whole number. Raises JsonError: the value is not a whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            return self._wrong("a whole number", 0)
        return self.value

    def count(self) -> int:
        """Returns a number of things. Raises JsonError: the value is not a whole number from 0 to 2^63-1."""
        found = self.whole()
        return found if found in _COUNTS else self._wrong("from 0 to 2^63-1", 0)

    def number(self) -> float:
        """Returns a number. Raises JsonError: the value is not a number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or abs(self.value) > _MOST_NUMBER:
            return self._wrong("a number", 0.0)
        return float(self.value)

    def time(self) -> datetime:
        """Returns a time of ISO 8601. Raises JsonError: the value is not such a time."""
        return datetime.fromisoformat(self._formed(_is_time, "a time of ISO 8601") or _NO_TIME)

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
        """Tells that the value is wrong, unless it is missing, which has been told."""
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
    """Returns the version of a file's form.

    Args:
        field: the number.
        what: the file, such as ``manifest``.
        newest: the newest version that can be read; the oldest is 1.

    Raises:
        JsonError: the file was written by a newer gistmill, or the version is not a positive whole number.
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
# Forms of fields that are narrower than their types.
Count = Annotated[int, JsonValue.count]
Name = Annotated[str, JsonValue.name]
Place = Annotated[str, JsonValue.place]
Sha256 = Annotated[str, JsonValue.sha256]


def read_as(form: Any, value: JsonValue) -> Any:
    """Returns what a value says in a form.

    Args:
        form: ``str``, ``int``, ``float``, ``datetime``, ``Any``, one of the forms above or another function of the
            value in ``Annotated``; one of them or None; a tuple or a Mapping of them, or a dataclass, whose fields
            that have a default need not be there.
        value: the value.

    Raises:
        JsonError: the value does not have the form.
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
    """The form of each field of a dataclass, and whether it has to be there."""
    hints, none = get_type_hints(record, include_extras=True), dataclasses.MISSING
    return {f.name: (hints[f.name], f.default is f.default_factory is none) for f in dataclasses.fields(record)}


class FromJson:
    """Base of dataclasses that are read by the forms of their fields."""

    __slots__ = ()

    @classmethod
    def from_json(cls, value: JsonValue) -> Self:
        """Reads an object. Raises JsonError."""
        found: Self = read_as(cls, value)
        return found
