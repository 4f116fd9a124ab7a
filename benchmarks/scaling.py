"""How many times as fast two workers are as one: the whole command `discofuse`, start-up taken off.

    python -m benchmarks.scaling [--input DUMP] [--rounds 1]

Start-up is a run of one page. Runs are taken in turn, and medians shown. Processor time is that of the whole process
tree; other work of the machine changes it less than the time. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import machine, median, table
from benchmarks.process_tree import Usage, watch
from benchmarks.slice import slice_path

WORKERS = (1, 2)
FIELDS = ("seconds", "start_seconds", "cpu_seconds", "start_cpu_seconds")


def measure(source: Path, folder: Path, *, rounds: int) -> list[dict[str, float]]:
    """Runs the command with one and with two workers, over the dump and over one page; returns a row for each number of
    workers, start-up taken off."""
    used: dict[tuple[int, str], list[Usage]] = {}
    for workers in WORKERS * rounds:
        for name, more in (("start", ["--limit", "1", "--allow-empty"]), ("dump", [])):
            job = ["discofuse", "--input", str(source), "--output", str(folder / "out"), "--workers", str(workers)]
            command = [sys.executable, "-m", "gistmill", *job, "--overwrite", *more]
            used.setdefault((workers, name), []).append(watch(command))
    rows = []
    for workers in WORKERS:
        made: dict[str, float] = {"workers": workers}
        for field in ("seconds", "cpu_seconds"):
            start, whole = (median([getattr(u, field) for u in used[workers, n]]) for n in ("start", "dump"))
            made |= {field: round(max(whole - start, 0.0), 2), f"start_{field}": round(start, 2)}
        rows.append(made)
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="a single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--rounds", type=int, default=1, help="runs of each (default: 1)")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(arguments.input or slice_path(), Path(folder), rounds=arguments.rounds)
    print(machine())
    lines = [[f"{row['workers']:.0f}", *(f"{row[field]:.1f}" for field in FIELDS)] for row in rows]
    print(table(("workers", "s", "start-up, s", "CPU s", "start-up, CPU s"), lines))
    one, two = (row["seconds"] for row in rows)
    times = one / two if two else None  # a tiny input may take no longer than the start-up
    print("two workers took no time" if times is None else f"two workers are {times:.2f} times as fast as one")
    print(json.dumps({"rows": rows, "times": times}))


if __name__ == "__main__":
    main()
