"""Rows as bytes and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gistmill.core.dataset import ConfigSchema, DatasetSchema, item_type
from gistmill.core.records import Row

_SCALARS: dict[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "float64": (float, int), "bool": (bool,)}
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DECODE = json.JSONDecoder().decode


class RowError(ValueError):
    """A row does not fit the columns of its configuration: a fault in the recipe."""


class RowCodec:
    """Turns the rows of one configuration into bytes, and the bytes into values in the order of the columns.

    The bytes of a row depend on its values alone, so that a shard's size can decide where it ends.
    """

    def __init__(self, schema: ConfigSchema) -> None:
        self._config = schema.name
        self._names = frozenset(c.name for c in schema.columns) - {"id"}
        self._columns = [(c.name, c.type, _checker(c.type)) for c in schema.columns]

    def encode(self, row: Row) -> tuple[bytes, bytes]:
        """Returns the id and the values as bytes.

        Raises:
            RowError: a column is missing, unknown or of another type, or a text is not valid Unicode.
        """
        if row.values.keys() - {"id"} != self._names:
            missing = sorted(self._names - row.values.keys())
            unknown = sorted(row.values.keys() - {"id"} - self._names)
            raise RowError(f"row {row.id!r} of {self._config}: missing columns {missing}, unknown {unknown}")
        if not row.id:
            raise RowError(f"a row of {self._config} has no id: {dict(row.values)!r:.200}")
        values = []
        for name, column_type, fits in self._columns:
            value = row.id if name == "id" else row.values[name]
            if value is not None and not fits(value):
                raise RowError(f"row {row.id!r} of {self._config}: column {name} is {column_type}, not {value!r:.200}")
            values.append(value)
        try:
            return row.id.encode("utf-8"), _ENCODE(values).encode("utf-8")
        except UnicodeEncodeError as error:
            raise RowError(f"row {row.id!r} of {self._config}: not valid Unicode: {error}") from None

    @staticmethod
    def decode(value: bytes) -> list[Any]:
        """Returns the values that ``encode`` wrote, in the order of the columns."""
        return _DECODE(value.decode("utf-8"))


def codecs(schema: DatasetSchema) -> Mapping[str, RowCodec]:
    """Returns the codec of each configuration, by name."""
    return {c.name: RowCodec(c) for c in schema.configs}


def _checker(column_type: str) -> Callable[[Any], bool]:
    scalar, is_list = item_type(column_type)
    types = _SCALARS[scalar]

    def fits(value: Any) -> bool:
        return isinstance(value, types) and (scalar == "bool" or value is not True and value is not False)

    exact = frozenset(types)  # a bool's type is not int

    def all_fit(values: Any) -> bool:
        if not isinstance(values, Sequence) or isinstance(values, str):
            return False
        return exact.issuperset(map(type, values)) or all(map(fits, values))

    return all_fit if is_list else fits
