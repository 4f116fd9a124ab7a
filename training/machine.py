"""The hardware of a run: the device, the precision, and the processes that share the work."""

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
    """The part of one process.

    Attributes:
        device: the device that computes.
        precision: of the computation.
        rank, world: number of this process, and how many there are.
        local_rank: its number among those of its computer.
    """

    device: torch.device
    precision: torch.dtype
    rank: int = 0
    world: int = 1
    local_rank: int = 0

    @property
    def is_first(self) -> bool:
        """Whether this process is the one that writes."""
        return self.rank == 0

    def autocast(self) -> AbstractContextManager[Any]:
        """Returns the context in which losses are computed."""
        if self.precision == torch.float32:
            return contextlib.nullcontext()
        context: AbstractContextManager[Any] = torch.autocast(self.device.type, dtype=self.precision)
        return context

    def seed(self, *parts: object) -> None:
        """Seeds torch by ``parts`` and the number of this process, so that no state of a generator has to be kept."""
        key = "/".join(map(str, (*parts, self.rank)))
        torch.manual_seed(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest()))

    def gather(self, value: Any) -> list[Any]:
        """Returns the values of all processes, in the order of their numbers."""
        if self.world == 1:
            return [value]
        values: list[Any] = [None] * self.world
        distributed.all_gather_object(values, value)
        return values

    def any(self, flag: bool) -> bool:
        """Returns whether a flag is set in any process; no process waits for a GPU."""
        if self.world == 1:
            return flag
        found = torch.tensor(int(flag))
        distributed.all_reduce(found)
        return bool(found)

    def wait(self) -> None:
        """Returns when all processes have reached this call, however long one of them prepares."""
        if self.world > 1:
            distributed.barrier(group=_patient())

    @contextmanager
    def first_here(self) -> Iterator[None]:
        """Lets the first process of a computer do something before the others of it do the same."""
        if self.local_rank:
            self.wait()
        yield
        if not self.local_rank:
            self.wait()

    def on_device(self, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Returns a batch on the device."""
        return {name: tensor.to(self.device, non_blocking=True) for name, tensor in batch.items()}

    def memory(self) -> int:
        """Returns the most bytes that this process has used, of the device's memory if it has its own."""
        if self.device.type == "cuda":
            return int(torch.cuda.max_memory_allocated(self.device))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@functools.cache
def _patient() -> distributed.ProcessGroup:
    """Returns the processes as a group that waits for a day: tokenising a corpus outlasts the ten minutes of NCCL."""
    return distributed.new_group(backend="gloo", timeout=timedelta(days=1))


def has_bf16_units(device: torch.device) -> bool:
    """Returns whether a device computes in bf16 itself, and does not only emulate it."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    units = ("amx_bf16", "avx512_bf16", "bf16")  # the last is of ARM
    capabilities = torch.cpu.get_capabilities()
    may_use = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # ONEDNN_MAX_CPU_ISA may forbid it
    return may_use and any(capabilities.get(unit) for unit in units)


def _use_the_same_algorithms() -> None:
    """Makes PyTorch compute the same bits each time.

    An operation that has no such algorithm is refused. Memory-efficient attention adds up gradients in any order;
    PyTorch then takes flash attention, or the plain one where a bias is added to the scores.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS asks for it, before it is first used
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # nothing here reads memory before it is written
    torch.backends.cudnn.benchmark = False
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(True)  # as fused ones do; else the plain one is in fp32


def allow_tf32(is_allowed: bool) -> None:
    """Lets GPUs multiply matrices of fp32 with the 10 bits of TF32, or forbids it."""
    torch.set_float32_matmul_precision("high" if is_allowed else "highest")
    torch.backends.cudnn.allow_tf32 = is_allowed  # an LSTM is allowed it if nobody says no


def _precision(name: str, device: torch.device, *, is_first: bool) -> torch.dtype:
    """Returns the precision that an option names; the first process says so where the device has no units for it."""
    if name == "auto":
        name = "bf16" if device.type == "cuda" and has_bf16_units(device) else "fp32"
    what = "GPU" if device.type == "cuda" else "processor"
    instead = ""
    if name == "bf16" and not has_bf16_units(device):
        instead = f"--precision bf16 is slow here: the {what} has no units for it; auto takes fp32"
    elif name == "tf32" and not (device.type == "cuda" and torch.cuda.get_device_capability(device) >= (8, 0)):
        instead = f"--precision tf32 is fp32 here: the {what} has no units for it"
    if instead and is_first:
        print(f"gistmill-train: {instead}", file=sys.stderr, flush=True)
    if device.type == "cuda":
        allow_tf32(name == "tf32")
    return torch.bfloat16 if name == "bf16" else torch.float32


@contextmanager
def machine_for(config: RunConfig) -> Iterator[Machine]:
    """Holds the machine of this process; under torchrun or ``accelerate launch`` it joins the others.

    Raises:
        SettingsError: a GPU is asked for, and there is none.
    """
    if config.device == "cuda" and not torch.cuda.is_available():
        raise SettingsError("--device cuda: there is no GPU that PyTorch can use")
    is_gpu = config.device != "cpu" and torch.cuda.is_available()
    rank, world, local_rank = (
        int(os.environ.get(name, default)) for name, default in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0))
    )
    if is_gpu and local_rank >= (cards := torch.cuda.device_count()):
        raise SettingsError(f"there are {cards} GPUs here, but a process {local_rank + 1}: start one process per GPU")
    device = torch.device("cuda", local_rank) if is_gpu else torch.device("cpu")
    if is_gpu:
        torch.cuda.set_device(device)
        torch.backends.cuda.enable_cudnn_sdp(False)  # it plans again for each shape, and batches have many
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
