"""Where a training stands, and what it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gistmill.training.config import OptimisationConfig, RunConfig, ValidationConfig
from gistmill.training.task import Row


@dataclass(kw_only=True)
class Position:
    """Where a training stands, besides the weights and the optimiser.

    Attributes:
        step: updates that are done.
        phase: number of the phase.
        stream: state of the phase's stream; None at its beginning.
        epoch: of the phase: that of the batch that comes next.
        tokens: that all processes have read and written.
        best, best_step: the best score, and when it was.
        stale: validations since then.
        validated: the step of the last validation.
        phase_best, phase_stale: the same of the accuracy on the phase's held-out rows.
        sums: of each process, what was added up since the last line of metrics.
        is_finished: whether nothing is left to do.
    """

    step: int = 0
    phase: int = 0
    stream: dict[str, Any] | None = None
    epoch: int = 0
    tokens: int = 0
    best: float | None = None
    best_step: int | None = None
    stale: int = 0
    validated: int | None = None
    phase_best: float | None = None
    phase_stale: int = 0
    sums: list[dict[str, float]] = field(default_factory=list)
    is_finished: bool = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a loop is told.

    Attributes:
        optimisation, validation, run: the options.
        seed: of all chance.
        total: updates of the whole training, where the number is known.
        validation_rows: rows to validate on; empty for no validation.
        about: what a checkpoint has besides the position, and a resumed run must have the same.
    """

    optimisation: OptimisationConfig
    validation: ValidationConfig
    run: RunConfig
    seed: int
    total: int | None
    validation_rows: Sequence[Row]
    about: dict[str, Any]
