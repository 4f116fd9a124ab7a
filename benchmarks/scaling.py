"""How the work divides: what two workers do at the same time, and what one worker does alone however many there are.

    python -m benchmarks.scaling [--input DUMP] [--rounds 1]

The first table is of the whole command `discofuse` with one and with two workers. Processor time that was used while
only one process had work is what more workers do not divide; from it follow the speed-ups on paper. A process that
waits for a processor has work, so other work on the machine hardly changes the shares. The second table times each
stage that one worker does alone, on inputs that are made for it, per million articles of the English Wikipedia. The
last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import dataclasses
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.commands import paragraphs_of, split_pages, words, write_multistream
from benchmarks.cost import Asked
from benchmarks.measuring import machine, median, table
from benchmarks.process_tree import Usage, watch
from benchmarks.slice import slice_path
from gistmill.published.dataset import Dataset
from gistmill.transforms.io import sha256_of
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.results import combine
from gistmill.transforms.sinks.sharding import SHARD_BYTES
from gistmill.transforms.sinks.shards import plan_shards
from gistmill.transforms.sinks.spill_file import SpillFile, SpillWriter
from gistmill.transforms.sinks.spills import RangeResult
from gistmill.transforms.sources.files.ranges import expand_inputs
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.plan import plan_files

MILLION = 1_000_000
_ROWS, _SPILLS = 400_000, 16
_RANGES = 2_000


def command_rows(source: Path, folder: Path, *, rounds: int) -> tuple[list[dict[str, Any]], Path]:
    """Runs the command with one and with two workers, over the dump and over one page; returns a row for each number of
    workers, start-up taken off, and the dataset of the last run."""
    used: dict[tuple[int, str], list[Usage]] = {}
    output = folder / "out"
    for workers in (1, 2) * rounds:
        for name, more in (("start", ["--limit", "1", "--allow-empty"]), ("dump", [])):
            job = [sys.executable, "-m", "gistmill", "discofuse", "--input", str(source), "--output", str(output)]
            command = [*job, "--workers", str(workers), "--overwrite", *more]
            used.setdefault((workers, name), []).append(watch(command, lanes=workers))
    rows = []
    for workers in (1, 2):
        made: dict[str, Any] = {"workers": workers}
        for field in ("seconds", "cpu_seconds", "alone_seconds", "idle_seconds"):
            start, whole = (median([getattr(u, field) for u in used[workers, n]]) for n in ("start", "dump"))
            made |= {field: round(max(whole - start, 0.0), 2), f"start_{field}": round(start, 2)}
        rows.append(made)
    return rows, output


def on_paper(rows: Sequence[dict[str, Any]], workers: int) -> float:
    """How many times as fast as one worker several are, start-up apart: what two do at the same time is divided, the
    rest is not."""
    one, two = rows
    alone = two["alone_seconds"]
    return one["cpu_seconds"] / (alone + (two["cpu_seconds"] - alone) / workers)


def stage_rows(source: Path, folder: Path, dataset: Dataset, *, rounds: int) -> Iterator[dict[str, Any]]:
    """Times every stage that one worker does alone; yields a row for each."""
    wiki, manifest = Asked(), dataset.manifest
    packed = wiki.dump / wiki.articles * MILLION / 1e9  # GB per million articles
    xml = bz2.decompress(source.read_bytes())
    ratio = len(xml) / source.stat().st_size
    # the slice's articles are long: words, not articles, say how many rows a million articles give
    share = wiki.words / wiki.articles * MILLION / _words(xml)
    rows = sum(manifest.rows().values()) * share / MILLION
    rejects = sum(f.rows or 0 for f in manifest.files if f.format == "jsonl") * share / MILLION
    published = sum(f.bytes for f in manifest.files) * share / 1e9
    measured = {
        "plan: scan a multistream dump": (_scan_multistream(xml, folder), "GB of bz2", packed),
        "plan: spool a single stream": (_spool(source, folder), "GB of XML", packed * ratio),
        "merge: bounds of the shards": (_plan_rows(folder, "full/train"), "million rows", rows),
        "merge: bounds of the rejects": (_plan_rows(folder, "rejects"), "million rejects", rejects),
        "finish: add up the ranges": (_add_up(), "1,000 ranges", packed * 1e9 / WikipediaConfig.RANGE_BYTES / 1000),
        "publish: checksums": (_checksums(folder), "GB of dataset", published),
    }
    for stage, (run, unit, units) in measured.items():
        per_unit = median([run() for _ in range(rounds)])
        yield {
            "stage": stage,
            "unit": unit,
            "seconds_per_unit": round(per_unit, 3),
            "units_per_million": round(units, 3),
            "seconds_per_million": round(per_unit * units, 2),
        }


def _words(xml: bytes) -> int:
    return words(paragraphs_of(split_pages(xml.decode())[1])[2])


def _used(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def _scan_multistream(xml: bytes, folder: Path) -> Callable[[], float]:
    one, dump = folder / "one.xml.bz2", folder / "multistream.xml.bz2"
    write_multistream(one, *split_pages(xml.decode()))
    dump.write_bytes(one.read_bytes() * 40)

    def run() -> float:
        files = expand_inputs([str(dump)])
        return _used(lambda: list(plan_files(files, workspace=str(folder), config=WikipediaConfig()))) / _gigabytes(
            dump
        )

    return run


def _spool(source: Path, folder: Path) -> Callable[[], float]:
    def run() -> float:
        with tempfile.TemporaryDirectory(dir=folder) as workspace:
            files = expand_inputs([str(source)])
            seconds = _used(lambda: list(plan_files(files, workspace=workspace, config=WikipediaConfig())))
            return seconds / sum(_gigabytes(path) for path in Path(WorkspaceLayout(workspace).spool).glob("*.xml"))

    return run


def _plan_rows(folder: Path, bucket: str) -> Callable[[], float]:
    spills = list(_spills(folder, bucket))
    rows = sum(spill.rows for spill in spills)
    # as many bytes as make two shards, whatever these rows have
    large = [dataclasses.replace(spill, raw_bytes=SHARD_BYTES // len(spills) + 1) for spill in spills]

    def run() -> float:
        seconds = _used(lambda: plan_shards(bucket, large))
        return seconds / rows * MILLION * 2  # one bound of two shards: half of the keys are read

    return run


def _spills(folder: Path, bucket: str) -> Iterator[SpillFile]:
    layout, value = WorkspaceLayout(str(folder)), b"v" * 300
    for part in range(_SPILLS):
        writer = SpillWriter(layout.new_spill(f"part{part}"), bucket)
        for number in range(part, _ROWS, _SPILLS):
            writer.add(b"wikipedia-%09d-%06d-PAIR_ANAPHORA-0" % (number // 5, number), value)
        yield writer.close()


def _add_up() -> Callable[[], float]:
    counts = {f"rejects/recipe/sentence/REASON_{n}": n for n in range(200)}
    results = [RangeResult(f"00000-{n:015d}", (), counts) for n in range(_RANGES)]
    return lambda: _used(lambda: combine(results)) / _RANGES * 1000


def _checksums(folder: Path) -> Callable[[], float]:
    file = folder / "shard"
    file.write_bytes(os.urandom(1 << 26))
    return lambda: _used(lambda: sha256_of(str(file))) / _gigabytes(file)


def _gigabytes(path: Path) -> float:
    return path.stat().st_size / 1e9


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="a single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--rounds", type=int, default=1, help="runs of each (default: 1)")
    arguments = parser.parse_args(argv)
    source = arguments.input or slice_path()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands, output = command_rows(source, folder, rounds=arguments.rounds)
        stages = list(stage_rows(source, folder, Dataset(output), rounds=max(arguments.rounds, 3)))
    paper = {workers: round(on_paper(commands, workers), 2) for workers in (2, 4, 8)}
    print(machine())
    head = ["workers", "s", "CPU s", "of it alone", "idle s", "start-up CPU s", "start-up s"]
    fields = (
        "workers",
        "seconds",
        "cpu_seconds",
        "alone_seconds",
        "idle_seconds",
        "start_cpu_seconds",
        "start_seconds",
    )
    print(table(head, [[str(row[field]) for field in fields] for row in commands]))
    one, two = (row["seconds"] for row in commands)
    times = one / two if two else None  # a tiny input may take no longer than the start-up
    said = "took no time that could be measured" if times is None else f"{times:.2f} times one"
    print(f"measured: 2 workers {said}, start-up apart")
    print("on paper: " + ", ".join(f"{n} workers {times:.2f} times one" for n, times in paper.items()) + "\n")
    head = ["alone in one worker", "s", "of", "of these per million articles", "s per million articles"]
    print(table(head, [[str(value) for value in _in_order(row)] for row in stages]))
    print(
        json.dumps({"machine": machine(), "commands": commands, "measured": times, "on_paper": paper, "stages": stages})
    )


def _in_order(row: dict[str, Any]) -> Iterator[Any]:
    for name in ("stage", "seconds_per_unit", "unit", "units_per_million", "seconds_per_million"):
        yield row[name]


if __name__ == "__main__":
    main()
