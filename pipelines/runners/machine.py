"""How many worker processes this machine has room for."""

from __future__ import annotations

import os
from pathlib import Path

WORKER_MEMORY = 2 << 30  # bytes: a worker with the parser, and what a large page needs
# Bytes of input for which one more worker is started: below, its start takes longer than its share of the work.
WORKER_INPUT = 1 << 20
_CGROUP = Path("/sys/fs/cgroup")


def workers_for(input_bytes: int | None, *, cgroup: Path = _CGROUP) -> int:
    """Returns the number of workers for a job that names none: one for each core that this process may use and that
    has ``WORKER_MEMORY`` beside it, and at most one for each ``WORKER_INPUT`` begun.

    Args:
        input_bytes: size of the input, as it lies in its files; None where there are no files.
        cgroup: folder with the limits of the container, in the layout of cgroup v2; it may be missing.
    """
    cores = len(os.sched_getaffinity(0))
    quota, _, period = _text(cgroup / "cpu.max").partition(" ")
    if quota.isdecimal():
        cores = min(cores, max(1, int(quota) // int(period)))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = _text(cgroup / "memory.max")
    if limit.isdecimal():
        memory = min(memory, int(limit))
    room = min(cores, memory // WORKER_MEMORY)
    if input_bytes is not None:
        room = min(room, -(-input_bytes // WORKER_INPUT))
    return max(1, room)


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
