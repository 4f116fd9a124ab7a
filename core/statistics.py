"""Statistics of a published dataset (stats.json): grouped counts, and the distributions and figures shown in papers."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from gistmill.core.addresses import is_name
from gistmill.core.json_value import Count, JsonError, JsonValue, check_version, load, raising, read_as
from gistmill.core.text_output import short_repr

STATISTICS = "stats.json"
STATISTICS_VERSION = 1
_OTHER = frozenset({"stats_version", "counts", "figures"})  # keys that are not distributions

Cell = str | int | float | None


class StatisticsError(ValueError):
    """Statistics cannot be read; the message is one line that states the problem."""


@dataclass(frozen=True, slots=True)
class Share:
    """A value in a distribution, with its number of occurrences and its share of the total, from 0 to 1."""

    value: str
    count: Count
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The content of stats.json.

    Attributes:
        counts: as in the manifest.
        distributions: for each of the recipe's distributions, the values by configuration, most frequent first.
        figures: rows of each of the recipe's figures, with the columns of the figure's table.
    """

    __repr__ = short_repr

    counts: Mapping[str, Mapping[str, int]]
    distributions: Mapping[str, Mapping[str, tuple[Share, ...]]]
    figures: Mapping[str, tuple[Mapping[str, Cell], ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values in the format of STATISTICS_VERSION."""
        value: dict[str, Any] = {
            "stats_version": STATISTICS_VERSION,
            "counts": {group: dict(counts) for group, counts in self.counts.items()},
        }
        for kind, of_kind in self.distributions.items():
            value[kind] = {config: [dataclasses.asdict(s) for s in shares] for config, shares in of_kind.items()}
        if self.figures:
            value["figures"] = {key: [dict(row) for row in rows] for key, rows in self.figures.items()}
        return value

    @classmethod
    def read(cls, file: BinaryIO) -> Statistics:
        """Reads the file. Raises StatisticsError if it is not JSON or too large, or as ``from_json`` does."""
        with raising(StatisticsError):
            return cls.from_json(load(file, STATISTICS))

    @classmethod
    def from_json(cls, value: object) -> Statistics:
        """Reads JSON values; if no version is given, it is 1.

        Raises:
            StatisticsError: the values were written by a newer gistmill, or a field is missing or malformed.
        """
        try:
            with raising(StatisticsError):
                return cls._read(JsonValue(value, STATISTICS))
        except RecursionError:
            raise StatisticsError(f"{STATISTICS} is nested too deeply") from None

    @classmethod
    def _read(cls, value: JsonValue) -> Statistics:
        if version := value.get("stats_version"):
            check_version(version, what="stats", newest=STATISTICS_VERSION)
        figures = value.get("figures")
        return cls(
            counts=read_as(Mapping[str, Mapping[str, Count]], value["counts"]),
            distributions={
                kind: read_as(Mapping[str, tuple[Share, ...]], of_kind)
                for kind, of_kind in value.fields().items()
                if kind not in _OTHER
            },
            figures={k: tuple(map(_row, rows.items())) for k, rows in figures.fields().items()} if figures else {},
        )


def group_counts(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Returns the counts grouped by the first one or two components of their keys.

    ``rows/full/train`` becomes ``train`` in the group ``rows/full``, and ``documents/read`` becomes ``read`` in
    ``documents``; the part after a second slash is not divided.
    """
    groups: dict[str, dict[str, int]] = {}
    for key, number in sorted(counts.items()):
        parts = key.split("/", 2)
        groups.setdefault("/".join(parts[:-1]), {})[parts[-1]] = number
    return groups


def distribution(group: Mapping[str, int]) -> tuple[Share, ...]:
    """Returns the shares of the entries, largest first."""
    total = sum(group.values())
    ordered = sorted(group.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Share(v, n, round(n / total, 6) if total else 0.0) for v, n in ordered)


def _row(value: JsonValue) -> dict[str, Cell]:
    row: dict[str, Cell] = {}
    for name, cell in value.fields().items():
        if not isinstance(cell.value, str | int | float | None):
            raise JsonError(f"{cell.where} must be a string, a number or null, not {cell.value!r:.80}")
        row[name] = cell.value
    return row


SPLITS = ("train", "validation", "test")
SCALARS = ("string", "int64", "float64", "bool")
_LIST = re.compile(r"list<(\w+)>")


@functools.cache
def item_type(column_type: str) -> tuple[str, bool]:
    """Returns the scalar type and whether the column contains lists of it.

    Raises:
        ValueError: the type is unknown.
    """
    found = _LIST.fullmatch(column_type)
    scalar = found.group(1) if found else column_type
    if scalar not in SCALARS:
        raise ValueError(
            f"unknown column type {column_type!r}; expected one of {', '.join(SCALARS)}, or list<...> of one of these"
        )
    return scalar, bool(found)


def split_rank(split: str) -> tuple[int, str]:
    """Returns a split's sort key: first SPLITS in order, then others by name."""
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
        name: the name for ``datasets.load_dataset(FOLDER, name)``.
        columns: columns in file order; a string column ``id`` is added in front if there is none.
        tsv_columns: column names in TSV files, in order; empty means all columns except lists.
        description: one line for the dataset card.
    """

    name: str
    columns: tuple[Column, ...]
    tsv_columns: tuple[str, ...] = ()
    description: str = ""

    def __post_init__(self) -> None:
        if not is_name(self.name) or self.name == "rejects":
            raise ValueError(f"{self.name!r:.80} is not a valid configuration name")
        if "id" not in (c.name for c in self.columns):
            object.__setattr__(self, "columns", (ID_COLUMN, *self.columns))
        names = [c.name for c in self.columns]
        if len(set(names)) < len(names):
            raise ValueError(f"configuration {self.name}: a column occurs twice in {', '.join(names)}")
        kinds = {c.name: item_type(c.type) for c in self.columns}
        if kinds["id"] != ("string", False):
            raise ValueError(f"configuration {self.name}: the id column must be a string")
        if unknown := [n for n in self.tsv_columns if n not in names]:
            raise ValueError(f"configuration {self.name}: no column {unknown[0]!r} for TSV")
        if not self.tsv_columns:
            object.__setattr__(self, "tsv_columns", tuple(n for n in names if not kinds[n][1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSchema:
    """The configurations of a dataset; the first is the default."""

    configs: tuple[ConfigSchema, ...]

    def __post_init__(self) -> None:
        names = [c.name for c in self.configs]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a dataset's configurations must have different names, not {names}")

    def __getitem__(self, name: str) -> ConfigSchema:
        return next(c for c in self.configs if c.name == name)


Groups = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A table with a ``head`` and ``rows``, named ``key`` in stats.json. Columns in ``bars`` are also drawn; tables
    marked ``in_card`` appear in the dataset card.
    """

    key: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    bars: tuple[str, ...] = ()
    in_card: bool = False


def as_rows(figure: Figure) -> list[dict[str, Cell]]:
    """Returns the rows for stats.json."""
    return [dict(zip(figure.head, row, strict=True)) for row in figure.rows]


def ratio(part: int, whole: int) -> float | None:
    """Returns the rounded share; None if the whole is 0."""
    return round(part / whole, 6) if whole else None
