"""A dataset as a notebook shows it: how many rows it has, and the first of them, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Any

from gistmill.core.dataset import split_rank
from gistmill.core.manifest import Manifest
from gistmill.published.files import DatasetError

_ROWS = 5
_COLUMNS = 8
_CELL = 120  # characters


def as_html(place: str, manifest: Manifest, rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the tables of a dataset; a line says why, where its rows cannot be read.

    Args:
        place: of the dataset.
        manifest: its manifest.
        rows: those of its first configuration.
    """
    head = f"<p><strong>{escape(place)}</strong>: a dataset of <code>{escape(manifest.recipe)}</code></p>"
    return f"<div>{head}{_counts(manifest)}{_first(rows)}</div>"


def _counts(manifest: Manifest) -> str:
    rows = {config: manifest.counts.get(f"rows/{config}", {}) for config in manifest.columns}
    splits = sorted({split for counts in rows.values() for split in counts}, key=split_rank)
    lines = [(config, *(f"{counts.get(split, 0):,}" for split in splits)) for config, counts in rows.items() if counts]
    return _table(("rows", *splits), lines) if lines else "<p>It has no rows.</p>"


def _first(rows: Iterable[Mapping[str, Any]]) -> str:
    try:
        first = list(islice(rows, _ROWS))
    except DatasetError as error:
        return f"<p>{escape(str(error))}</p>"
    if not first:
        return ""
    names = list(first[0])
    more = len(names) - _COLUMNS
    note = f"<p>and {more} more column{'s' if more > 1 else ''}</p>" if more > 0 else ""
    return _table(names[:_COLUMNS], [[_cut(row[name]) for name in names[:_COLUMNS]] for row in first]) + note


def _cut(value: object) -> str:
    text = str(value)
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"<tr>{_cells(head, 'th')}</tr>", *(f"<tr>{_cells(row, 'td')}</tr>" for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _cells(cells: Iterable[str], tag: str) -> str:
    return "".join(f'<{tag} style="text-align: left">{escape(cell)}</{tag}>' for cell in cells)
