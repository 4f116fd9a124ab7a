"""A figure of a dataset: a table whose columns may be drawn as bars, for stats.json and report.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Groups = Mapping[str, Mapping[str, int]]
Cell = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A table. ``key`` names it in stats.json, ``rows`` follow ``head``; the columns in ``bars`` are drawn too. The
    dataset card shows those ``in_card``."""

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
    """Returns the share, rounded; None if the whole is 0."""
    return round(part / whole, 6) if whole else None
