"""Tables that compare an experiment's results with the paper's figures, as Markdown and JSON."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gistmill.core.text_output import one_line, table
from gistmill.training.errors import SettingsError
from gistmill.training.experiments.plan import Cell, Experiment, Line, Table, matches
from gistmill.training.experiments.runner import SCORECARD

# The score for a cell, test, system and metric; None if there is none (yet).
Score = Callable[[Cell, str, str, str], float | None]
_MODEL = "model"  # the name of the trained model in scorecards
_NONE = "–"
# The 0.975 quantile of Student's t for 1 to 9 degrees of freedom; more use the last, which gives wider intervals.
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


class Scores:
    """The scores in an experiment's folder: ``scores(cell, test, system, metric)`` is None if there is none (yet).

    Attributes:
        missing: a message for each score missing from an existing scorecard.
    """

    def __init__(self, output: Path) -> None:
        self._output = output
        self._read: dict[Path, Mapping[str, Mapping[str, float]]] = {}
        self.missing: dict[str, None] = {}

    def __call__(self, cell: Cell, test: str, system: str, metric: str) -> float | None:
        """Returns a score, or None."""
        path = self._output / "cells" / cell.name / test / SCORECARD
        if path not in self._read:
            if not path.exists():
                return None
            self._read[path] = json.loads(path.read_text(encoding="utf-8"))["systems"]
        systems = self._read[path]
        if metric in systems.get(system, {}):
            return float(systems[system][metric])
        known = ", ".join(sorted(systems.get(system, systems)))
        self.missing[f"{path} does not contain {metric if system in systems else system!r}, only {known}"] = None
        return None


def check_tables(experiment: Experiment, cells: Sequence[Cell]) -> None:
    """Checks that each table figure has cells and, if it is a model's score, that these differ only in the seed.

    Raises:
        SettingsError: a figure fails the check.
    """
    for made in experiment.tables:
        for label, row in made.rows.items():
            for heading, column in made.columns.items():
                found = _cells(row, column, cells)
                what = f"{made.title}: {label!r}, {heading!r}"
                if not found:
                    raise SettingsError(f"{what}: no cell matches this test and these values")
                is_model = (row.system or column.system or _MODEL) == _MODEL
                if is_model and any(cell.values != found[0].values for cell in found):
                    names = f"{found[0].name} and {found[-1].name}"
                    raise SettingsError(f"{what}: the cells {names} differ in more than the seed")


def _cells(row: Line, column: Line, cells: Sequence[Cell]) -> list[Cell]:
    test = row.test or column.test
    return [c for c in cells if matches(c.values, row.where) and matches(c.values, column.where) and test in c.tests]


def figures(experiment: Experiment, made: Table, cells: Sequence[Cell], score: Score) -> list[list[dict[str, Any]]]:
    """Returns the figures of a table, by row and column, as JSON values.

    ``mean`` is the mean of the counted runs, ``deviation`` their standard deviation (each None if undefined) and
    ``interval`` half the width of the mean's 95% interval, if the protocol calls for one. ``runs`` is the number of
    runs with a score, ``expected`` the planned number, and ``counted`` the number in the mean.
    """
    return [
        [
            _figure(experiment, row, column, _cells(row, column, cells), score, paper)
            for column, paper in zip(made.columns.values(), row.paper or [None] * len(made.columns), strict=True)
        ]
        for row in made.rows.values()
    ]


def _figure(
    experiment: Experiment, row: Line, column: Line, cells: Sequence[Cell], score: Score, paper: float | None
) -> dict[str, Any]:
    test, system = row.test or column.test, row.system or column.system or _MODEL
    metric = column.metric.replace("{}", row.metric) if row.metric and column.metric else row.metric or column.metric
    found = [(cell, value) for cell in cells if (value := score(cell, test, system, metric)) is not None]
    expected, protocol = len(cells), experiment.protocol
    if system != _MODEL:  # a baseline, which is the same in every cell
        found, expected = found[:1], min(1, len(cells))
    counted = found
    if system == _MODEL and protocol.best:
        by = protocol.by or metric
        counted = sorted(found, key=lambda one: (-(score(one[0], test, system, by) or 0.0), one[0].name))
        counted = counted[: protocol.best]
    values = [value for _, value in counted]
    mean = round(statistics.fmean(values), 4) if values else None
    deviation = statistics.stdev(values) if len(values) > 1 else None
    interval = {}
    if protocol.interval and deviation is not None:
        t = _T[min(len(values) - 1, len(_T)) - 1]
        interval = {"interval": round(t * deviation / math.sqrt(len(values)), 4)}
    return {
        "mean": mean,
        "deviation": None if deviation is None else round(deviation, 4),
        **interval,
        "runs": len(found),
        "expected": expected,
        "counted": len(values),
        "paper": paper,
        "difference": None if mean is None or paper is None else round(mean - paper, 4),
    }


def tables_json(
    experiment: Experiment, cells: Sequence[Cell], score: Score, overrides: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns all tables as JSON values."""
    return {
        "title": experiment.title,
        "settings_changed": dict(overrides),
        "tables": [
            {
                "title": made.title,
                "columns": list(made.columns),
                "rows": [
                    {"label": label, "figures": line}
                    for label, line in zip(made.rows, figures(experiment, made, cells, score), strict=True)
                ],
                "notes": list(made.notes),
            }
            for made in experiment.tables
        ],
    }


def tables_markdown(experiment: Experiment, content: Mapping[str, Any]) -> str:
    """Formats the result of ``tables_json`` as Markdown: our means, with the paper's figures in brackets."""
    parts = [f"# {one_line(experiment.title)}", "", _legend(experiment), ""]
    if content["settings_changed"]:
        changed = ", ".join(f"`{name}: {value}`" for name, value in content["settings_changed"].items())
        parts += [f"Settings changed from the file: {changed}.", ""]
    for made in content["tables"]:
        lines = [[row["label"], *map(_text, row["figures"])] for row in made["rows"]]
        parts += [f"## {one_line(made['title'])}", "", *table(["", *made["columns"]], lines)]
        parts += [line for note in made["notes"] for line in (one_line(note), "")]
    return "\n".join(parts)


def _text(figure: Mapping[str, Any]) -> str:
    mean, paper, around = figure["mean"], figure["paper"], figure.get("interval", figure["deviation"])
    parts = [_NONE if mean is None else f"{mean:.2f}", "" if around is None else f" ± {around:.2f}"]
    parts.append("*" if mean is not None and figure["runs"] < figure["expected"] else "")
    return "".join(parts) + ("" if paper is None else f" ({paper:.2f})")


def _legend(experiment: Experiment) -> str:
    best, seeds = experiment.protocol.best, len(experiment.seeds)
    runs = f"the mean of {seeds} runs" if seeds > 1 else "one run"
    if best:
        runs = f"the mean of the best {best} of {seeds} runs"
    has_interval = experiment.protocol.interval is not None
    around = "half the width of its 95% interval (Student's t)" if has_interval else "their standard deviation"
    has_paper = any(f is not None for made in experiment.tables for row in made.rows.values() for f in row.paper)
    deviation = f" ± {around}" if seeds > 1 else ""
    paper = "; the paper's figure is in brackets" if has_paper else ""
    return f"Each figure is {runs}{deviation}{paper}. An asterisk: some runs are missing. {_NONE}: all are missing."
