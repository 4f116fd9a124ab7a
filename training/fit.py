"""``gistmill-train fit``: trains a model, or resumes a training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmill.core.options import Options
from gistmill.training.config import (
    CurriculumConfig,
    ModelConfig,
    ObjectiveConfig,
    OptimisationConfig,
    RunConfig,
    ValidationConfig,
)
from gistmill.training.data.config import DataConfig
from gistmill.training.kinds import KINDS, kind_of
from gistmill.training.settings import Settings

_SHARED: tuple[type[Options], ...] = (
    DataConfig,
    OptimisationConfig,
    ObjectiveConfig,
    CurriculumConfig,
    ValidationConfig,
    RunConfig,
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

    return train(settings)
