"""What an experiment would do: its cells, what each needs, and about how long it takes."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from gistmill.training.experiments.grid import Cell, fingerprint, resolved
from gistmill.training.experiments.plan import Experiment

_WIDTH = 118


def dry_run(experiment: Experiment, cells: Sequence[Cell], places: Mapping[str, str]) -> str:
    """Returns the list of cells, and below it what they need.

    Args:
        experiment: what they are of.
        cells: those that would be run.
        places: where what they need lies, as far as it is known.
    """
    lines = [experiment.title, "", *([textwrap.fill(experiment.about, _WIDTH), ""] if experiment.about else [])]
    lines += [f"Device: {experiment.device}", textwrap.fill(f"Hours: {experiment.estimate}", _WIDTH), ""]
    done: set[str] = set()
    total = 0.0
    for cell in cells:
        hours = _hours(experiment, cell, done)
        total += hours
        stages = " -> ".join(stage.name for stage in cell.stages) or "no training"
        lines.append(f"{cell.name}: {stages}; tests {', '.join(t.name for t in cell.tests)}; about {hours:.1f} h")
        lines.append(f"    needs {', '.join(cell.needs())}")
    lines += ["", f"{len(cells)} cells, about {total:.1f} hours in all", ""]
    names = dict.fromkeys(name for cell in cells for name in cell.needs())
    for name in dict.fromkeys([*names, *(experiment.needs[n].of for n in names if experiment.needs[n].of)]):
        lines += _needed(experiment, name, places)
    return "\n".join(lines)


def _needed(experiment: Experiment, name: str, places: Mapping[str, str]) -> list[str]:
    needed = experiment.needs[name]
    if needed.rows:
        seed = "the seed of the cell" if needed.seed is None else f"the seed {needed.seed}"
        return [f"{name}: {needed.rows:,} rows of {needed.of}, chosen by {seed}"]
    if needed.of:
        return [f"{name}: the whole of {needed.of}"]
    what = f"{name}: {needed.what} [{places.get(name, 'its place is not given')}]"
    return [what, f"    {needed.command}"] if needed.command else [what]


def _hours(experiment: Experiment, cell: Cell, done: set[str]) -> float:
    """Returns the hours of a cell, without trainings that an earlier cell has too; their keys are in ``done``."""
    hours, key = sum(test.hours for test in cell.tests), ""
    what = {name: _content(experiment, name, cell.seed) for name in cell.needs()}
    for stage in cell.stages:
        key = fingerprint(resolved(stage.settings, what), key)
        hours += 0.0 if key in done else stage.hours
        done.add(key)
    return hours


def _content(experiment: Experiment, name: str, seed: int) -> str:
    """Returns a text that two names have in common if they stand for the same rows."""
    needed = experiment.needs[name]
    seed = seed if needed.seed is None else needed.seed
    if not needed.rows:
        return needed.of or name
    return fingerprint(needed.of, needed.config, needed.split, needed.rows, seed)
