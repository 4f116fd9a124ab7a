"""``gistmill-train fit``: trains a model, resumes a training, or does several one after the other."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gistmill.core.options import Options
from gistmill.training.checkpoints import RunFolder, replace_folder
from gistmill.training.commands import COMMANDS
from gistmill.training.config import (
    CurriculumConfig,
    ModelConfig,
    ObjectiveConfig,
    OptimisationConfig,
    RunConfig,
    StagesConfig,
    ValidationConfig,
)
from gistmill.training.data.config import DataConfig
from gistmill.training.errors import SettingsError
from gistmill.training.kinds import KINDS, kind_of
from gistmill.training.settings import Settings, settings_of

_SHARED: tuple[type[Options], ...] = (
    DataConfig,
    OptimisationConfig,
    ObjectiveConfig,
    CurriculumConfig,
    ValidationConfig,
    RunConfig,
    StagesConfig,
)


def sections(values: Mapping[str, Any] | None) -> tuple[type[Options], ...]:
    """Returns the options of the kind of model that ``values`` name, and those that all kinds share."""
    if values is None:
        return (ModelConfig, *(kind.config for kind in KINDS.values()), *_SHARED)
    model = values.get("model")
    return (ModelConfig, *([KINDS[kind_of(str(model))].config] if model is not None else ()), *_SHARED)


def run(settings: Settings) -> int:
    """Trains, and returns the exit code: 0, or 130 and 143 where it was stopped.

    Raises:
        SettingsError: the options do not go together, or not with the run that is there.
        TrainingError: the training failed; its last checkpoint is good.
    """
    from gistmill.training.loop import train  # torch takes seconds to load, and --help does not need it

    stages = settings.of(StagesConfig).stages
    if stages is None:
        return train(settings)
    return _train_stages(settings, stages)


def _train_stages(settings: Settings, stages: tuple[dict[str, Any], ...]) -> int:
    """Trains stage after stage, each in a folder of its own; the run's model is that of the last."""
    from gistmill.training.loop import train
    from gistmill.training.machine import joined

    shared = {name: value for name, value in settings.to_values().items() if name != "stages"}
    place = Path(settings.of(RunConfig).output)
    model = settings.of(ModelConfig).model
    prepared = []
    for number, stage in enumerate(stages, 1):
        for name in stage:
            if name in ("model", "output", "overwrite", "stages"):
                raise SettingsError(f"stages: {name} is that of the whole run, and not of stage {number}")
        values = {**shared, **stage, "output": str(place / f"stage-{number}")}
        try:
            settings_of(COMMANDS["fit"], values)
        except SettingsError as error:
            raise SettingsError(f"stage {number}: {error}") from None
        prepared.append(values)
    with joined() as rank:
        for number, values in enumerate(prepared, 1):
            if rank == 0:
                print(f"gistmill-train fit: stage {number} of {len(stages)}", file=sys.stderr)
            own = settings_of(COMMANDS["fit"], {**values, "model": model})
            if code := train(own):
                return code
            model = str(RunFolder(Path(values["output"])).model)
        if rank == 0:
            replace_folder(place / "model", lambda part: shutil.copytree(model, part, dirs_exist_ok=True))
    return 0
