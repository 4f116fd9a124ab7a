"""report.html: the statistics of a dataset as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from pipelines.job import shared_reasons
from pipelines.reporting.figure_html import as_html
from pipelines.reporting.manifest import RunInfo
from rules.manifest import Manifest
from rules.reasons import meanings
from rules.recipes import RECIPES
from rules.row_budget import LEFT_OUT, left_out_lines
from rules.statistics import Share, Statistics, distribution

_MOST_BARS = 60
_UNITS = ("documents", "sentences", "pairs", "copies")  # what is read, and used or rejected
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222 }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .15rem .6rem .15rem 0 }
th { border-bottom: 1px solid #999 } td.n { text-align: right; font-variant-numeric: tabular-nums; width: 7rem }
td.b { width: 45% } .bar { background: #4a7ebb; height: .8rem; min-width: 1px } .warn { color: #a33 }
"""


def report(manifest: Manifest, statistics: Statistics, *, run: RunInfo) -> str:
    """Returns the page; everything that comes from data is escaped."""
    groups, recipe = statistics.counts, RECIPES[run.recipe]
    known = meanings(*shared_reasons(), *recipe.REASONS)
    body = [
        f"<h1>{escape(run.title)}</h1>",
        f"<p>{escape(run.description)}</p>",
        f"<p>gistmill {escape(manifest.recipe)}, version {escape(manifest.code_version)}, {escape(manifest.runner)}, "
        f"begun {escape(manifest.start.isoformat(timespec='seconds'))}</p>",
        *(
            f'<p class="warn">{escape(d.file)} is damaged at byte {d.offset}: {escape(d.message)}</p>'
            for d in manifest.damage
        ),
        *_section("Rows", _tables({n.split("/", 1)[1]: g for n, g in groups.items() if n.startswith("rows/")})),
    ]
    body += [f"<p>{escape(line.replace('`', ''))}</p>" for line in left_out_lines(groups)]
    body += [as_html(figure) for figure in recipe.figures(groups)]
    for kind, heading in recipe.DISTRIBUTIONS.items():
        body += _section(heading, statistics.distributions[kind])
    for unit in _UNITS:
        if unit in groups or f"{unit}/rejected" in groups:
            rejected = {_reason(r, known): n for r, n in groups.get(f"{unit}/rejected", {}).items()}
            tables = {"": groups.get(unit, {}), "rejected": rejected}
            heading = recipe.READS if unit == "documents" else unit
            body += _section(heading.capitalize(), _tables(tables), total=groups.get(unit, {}).get("read"))
    shown = (
        "rows/",
        f"{LEFT_OUT}/",
        *_UNITS,
        *(f"{k}/" for k in recipe.DISTRIBUTIONS),
        *recipe.FIGURE_GROUPS,
    )
    body += _section("Other counts", _tables({n: g for n, g in groups.items() if not n.startswith(shown)}))
    head = f'<meta charset="utf-8"><title>{escape(run.title)}</title><style>{_STYLE}</style>'
    lines = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{lines}\n</body></html>\n'


def _tables(groups: Mapping[str, Mapping[str, int]]) -> dict[str, Sequence[Share]]:
    return {name: distribution(group) for name, group in groups.items()}


def _section(heading: str, tables: Mapping[str, Sequence[Share]], *, total: int | None = None) -> list[str]:
    parts = [f"<h2>{escape(heading)}</h2>"] if any(tables.values()) else []
    for name, entries in tables.items():
        if entries:
            parts += [f"<h3>{escape(name)}</h3>"] if name else []
            parts.append(_bars(entries, total or sum(e.count for e in entries)))
    return parts


def _bars(entries: Sequence[Share], total: int) -> str:
    most = max(e.count for e in entries) or 1
    rows = [
        f'<tr><td>{escape(e.value)}</td><td class="n">{e.count:,}</td>'
        f'<td class="n">{100 * e.count / (total or 1):.2f}%</td>'
        f'<td class="b"><div class="bar" style="width:{100 * e.count / most:.2f}%"></div></td></tr>'
        for e in entries[:_MOST_BARS]
    ]
    if len(entries) > _MOST_BARS:
        rest = sum(e.count for e in entries[_MOST_BARS:])
        rows.append(f'<tr><td>{len(entries) - _MOST_BARS} more</td><td class="n">{rest:,}</td><td></td><td></td></tr>')
    return f"<table>{''.join(rows)}</table>"


def _reason(name: str, known: Mapping[str, str]) -> str:
    return f"{name}: {known[name]}" if name in known else name
