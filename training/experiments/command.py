"""``gistmill-train experiment``, which trains and scores a grid and compares the results with a paper's figures."""

from __future__ import annotations

import fnmatch
import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, SWITCH, TEXT, Kind, list_of, mapping_of, nearest, whole
from gistmill.training.cards import write_text
from gistmill.training.commands import COMMANDS
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.experiments.plan import (
    NAMES,
    Cell,
    Experiment,
    cells,
    experiment_file,
    parse_experiment,
    with_underscores,
)
from gistmill.training.experiments.runner import (
    Job,
    digest_of,
    jobs_of,
    locked,
    run_jobs,
    visible_gpus,
    write_cell,
)
from gistmill.training.experiments.tables import Scores, check_tables, tables_json, tables_markdown
from gistmill.training.kinds import TAGGER
from gistmill.training.settings import settings_of

_ANY = Kind(parse=lambda value: value, pattern=".+", metavar="VALUE", allowed="a value of the option")


@dataclass(frozen=True, kw_only=True)
class ExperimentConfig(Options):
    """The experiment, its data and the folder for results."""

    GROUP: ClassVar[str] = "experiment"

    experiment: str = option(
        TEXT,
        required=True,
        metavar="FILE.yaml",
        help=f"experiment file, or the name of an experiment shipped with Gistmill ({', '.join(NAMES)})",
    )
    output: str | None = option(FOLDER, help="folder for models and results (default: out/experiments/NAME)")
    folder: str | None = option(
        FOLDER, help="folder with the datasets and weights, each in a subfolder named as in the file"
    )
    places: dict[str, str] = option(
        mapping_of(TEXT), default={}, metavar="{NAME: PLACE}", help="locations of datasets and weights stored elsewhere"
    )
    only: tuple[str, ...] | None = option(
        list_of(TEXT), metavar="CELL,...", help="run only these cells; `*` matches any characters (default: all)"
    )
    seeds: tuple[int, ...] | None = option(
        list_of(whole(0)), help="run each cell with these seeds (default: the file's)"
    )
    settings: dict[str, Any] = option(
        mapping_of(_ANY),
        default={},
        metavar="{OPTION: VALUE}",
        help="`fit` options that override those in the file for every training run, such as {steps: 100} for a trial",
    )
    parallel: int | None = option(
        whole(1),
        unit="cells",
        help="number of cells to run at once (default: as many as the GPUs allow, or one without a GPU)",
    )
    dry_run: bool = option(SWITCH, default=False, help="list the cells and what each needs, then exit")


CONFIG = ExperimentConfig


def planned(config: ExperimentConfig) -> tuple[Experiment, tuple[Cell, ...]]:
    """Returns the experiment specified by the options, and all of its cells.

    Raises:
        SettingsError: there is no such experiment, or its file is invalid.
    """
    path = experiment_file(config.experiment)
    try:
        content = path.read_bytes()
    except OSError as error:
        hint = nearest(config.experiment, NAMES) or f"; the included experiments are {', '.join(NAMES)}"
        raise SettingsError(f"{config.experiment}: {error.strerror or error}{hint}") from None
    experiment = parse_experiment(content, path.name)
    if config.seeds is not None:
        experiment = experiment.model_copy(update={"seeds": tuple(dict.fromkeys(config.seeds))})
    found = cells(experiment, overrides=with_underscores(config.settings))
    check_tables(experiment, found)
    return experiment, found


def check(cells: Sequence[Cell], places: Mapping[str, str]) -> None:
    """Checks the options of all training runs and tests before any of them starts.

    Args:
        cells: the cells to check.
        places: known places of the datasets and weights; others are represented by their names.

    Raises:
        SettingsError: an option is unknown, invalid or missing; the message names the cell.
    """
    for cell in cells:
        known = {name: places.get(name, name) for name in cell.needs()}
        first = next(iter(cell.stages.values()), {})
        untrained = TAGGER if first.get("model") == TAGGER else "model"
        for job in jobs_of(cell, known, known, output=Path(), trainings={}):
            values = {**job.settings, **job.flags}
            if job.after is not None and "model" in values:
                values["model"] = untrained
            try:
                settings_of(COMMANDS[job.command], values)
            except SettingsError as error:
                raise SettingsError(f"{job.what}: {error}") from None


