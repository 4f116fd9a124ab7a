"""The hardware of a run: the device, the numeric precision and the processes that share the work."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import torch
from torch import distributed

from gistmill.training.config import RunConfig
from gistmill.training.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The hardware and position of one process.

    Attributes:
        device: the device to compute on.
        precision: the precision of the computation.
        rank, world: the number of this process, and the number of processes.
        local_rank: the number of this process among those on the same computer.
    """

    device: torch.device
    precision: torch.dtype
    rank: int = 0
    world: int = 1
    local_rank: int = 0

    @property
    def is_first(self) -> bool:
        """Whether this process writes the output."""
        return self.rank == 0

    def autocast(self) -> AbstractContextManager[Any]:
        """Returns the autocast context for computing losses."""
        if self.precision == torch.float32:
            return contextlib.nullcontext()
        context: AbstractContextManager[Any] = torch.autocast(self.device.type, dtype=self.precision)
        return context

    def seed(self, *parts: object) -> None:
        """Seeds torch from ``parts`` and the rank, so that no generator state needs to be saved."""
        key = "/".join(map(str, (*parts, self.rank)))
        torch.manual_seed(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest()))

    def gather(self, value: Any) -> list[Any]:
        """Returns the values from all processes, in order of rank."""
        if self.world == 1:
            return [value]
        values: list[Any] = [None] * self.world
        distributed.all_gather_object(values, value)
        return values

    def any(self, flag: bool) -> bool:
        """Returns whether a flag is set in any process, without waiting for a GPU."""
        if self.world == 1:
            return flag
        found = torch.tensor(int(flag))
        distributed.all_reduce(found)
        return bool(found)

    def wait(self) -> None:
        """Waits until all processes have reached this call, for up to a day."""
        if self.world > 1:
            distributed.barrier(group=_patient())

    @contextmanager
    def first_here(self) -> Iterator[None]:
        """Lets the first process on each computer run the body before the others."""
        if self.local_rank:
            self.wait()
        yield
        if not self.local_rank:
            self.wait()

    def on_device(self, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Moves a batch to the device."""
        return {name: tensor.to(self.device, non_blocking=True) for name, tensor in batch.items()}

    def memory(self) -> int:
        """Returns the peak memory use of this process in bytes: GPU memory on a GPU, otherwise main memory."""
        if self.device.type == "cuda":
            return int(torch.cuda.max_memory_allocated(self.device))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@functools.cache
def _patient() -> distributed.ProcessGroup:
    """Returns a process group with a timeout of a day, because tokenising a corpus can exceed NCCL's ten minutes."""
    return distributed.new_group(backend="gloo", timeout=timedelta(days=1))


def has_bf16_units(device: torch.device) -> bool:
    """Returns whether a device supports bf16 in hardware, not only by emulation."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    units = ("amx_bf16", "avx512_bf16", "bf16")  # the last is for ARM
    capabilities = torch.cpu.get_capabilities()
    may_use = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # ONEDNN_MAX_CPU_ISA may forbid it
    return may_use and any(capabilities.get(unit) for unit in units)


def _use_the_same_algorithms() -> None:
    """Makes PyTorch deterministic.

    Operations without a deterministic algorithm raise an error. Memory-efficient attention is disabled because it adds
    gradients in arbitrary order; PyTorch then uses flash attention, or plain attention if there is a bias.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # must be set before cuBLAS is first used
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # no code here reads uninitialised memory
    torch.backends.cudnn.benchmark = False
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(True)  # like fused attention; otherwise fp32 is used


def allow_tf32(is_allowed: bool) -> None:
    """Allows or forbids GPUs to multiply fp32 matrices with the 10-bit mantissas of TF32."""
    torch.set_float32_matmul_precision("high" if is_allowed else "highest")
    torch.backends.cudnn.allow_tf32 = is_allowed  # on by default, which affects LSTMs


def _precision(name: str, device: torch.device, *, is_first: bool) -> torch.dtype:
    """Returns the precision for an option's value; the first process prints a warning if the device lacks support."""
    if name == "auto":
        name = "bf16" if device.type == "cuda" and has_bf16_units(device) else "fp32"
    what = "GPU" if device.type == "cuda" else "CPU"
    instead = ""
    if name == "bf16" and not has_bf16_units(device):
        instead = f"--precision bf16 is slow here because the {what} does not support it; use fp32 or auto"
    elif name == "tf32" and not (device.type == "cuda" and torch.cuda.get_device_capability(device) >= (8, 0)):
        instead = f"--precision tf32 has no effect here because the {what} does not support it; fp32 is used"
    if instead and is_first:
        print(f"gistmill-train: {instead}", file=sys.stderr, flush=True)
    if device.type == "cuda":
        allow_tf32(name == "tf32")
    return torch.bfloat16 if name == "bf16" else torch.float32


@contextmanager
def machine_for(config: RunConfig) -> Iterator[Machine]:
    """Yields the machine of this process, connected to the others under torchrun or ``accelerate launch``.

    Raises:
        SettingsError: a GPU is requested but unavailable, or there are more processes than GPUs.
    """
    if config.device == "cuda" and not torch.cuda.is_available():
        raise SettingsError("--device cuda: PyTorch finds no usable GPU")
    is_gpu = config.device != "cpu" and torch.cuda.is_available()
    rank, world, local_rank = (
        int(os.environ.get(name, default)) for name, default in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0))
    )
    if is_gpu and local_rank >= (cards := torch.cuda.device_count()):
        raise SettingsError(f"there are {cards} GPUs, so process {local_rank + 1} has none: start one process per GPU")
    device = torch.device("cuda", local_rank) if is_gpu else torch.device("cpu")
    if is_gpu:
        torch.cuda.set_device(device)
        torch.backends.cuda.enable_cudnn_sdp(False)  # it plans again for each of the many batch shapes
    if config.deterministic:
        _use_the_same_algorithms()
    precision = _precision(config.precision, device, is_first=rank == 0)
    machine = Machine(device=device, precision=precision, rank=rank, world=world, local_rank=local_rank)
    if world == 1:
        yield machine
        return
    distributed.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield machine
    finally:
        _patient.cache_clear()
        distributed.destroy_process_group()
