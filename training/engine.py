"""How several processes share gradients, weights and optimiser state during training.

Losses are sums over tokens. The gradient does not depend on the number of processes: it is the sum over all batches of
an update, in all processes, divided by the sum of their weights.
"""

from __future__ import annotations

import copy
import math
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import CPUOffloadPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.nn.parallel import DistributedDataParallel
from torch.utils._pytree import tree_map_only

from gistmill.training.config import DDP, FSDP, OptimisationConfig, RunConfig
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.machine import Machine
from gistmill.training.objectives import Objective
from gistmill.training.task import Batch, Loss, Task

if TYPE_CHECKING:
    from accelerate import FullyShardedDataParallelPlugin


_SKIPPING = ("layerdrop", "encoder_layerdrop", "decoder_layerdrop")  # fields of transformers configurations


class Engine:
    """Computes gradients, using PyTorch's DDP or FSDP2 for several processes, and moves the network to the device.

    With DDP, each process holds the whole network. With FSDP2, it holds only its share of the weights, gradients and
    optimiser state; predictions and saved models then come from a copy of the task with all weights, which is kept in
    CPU memory when not in use.

    Args:
        task: the task to train.
        objective: the loss to minimise.
        machine: this process.
        run: the options.
        optimizer: the optimiser's name.

    Attributes:
        name: DDP or FSDP; "" for one process.

    Raises:
        SettingsError: the engine does not support the options or the `accelerate launch` configuration.
    """

    def __init__(self, task: Task, objective: Objective, machine: Machine, run: RunConfig, optimizer: str) -> None:
        self._task, self._machine = task, machine
        self._copy: Task | None = None
        self._losses: nn.Module = _Losses(task, objective)
        self.name = "" if machine.world == 1 else run.engine or (FSDP if _is_launched_sharded() else DDP)
        configurations = [getattr(part, "config", None) for part in task.module.modules()]
        self._skips = any(getattr(config, name, None) for config in configurations for name in _SKIPPING)
        if self.name != FSDP:
            task.module.to(machine.device)
        if self.name == DDP:
            self._losses = DistributedDataParallel(
                self._losses,
                device_ids=[machine.device] if machine.device.type == "cuda" else None,
                find_unused_parameters=self._skips,
                gradient_as_bucket_view=True,  # saves a copy
            )
        elif self.name == FSDP:
            if optimizer == "adafactor":
                raise SettingsError(
                    "--optimizer adafactor needs whole matrices, but fsdp splits them: change it or use --engine ddp"
                )
            if self._skips:
                raise SettingsError(
                    "the network drops layers at random (layerdrop), which fsdp does not support: use --engine ddp"
                )
            plugin = _plugin()
            self._copy = copy.deepcopy(task)
            _shard(self._losses, plugin, machine)

    def backward(self, batch: Batch, *, is_last: bool) -> Loss:
        """Accumulates the gradients of a batch, and returns its loss.

        DDP exchanges gradients only with the last batch of an update. FSDP does so with every batch, because keeping
        whole gradients until the last one would take the memory that it saves.

        Args:
            batch: a batch on the device.
            is_last: whether this is the last batch of an update.

        Raises:
            TrainingError: a weight does not contribute to the loss. DDP would wait for its gradient.
        """
        replicas = self._losses if isinstance(self._losses, DistributedDataParallel) else None
        with nullcontext() if is_last or replicas is None else replicas.no_sync():
            with self._machine.autocast():
                total, weight, sums = self._losses(batch)
            total.backward()
        waits = replicas is not None and is_last and not self._skips
        if waits and any(p.requires_grad and p.grad is None for p in self._losses.parameters()):
            raise TrainingError("a weight does not affect the loss, but ddp waits for all weights: use --engine fsdp")
        return Loss(total=total, weight=weight, sums=sums)

    def finish(self, parameters: Sequence[nn.Parameter], weight: Tensor, clip: float) -> Tensor:
        """Turns the gradients of an update into means, clips them, and returns their norm before clipping.

        Args:
            parameters: the trainable parameters.
            weight: total weight of this process's batches, float64, on the device.
            clip: maximum norm; 0: no limit.
        """
        if self._machine.world > 1:
            distributed.all_reduce(weight)
        with torch.no_grad():
            for parameter in parameters:
                if parameter.grad is None:
                    parameter.grad = torch.zeros_like(parameter)
            gradients = [g.to_local() if isinstance(g, DTensor) else g for p in parameters if (g := p.grad) is not None]
            mean = weight.clamp(min=1.0) / self._machine.world  # engines divide by the number of processes themselves
            torch._foreach_div_(gradients, mean.to(gradients[0].dtype))
        norm = nn.utils.clip_grad_norm_(parameters, clip or math.inf)
        return norm.full_tensor() if isinstance(norm, DTensor) else norm

    @contextmanager
    def whole(self, device: torch.device) -> Iterator[Task]:
        """Yields the task with all weights on ``device``, for predicting or saving. All processes must call it."""
        if self._copy is None:
            yield self._task
            return
        module = self._copy.module.to(device)
        with torch.no_grad():
            for name, parameter in self._task.module.named_parameters():
                module.get_parameter(name).copy_(
                    parameter.full_tensor() if isinstance(parameter, DTensor) else parameter
                )
        yield self._copy
        module.to("cpu")

    def state(self, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
        """Returns an optimiser's state, complete in the first process. All processes must call it."""

        def whole(part: DTensor) -> Tensor | None:
            found = part.full_tensor()
            return found.cpu() if self._machine.is_first else None

        found: dict[str, Any] = tree_map_only(DTensor, whole, optimiser.state_dict())
        return found

    def restore(self, optimiser: torch.optim.Optimizer, file: Path) -> None:
        """Loads an optimiser's state from a file saved by any engine."""
        kept = torch.load(file, map_location="cpu", weights_only=True, mmap=self.name == FSDP)
        parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        for number, values in kept["state"].items():
            like = parameters[number]
            for name, value in values.items():
                if isinstance(like, DTensor) and value.shape == like.shape:
                    values[name] = distribute_tensor(value, like.device_mesh, like.placements, src_data_rank=None)
        optimiser.load_state_dict(kept)


class _Losses(nn.Module):
    """An objective as a module, so that engines see everything that produces gradients as one forward pass."""

    def __init__(self, task: Task, objective: Objective) -> None:
        super().__init__()
        self.network, self._objective = task.module, objective
        self._no_split_modules = getattr(task.module, "_no_split_modules", None)  # the layers, for Accelerate

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """Returns the fields of a batch's loss."""
        loss = self._objective.loss(batch)
        return loss.total, loss.weight, dict(loss.sums)


def _shard(losses: nn.Module, plugin: FullyShardedDataParallelPlugin, machine: Machine) -> None:
    """Shards the weights over the processes; the plugin determines which layers are gathered together."""
    # PyTorch warns about a view, the position bias. The warning does not apply: the bias is not modified in place.
    warnings.filterwarnings("ignore", message=r"FSDP2-wrapped module \(FSDPT5Block\)")
    mesh = init_device_mesh(machine.device.type, (machine.world,))
    try:
        plugin.set_auto_wrap_policy(losses)
    except ValueError as error:
        raise SettingsError(f"FSDP: {error}") from None
    is_layer = plugin.auto_wrap_policy
    for part in reversed(list(losses.modules())[1:]):  # inner layers first
        if is_layer is not None and is_layer(part, recurse=False, nonwrapped_numel=0):
            fully_shard(part, mesh=mesh, reshard_after_forward=plugin.reshard_after_forward)
    fully_shard(losses, mesh=mesh)


def _is_launched_sharded() -> bool:
    """Returns whether ``accelerate launch`` is configured for FSDP."""
    return os.environ.get("ACCELERATE_USE_FSDP", "").lower() == "true"


def _plugin() -> FullyShardedDataParallelPlugin:
    """Returns the FSDP settings of ``accelerate launch``, or default settings that gather each layer separately."""
    from accelerate import FullyShardedDataParallelPlugin

    given = {} if _is_launched_sharded() else {"auto_wrap_policy": "transformer_based_wrap"}
    try:
        plugin = FullyShardedDataParallelPlugin(fsdp_version=2, **given)
    except ValueError as error:
        raise SettingsError(f"`accelerate launch` cannot set up FSDP: {error}") from None
    refused = {
        "fsdp_version 1": (_is_launched_sharded() and os.environ.get("FSDP_VERSION") != "2", "set fsdp_version: 2"),
        "SIZE_BASED_WRAP": (plugin.min_num_params is not None, "use TRANSFORMER_BASED_WRAP"),
        "fsdp_offload_params": (isinstance(plugin.cpu_offload, CPUOffloadPolicy), "leave it out"),
        "fsdp_activation_checkpointing": (plugin.activation_checkpointing, "use fit --gradient-checkpointing"),
    }
    for name, (is_asked, remedy) in refused.items():
        if is_asked:
            raise SettingsError(f"`accelerate launch` requests {name}, which is not supported: {remedy}")
    return plugin


def make_optimiser(task: Task, config: OptimisationConfig, device: torch.device) -> torch.optim.Optimizer:
    """Returns the optimiser for a task's parameters; each group stores its maximum learning rate as ``peak``."""
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
    """Returns a step's learning rate as a share of the maximum.

    Args:
        config: the schedule.
        step: the step, from 0.
        total: total number of steps, if known.

    Raises:
        SettingsError: the schedule needs the number of steps, which is unknown.
    """
    warmup = config.warmup_steps
    if step < warmup:
        return (step + 1) / warmup
    if config.schedule == "constant":
        return 1.0
    if config.schedule == "inverse-sqrt":
        return math.sqrt(max(warmup, 1) / max(step + 1, 1))
    if total is None:
        raise SettingsError(f"--schedule {config.schedule} needs --steps: the number of updates is unknown")
    power = 1.0 if config.schedule == "linear" else config.decay_power
    last = config.final_rate / config.learning_rate
    left = max(0.0, (total - step) / max(1, total - warmup))
    return last + (1 - last) * float(left**power)


def keep_fewer_states(module: nn.Module) -> None:
    """Enables gradient checkpointing, which recomputes the layers' states in the backward pass.

    Raises:
        SettingsError: the network does not support it.
    """
    able = [part for part in module.modules() if hasattr(part, "activation_checkpointing_enable")]
    if not able:
        raise SettingsError("this model does not support --gradient-checkpointing")
    able[0].activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})


def known_failure(error: RuntimeError, step: int) -> TrainingError | None:
    """Returns a PyTorch error as one line with a remedy, or None if none is known."""
    if isinstance(error, torch.OutOfMemoryError):
        return TrainingError(
            f"the GPU is out of memory after step {step:,}: lower --batch-rows or --batch-tokens and raise "
            "--accumulate, or use --gradient-checkpointing or, on several GPUs, --engine fsdp"
        )
    if "does not have a deterministic implementation" in str(error):
        operation = str(error).split()[0]
        return TrainingError(f"{operation} has no deterministic implementation here: use --no-deterministic")
    return None
