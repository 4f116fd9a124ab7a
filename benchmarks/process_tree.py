"""Runs a command and watches its processes: time, processor time, memory and disk."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

INTERVAL = 0.1  # seconds between two looks


@dataclass
class Usage:
    """What a command used, summed over its process tree.

    Attributes:
        seconds: from start to end.
        cpu_seconds: processor time.
        busiest_cpu_seconds: that of the process that took most of it.
        peak_bytes: resident memory, at its peak.
        peak_disk: bytes of the files in the watched folder, at their peak.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    busiest_cpu_seconds: float = 0.0
    peak_bytes: int = 0
    peak_disk: int = 0


def watch(command: Sequence[str], *, folder: Path | None = None) -> Usage:
    """Runs a command to its end.

    Args:
        command: the words of it.
        folder: whose files are added up.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    started, used_before = time.perf_counter(), _used_by_children()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    root, usage, ran = psutil.Process(process.pid), Usage(), dict[int, float]()
    while process.poll() is None:
        time.sleep(INTERVAL)
        usage.peak_bytes = max(usage.peak_bytes, _look(root, ran))
        if folder is not None:
            usage.peak_disk = max(usage.peak_disk, files_size(folder))
    usage.seconds = time.perf_counter() - started
    # The former has what ended between two looks, the latter what nobody waited for.
    usage.busiest_cpu_seconds = max(ran.values(), default=0.0)
    usage.cpu_seconds = max(_used_by_children() - used_before, sum(ran.values()))
    if process.returncode:
        stderr = process.stderr.read() if process.stderr else ""
        raise subprocess.CalledProcessError(process.returncode, command, stderr=stderr)
    return usage


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _look(root: psutil.Process, ran: dict[int, float]) -> int:
    """Returns the resident bytes of a process tree, and notes the processor time of each process in ``ran``."""
    resident = 0
    try:
        members = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return resident
    for member in members:
        with suppress(psutil.NoSuchProcess):
            resident += member.memory_info().rss
            ran[member.pid] = sum(member.cpu_times()[:2])
    return resident


def files_size(folder: Path) -> int:
    """Bytes of the files in a folder; what vanishes meanwhile is left out."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(path, name)).st_size
            except OSError:
                continue
    return total
