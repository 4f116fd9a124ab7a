"""The parts of every benchmark's output besides its table: machine, versions, and medians of runs taken in turn."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any


def run_command(
    parser: argparse.ArgumentParser,
    runs: Mapping[str, Callable[[argparse.Namespace], dict[str, Any]]],
    argv: Sequence[str] | None,
) -> int:
    """Runs the sub-command that a command line names, and prints its figures as JSON; a wrong file is a wrong command
    line."""
    args = parser.parse_args(argv)
    try:
        figures = runs[args.command](args)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    print(json.dumps(figures))
    return 0


def machine(packages: Sequence[str] = ("apache-beam", "spacy", "mwparserfromhell")) -> str:
    """One line on the machine and the versions of the packages that matter."""
    model = platform.processor() or "unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    versions = ", ".join(f"{p} {version(p)}" for p in packages)
    return f"{os.cpu_count()} cores, {model}; Python {platform.python_version()}, {versions}"


def in_turn(runs: Mapping[str, Callable[[], float]], *, times: int) -> dict[str, list[float]]:
    """Calls the functions one after the other, ``times`` rounds; returns the seconds that each call returned."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(times):
        for name, run in runs.items():
            seconds[name].append(run())
    return seconds


def timed(function: Callable[[], object], *, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds that a call takes, by a clock of ``time``."""
    start = clock()
    function()
    return clock() - start


def processor_seconds() -> float:
    """Processor time of this process and of its children that have ended; a clock for ``timed``."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def median(values: Sequence[float]) -> float:
    """The median."""
    return statistics.median(values)


def stage_row(
    stage: str, unit: str, amount: float, seconds: Mapping[str, Sequence[float]], *, bare: str
) -> dict[str, object]:
    """A stage beside a bare library, from the seconds of both: ``stage`` and ``bare``."""
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
    """Columns of equal width."""
    widths = [max(len(r[i]) for r in (header, *rows)) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(r, widths, strict=True)))
        for r in (header, *rows)
    )
