"""Measures the speedup of two workers over one, for the whole `discofuse` command without start-up.

    python -m benchmarks.scaling [--input DUMP] [--rounds 1] [--read] [--copies 1]

Start-up is measured by a run on one page. Runs are interleaved, and medians are shown. Processor time is given for the
whole process tree and its busiest process; other load on the machine affects it less than elapsed time. Memory is
resident memory, summed over the process tree; disk covers workspace and output. With --copies, the input contains that
many copies of the dump, with new page ids: the peak should hardly grow. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import Usage, machine, median, table, watch
from benchmarks.slice import slice_path

WORKERS = (1, 2)
TIMES = ("seconds", "cpu_seconds", "busiest_cpu_seconds")
FIELDS = (*(name for field in TIMES for name in (field, f"start_{field}")), "peak_mb", "peak_disk_mb")
HEAD = ("s", "start-up, s", "CPU s", "start-up, CPU s", "busiest, CPU s", "start-up, CPU s", "peak MB", "disk MB")
JOB = ("discofuse",)
READING = ("gap-sentences", "--sentences", "fast", "--namespaces", "99", "--allow-empty")  # a namespace without pages
_PAGE = re.compile(rb"  <page>.*?</page>\n", re.S)
_PAGE_ID = re.compile(rb"<id>(\d+)</id>")
_TITLE = re.compile(rb"<title>(.*?)</title>")
_FAR = 100_000_000  # above every page id in the dump


def write_copies(source: Path, target: Path, copies: int) -> None:
    """Writes an export (bz2) with ``copies`` copies of every page of ``source`` (bz2), under new ids and titles."""
    xml = bz2.decompress(source.read_bytes())
    start, end = xml.index(b"  <page>"), xml.rindex(b"</page>\n") + len(b"</page>\n")
    with bz2.open(target, "wb") as file:
        file.write(xml[:start])
        for number in range(copies):
            for page in _PAGE.findall(xml[start:end]):
                id, title = _PAGE_ID.search(page), _TITLE.search(page)
                assert id is not None and title is not None  # every page of an export has them
                page = page.replace(id[0], b"<id>%d</id>" % (int(id[1]) + number * _FAR), 1)
                file.write(page.replace(title[0], b"<title>%s (copy %d)</title>" % (title[1], number), 1))
        file.write(xml[end:])


def measure(source: Path, folder: Path, *, rounds: int, job: Sequence[str] = JOB) -> list[dict[str, float]]:
    """Runs a command with one and with two workers, on the dump and on one page; returns a row for each number of
    workers, without start-up."""
    used: dict[tuple[int, str], list[Usage]] = {}
    for workers in WORKERS * rounds:
        for name, more in (("start", ["--limit", "1", "--allow-empty"]), ("dump", [])):
            places = ["--input", str(source), "--output", str(folder / "out"), "--workers", str(workers)]
            command = [sys.executable, "-m", "gistmill", *job, *places, "--overwrite", *more]
            used.setdefault((workers, name), []).append(watch(command, folder=folder))
    rows = []
    for workers in WORKERS:
        made: dict[str, float] = {"workers": workers}
        for field in TIMES:
            start, whole = (median([getattr(u, field) for u in used[workers, n]]) for n in ("start", "dump"))
            made |= {field: round(max(whole - start, 0.0), 2), f"start_{field}": round(start, 2)}
        for field in ("peak_bytes", "peak_disk"):
            made[f"{field.removesuffix('_bytes')}_mb"] = (
                median([getattr(u, field) for u in used[workers, "dump"]]) / 1e6
            )
        rows.append(made)
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--rounds", type=int, default=1, help="number of runs of each (default: 1)")
    parser.add_argument("--read", action="store_true", help="only read pages (default: run the whole command)")
    parser.add_argument("--copies", type=int, default=1, help="number of copies of the dump in the input (default: 1)")
    arguments = parser.parse_args(argv)
    job = READING if arguments.read else JOB
    source = arguments.input or slice_path()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as inputs:
        if arguments.copies > 1:
            copied = Path(inputs) / f"{arguments.copies}.xml.bz2"
            write_copies(source, copied, arguments.copies)
            source = copied
        rows = measure(source, Path(folder), rounds=arguments.rounds, job=job)
    print(machine())
    lines = [[f"{row['workers']:.0f}", *(f"{row[field]:.1f}" for field in FIELDS)] for row in rows]
    print(table(("workers", *HEAD), lines))
    one, two = (row["seconds"] for row in rows)
    times = one / two if two else None  # a tiny input may take no longer than the start-up
    print("two workers took no time" if times is None else f"two workers are {times:.2f} times as fast as one")
    one, two = (row["busiest_cpu_seconds"] for row in rows)
    print(f"the busier of two workers does 1/{one / two:.2f} of the work" if two else "")
    print(json.dumps({"rows": rows, "times": times}))


if __name__ == "__main__":
    main()
