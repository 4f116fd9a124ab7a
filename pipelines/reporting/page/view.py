"""What the page shows, as plain values: the template only lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from gistmill.core.figure import Figure
from gistmill.core.manifest import Manifest
from gistmill.core.statistics import Share, Statistics, distribution
from gistmill.pipelines.job import shared_reasons
from gistmill.pipelines.reporting.page import charts
from gistmill.pipelines.reporting.words import Piece, marked
from gistmill.rules.reasons import meanings
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.samples import Samples

_UNITS = ("documents", "sentences", "pairs", "copies")  # what is read, and used or rejected
_MOST_BARS = 20
_HISTOGRAM = 12  # rows from which a figure of numbers is drawn as columns
_LONG = 40  # characters that a field of a reject may have beside its detail


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and its numbers as a table. ``series``: names for the legend."""

    title: str
    note: str
    drawing: Markup | None
    series: Sequence[str]
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reason: its meaning, how many it rejected, which share of what was read, and rejects of it."""

    name: str
    meaning: str
    count: str
    share: str
    examples: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """What became of the documents, or of another unit."""

    unit: str
    read: int
    used: int
    share: str
    rejected: Sequence[Rejected]
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A row: its texts in pieces, both sides of a pair or one text, and its short columns."""

    id: str
    texts: Mapping[str, Sequence[Piece]]
    fields: Mapping[str, str]


def funnel(manifest: Manifest, samples: Samples) -> Iterator[Step]:
    """Yields what became of documents and of each other unit that was counted."""
    recipe = RECIPES[manifest.recipe]
    known = meanings(*shared_reasons(), *recipe.REASONS)
    for unit in _UNITS:
        counted = manifest.counts.get(unit, {})
        if not (read := counted.get("read", 0)):
            continue
        rejected = distribution(manifest.counts.get(f"{unit}/rejected", {}))
        name = recipe.READS if unit == "documents" else unit
        yield Step(
            unit=name,
            read=read,
            used=counted.get("used", 0),
            share=percent(counted.get("used", 0) / read),
            rejected=[
                Rejected(
                    s.value,
                    known.get(s.value, ""),
                    f"{s.count:,}",
                    percent(s.count / read),
                    [_reject(r) for r in samples.rejects.get(s.value, ()) if f"{r.get('unit', '')}s" == unit],
                )
                for s in rejected
            ],
            chart=_shares(f"Rejected {name} by reason, of those read", _of(rejected, read)) if rejected else None,
        )


def distributions(statistics: Statistics, recipe: str) -> Iterator[Chart]:
    """Yields the recipe's distributions, for each configuration."""
    for kind, heading in RECIPES[recipe].DISTRIBUTIONS.items():
        for config, shares in statistics.distributions.get(kind, {}).items():
            if shares:
                yield _shares(f"{heading} of {config}", shares)


def figure(made: Figure) -> Chart:
    """Returns a figure of the recipe; its columns of bars are drawn."""
    rows = [[_cell(cell) for cell in row] for row in made.rows]
    drawing = None
    if made.bars and rows:
        places = {name: made.head.index(name) for name in made.bars}
        series = {name: [_number(row[i]) for row in made.rows] for name, i in places.items()}
        draw = charts.columns if len(rows) >= _HISTOGRAM and all(_is_number(row[0]) for row in rows) else charts.bars
        drawing = draw([row[0] for row in rows], series, title=made.title)
    return Chart(made.title, made.note, drawing, made.bars, made.head, rows)


def rows_shown(samples: Samples) -> dict[str, dict[str, list[Shown]]]:
    """Returns the sampled rows by configuration and type, where they are pairs, or have a ``text``."""
    found = {
        config: {label: [_row(r) for r in rows if _texts(r)] for label, rows in labels.items()}
        for config, labels in samples.rows.items()
    }
    return {c: kept for c, labels in found.items() if (kept := {label: rows for label, rows in labels.items() if rows})}


def percent(share: float) -> str:
    """Returns a share from 0 to 1 in per cent."""
    return f"{100 * share:.1f}%"


def _shares(title: str, shares: Sequence[Share]) -> Chart:
    shown = shares[:_MOST_BARS]
    drawing = charts.bars([s.value for s in shown], {"share": [100 * s.share for s in shown]}, title=title, unit="%")
    rows = [[s.value, f"{s.count:,}", percent(s.share)] for s in shares]
    note = f"The {_MOST_BARS} most frequent of {len(shares):,}." if len(shares) > len(shown) else ""
    return Chart(title, note, drawing, (), ("", "count", "share"), rows)


def _of(shares: Sequence[Share], whole: int) -> list[Share]:
    return [Share(s.value, s.count, s.count / whole) for s in shares]


def _row(row: Mapping[str, Any]) -> Shown:
    texts = _texts(row)
    shown = {n: _cell(v) for n, v in row.items() if n != "id" and n not in texts and v not in ("", None)}
    return Shown(str(row["id"]), texts, {n: v for n, v in shown.items() if len(v) <= _LONG})


def _texts(row: Mapping[str, Any]) -> Mapping[str, Sequence[Piece]]:
    if "inputs" in row and "targets" in row:
        return dict(zip(("inputs", "targets"), marked(str(row["inputs"]), str(row["targets"])), strict=True))
    return {"text": [Piece(str(row["text"]), False)]} if "text" in row else {}


def _reject(reject: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(reject.get(name, "")) for name in ("title", "id", "detail")}


def _cell(cell: Any) -> str:
    if isinstance(cell, float):
        return f"{cell:,.3f}".rstrip("0").rstrip(".") if abs(cell) < 1e9 else f"{cell:g}"
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def _number(cell: Any) -> float | None:
    return float(cell) if isinstance(cell, (int, float)) else None


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdigit()
