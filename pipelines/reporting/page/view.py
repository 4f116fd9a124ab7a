"""What the page shows, as plain values: the template only lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gistmill.core.figure import Figure
from gistmill.core.manifest import Manifest
from gistmill.core.statistics import Share, Statistics, distribution
from gistmill.pipelines.job import shared_reasons
from gistmill.pipelines.reporting.words import Piece, marked
from gistmill.rules.reasons import meanings
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.samples import Samples

_UNITS = ("documents", "sentences", "pairs", "copies")  # what is read, and used or rejected
_SHOWN = 6  # lines of a chart, and reasons of a unit; the others are a click away
_HISTOGRAM = 12  # rows from which a figure of numbers is drawn as columns
_LONG = 40  # characters that a field of a reject may have beside its detail


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a chart: its cells, and for each series how far its bar reaches, in per cent of the longest one."""

    cells: Sequence[str]
    bars: Sequence[float]


@dataclass(frozen=True, slots=True)
class Chart:
    """A table with bars.

    Attributes:
        title, note: what it shows.
        series: names of the bars, for the legend; empty where nothing is drawn.
        head: of the table.
        lines: its first rows.
        more: its other rows, which are shown on request.
        is_histogram: whether columns beside each other are drawn instead of bars below each other.
    """

    title: str
    note: str
    series: Sequence[str]
    head: Sequence[str]
    lines: Sequence[Line]
    more: Sequence[Line] = ()
    is_histogram: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reason: its meaning, how many it rejected, which share of what was read, how far its bar reaches in per cent,
    and rejects of it."""

    name: str
    meaning: str
    count: str
    share: str
    bar: float
    examples: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """What became of the documents, or of another unit. ``more``: the rarer reasons, which are shown on request."""

    unit: str
    read: int
    used: int
    share: str
    rejected: Sequence[Rejected]
    more: Sequence[Rejected]


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
        rejected = [
            Rejected(
                name=s.value,
                meaning=known.get(s.value, ""),
                count=f"{s.count:,}",
                share=percent(s.count / read),
                bar=_reach(s.count, read),
                examples=[_reject(r) for r in samples.rejects.get(s.value, ()) if f"{r.get('unit', '')}s" == unit],
            )
            for s in distribution(manifest.counts.get(f"{unit}/rejected", {}))
        ]
        yield Step(
            unit=recipe.READS if unit == "documents" else unit,
            read=read,
            used=counted.get("used", 0),
            share=percent(counted.get("used", 0) / read),
            rejected=rejected[: _before_fold(rejected)],
            more=rejected[_before_fold(rejected) :],
        )


def distributions(statistics: Statistics, recipe: str) -> Iterator[Chart]:
    """Yields the recipe's distributions, each with a bar for every configuration."""
    for kind, heading in RECIPES[recipe].DISTRIBUTIONS.items():
        found = {config: shares for config, shares in statistics.distributions.get(kind, {}).items() if shares}
        by_config = [{s.value: s for s in shares} for shares in found.values()]
        none = Share("", 0, 0.0)
        rows = {v: [shares.get(v, none) for shares in by_config] for shares in by_config for v in shares}
        if rows:
            order = sorted(rows, key=lambda value: (-sum(s.share for s in rows[value]), value))
            cells = [[value, *(f"{s.count:,} ({percent(s.share)})" for s in rows[value])] for value in order]
            numbers = [[s.share for s in rows[value]] for value in order]
            yield _chart(heading, "", list(found), ["", *found], cells, numbers)


def figure(made: Figure) -> Chart:
    """Returns a figure of the recipe; its columns of bars are drawn."""
    places = [made.head.index(name) for name in made.bars]
    cells = [[_cell(cell) for cell in row] for row in made.rows]
    numbers = [[_number(row[place]) for place in places] for row in made.rows]
    chart = _chart(made.title, made.note, made.bars, made.head, cells, numbers)
    if made.bars and len(cells) >= _HISTOGRAM and all(_is_number(row[0]) for row in cells):
        return replace(chart, lines=[*chart.lines, *chart.more], more=(), is_histogram=True)
    return chart


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


def _chart(
    title: str,
    note: str,
    series: Sequence[str],
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[Sequence[float]],
) -> Chart:
    longest = max((number for row in numbers for number in row), default=0.0)
    lines = [
        Line(cells, [_reach(number, longest) for number in drawn]) for cells, drawn in zip(rows, numbers, strict=True)
    ]
    fold = _before_fold(lines)
    return Chart(title, note, series, head, lines[:fold], lines[fold:])


def _before_fold(lines: Sequence[Any]) -> int:
    """How many lines are shown at once; a click should show more than one or two."""
    return _SHOWN if len(lines) > _SHOWN + 2 else len(lines)


def _reach(number: float, longest: float) -> float:
    """How far a bar reaches, in per cent of the longest one."""
    return round(100 * max(0.0, number) / longest, 1) if longest > 0 else 0.0


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


def _number(cell: Any) -> float:
    return float(cell) if isinstance(cell, (int, float)) else 0.0


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdigit()
