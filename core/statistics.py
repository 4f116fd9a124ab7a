"""stats.json of a published dataset: its counts in groups, and the distributions and figures that papers show."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from gistmill.core.json_value import JsonError, JsonValue, check_version, load
from gistmill.core.short_repr import short_repr

STATISTICS = "stats.json"
STATISTICS_VERSION = 1
_OTHER = frozenset({"stats_version", "counts", "figures"})  # keys that hold no distribution

Cell = str | int | float | None


class StatisticsError(ValueError):
    """Statistics cannot be read; the text is one line that says what is wrong in them."""


@dataclass(frozen=True, slots=True)
class Share:
    """A value of a distribution: how often it occurs, and its share of all, from 0 to 1."""

    value: str
    count: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The content of stats.json.

    Attributes:
        counts: as in the manifest.
        distributions: for each distribution of the recipe, the values in each configuration, the most frequent first.
        figures: rows of each of the recipe's figures; a row has the columns of the figure's table.
    """

    __repr__ = short_repr

    counts: Mapping[str, Mapping[str, int]]
    distributions: Mapping[str, Mapping[str, tuple[Share, ...]]]
    figures: Mapping[str, tuple[Mapping[str, Cell], ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values in the form of STATISTICS_VERSION."""
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
        """Reads the file. Raises StatisticsError: it is not JSON or too large, or see ``from_json``."""
        try:
            value = load(file, STATISTICS)
        except JsonError as error:
            raise StatisticsError(str(error)) from None
        return cls.from_json(value)

    @classmethod
    def from_json(cls, value: object) -> Statistics:
        """Reads JSON values; those without a version are of version 1.

        Raises:
            StatisticsError: a newer gistmill wrote them, or a field is missing or of the wrong type.
        """
        try:
            return cls._read(JsonValue(value, STATISTICS))
        except JsonError as error:
            raise StatisticsError(str(error)) from None
        except RecursionError:
            raise StatisticsError(f"{STATISTICS} is nested too deeply") from None

    @classmethod
    def _read(cls, value: JsonValue) -> Statistics:
        if version := value.get("stats_version"):
            check_version(version, what="stats", newest=STATISTICS_VERSION)
        figures = value.get("figures")
        return cls(
            counts={name: group.counts() for name, group in value["counts"].fields().items()},
            distributions={
                kind: {config: _shares(shares) for config, shares in of_kind.fields().items()}
                for kind, of_kind in value.fields().items()
                if kind not in _OTHER
            },
            figures={k: tuple(map(_row, rows.items())) for k, rows in figures.fields().items()} if figures else {},
        )


def group_counts(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Returns the counts grouped by all but the last part of their keys, at most two parts.

    ``rows/full/train`` is ``train`` in the group ``rows/full``, ``documents/read`` is ``read`` in ``documents``; what
    follows a second slash stays whole.
    """
    groups: dict[str, dict[str, int]] = {}
    for key, number in sorted(counts.items()):
        parts = key.split("/", 2)
        groups.setdefault("/".join(parts[:-1]), {})[parts[-1]] = number
    return groups


def distribution(group: Mapping[str, int]) -> tuple[Share, ...]:
    """Returns the shares of the entries, the largest first."""
    total = sum(group.values())
    ordered = sorted(group.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Share(v, n, round(n / total, 6) if total else 0.0) for v, n in ordered)


def _shares(value: JsonValue) -> tuple[Share, ...]:
    return tuple(Share(s["value"].text(), s["count"].count(), s["share"].number()) for s in value.items())


def _row(value: JsonValue) -> dict[str, Cell]:
    row: dict[str, Cell] = {}
    for name, cell in value.fields().items():
        if not isinstance(cell.value, str | int | float | None):
            raise JsonError(f"{cell.where} must be a string, a number or null, not {cell.value!r:.80}")
        row[name] = cell.value
    return row
