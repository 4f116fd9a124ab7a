"""The page, from its template."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from gistmill.core.dataset import split_rank
from gistmill.core.manifest import Manifest
from gistmill.core.row_budget import left_out_lines
from gistmill.core.statistics import Statistics
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.pipelines.reporting.page import view
from gistmill.pipelines.reporting.page.against import against
from gistmill.pipelines.reporting.page.remake import command
from gistmill.pipelines.reporting.page.unusual import remarks
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.samples import NO_SAMPLES, Samples

_HERE = files("gistmill.pipelines.reporting.page")


def report(
    manifest: Manifest,
    statistics: Statistics,
    *,
    run: RunInfo,
    samples: Samples = NO_SAMPLES,
    before: Manifest | None = None,
) -> str:
    """Returns report.html. Whatever comes from data is escaped.

    Args:
        manifest, statistics: of the dataset.
        run: its title and description.
        samples: rows and rejects to show.
        before: the manifest of the version before.
    """
    recipe = RECIPES[manifest.recipe]
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_text("template.html")).render(
        style=Markup(_text("style.css")),
        title=run.title,
        description=run.description.replace("`", ""),
        manifest=manifest,
        rows=_rows(manifest),
        steps=list(view.funnel(manifest, samples)),
        remarks=[
            *remarks(manifest, recipe.READS),
            *(line.replace("`", "") for line in left_out_lines(manifest.counts)),
        ],
        figures=[view.figure(f) for f in recipe.figures(statistics.counts)],
        distributions=list(view.distributions(statistics, manifest.recipe)),
        shown=view.rows_shown(samples),
        changes=against(before, manifest) if before else None,
        command=command(manifest),
    )


def _rows(manifest: Manifest) -> Mapping[str, Mapping[str, int]]:
    """Rows by configuration and split, splits in their order."""
    found = {config: manifest.counts.get(f"rows/{config}", {}) for config in manifest.columns}
    return {config: {s: rows[s] for s in sorted(rows, key=split_rank)} for config, rows in found.items()}


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
