"""Shared benchmark tools: a one-line machine description, interleaved runs, tables, and resource use of commands."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.statistics import Column

INTERVAL = 0.1  # seconds between samples


def machine(packages: Sequence[str] = ("apache-beam", "spacy", "mwparserfromhell")) -> str:
    """Returns a one-line description of the machine and the versions of the relevant packages."""
    model = platform.processor() or "unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    versions = ", ".join(f"{p} {version(p)}" for p in packages)
    return f"{os.cpu_count()} cores, {model}; Python {platform.python_version()}, {versions}"


def in_turn(runs: Mapping[str, Callable[[], float]], *, times: int) -> dict[str, list[float]]:
    """Calls the functions in turn for ``times`` rounds; returns the seconds that each call returned."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(times):
        for name, run in runs.items():
            seconds[name].append(run())
    return seconds


def timed(function: Callable[[], object], *, clock: Callable[[], float] = time.perf_counter) -> float:
    """Returns the duration of a call in seconds, by a ``time`` clock."""
    start = clock()
    function()
    return clock() - start


def processor_seconds(of: Sequence[int] = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) -> float:
    """Returns the processor time of this process and its finished children; a clock for ``timed``."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, of))


def median(values: Sequence[float]) -> float:
    """The median."""
    return statistics.median(values)


def stage_row(
    stage: str, unit: str, amount: float, seconds: Mapping[str, Sequence[float]], *, bare: str
) -> dict[str, object]:
    """Returns a row that compares a stage with a bare library, from the seconds of ``stage`` and ``bare``."""
    ours, theirs = median(seconds["stage"]), median(seconds["bare"])
    return {
        "stage": stage,
        "unit": unit,
        "rate": amount / ours,
        "bare": bare,
        "bare_rate": amount / theirs,
        "share_of_bare": theirs / ours,
    }


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a text table with aligned columns."""
    widths = [max(len(r[i]) for r in (header, *rows)) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(r, widths, strict=True)))
        for r in (header, *rows)
    )


@dataclass
class Usage:
    """The resources used by a command, summed over its process tree.

    Attributes:
        seconds: from start to end.
        cpu_seconds: processor time.
        busiest_cpu_seconds: processor time of the busiest process.
        peak_bytes: peak resident memory.
        peak_disk: peak size of the files in the watched folder, in bytes.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    busiest_cpu_seconds: float = 0.0
    peak_bytes: int = 0
    peak_disk: int = 0


def watch(command: Sequence[str], *, folder: Path | None = None) -> Usage:
    """Runs a command to its end.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    started, used_before = time.perf_counter(), processor_seconds(of=(resource.RUSAGE_CHILDREN,))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    root, usage, ran = psutil.Process(process.pid), Usage(), dict[int, float]()
    while process.poll() is None:
        time.sleep(INTERVAL)
        usage.peak_bytes = max(usage.peak_bytes, _look(root, ran))
        if folder is not None:
            usage.peak_disk = max(usage.peak_disk, files_size(folder))
    usage.seconds = time.perf_counter() - started
    # The former includes processes that ended between samples, the latter those that were never waited for.
    usage.busiest_cpu_seconds = max(ran.values(), default=0.0)
    usage.cpu_seconds = max(processor_seconds(of=(resource.RUSAGE_CHILDREN,)) - used_before, sum(ran.values()))
    stderr = process.communicate()[1]
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=stderr)
    return usage


def _look(root: psutil.Process, ran: dict[int, float]) -> int:
    """Returns the resident bytes of a process tree and stores each process's processor time in ``ran``."""
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
    """Returns the total bytes of the files in a folder, ignoring files that disappear meanwhile."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(path, name)).st_size
            except OSError:
                continue
    return total


def entry(folder: Path, path: str, rows: int) -> PublishedFile:
    """Returns the manifest entry for a folder's shard ``CONFIG/parquet/SPLIT-00000-of-00001.parquet``."""
    data = (folder / path).read_bytes()
    config, _, name = path.split("/")
    return PublishedFile(
        path=path,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        rows=rows,
        config=config,
        split=name.partition("-")[0],
        format="parquet",
    )


def write_manifest(folder: Path, files: Sequence[PublishedFile], columns: Sequence[Column]) -> None:
    """Writes the manifest of a dataset with one configuration, whose shards already exist."""
    empty: dict[str, Any] = dict.fromkeys(("models", "evaluation", "sources", "damage"), ())
    empty |= {n: {} for n in ("configuration", "versions", "machine_dependent")}
    empty |= dict.fromkeys(("code_version", "runner", "licence", "attribution"), "")
    rows: dict[str, int] = {}
    for file in files:
        rows[file.split] = rows.get(file.split, 0) + (file.rows or 0)
    now, config = datetime(2026, 1, 1, tzinfo=UTC), files[0].config
    manifest = Manifest(
        recipe="made",
        start=now,
        end=now,
        counts={f"rows/{config}": rows},
        columns={config: tuple(columns)},
        files=tuple(files),
        **empty,
    )
    (folder / MANIFEST).write_text(json.dumps(manifest.to_json()), encoding="utf-8")
