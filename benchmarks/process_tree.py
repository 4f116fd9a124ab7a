"""Runs a command and watches its processes: processor time, memory, disk, and how many of them work at a time."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

INTERVAL = 0.1
_BUSY = 0.5  # of an interval
_TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


@dataclass
class Usage:
    """What a command used, summed over its process tree.

    Attributes:
        seconds: from start to end.
        cpu_seconds: processor time.
        alone_seconds: the part of it that was used while fewer processes than ``lanes`` had work.
        idle_seconds: time in which no process had work.
        peak_bytes: resident memory, at its peak.
        peak_disk: bytes of the files in the watched folder, at their peak.
        cpu_by_name: milliseconds of processor time by the names of programs.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    alone_seconds: float = 0.0
    idle_seconds: float = 0.0
    peak_bytes: int = 0
    peak_disk: int = 0
    cpu_by_name: Counter[str] = field(default_factory=Counter)


@dataclass
class _Lane:
    """A process right below the command, with all that it started; or the command itself. Nanoseconds."""

    ran: dict[int, int] = field(default_factory=dict)
    wanted: dict[int, int] = field(default_factory=dict)

    def take(self, pid: int, ran: int, waited: int) -> tuple[int, int]:
        before = self.ran.get(pid, 0), self.wanted.get(pid, 0)
        self.ran[pid] = max(ran, before[0])
        self.wanted[pid] = max(ran + waited, before[1])
        return self.ran[pid] - before[0], self.wanted[pid] - before[1]


def watch(command: Sequence[str], *, lanes: int = 1, folder: Path | None = None, interval: float = INTERVAL) -> Usage:
    """Runs a command to its end.

    A process has work when it runs or waits for a processor: so what is measured does not depend on other work of the
    machine, but for what that costs in caches.

    Args:
        command: the words of it.
        lanes: workers that could work at the same time.
        folder: whose files are added up.
        interval: seconds between two looks.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    started, used_before = time.perf_counter(), _used_by_children()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    root, usage, known = psutil.Process(process.pid), Usage(), dict[int, _Lane]()
    before = started
    while process.poll() is None:
        time.sleep(interval)
        now = time.perf_counter()
        _look(root, known, usage, lanes=lanes, passed=now - before)
        before = now
        if folder is not None:
            usage.peak_disk = max(usage.peak_disk, files_size(folder))
    usage.seconds = time.perf_counter() - started
    usage.cpu_seconds = max(usage.cpu_seconds, _used_by_children() - used_before)  # what ended between two looks
    if process.returncode:
        stderr = process.stderr.read() if process.stderr else ""
        raise subprocess.CalledProcessError(process.returncode, command, stderr=stderr)
    return usage


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _look(root: psutil.Process, known: dict[int, _Lane], usage: Usage, *, lanes: int, passed: float) -> None:
    resident, ran, busy = 0, 0, 0
    for lane, members in _lanes(root).items():
        wanted = 0
        for member in members:
            try:
                resident += member.memory_info().rss
                more_ran, more_wanted = known.setdefault(lane, _Lane()).take(member.pid, *_scheduled(member.pid))
            except (psutil.NoSuchProcess, OSError):
                continue
            usage.cpu_by_name[_program(member)] += more_ran // 1_000_000
            ran += more_ran
            wanted += more_wanted
        busy += wanted / 1e9 > _BUSY * passed
    usage.peak_bytes = max(usage.peak_bytes, resident)
    usage.cpu_seconds += ran / 1e9
    if busy < lanes:
        usage.alone_seconds += ran / 1e9
    if not ran / 1e9 > 0.05 * passed:
        usage.idle_seconds += passed


def _lanes(root: psutil.Process) -> dict[int, list[psutil.Process]]:
    lanes = {root.pid: [root]}
    try:
        for child in root.children():
            lanes[child.pid] = [child, *child.children(recursive=True)]
    except psutil.NoSuchProcess:
        pass
    return lanes


def _program(process: psutil.Process) -> str:
    """The name of a process's program: ``python`` for every Python."""
    try:
        name = process.name()
    except psutil.NoSuchProcess:
        return "ended"
    return "python" if name.startswith(("python", "gistmill")) else name


def used_so_far(pid: int) -> Counter[str]:
    """Milliseconds of processor time by the names of programs, of a process and all that it started; what has ended
    counts as ``python``, since workers are what our servers start."""
    root, used = psutil.Process(pid), Counter[str]()
    for process in (root, *root.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        used[_program(process)] += round(1000 * (times.user + times.system))
        used["python"] += round(1000 * (times.children_user + times.children_system))
    return used


def _scheduled(pid: int) -> tuple[int, int]:
    """Nanoseconds that a process ran, and that the threads it has now waited for a processor."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    waited = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        waited += int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[1])
    return (int(times[11]) + int(times[12])) * _TICK, waited


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
