"""The contents of the page as plain values; the template only lays them out."""

from __future__ import annotations

import functools
import itertools
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from gistmill.core.manifest import Manifest
from gistmill.core.options import Option
from gistmill.core.row_budget import left_out_lines
from gistmill.core.statistics import SPLITS, Figure, Share, Statistics, distribution, split_rank
from gistmill.core.values import plain
from gistmill.pipelines.job import job_options, shared_reasons
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.pipelines.reporting.plain_text import Piece, marked
from gistmill.rules.documents import CleanReason, ReadReason, meanings
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.results import NO_SAMPLES, Samples

T = TypeVar("T")
_UNITS = ("documents", "sentences", "pairs", "copies")  # things that are read, and used or rejected
_SHOWN = 6  # number of chart lines, and of reasons per unit, shown without a click
_HISTOGRAM = 12  # minimum number of rows for drawing a numeric figure as columns
_LONG = 40  # maximum number of characters in a short column of a sampled row


class Line(NamedTuple):
    """A row of a chart: its cells, and a bar length per series, in per cent of the longest bar."""

    cells: Sequence[str]
    bars: Sequence[float]


@dataclass(frozen=True, slots=True)
class Chart:
    """A table with bars."""

    title: str
    note: str
    series: Sequence[str]  # names of the bars, for the legend; empty if there are no bars
    head: Sequence[str]  # the table's headings
    lines: Sequence[Line]  # the first rows
    more: Sequence[Line] = ()  # the other rows, shown on request
    is_histogram: bool = False  # drawn as adjacent columns instead of horizontal bars


def funnel(manifest: Manifest, samples: Samples) -> Iterator[dict[str, Any]]:
    """Yields, for documents and every other counted unit, how many were ``read`` and ``used`` and why others were
    ``rejected``; ``more`` contains the rarer reasons, shown on request."""
    recipe = RECIPES[manifest.recipe]
    known = meanings(*shared_reasons(), *recipe.REASONS)
    for unit in _UNITS:
        counted = manifest.counts.get(unit, {})
        if not (read := counted.get("read", 0)):
            continue
        rejected = [
            {
                "name": s.value,
                "meaning": known.get(s.value, ""),
                "count": f"{s.count:,}",
                "share": percent(s.count / read),
                "bar": _reach(s.count, read),
                "examples": [
                    {name: str(reject.get(name, "")) for name in ("title", "id", "detail")}
                    for reject in samples.rejects.get(s.value, ())
                    if f"{reject.get('unit', '')}s" == unit
                ],
            }
            for s in distribution(manifest.counts.get(f"{unit}/rejected", {}))
        ]
        shown, more = _folded(rejected)
        yield {
            "unit": recipe.READS if unit == "documents" else unit,
            "read": read,
            "used": counted.get("used", 0),
            "share": percent(counted.get("used", 0) / read),
            "rejected": shown,
            "more": more,
        }


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
    """Returns a chart of a recipe's figure, with the columns named in ``bars`` drawn as bars."""
    places = [made.head.index(name) for name in made.bars]
    cells = [[_cell(cell) for cell in row] for row in made.rows]
    drawn = [[row[place] for place in places] for row in made.rows]
    numbers = [[float(cell) if isinstance(cell, (int, float)) else 0.0 for cell in row] for row in drawn]
    chart = _chart(made.title, made.note, made.bars, made.head, cells, numbers)
    are_numbers = (row[0].replace(".", "", 1).replace("-", "", 1).isdigit() for row in cells)
    if made.bars and len(cells) >= _HISTOGRAM and all(are_numbers):
        return replace(chart, lines=[*chart.lines, *chart.more], more=(), is_histogram=True)
    return chart


