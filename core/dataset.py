"""The schema of a dataset: its configurations, and the columns of each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gistmill.core.confined import is_name

SPLITS = ("train", "validation", "test")
SCALARS = ("string", "int64", "float64", "bool")
_LIST = re.compile(r"list<(\w+)>")


def item_type(column_type: str) -> tuple[str, bool]:
    """Returns the scalar type and whether the column holds lists of it.

    Raises:
        ValueError: there is no such type.
    """
    found = _LIST.fullmatch(column_type)
    scalar = found.group(1) if found else column_type
    if scalar not in SCALARS:
        raise ValueError(f"unknown column type {column_type!r}; known are {', '.join(SCALARS)} and list<...> of them")
    return scalar, bool(found)


def split_rank(split: str) -> tuple[int, str]:
    """Returns the key by which splits are sorted: SPLITS in their order, then others by name."""
    return (SPLITS.index(split) if split in SPLITS else len(SPLITS), split)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a dataset. ``type``: string, int64, float64, bool, or ``list<T>`` of one of these."""

    name: str
    type: str
    description: str


ID_COLUMN = Column("id", "string", "unique id of the row")


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
        if not is_name(self.name) or self.name == "rejects":
            raise ValueError(f"{self.name!r:.80} cannot be the name of a configuration")
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
