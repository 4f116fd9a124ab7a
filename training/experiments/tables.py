"""Tables of an experiment's results beside the figures of the paper, as Markdown and JSON."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.text_output import one_line, table
from gistmill.training.experiments.plan import Cell, Experiment, Line, PlanError, Table, matches

# The score of a system in a test of a cell; None where it is not there (yet).
Score = Callable[[Cell, str, str, str], float | None]
MODEL = "model"  # the system that is the trained model
_NONE = "–"
# Student's t, the quantile 0.975 by degrees of freedom from 1; of more runs that of ten, with which intervals are wider
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of a table.

    Attributes:
        mean: of the runs that count; None where there is none.
        deviation: their standard deviation; None for fewer than two.
        interval: half the width of a 95% interval of the mean; None where the protocol has none.
        runs: how many runs have a score; ``expected``: how many there are to be.
        counted: how many of them the mean is of.
        paper: the figure of the paper, where it has one.
    """

    mean: float | None
    deviation: float | None
    interval: float | None
    runs: int
    expected: int
    counted: int
    paper: float | None

    def to_json(self) -> dict[str, Any]:
        """Returns the figure as JSON has it."""
        return {
            "mean": self.mean,
            "deviation": self.deviation,
            **({} if self.interval is None else {"interval": self.interval}),
            "runs": self.runs,
            "expected": self.expected,
            "counted": self.counted,
            "paper": self.paper,
            "difference": None if self.mean is None or self.paper is None else round(self.mean - self.paper, 4),
        }

    def text(self) -> str:
        """Returns the figure as a cell of Markdown: our mean and its deviation or interval, and the paper's figure in
        brackets."""
        mean = _NONE if self.mean is None else f"{self.mean:.2f}"
        around = self.deviation if self.interval is None else self.interval
        deviation = "" if around is None else f" ± {around:.2f}"
        unfinished = "*" if self.mean is not None and self.runs < self.expected else ""
        paper = "" if self.paper is None else f" ({self.paper:.2f})"
        return f"{mean}{deviation}{unfinished}{paper}"


def check_tables(experiment: Experiment, cells: Sequence[Cell]) -> None:
    """Checks that each figure of a model is of cells that differ in the seed alone, and that there are such cells.

    Raises:
        PlanError: for the first that is not.
    """
    for made in experiment.tables:
        for label, row in made.rows.items():
            for heading, column in made.columns.items():
                found = _cells(row, column, cells)
                what = f"{made.title}: {label!r}, {heading!r}"
                if not found:
                    raise PlanError(f"{what}: no cell has this test and these values")
                if (row.system or column.system or MODEL) == MODEL and len(
                    {tuple(c.values.items()) for c in found}
                ) > 1:
                    raise PlanError(
                        f"{what}: the cells {found[0].name} and {found[-1].name} differ in more than the seed"
                    )


def figures(experiment: Experiment, made: Table, cells: Sequence[Cell], score: Score) -> list[list[Figure]]:
    """Returns the figures of a table, by row and column."""
    return [
        [
            _figure(experiment, row, column, _cells(row, column, cells), score, paper)
            for column, paper in zip(made.columns.values(), row.paper or [None] * len(made.columns), strict=True)
        ]
        for row in made.rows.values()
    ]


def _cells(row: Line, column: Line, cells: Sequence[Cell]) -> list[Cell]:
    test = row.test or column.test
    return [
        cell
        for cell in cells
        if matches(cell.values, row.where)
        and matches(cell.values, column.where)
        and any(t.name == test for t in cell.tests)
    ]


def _figure(
    experiment: Experiment, row: Line, column: Line, cells: Sequence[Cell], score: Score, paper: float | None
) -> Figure:
    test = row.test or column.test
    metric = column.metric.replace("{}", row.metric) if row.metric and column.metric else row.metric or column.metric
    system = row.system or column.system or MODEL
    found = [(cell, value) for cell in cells if (value := score(cell, test, system, metric)) is not None]
    expected, counted, protocol = len(cells), found, experiment.protocol
    if system != MODEL:  # the same in every cell
        found, expected = found[:1], min(1, len(cells))
        counted = found
    elif protocol.best:
        by = protocol.by or metric
        counted = sorted(found, key=lambda one: (-(score(one[0], test, system, by) or 0.0), one[0].name))
        counted = counted[: protocol.best]
    values = [value for _, value in counted]
    deviation = statistics.stdev(values) if len(values) > 1 else None
    return Figure(
        mean=round(statistics.fmean(values), 4) if values else None,
        deviation=None if deviation is None else round(deviation, 4),
        interval=_interval(deviation, len(values)) if protocol.interval and deviation is not None else None,
        runs=len(found),
        expected=expected,
        counted=len(values),
        paper=paper,
    )


def _interval(deviation: float, runs: int) -> float:
    return round(_T[min(runs - 1, len(_T)) - 1] * deviation / math.sqrt(runs), 4)


def tables_json(
    experiment: Experiment, cells: Sequence[Cell], score: Score, overrides: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns all tables as JSON has them."""
    return {
        "title": experiment.title,
        "settings_changed": dict(overrides),
        "tables": [
            {
                "title": made.title,
                "columns": list(made.columns),
                "rows": [
                    {"label": label, "figures": [figure.to_json() for figure in line]}
                    for label, line in zip(made.rows, figures(experiment, made, cells, score), strict=True)
                ],
                "notes": list(made.notes),
            }
            for made in experiment.tables
        ],
    }


def tables_markdown(experiment: Experiment, cells: Sequence[Cell], score: Score, overrides: Mapping[str, Any]) -> str:
    """Returns all tables as Markdown: our figures, those of the paper in brackets."""
    parts = [f"# {one_line(experiment.title)}", "", *_legend(experiment), ""]
    if overrides:
        changed = ", ".join(f"`{name}: {value}`" for name, value in overrides.items())
        parts += [f"Not the settings of the file: {changed}.", ""]
    for made in experiment.tables:
        lines = [
            [label, *(figure.text() for figure in line)]
            for label, line in zip(made.rows, figures(experiment, made, cells, score), strict=True)
        ]
        parts += [f"## {one_line(made.title)}", "", *table(["", *made.columns], lines)]
        parts += [line for note in made.notes for line in (one_line(note), "")]
    return "\n".join(parts)


def _legend(experiment: Experiment) -> list[str]:
    best, seeds = experiment.protocol.best, len(experiment.seeds)
    runs = (
        f"the mean of the best {best} of {seeds} runs"
        if best
        else f"the mean of {seeds} runs"
        if seeds > 1
        else "one run"
    )
    around = (
        "half the width of its 95% interval (Student's t)"
        if experiment.protocol.interval
        else "their standard deviation"
    )
    deviation = f" ± {around}" if seeds > 1 else ""
    has_paper = any(
        figure is not None for made in experiment.tables for row in made.rows.values() for figure in row.paper
    )
    paper = "; the paper's figure is in brackets" if has_paper else ""
    return [f"Each figure is {runs}{deviation}{paper}. An asterisk: some runs are missing. {_NONE}: all are."]
