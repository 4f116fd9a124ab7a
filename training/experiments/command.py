"""``gistmill-train experiment``: trains and scores a grid, and writes its tables beside a paper's figures."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, SWITCH, TEXT, Kind, list_of, mapping_of, nearest, whole
from gistmill.training.cards import write_text
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.experiments import commands
from gistmill.training.experiments.files import NAMES, experiment_file
from gistmill.training.experiments.plan import (
    Cell,
    Experiment,
    PlanError,
    cells,
    fingerprint,
    parse_experiment,
    resolved,
)
from gistmill.training.experiments.runner import (
    CellFailed,
    Pool,
    Runner,
    Scores,
    Steps,
    locked,
    places_of_cells,
    visible_gpus,
)
from gistmill.training.experiments.tables import check_tables, tables_json, tables_markdown

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


_ANY = Kind(parse=lambda value: value, pattern=".+", metavar="VALUE", allowed="a value of the option")


@dataclass(frozen=True, kw_only=True)
class ExperimentConfig(Options):
    """What is run, with which data, and where the results go."""

    GROUP: ClassVar[str] = "experiment"

    experiment: str = option(
        TEXT,
        required=True,
        metavar="FILE.yaml",
        help=f"a file that describes an experiment, or the name of one that comes with Gistmill ({', '.join(NAMES)})",
    )
    output: str | None = option(
        FOLDER, help="folder of models and results (default: the name of the experiment, in out/experiments)"
    )
    folder: str | None = option(
        FOLDER, help="where the datasets and weights lie, each in a folder of the name that the file has for it"
    )
    places: dict[str, str] = option(
        mapping_of(TEXT), default={}, metavar="{NAME: PLACE}", help="where they lie, for those that lie elsewhere"
    )
    only: tuple[str, ...] | None = option(
        list_of(TEXT), metavar="CELL,...", help="run these cells alone; `*` stands for any letters (default: all)"
    )
    seeds: tuple[int, ...] | None = option(
        list_of(whole(0)), help="run each cell with these seeds (default: those of the file)"
    )
    settings: dict[str, Any] = option(
        mapping_of(_ANY),
        default={},
        metavar="{OPTION: VALUE}",
        help="options of `fit` for every training, instead of those of the file, such as {steps: 100} for a trial",
    )
    processes: int = option(
        whole(1),
        default=1,
        unit="processes",
        help="of each training, one for each GPU; they share the batches of an update; torchrun starts them",
    )
    parallel: int | None = option(
        whole(1),
        unit="cells",
        help="how many are run at the same time (default: as many as the GPUs are enough for; without a GPU one)",
    )
    dry_run: bool = option(
        SWITCH, default=False, help="list the cells, what each needs and about how long it takes, and stop"
    )


CONFIG = ExperimentConfig


def run(config: ExperimentConfig) -> int:
    """Runs the cells that are not finished, and writes results.md and results.json; returns 0.

    Raises:
        SettingsError: the file or an option is wrong, or what the cells need is not there; nothing was begun.
        TrainingError: cells failed; the others were run, and the tables have them.
    """
    experiment, found = planned(config)
    wanted = _wanted(found, config.only)
    places = _places(experiment, config)
    commands.check(wanted, places, config.processes)
    if config.dry_run:
        print(dry_run(experiment, wanted, places))
        return 0
    names = dict.fromkeys(experiment.needs[name].of or name for cell in wanted for name in cell.needs())
    if missing := [name for name in names if name not in places]:
        needed = experiment.needs[missing[0]]
        made = f", made by: {needed.command}" if needed.command else ""
        others = f" (and {', '.join(missing[1:])})" if missing[1:] else ""
        raise SettingsError(
            f"say where {missing[0]} lies, by --places or --folder: {needed.what}{made}{others}; --dry-run lists all"
        )
    name = Path(config.experiment).name.removesuffix(".yaml")
    return _carry_out(config, experiment, found, wanted, places, Path(config.output or f"out/experiments/{name}"))


def planned(config: ExperimentConfig) -> tuple[Experiment, tuple[Cell, ...]]:
    """Returns the experiment that the options name, and all of its cells.

    Raises:
        SettingsError: there is none, or its file is wrong.
    """
    path = _file(config.experiment)
    try:
        content = path.read_bytes()
        experiment = parse_experiment(content, path.name)
        if config.seeds is not None:
            experiment = dataclasses.replace(experiment, seeds=tuple(dict.fromkeys(config.seeds)))
        overrides = {name.replace("-", "_"): value for name, value in config.settings.items()}
        found = cells(experiment, overrides=overrides)
        check_tables(experiment, found)
    except OSError as error:
        hint = nearest(config.experiment, NAMES) or f"; there are {', '.join(NAMES)}"
        raise SettingsError(f"{config.experiment}: {error.strerror or error}{hint}") from None
    except PlanError as error:
        raise SettingsError(str(error)) from None
    return experiment, found


def _file(name: str) -> Path:
    return experiment_file(name) if name in NAMES and not Path(name).exists() else Path(name)


def _wanted(found: Sequence[Cell], only: Sequence[str] | None) -> list[Cell]:
    if only is None:
        return list(found)
    for pattern in only:
        if not any(fnmatch.fnmatchcase(cell.name, pattern) for cell in found):
            raise SettingsError(f"only: no cell is called {pattern!r}{nearest(pattern, [c.name for c in found])}")
    return [cell for cell in found if any(fnmatch.fnmatchcase(cell.name, pattern) for pattern in only)]


def _places(experiment: Experiment, config: ExperimentConfig) -> dict[str, str]:
    """Returns the places that are known: those given, those in the folder, names of the hub, and files that it has."""
    for name in config.places:
        if name not in experiment.needs:
            raise SettingsError(f"places: the experiment needs no {name!r}{nearest(name, experiment.needs)}")
    places = {name: needed.hub for name, needed in experiment.needs.items() if needed.hub}
    beside = _file(config.experiment).parent
    places |= {name: str(beside / needed.file) for name, needed in experiment.needs.items() if needed.file}
    if config.folder is not None:
        there = {n: f"{config.folder.rstrip('/')}/{n}" for n in experiment.needs}
        places |= {n: p for n, p in there.items() if "://" in p or Path(p).exists()}
    return {**places, **config.places}


def _carry_out(
    config: ExperimentConfig,
    experiment: Experiment,
    found: Sequence[Cell],
    wanted: Sequence[Cell],
    places: Mapping[str, str],
    output: Path,
) -> int:
    failed: list[str] = []
    scores, markdown = Scores(output), ""

    def begun() -> Iterator[tuple[str, Steps]]:
        for number, cell in enumerate(wanted, 1):
            yield cell.name, _announced(f"cell {number} of {len(wanted)}: {cell.name}", runner.steps(cell))

    def ended(name: str, error: CellFailed | None) -> None:
        nonlocal scores, markdown
        if error is not None:
            _say(str(error))
            failed.append(name)
        scores = Scores(output)
        described = tables_json(experiment, found, scores, config.settings)
        write_text(output / "results.json", json.dumps(described, indent=2, ensure_ascii=False) + "\n")
        markdown = tables_markdown(experiment, found, scores, config.settings)
        write_text(output / "results.md", markdown)

    with locked(output) as lock:
        runner = Runner(experiment=experiment, output=output, places=places, processes=config.processes, say=_say)
        runner.look(wanted)
        where = places_of_cells(visible_gpus(), parallel=config.parallel, processes=config.processes)
        Pool(places=where, lock=lock, say=_say, ended=ended).run(begun())
    print(markdown, end="")
    for line in scores.missing:
        _say(line)
    if failed:
        more = f" and {len(failed) - 3} more" if len(failed) > 3 else ""
        raise TrainingError(f"{len(failed)} of {len(wanted)} cells failed: {', '.join(failed[:3])}{more}")
    if scores.missing:
        raise TrainingError(
            f"{len(scores.missing)} scores of the tables were not made; {output / 'results.md'} lacks them"
        )
    return 0


def _announced(line: str, steps: Steps) -> Steps:
    _say(line)
    yield from steps


def _say(line: str) -> None:
    print(f"gistmill-train experiment: {line}", file=sys.stderr, flush=True)
