"""How the processes of a training share its gradients, weights and optimiser.

Losses are sums over tokens. One process and several leave the same gradient: the sum over all batches of an update, in
all processes, divided by the sum of their weights.
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


_SKIPPING = ("layerdrop", "encoder_layerdrop", "decoder_layerdrop")  # of configurations of transformers


class Engine:
    """Computes gradients, of several processes by PyTorch's DDP or FSDP2. The network is moved to the machine's device.

    With DDP each process has the whole network. With FSDP2 it has a part of all weights, gradients and states of the
    optimiser; predictions and saved models are then made from a copy of the task with the whole weights, which is in
    the memory of the processor in between.

    Args:
        task: the task to train.
        objective: the loss to minimise.
        machine: this process.
        run: the options.
        optimizer: the name of the rule of the updates.

    Attributes:
        name: DDP or FSDP; "" for one process.

    Raises:
        SettingsError: the engine does not support the options or the setup of `accelerate launch`.
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
                gradient_as_bucket_view=True,  # a copy less
            )
        elif self.name == FSDP:
            if optimizer == "adafactor":
                raise SettingsError(
                    "--optimizer adafactor needs whole matrices, but fsdp keeps parts: use another one, or --engine ddp"
                )
            if self._skips:
                raise SettingsError(
                    "the network drops layers at random (layerdrop), which fsdp does not support: use --engine ddp"
                )
            plugin = _plugin()
            self._copy = copy.deepcopy(task)
            _shard(self._losses, plugin, machine)

    def backward(self, batch: Batch, *, is_last: bool) -> Loss:
        """Adds the gradients of a batch to those that are there, and returns its loss.

        DDP exchanges gradients with the last batch alone. FSDP exchanges those of each: to keep whole ones until the
        last would take the memory that is saved.

        Args:
            batch: on the device.
            is_last: whether it is the last one of an update.

        Raises:
            TrainingError: a weight takes no part in the loss. DDP would wait for its gradient.
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
        """Turns the gradients of an update into means, clips them, and returns their norm before that.

        Args:
            parameters: those that are trained.
            weight: of the batches of this process, float64, on the device.
            clip: greatest norm; 0: any.
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
        """Holds the task with all its weights, for predictions on ``device`` or to be saved. All processes call it."""
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
        """Returns the state of an optimiser, whole in the first process. All processes call it."""

        def whole(part: DTensor) -> Tensor | None:
            found = part.full_tensor()
            return found.cpu() if self._machine.is_first else None

        found: dict[str, Any] = tree_map_only(DTensor, whole, optimiser.state_dict())
        return found

    def restore(self, optimiser: torch.optim.Optimizer, file: Path) -> None:
        """Gives an optimiser the state that was saved in a file, by any engine."""
        kept = torch.load(file, map_location="cpu", weights_only=True, mmap=self.name == FSDP)
        parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        for number, values in kept["state"].items():
            like = parameters[number]
            for name, value in values.items():
                if isinstance(like, DTensor) and value.shape == like.shape:
                    values[name] = distribute_tensor(value, like.device_mesh, like.placements, src_data_rank=None)
        optimiser.load_state_dict(kept)


class _Losses(nn.Module):
    """An objective as a module: engines see the forward pass of all that gives gradients as one call."""

    def __init__(self, task: Task, objective: Objective) -> None:
        super().__init__()
        self.network, self._objective = task.module, objective
        self._no_split_modules = getattr(task.module, "_no_split_modules", None)  # the layers, for Accelerate

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """Returns the parts of the loss of a batch."""
        loss = self._objective.loss(batch)
        return loss.total, loss.weight, dict(loss.sums)


def _shard(losses: nn.Module, plugin: FullyShardedDataParallelPlugin, machine: Machine) -> None:
    """Leaves this process its part of the weights; the plugin says which layers are gathered at once."""
    # The view that PyTorch warns of is the bias of positions, which is added to others and not added into.
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
    """Whether ``accelerate launch`` is set up for FSDP."""
    return os.environ.get("ACCELERATE_USE_FSDP", "").lower() == "true"


def _plugin() -> FullyShardedDataParallelPlugin:
    """Returns the FSDP settings of ``accelerate launch``; without it, each layer is gathered by itself."""
    from accelerate import FullyShardedDataParallelPlugin

    given = {} if _is_launched_sharded() else {"auto_wrap_policy": "transformer_based_wrap"}
    try:
        plugin = FullyShardedDataParallelPlugin(fsdp_version=2, **given)
    except ValueError as error:
        raise SettingsError(f"`accelerate launch` cannot set up FSDP: {error}") from None
    refused = {
        "fsdp_version 1": (_is_launched_sharded() and os.environ.get("FSDP_VERSION") != "2", "set fsdp_version: 2"),
        "SIZE_BASED_WRAP": (plugin.min_num_params is not None, "TRANSFORMER_BASED_WRAP is"),
        "fsdp_offload_params": (isinstance(plugin.cpu_offload, CPUOffloadPolicy), "leave it out"),
        "fsdp_activation_checkpointing": (plugin.activation_checkpointing, "fit has --gradient-checkpointing"),
    }
    for name, (is_asked, remedy) in refused.items():
        if is_asked:
            raise SettingsError(f"`accelerate launch` requests {name}, which is not supported: {remedy}")
    return plugin


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
        raise SettingsError(f"--schedule {config.schedule} needs --steps: the number of updates is unknown")
    power = 1.0 if config.schedule == "linear" else config.decay_power
    last = config.final_rate / config.learning_rate
    left = max(0.0, (total - step) / max(1, total - warmup))
    return last + (1 - last) * float(left**power)


def keep_fewer_states(module: nn.Module) -> None:
    """Makes a network compute the states of its layers again in the backward pass.

    Raises:
        SettingsError: the network cannot do so.
    """
    able = [part for part in module.modules() if hasattr(part, "activation_checkpointing_enable")]
    if not able:
        raise SettingsError("--gradient-checkpointing: this model does not support it")
    able[0].activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})


def known_failure(error: RuntimeError, step: int) -> TrainingError | None:
    """Returns an error of PyTorch as one line with a remedy, None where none is known."""
    if isinstance(error, torch.OutOfMemoryError):
        return TrainingError(
            f"the GPU is out of memory after step {step:,}: a smaller --batch-rows or --batch-tokens with more "
            "--accumulate needs less, and so do --gradient-checkpointing and, on several GPUs, --engine fsdp"
        )
    if "does not have a deterministic implementation" in str(error):
        operation = str(error).split()[0]
        return TrainingError(f"{operation} cannot give the same bits each time here: --no-deterministic allows it")
    return None