def rows_shown(samples: Samples) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Returns the texts (in pieces) and short columns of sampled rows, by configuration and type. Rows that are not
    pairs and have no ``text`` are left out."""
    shown: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for config, labels in samples.rows.items():
        for label, rows in labels.items():
            for row in rows:
                if "inputs" in row and "targets" in row:
                    pieces = marked(str(row["inputs"]), str(row["targets"]))
                    texts = dict(zip(("inputs", "targets"), pieces, strict=True))
                elif "text" in row:
                    texts = {"text": [Piece(str(row["text"]), False)]}
                else:
                    continue
                cells = {n: _cell(v) for n, v in row.items() if n != "id" and n not in texts and v not in ("", None)}
                fields = {n: v for n, v in cells.items() if len(v) <= _LONG}
                found = {"id": str(row["id"]), "texts": texts, "fields": fields}
                shown.setdefault(config, {}).setdefault(label, []).append(found)
    return shown


def percent(share: float) -> str:
    """Formats a share from 0 to 1 as a percentage."""
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
    return Chart(title, note, series, head, *_folded(lines))


def _folded(lines: list[T]) -> tuple[list[T], list[T]]:
    """Splits lines into those shown at once and those shown on a click, of which there are never just one or two."""
    fold = _SHOWN if len(lines) > _SHOWN + 2 else len(lines)
    return lines[:fold], lines[fold:]


def _reach(number: float, longest: float) -> float:
    """Returns the length of a bar in per cent of the longest one."""
    return round(100 * max(0.0, number) / longest, 1) if longest > 0 else 0.0


def _cell(cell: Any) -> str:
    if isinstance(cell, float):
        return f"{cell:,.3f}".rstrip("0").rstrip(".") if abs(cell) < 1e9 else f"{cell:g}"
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def changes(old: Manifest, new: Manifest) -> dict[str, list[tuple[str, int, int, str]]]:
    """Compares counts of both versions as (name, old, new, change): ``totals`` are the documents read and used and the
    rows in each configuration; ``parts`` are the rejects by reason and the rows by type."""

    def line(name: str, before: int, now: int) -> tuple[str, int, int, str]:
        return name, before, now, f"{now - before:+,}" + (f" ({100 * (now / before - 1):+.1f}%)" if before else "")

    recipe, counts = RECIPES[new.recipe], [m.counts.get("documents", {}) for m in (old, new)]
    totals = [line(f"{recipe.READS} {part}", *(c.get(part, 0) for c in counts)) for part in ("read", "used")]
    totals += [line(f"rows in {config}", old.rows().get(config, 0), rows) for config, rows in new.rows().items()]
    # a recipe's first distribution is short; others, such as connectives, are too long to read
    kinds = list(recipe.DISTRIBUTIONS)[:1]
    groups = {f"{kind}/{config}": config for kind in kinds for config in new.rows()}
    parts = []
    for group, heading in {"documents/rejected": "rejected", **groups}.items():
        before, now = (m.counts.get(group, {}) for m in (old, new))
        for name in sorted({*before, *now}, key=lambda n: (-now.get(n, 0), n)):
            parts.append(line(f"{heading}: {name}", before.get(name, 0), now.get(name, 0)))
    return {"totals": totals, "parts": parts}


# Reasons that indicate a failure rather than an unsuitable text.
_BROKEN = (
    ReadReason.BAD_XML,
    ReadReason.BAD_PAGE,
    ReadReason.BAD_RECORD,
    ReadReason.BAD_LINE,
    CleanReason.DEADLINE,
    CleanReason.PARSER_DIED,
    CleanReason.EXTRACTOR_FAILED,
)
_FEW = 0.01  # share of the documents read


def remarks(manifest: Manifest, reads: str) -> Iterator[str]:
    """Yields a sentence for each anomaly; ``reads`` is the recipe's word for documents."""
    for damage in manifest.damage:
        yield f"{damage.file} is damaged at byte {damage.offset:,}: {damage.message}."
    documents, rejected = (manifest.counts.get(name, {}) for name in ("documents", "documents/rejected"))
    read, used = documents.get("read", 0), documents.get("used", 0)
    if not read:
        yield f"No {reads} were read."
    elif used < _FEW * read:
        yield f"Only {used:,} of {read:,} {reads} were used."
    for reason in _BROKEN:
        if number := rejected.get(reason.name, 0):
            yield f"{number:,} {reads} were rejected because something failed: {reason.value} ({reason.name})."
    # splits whose share and limit are not 0; jobs that read rows assign no splits, so none are expected
    numbers = (manifest.configuration.get(option) or () for option in ("splits", "rows"))
    wanted = [n for n, share, limit in itertools.zip_longest(SPLITS, *numbers) if share and limit != 0]
    for config, rows in manifest.rows().items():
        empty = [name for name in wanted if not manifest.counts.get(f"rows/{config}", {}).get(name, 0)]
        if not rows or empty:
            where = f" in {' and '.join(empty)}" if rows else ""
            yield f"The configuration {config} has no rows{where}."
    libraries = [entry.library for entry in manifest.arithmetic]
    for library in sorted({name for name in libraries if libraries.count(name) > 1}):
        yield f"Workers computed with different kernels of {library}, so another run may differ in last digits."


def command(manifest: Manifest) -> list[str]:
    """Returns the parts of the command: its name, then one string per option with its value. Options with default
    values are left out, and files are named as in the manifest, since folders differ between machines."""
    declared = job_options(RECIPES[manifest.recipe])
    given = {n: v for n, v in manifest.configuration.items() if n in declared and v != plain(declared[n].default)}
    return [f"gistmill {manifest.recipe}", *(_flag(declared[name], value) for name, value in given.items())]


def _flag(option: Option, value: Any) -> str:
    if value is True:
        return option.flag
    if value is False:
        return f"--no-{option.flag[2:]}"
    if isinstance(value, list):
        text = ",".join(map(str, value))
    else:
        text = json.dumps(value) if isinstance(value, dict) else str(value)
    return f"{option.flag} {shlex.quote(text)}"


_CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> Markup:
    """Returns a sentence as escaped HTML, with ``<code>`` for text between backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


_HERE = files("gistmill.pipelines.reporting.page")


def report(
    manifest: Manifest,
    statistics: Statistics,
    *,
    run: RunInfo,
    samples: Samples = NO_SAMPLES,
    before: Manifest | None = None,
) -> str:
    """Returns report.html, with all data escaped.

    Args:
        manifest, statistics: the dataset's manifest and statistics.
        run: the run that made it, for its title and description.
        samples: rows and rejects to show.
        before: the previous version's manifest, if any.
    """
    recipe = RECIPES[manifest.recipe]
    rows = {config: manifest.counts.get(f"rows/{config}", {}) for config in manifest.columns}
    return _template().render(
        style=Markup((_HERE / "style.css").read_text(encoding="utf-8")),
        title=run.title,
        description=run.description,
        manifest=manifest,
        rows=rows,
        splits=sorted({split for numbers in rows.values() for split in numbers}, key=split_rank),
        steps=list(funnel(manifest, samples)),
        remarks=[*remarks(manifest, recipe.READS), *left_out_lines(manifest.counts)],
        figures=[figure(f) for f in recipe.figures(statistics.counts)],
        distributions=list(distributions(statistics, manifest.recipe)),
        shown=rows_shown(samples),
        before=before,
        changes=changes(before, manifest) if before and before.recipe == manifest.recipe else None,
        command=command(manifest),
    )


@functools.cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["prose"] = prose
    return environment.from_string((_HERE / "template.html").read_text(encoding="utf-8"))
