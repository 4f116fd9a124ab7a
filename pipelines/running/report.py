"""report.html: the statistics of a dataset as one page that needs nothing else."""
from __future__ import annotations

from collections.abc import Mapping
from html import escape

from pipelines.running.figure import as_html
from pipelines.running.figures import GROUPS, figures
from pipelines.running.manifest import RunInfo
from pipelines.running.stats import DISTRIBUTIONS, distribution, group_counts
from rules.verdict import Reason
from transforms.sinks.results import Results

_MOST_BARS = 60
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222 }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .15rem .6rem .15rem 0 }
th { border-bottom: 1px solid #999 } td.n { text-align: right; font-variant-numeric: tabular-nums; width: 7rem }
td.b { width: 45% } .bar { background: #4a7ebb; height: .8rem; min-width: 1px } .warn { color: #a33 }
"""
_HEADINGS = {"types": "Types", "connectives": "Connectives"}


def report(results: Results, *, run: RunInfo) -> str:
    """Returns the page; everything that comes from data is escaped."""
    groups = group_counts(results.counts)
    body = [
        f"<h1>{escape(run.title)}</h1>", f"<p>{escape(run.description)}</p>",
        f"<p>gistmill {escape(run.recipe)}, version {escape(run.code_version)}, {escape(run.runner)}, "
        f"begun {escape(run.start.isoformat(timespec='seconds'))}</p>",
        *(f'<p class="warn">{escape(d.file)} is damaged at byte {d.offset}: {escape(d.message)}</p>'
          for d in results.damage),
        *_section("Rows", {name.split("/", 1)[1]: g for name, g in groups.items() if name.startswith("rows/")}),
    ]
    body += [as_html(figure) for figure in figures(groups)]
    for kind in DISTRIBUTIONS:
        mine = {name.split("/", 1)[1]: g for name, g in groups.items() if name.startswith(f"{kind}/")}
        body += _section(_HEADINGS[kind], mine)
    for unit in ("documents", "sentences", "pairs"):
        if unit in groups or f"{unit}/rejected" in groups:
            rejected = {_reason(r): n for r, n in groups.get(f"{unit}/rejected", {}).items()}
            tables = {"": groups.get(unit, {}), "rejected": rejected}
            body += _section(unit.capitalize(), tables, total=groups.get(unit, {}).get("read"))
    shown = ("rows/", "documents", "sentences", "pairs", *(f"{k}/" for k in DISTRIBUTIONS), *(GROUPS if figures(groups) else ()))
    body += _section("Other counts", {name: g for name, g in groups.items() if not name.startswith(shown)})
    head = f'<meta charset="utf-8"><title>{escape(run.title)}</title><style>{_STYLE}</style>'
    lines = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{lines}\n</body></html>\n'


def _section(heading: str, tables: Mapping[str, Mapping[str, int]], *, total: int | None = None) -> list[str]:
    parts = [f"<h2>{escape(heading)}</h2>"] if any(tables.values()) else []
    for name, group in tables.items():
        if group:
            parts += [f"<h3>{escape(name)}</h3>"] if name else []
            parts.append(_bars(group, total or sum(group.values())))
    return parts


def _bars(group: Mapping[str, int], total: int) -> str:
    entries = distribution(group)
    most = max(e["count"] for e in entries) or 1
    rows = [f'<tr><td>{escape(e["value"])}</td><td class="n">{e["count"]:,}</td>'
            f'<td class="n">{100 * e["count"] / (total or 1):.2f}%</td>'
            f'<td class="b"><div class="bar" style="width:{100 * e["count"] / most:.2f}%"></div></td></tr>'
            for e in entries[:_MOST_BARS]]
    if len(entries) > _MOST_BARS:
        rest = sum(e["count"] for e in entries[_MOST_BARS:])
        rows.append(f'<tr><td>{len(entries) - _MOST_BARS} more</td><td class="n">{rest:,}</td><td></td><td></td></tr>')
    return f"<table>{''.join(rows)}</table>"


def _reason(name: str) -> str:
    return f"{name}: {Reason[name].value}" if name in Reason.__members__ else name
