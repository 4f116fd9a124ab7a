"""``gistmill-train fit``, which trains a model or resumes a training run."""

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
    """Returns the options classes for the kind of model in ``values``, and those shared by all kinds."""
    if values is None:
        return (ModelConfig, *(kind.config for kind in KINDS.values()), *_SHARED)
    model = values.get("model")
    return (ModelConfig, *([KINDS[kind_of(str(model))].config] if model is not None else ()), *_SHARED)


def run(settings: Settings) -> int:
    """Trains a model and returns the exit code: 0, or 130 or 143 if a signal stopped it.

    Raises:
        SettingsError: the options conflict with each other or with the existing run.
        TrainingError: training failed; its last checkpoint remains valid.
    """
    from gistmill.training.loop import train  # importing torch takes seconds, and --help does not need it

    return train(settings)
