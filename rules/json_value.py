"""A value read from JSON, which knows where it stands, so that what is missing or of the wrong type can be named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

T = TypeVar("T")


class JsonError(ValueError):
    """A field is missing, or not of the type that it has to have; the text is one line that names it."""


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value of a ``file``, and the ``path`` to it there, such as ``files[3].rows``; "" for the whole file."""

    value: object
    file: str
    path: str = ""

    @property
    def where(self) -> str:
        """Where the value stands, for messages."""
        return f"{self.file}: {self.path}" if self.path else self.file

    def __getitem__(self, name: str) -> JsonValue:
        """Returns the field of an object.

        Raises:
            JsonError: there is none.
        """
        found = self.get(name)
        if found is None:
            raise JsonError(f"{self.where} has no field {name!r}")
        return found

    def get(self, name: str) -> JsonValue | None:
        """Returns the field of an object, or None. Raises JsonError: the value is not an object."""
        return self.fields().get(name)

    def fields(self) -> dict[str, JsonValue]:
        """Returns the fields of an object. Raises JsonError: the value is not an object."""
        if not isinstance(self.value, Mapping):
            raise self._wrong("an object")
        dot = "." if self.path else ""
        return {str(n): JsonValue(v, self.file, f"{self.path}{dot}{n}") for n, v in self.value.items()}

    def items(self) -> tuple[JsonValue, ...]:
        """Returns the items of an array. Raises JsonError: the value is not an array."""
        values = self._of(list, "an array")
        return tuple(JsonValue(v, self.file, f"{self.path}[{i}]") for i, v in enumerate(values))

    def text(self) -> str:
        """Returns a string. Raises JsonError: the value is not a string."""
        return self._of(str, "a string")

    def whole(self) -> int:
        """Returns a whole number. Raises JsonError: the value is not a whole number."""
        if isinstance(self.value, bool):
            raise self._wrong("a whole number")
        return self._of(int, "a whole number")

    def number(self) -> float:
        """Returns a number. Raises JsonError: the value is not a number."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self._wrong("a number")
        return float(self.value)

    def time(self) -> datetime:
        """Returns a time of ISO 8601. Raises JsonError: the value is not such a time."""
        try:
            return datetime.fromisoformat(self.text())
        except ValueError:
            raise self._wrong("a time of ISO 8601") from None

    def texts(self) -> dict[str, str]:
        """Returns an object of strings. Raises JsonError: the value is not such an object."""
        return {name: field.text() for name, field in self.fields().items()}

    def wholes(self) -> dict[str, int]:
        """Returns an object of whole numbers. Raises JsonError: the value is not such an object."""
        return {name: field.whole() for name, field in self.fields().items()}

    def _of(self, kind: type[T], name: str) -> T:
        if not isinstance(self.value, kind):
            raise self._wrong(name)
        return self.value

    def _wrong(self, expected: str) -> JsonError:
        return JsonError(f"{self.where} must be {expected}, not {self.value!r:.80}")


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
