"""What the sinks have to know of a dataset: its configurations, their columns, and rows as bytes and back."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.records import Column, Row

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_SCALARS: dict[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "float64": (float, int), "bool": (bool,)}
_LIST = re.compile(r"list<(\w+)>")
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DECODE = json.JSONDecoder().decode
ID_COLUMN = Column("id", "string", "unique id of the row")


class RowError(ValueError):
    """A row does not fit the columns of its configuration: a fault in the recipe."""


def item_type(column_type: str) -> tuple[str, bool]:
    """Returns the scalar type and whether the column holds lists of it.

    Raises:
        ValueError: there is no such type.
    """
    found = _LIST.fullmatch(column_type)
    scalar = found.group(1) if found else column_type
    if scalar not in _SCALARS:
        raise ValueError(f"unknown column type {column_type!r}; known are {', '.join(_SCALARS)} and list<...> of them")
    return scalar, bool(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigSchema:
    """One configuration of a dataset.

    Attributes:
        name: as ``datasets.load_dataset(FOLDER, name)`` calls it.
        columns: in the order of the files; a string column ``id`` is put first when there is none.
        tsv_columns: names of the columns in the order of the TSV files; empty means all columns but lists.
        description: one line for the dataset card.
    """

    name: str
    columns: tuple[Column, ...]
    tsv_columns: tuple[str, ...] = ()
    description: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name == "rejects":
            raise ValueError(f"{self.name!r} cannot be the name of a configuration")
        if "id" not in (c.name for c in self.columns):
            object.__setattr__(self, "columns", (ID_COLUMN, *self.columns))
        names = [c.name for c in self.columns]
        if len(set(names)) < len(names):
            raise ValueError(f"configuration {self.name}: a column occurs twice in {', '.join(names)}")
        kinds = {c.name: item_type(c.type) for c in self.columns}
        if kinds["id"] != ("string", False):
            raise ValueError(f"configuration {self.name}: the column id must be a string")
        if unknown := [n for n in self.tsv_columns if n not in names]:
            raise ValueError(f"configuration {self.name}: no column {unknown[0]!r} for TSV")
        if not self.tsv_columns:
            object.__setattr__(self, "tsv_columns", tuple(n for n in names if not kinds[n][1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSchema:
    """The configurations of a dataset; the first is the one that loads by default."""

    configs: tuple[ConfigSchema, ...]

    def __post_init__(self) -> None:
        names = [c.name for c in self.configs]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a dataset needs configurations of different names, not {names}")

    def __getitem__(self, name: str) -> ConfigSchema:
        return next(c for c in self.configs if c.name == name)


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

    def all_fit(values: Any) -> bool:
        return isinstance(values, Sequence) and not isinstance(values, str) and all(map(fits, values))

    return all_fit if is_list else fits