def dry_run(experiment: Experiment, cells: Sequence[Cell], places: Mapping[str, str]) -> str:
    """Returns a list of the cells, followed by the datasets and weights that they need.

    Args:
        experiment: the experiment.
        cells: the cells that would be run.
        places: known places of the datasets and weights.
    """
    width = 118
    lines = [experiment.title, "", *([textwrap.fill(experiment.about, width), ""] if experiment.about else [])]
    lines += [f"Device: {experiment.device}", textwrap.fill(f"Estimate: {experiment.estimate}", width), ""]
    for cell in cells:
        lines.append(f"{cell.name}: {' -> '.join(cell.stages) or 'no training'}; tests {', '.join(cell.tests)}")
        lines.append(f"    needs {', '.join(cell.needs())}")
    lines += ["", f"{len(cells)} cells", ""]
    for name in dict.fromkeys(name for cell in cells for name in cell.needs()):
        needed = experiment.needs[name]
        lines.append(f"{name}: {needed.what} [{places.get(name, 'no place given')}]")
        lines += [f"    {needed.command}"] if needed.command else []
    return "\n".join(lines)


def run(config: ExperimentConfig) -> int:
    """Runs the unfinished cells, writes results.md and results.json, and returns 0.

    Raises:
        SettingsError: the file or an option is invalid, or a dataset or weights are missing; no cell has been started.
        TrainingError: cells failed or scores are missing; the tables contain the other results.
    """
    experiment, found = planned(config)
    wanted = _wanted(found, config.only)
    places = _places(experiment, config)
    check(wanted, places)
    if config.dry_run:
        print(dry_run(experiment, wanted, places))
        return 0
    names = dict.fromkeys(name for cell in wanted for name in cell.needs())
    if missing := [name for name in names if name not in places]:
        needed = experiment.needs[missing[0]]
        made = f", made with: {needed.command}" if needed.command else ""
        others = f" (and {', '.join(missing[1:])})" if missing[1:] else ""
        raise SettingsError(
            f"give a place for {missing[0]} with --places or --folder: {needed.what}{made}{others}; --dry-run lists all"
        )
    name = Path(config.experiment).name.removesuffix(".yaml")
    output = Path(config.output or f"out/experiments/{name}")
    scores = Scores(output)

    def write_tables() -> str:
        content = tables_json(experiment, found, scores, config.settings)
        write_text(output / "results.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        markdown = tables_markdown(experiment, content)
        write_text(output / "results.md", markdown)
        return markdown

    with locked(output) as lock:
        digests = {name: digest_of(places[name]) for name in names}
        for name, digest in digests.items():
            if digest == places[name] and not (experiment.needs[name].hub or Path(digest.partition("#")[0]).exists()):
                raise SettingsError(f"places: {name}: {digest} does not exist")
        trainings: dict[Path, Job] = {}
        jobs = {cell.name: jobs_of(cell, places, digests, output=output, trainings=trainings) for cell in wanted}
        for cell in wanted:
            write_cell(cell, jobs[cell.name], digests, output)
        gpus: list[str | None] = [*visible_gpus()] or [None]
        shared = [gpus[number % len(gpus)] for number in range(config.parallel or len(gpus))]
        each = dict.fromkeys(job for of_cell in jobs.values() for job in of_cell)
        run_jobs(each, shared, lock=lock, say=_say, ended=write_tables)
        print(write_tables(), end="")
    for line in scores.missing:
        _say(line)
    if failed := [name for name, of_cell in jobs.items() if any(job.error for job in of_cell)]:
        more = f" and {len(failed) - 3} more" if len(failed) > 3 else ""
        raise TrainingError(f"{len(failed)} of {len(wanted)} cells failed: {', '.join(failed[:3])}{more}")
    if scores.missing:
        raise TrainingError(f"{len(scores.missing)} table scores are missing from {output / 'results.md'}")
    return 0


def _wanted(found: Sequence[Cell], only: Sequence[str] | None) -> list[Cell]:
    for pattern in only or ():
        if not any(fnmatch.fnmatchcase(cell.name, pattern) for cell in found):
            raise SettingsError(f"only: no cell is named {pattern!r}{nearest(pattern, [c.name for c in found])}")
    return [cell for cell in found if only is None or any(fnmatch.fnmatchcase(cell.name, p) for p in only)]


def _places(experiment: Experiment, config: ExperimentConfig) -> dict[str, str]:
    """Returns the known places: those given, those in the folder, hub names and files shipped with the experiment."""
    for name in config.places:
        if name not in experiment.needs:
            raise SettingsError(f"places: the experiment does not need {name!r}{nearest(name, experiment.needs)}")
    places = {name: needed.hub for name, needed in experiment.needs.items() if needed.hub}
    folder = experiment_file(config.experiment).parent
    places |= {name: str(folder / needed.file) for name, needed in experiment.needs.items() if needed.file}
    if config.folder is not None:
        there = {n: f"{config.folder.rstrip('/')}/{n}" for n in experiment.needs}
        places |= {n: p for n, p in there.items() if "://" in p or Path(p).exists()}
    return {**places, **config.places}


def _say(line: str) -> None:
    print(f"gistmill-train experiment: {line}", file=sys.stderr, flush=True)
