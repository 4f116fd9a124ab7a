"""The page, from its template."""

from __future__ import annotations

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
from gistmill.pipelines.reporting.page.prose import prose
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
    rows = {config: manifest.counts.get(f"rows/{config}", {}) for config in manifest.columns}
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["prose"] = prose
    return environment.from_string(_text("template.html")).render(
        style=Markup(_text("style.css")),
        title=run.title,
        description=run.description,
        manifest=manifest,
        rows=rows,
        splits=sorted({split for numbers in rows.values() for split in numbers}, key=split_rank),
        steps=list(view.funnel(manifest, samples)),
        remarks=[
            *remarks(manifest, recipe.READS),
            *left_out_lines(manifest.counts),
        ],
        figures=[view.figure(f) for f in recipe.figures(statistics.counts)],
        distributions=list(view.distributions(statistics, manifest.recipe)),
        shown=view.rows_shown(samples),
        changes=against(before, manifest) if before else None,
        command=command(manifest),
    )


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
