"""Optimisers, and the schedules of the learning rate: functions of the step alone, so that they have no state."""

from __future__ import annotations

import math
from typing import Any

import torch

from gistmill.training.config import OptimisationConfig
from gistmill.training.errors import SettingsError
from gistmill.training.task import Task


def make_optimiser(task: Task, config: OptimisationConfig, device: torch.device) -> torch.optim.Optimizer:
    """Returns the optimiser of a task's parameters; each group keeps its highest learning rate as ``peak``."""
    groups = [
        {**group, "peak": group.get("lr", config.learning_rate)}
        for group in task.parameter_groups(config.weight_decay, config.learning_rate)
    ]
    if config.optimizer == "adafactor":
        return torch.optim.Adafactor(groups, lr=config.learning_rate, foreach=device.type == "cuda")
    shared: dict[str, Any] = {"lr": config.learning_rate, "betas": config.betas, "eps": config.epsilon}
    if config.optimizer == "radam":
        return torch.optim.RAdam(groups, decoupled_weight_decay=True, foreach=device.type == "cuda", **shared)
    if config.optimizer == "adam":
        return torch.optim.Adam(groups, fused=device.type == "cuda", **shared)
    return torch.optim.AdamW(groups, fused=device.type == "cuda", **shared)


def rate_factor(config: OptimisationConfig, step: int, total: int | None) -> float:
    """Returns the share of the highest learning rate that a step has.

    Args:
        config: the schedule.
        step: from 0.
        total: steps of the training, where it is known.

    Raises:
        SettingsError: the schedule needs the number of steps, and it is not known.
    """
    warmup = config.warmup_steps
    if step < warmup:
        return (step + 1) / warmup
    if config.schedule == "constant":
        return 1.0
    if config.schedule == "inverse-sqrt":
        return math.sqrt(max(warmup, 1) / max(step + 1, 1))
    if total is None:
        raise SettingsError(f"--schedule {config.schedule} needs --steps: the number of updates is not known")
    power = 1.0 if config.schedule == "linear" else config.decay_power
    last = config.final_rate / config.learning_rate
    left = max(0.0, (total - step) / max(1, total - warmup))
    return last + (1 - last) * float(left**power)


def set_rate(optimiser: torch.optim.Optimizer, factor: float) -> None:
    """Gives every group its highest learning rate times ``factor``."""
    for group in optimiser.param_groups:
        group["lr"] = group["peak"] * factor
