"""The commands of ``gistmill-train`` that a cell is made of, and a check of their options beforehand."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from gistmill.training.cards import write_text
from gistmill.training.commands import COMMANDS
from gistmill.training.errors import SettingsError
from gistmill.training.experiments.plan import Cell, divided, resolved
from gistmill.training.kinds import TAGGER
from gistmill.training.settings import settings_of

_PROGRAM = "gistmill.training.cli"
_RUN = "run"
_NOT_YET = "model"  # stands for the folder of a model that is not trained yet


def model_folder(folder: Path) -> Path:
    """Returns where the model of a training in ``folder`` is, once it has ended."""
    return folder / _RUN / "model"


def fit(folder: Path, settings: Mapping[str, Any], processes: int) -> list[str]:
    """Writes fit.yaml into the folder of a training and returns the command; torchrun starts several processes."""
    config = _written(folder / "fit.yaml", settings)
    start = [sys.executable, "-m", _PROGRAM]
    if processes > 1:
        several = ["--standalone", f"--nproc-per-node={processes}", "-m", _PROGRAM]
        start = [sys.executable, "-m", "torch.distributed.run", *several]
    return [*start, "fit", "--config", config, "--output", str(folder / _RUN)]


def predict(folder: Path, settings: Mapping[str, Any], *, dataset: Any, model: str, output: Path) -> list[str]:
    """Writes predict.yaml into the folder of a test and returns the command."""
    config = _written(folder / "predict.yaml", {**settings, "dataset": dataset})
    return [sys.executable, "-m", _PROGRAM, "predict", "--config", config, "--model", model, "--output", str(output)]


def evaluate(folder: Path, settings: Mapping[str, Any], *, predictions: Path, output: Path) -> list[str]:
    """Writes evaluate.yaml into the folder of a test and returns the command."""
    config = _written(folder / "evaluate.yaml", {**settings, "predictions": [str(predictions)]})
    return [sys.executable, "-m", _PROGRAM, "evaluate", "--config", config, "--output", str(output)]


def check(cells: Sequence[Cell], places: Mapping[str, str], processes: int = 1) -> None:
    """Checks the options of all trainings and tests of cells, before any of them is begun.

    Args:
        cells: whose options are checked.
        places: of what they need, as far as they are known; a name stands for itself.
        processes: that share each update of a training.

    Raises:
        SettingsError: for the first option that is unknown, has a bad value or is missing, and for the first update
            that the processes cannot share; it names the cell.
    """
    for cell in cells:
        known = {name: places.get(name, name) for name in cell.needs()}
        kind = _NOT_YET
        for number, stage in enumerate(cell.stages):
            settings = resolved(stage.settings, known)
            if number == 0:
                kind = TAGGER if settings.get("model") == TAGGER else _NOT_YET
            named = {"model": settings.get("model") if number == 0 else kind, "output": _RUN}
            _check("fit", {**settings, **named}, f"{cell.name}: {stage.name}")
            try:
                divided(settings, processes)
            except SettingsError as error:
                raise SettingsError(f"{cell.name}: {stage.name}: {error}") from None
        for test in cell.tests:
            what = f"{cell.name}: test {test.name}"
            evaluated = resolved(test.evaluate, known)
            given = {"dataset": evaluated["dataset"], "model": kind, "output": _RUN}
            _check("predict", {**resolved(test.predict, known), **given}, what)
            _check("evaluate", {**evaluated, "predictions": [_RUN], "output": _RUN}, what)


def _check(command: str, values: Mapping[str, Any], what: str) -> None:
    try:
        settings_of(COMMANDS[command], values)
    except SettingsError as error:
        raise SettingsError(f"{what}: {error}") from None


def _written(path: Path, settings: Mapping[str, Any]) -> str:
    write_text(path, yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True))
    return str(path)
