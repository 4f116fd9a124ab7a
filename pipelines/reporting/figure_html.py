"""A figure as HTML."""

from __future__ import annotations

from html import escape

from rules.figure import Cell, Figure


def as_html(figure: Figure) -> str:
    """Returns the table for report.html."""
    drawn = [figure.head.index(name) for name in figure.bars]
    most = max((_drawn(row[i]) for row in figure.rows for i in drawn), default=0) or 1
    head = "".join(
        f"<th>{escape(name)}</th>" + ("<th></th>" if i in drawn else "") for i, name in enumerate(figure.head)
    )
    lines = []
    for row in figure.rows:
        cells = ""
        for i, cell in enumerate(row):
            cells += f"<td>{escape(cell)}</td>" if isinstance(cell, str) else f'<td class="n">{_shown(cell)}</td>'
            if i in drawn:
                cells += f'<td class="b"><div class="bar" style="width:{100 * _drawn(cell) / most:.2f}%"></div></td>'
        lines.append(f"<tr>{cells}</tr>")
    return f"<h2>{escape(figure.title)}</h2><p>{escape(figure.note)}</p><table><tr>{head}</tr>{''.join(lines)}</table>"


def _drawn(cell: Cell) -> float:
    return cell if isinstance(cell, (int, float)) else 0


def _shown(cell: int | float | None) -> str:
    if cell is None:
        return ""
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.3f}"
