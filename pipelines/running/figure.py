"""A figure of a dataset: a table with bars, for stats.json as rows, for report.html as it is."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Groups = Mapping[str, Mapping[str, int]]
Cell = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A table. ``key`` names it in stats.json, ``rows`` follow ``head``; the columns in ``bars`` are drawn too."""

    key: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    bars: tuple[str, ...] = ()


def as_rows(figure: Figure) -> list[dict[str, Cell]]:
    """Returns the rows for stats.json."""
    return [dict(zip(figure.head, row, strict=True)) for row in figure.rows]


def as_html(figure: Figure) -> str:
    """Returns the table for report.html."""
    drawn = [figure.head.index(name) for name in figure.bars]
    most = max((row[i] or 0 for row in figure.rows for i in drawn), default=0) or 1
    head = "".join(f"<th>{escape(name)}</th>" + ("<th></th>" if i in drawn else "") for i, name in enumerate(figure.head))
    lines = []
    for row in figure.rows:
        cells = ""
        for i, cell in enumerate(row):
            cells += f"<td>{escape(cell)}</td>" if isinstance(cell, str) else f'<td class="n">{_shown(cell)}</td>'
            if i in drawn:
                cells += f'<td class="b"><div class="bar" style="width:{100 * (cell or 0) / most:.2f}%"></div></td>'
        lines.append(f"<tr>{cells}</tr>")
    return f"<h2>{escape(figure.title)}</h2><p>{escape(figure.note)}</p><table><tr>{head}</tr>{''.join(lines)}</table>"


def _shown(cell: int | float | None) -> str:
    if cell is None:
        return ""
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.3f}"


def ratio(part: int, whole: int) -> float | None:
    """Returns the share, rounded; None of nothing."""
    return round(part / whole, 6) if whole else None
